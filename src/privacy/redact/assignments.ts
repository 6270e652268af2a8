// Secrets that their name gives away: `KEY=value`, `"password": "…"`, `--token …`, `<secret>…</secret>`, escaped or not.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples in other languages
import { type Allowance, matchAt, matchEnd } from "./effort.ts";
import { readColumns, readInsert, readList } from "./listed.ts";
import {
  argumentAfter,
  elementAfter,
  looseValue,
  readArgument,
  readAssigned,
  readElement,
  readOption,
  unjoined,
} from "./named-value.ts";
import { judgeSpoken, type NameVerdict } from "./names.ts";
import { foreignBeginnings, foreignSource, judgeNamed, kindOf } from "./promises.ts";
import { afterSeparator, type Named, type Value } from "./read-value.ts";
import type { Found, Span, TextRule } from "./rule.ts";
import { isChosen, isIssued, isPassphrase, isUnguessable } from "./values.ts";

/** Texts in which a value goes for its name. */
export const goneUnderNames: readonly string[] = [
  "DB_PASSWORD=«{x6}{d3}»",
  "DB_PASSWORD=«Q{a5}&{a6}»\nX=1",
  "password: «Q{a5}){a6}»",
  "db.password=«{x4}{d2}.{a5}.{a3}»",
  '{"password": "«{a4};{a3}»", "x": 1}',
  "PGPASSWORD=«{a10}» psql",
  "pass: «{x5}{d3}»",
  "define('DB_PASSWORD', '«{a12}»');",
  "password: |\n  «{a14}»\nport: 1",
  "client-key-data: «{b80}»",
  "deploy --api-token «{a12}» now",
  "Connect-VIServer -Server vc -User ada -Password «{a10}» | Out-Null",
  "GET /cb?access_token=«{a24}»&state=1",
  "- name: DB_PASSWORD\n  value: «{a12}»",
  "STRIPE_KEY=«{a32}»",
  "DATADOG_KEY=«{h32}»",
  '{"sentryAuth": "«{h64}»"}',
  "fastlykey = '«{a32}»'",
  "Algolia API key: «{h32}»",
  "datadog:\n  site: eu\n  key: «{h32}»",
  '{"mailgun": {"key": "«{h32}»"}}',
  "X-Acme-Key: «{h40}»",
  "my Datadog api key is «{h32}» please use it",
  "the Snyk token «{h8}-{h4}-{h4}-{h4}-{h12}» works",
  "AIRTABLE_API_KEY=«keyQ{x2}{d1}{x4}Qx{d1}Z{x1}»",
  "sign in as ada with password «{a12}» there",
  "password\t\t«{a12}»",
  'const secret = process.env.JWT_SECRET || "«{a24}»";',
  '<wsse:Password Type="text">«{a12}»</wsse:Password>',
  "<key>ApiSecret</key>\n<string>«{a24}»</string>",
  '<string name="maps_api_key">«{a39}»</string>',
  "the password for the staging database is «{a12}»",
  "Password:\n«{a12}»\n",
  "<td>Password</td><td>«{a12}»</td>",
  "password (staging): «{a12}»",
  'jwtKey = []byte("«{a32}»")',
  '["password"]=>\n  string(12) "«{a12}»"',
  '{password,"«{a12}»"}',
  'variable "db_password" {\n  default = "«{a14}»"\n}',
  "export API_TOKEN ?= «{a32}»",
  'db_password <- "«{a14}»"',
  'Dim password As String = "«{a8})]{a6}»"',
  '(setq api_token "«{x8}{d4}»")',
  "DB_PASSWORD=«Q{x7}[{d4}»",
  "DB_PASSWORD=«u7Pij<x$D{d1}{x1}Q{d1}»",
  "export API_TOKEN=«{x2}{d1}\\)\\$.\\(Q{a5}»",
  "password: |\n  «{x2}{d1};}{a9}|{d2}»\nport: 1",
  'var password = @"«{a6}""{a8}»";',
  'let apiToken: String? = "«{a30}»"',
  'const password: []const u8 = "«{a12}»";',
  "l_password VARCHAR2(30) := '«{a12}»';",
  "export PASS='«{x2}{d2}'\"'\"'{a5}»'",
  "<password><![CDATA[«{a4}<{a6}»]]></password>",
  'System.getenv("DB_PASSWORD").orElse("«{x7}@{x5}{d2}»")',
  "password=[«{x6}.{x6}{d3}»]",
  "the root password («{x6}!!{x8}-{d2}») was changed",
  'fmt.Println("password:", "«{x6}{d2}!»")',
  'buildConfigField("String", "API_KEY", "\\"«{a32}»\\"")',
  "buildConfigField 'String', 'API_KEY', '\"«{a32}»\"'",
  "S3_SECRET_ASSETS=«{h40}»",
  '"algoliaApiKeySearch": "«{h32}»"',
  "GITHUB_TOKENS=«{h40}»",
  '"gpgSecretKeys": "«{h40}»"',
  "DROPBOX_OAUTH_BEARER=«{a32}»",
  "SL_PW = «{h64}»",
  "BLUEMIX_AUTH=«{h40}»",
  "jenkins api token «{h34}»",
  "client_secret «{h40}» refresh_token «{h40}»",
  "secret_key = /«{a20}+{a18}»",
  "encrypt:\n  key: «{x6}.{x7}{d2}»",
  'env { DB_PASS = "«{x6}Kestrel7{d1}»" }',
  "remotepass = «{x6}Dragon7{d1}»",
  "Datenbankpasswort=«{a4}&{a3};{a5}»",
  "HASŁO=«{a4}|{a6}»",
  "пароль: «{a4}){a6}»",
  "secreto '«{a4}!{a6}»';",
  "if ('«{a20}»' === user_password) {",
  "SECRET=«{x3}OC{d1}(p{x2}{d1}D)»",
  "api_key=«{x6}::kn{d2}fq»",
  "ACME_PRIVATE_KEY=«[bk)J{d1}Q{d1}Z@yc|C{d1}e[lV({a8}»",
  "Unseal Key 1: «{a30}»",
  "recovery key 12: «{a40}»",
  "X-Acme-Key: «{a24}={a20}.-+{a5}»",
  "page.fill('input[name=\"password\"]', '«{x7}{d3}&=x»')",
  'const acmeKey = "«{h32}»";',
  "'acme_key' => '«{h8}-{h4}-{h4}-{h4}-{h12}»',",
  "- Acme key: `«{h32}»`",
  "acmekey = «{h32}»",
  "INFO worker-3 using acme token «{h40}»",
  'github_deployment_key: "«{h8}-{h4}-{h4}-{h4}-{h12}»"',
  "$ coinlib login --token «{x8}{d2}{x6}»",
  "  VBOUT_TOKEN: «{d25}»",
  "repotoken = «{a24}»",
  'passwordtravis: "«{x8}7{x3}{d2}»"',
  "ALGOLIA_ADMIN_KEY_MCM=«{h40}»",
  "  CATTLE_INSTANCE_AUTH: «{h40}»",
  "bind_password: !vault-plain «{a20}»",
  "password: !!str «{a12}»",
  's:8:"password";s:12:"«{a12}»";',
  "# deepl\nkey: «{h8}-{h4}-{h4}-{h4}-{h12}»",
];

/** Texts in which a telling name has no secret for its value. */
export const staysUnderNames: readonly string[] = [
  "const token = getToken();",
  "password=config.password",
  "token=tokens[index2]; secret = derive(2,",
  "token <- requestToken",
  "apiKey: process.env.API_KEY,",
  "pass: 312, fail: 0",
  "max_tokens=4096",
  'APIKey: "test-key"',
  "password: ${{ secrets.DEPLOY_PASSWORD }}",
  'cacheKey = "{h40}"',
  "AWS_API_KEY_ID={h32}",
  '{"api_key_id": "{h24}", "secret_version": "{h16}", "secretName": "db-prod-7f3a"}',
  "private_key_usage: {h40}",
  "{h64}  secrets.tar.gz\n{h64}  tokens.txt\n",
  '{"max_tokens": 4096, "total_tokens": "{h32}", "tokens": 12}',
  "X-Idempotency-Key: {h8}-{h4}-{h4}-{h4}-{h12}",
  "steps:\n  cache:\n    key: {h40}",
  "the key {h40} of the cache",
  "the token {h40} of the commit",
  "API key: required-by-default, see ANTHROPIC_API_KEY",
  "the Slack token of the workspace, and the GitHub key v2",
  "DATADOG_KEY=datadog-production-key",
  "STRIPE_KEY=pk_live_{a24}",
  "NEXT_PUBLIC_DATADOG_KEY={h32}",
  "arn:aws:secretsmanager:eu-west-1:{d12}:secret:prod/db-{a6}",
  'read -rsp "Password: " password; echo',
  'DB_PASSWORD="op://Prod/db/password"',
  "a user with password OAuth2Client of type password SHA256 and token Base64",
  'token = os.environ["API_TOKEN"] || "none"',
  "#password:focus{outline:2px solid #0af}",
  "SECRET=get_secret(name2)",
  "api_key=Config::key2",
  "s/password=[^&]*/password=***/g",
  "rg '(?<=token=)[^&]+' logs/",
  "token 12: identifier of the second row",
  "the key 3: {h40}",
  "Passwort: ungültig, bitte erneut versuchen",
  "const contraseña = leerContraseña();",
  "- password of the user, - token rotation, -secret files",
  "the token of this run was given to toolu_{a24}",
  "Password:\nLast login: Mon",
  "<td>Token</td><td>identifier2</td>",
  'password = decrypt("DB_PASSWORD2")',
  '<meta name="csrf-token" content="{a64}">',
  'revisionKey = "{h40}"',
  "- primary key: `{h8}-{h4}-{h4}-{h4}-{h12}`",
  "unexpected token {h40} in the answer",
  "# the cache\nkey: {h40}",
  "password: !secret db_password_2",
  "csrftoken={h40} nexttoken={a40}",
  "passwordless: 2024-mode; passwordhash={h40}",
  "AWS_ACCESS_KEY_ID_SHOP={u20} ADMIN_KEY_PATH_X={a20}",
];

/** The rule by which named values go. */
export const assignmentRule: TextRule = {
  id: "named-value",
  finds:
    "values under a name that promises a secret, in any quoting: assignments, settings, options, arguments",
  words: [
    ..."pass pwd pswd psw secret token key auth cred connection salt pw pat sid jwt".split(" "),
    ...foreignBeginnings,
  ],
  gone: goneUnderNames,
  stay: staysUnderNames,
};

/** The part of a name that tells; it begins with one of the rule's words. */
const stem = new RegExp(
  String.raw`pass(?:w|phrase|code)?|pwd|pswd|psw|secret|token|key|auth|cred|connection[_-]?string|salt|(?:(?<![a-z])(?:pw|pat|sid|jwt)|(?<=admin|bind|db|ftp|ldap|login|root|smtp|sql|user)pw)(?![a-z])|${foreignSource}`,
  "iy",
);
const nameCharacter = /[\w$.\-\u00c0-\u024f\u0370-\u052f]/;
/** How far a name reaches to either side of its telling part. */
const reach = 64;
/** As far back stand the words of a sentence, or the heading, that belong to a name. */
const spokenReach = 140;

/** What the name is compared with, before it: `'…' === password`, `"…".equals(password)`. */
const compares =
  /(["'])([^"'\s]{8,200})\1(?:[ \t]{0,2}[!=]==?[ \t]{0,2}|\.equals\w{0,12}\()[\w.]{0,20}$/;

/**
 * Every value that stands under a secret's name; `places` are those where the rule's words stand, in their order. Where a
 * name ends that has no value `bare` is told.
 */
export function findAssignments(
  text: string,
  places: readonly number[],
  allowance: Allowance,
  bare: (end: number) => void = () => {},
): Found[] {
  const found: Found[] = [];
  let readTo = 0;
  let from = 0;
  for (const place of places) {
    let end = place >= from && allowance.begin(place) ? matchEnd(stem, text, place) : undefined;
    if (end === undefined) continue;
    const start = nameStart(text, place);
    while (end - place < reach && nameCharacter.test(text.charAt(end))) end++;
    // A method of what the name stands for: `password.equals("…")`.
    end -=
      /\.(?:equals\w{0,12}|send_keys|type|fill)$/.exec(text.slice(start, end))?.[0].length ?? 0;
    from = end;
    const written = text.slice(start, end).replace(/^[.$-]+|[.-]+$/g, "");
    const promised = judgeNamed(written);
    const { name } = promised;
    const ofWords = (): NameVerdict =>
      name === written
        ? judgeSpoken(name, () => text.slice(Math.max(0, start - spokenReach), start))
        : promised.verdict;
    const verdict = isResource(text, start) ? undefined : ofWords();
    const value: Value | undefined =
      verdict &&
      (valueAfter(text, { start, end, name, verdict }) ??
        comparedBefore(text, start, verdict) ??
        usedBefore(text, { start, end, name, verdict }) ??
        usedBehind(text, { start, end, name, verdict }));
    if (value && (name === written || isNoWord(text, end, value))) {
      const last = value.whole?.() ?? value.end;
      found.push({ start: value.start, end: last, kind: kindOf(name), rule: assignmentRule.id });
      if (value.start - end > 1 && text.slice(end, value.start).includes("\n")) bare(end);
      from = Math.max(end, last);
      continue;
    }
    if (verdict !== undefined && verdict !== "maybe" && verdict !== "made") bare(end);
    // The name may stand once for many values. A table or list is read once.
    if (end <= readTo) continue;
    const list =
      readList(text, end, name, found) ??
      (verdict !== "maybe" ? readInsert(text, { start, end }, found) : undefined) ??
      (verdict && readColumns(text, { start, end }, found));
    readTo = list ?? readTo;
  }
  return found;
}

/** The name of a kind of resource, in a table of them: `"AWS::IAM::AccessKey": "…"`. */
const isResource = (text: string, start: number): boolean =>
  text.startsWith("::", start - 2) &&
  /["']AWS::\w{1,40}::$/.test(text.slice(Math.max(0, start - 50), start));

/** A literal with which the name at `start` is compared. */
function comparedBefore(text: string, start: number, verdict: NameVerdict): Span | undefined {
  const before = text.charAt(start - (text[start - 1] === " " ? 2 : 1));
  if (verdict === "maybe" || verdict === "made" || (before !== "=" && before !== "("))
    return undefined;
  const hit = compares.exec(text.slice(Math.max(0, start - 240), start));
  const [all = "", , value = ""] = hit ?? [];
  if (!hit || !(isIssued(value) || (verdict !== "issued" && isUnguessable(value, true))))
    return undefined;
  const from = start - all.length + 1;
  return { start: from, end: from + value.length };
}

/** What a sentence says to take as what the name says: `use … as the root password`, `nimm … als Passwort`. */
const uses =
  /(?:^|[\s"'(+→\uf8ff])(?:use|put|set|take|enter|type|try|with|use|usa|usar|usando|pon|coloca|coloque|mets|mettez|utilise|nimm|nehmt|verwende|setz|setze|gebruik|användn?|użyj|ustaw|используй)[ ]["'`*«]{0,2}([^\s"'`«»]{6,80})["'`*»]{0,2} (?:as|als|como|comme|come|som|jako|как)(?: \p{L}{1,14}){0,3} $/iu;
/** Behind a name what makes of it the name of something else: `the password grant`. */
const kindOfName =
  /^ (?:grant|hash|hashing|hasher|manager|field|provider|type|method|flow|prompt)\b/;

/** What is said to be used as what the name promises. */
function usedBefore(text: string, { start, end, name, verdict }: Named): Span | undefined {
  if (text[start - 1] !== " " || !/^pass|password$|passphrase$|secret$/i.test(name))
    return undefined;
  if (verdict === "maybe" || verdict === "made" || kindOfName.test(text.slice(end, end + 12)))
    return undefined;
  const from = Math.max(0, start - 160);
  const hit = uses.exec(text.slice(from, start));
  const [all = "", value = ""] = hit ?? [];
  if (!hit || !(isChosen(value) || isUnguessable(value, true) || isPassphrase(value)))
    return undefined;
  const at = from + hit.index + all.indexOf(value);
  return { start: at, end: at + value.length };
}

/** What tells to take what follows the name: `use the password …`, `usa la clave … para entrar`. */
const using =
  /(?:^|[\s"'(+→\uf8ff])(?:use|using|with|try|usa|usando|con|com|avec|mit|nimm)(?: (?:the|this|la|el|le|o|a|das|dem|il))? $/i;
const used = / ["'`]?([^\s"'`]{6,80}?)["'`]?(?=[.,;:!?]?(?:\s|$|"))/y;

/** What stands behind a name that a sentence says to use. */
function usedBehind(text: string, { start, end, name, verdict }: Named): Span | undefined {
  if (text[end] !== " " || !/^pass(?:word|phrase)?$/i.test(name)) return undefined;
  if (verdict === "maybe" || !using.test(text.slice(Math.max(0, start - 24), start)))
    return undefined;
  const value = matchAt(used, text, end)?.[1] ?? "";
  if (!isUnguessable(value) && !(/^[^A-Z].*\d/.test(value) && isChosen(value))) return undefined;
  const from = text.indexOf(value, end);
  return { start: from, end: from + value.length };
}

/** What no word of a sentence has: a digit, a capital or a sign in its midst. */
const noWord = /\d|[a-z][A-Z]|[A-Za-z][!"#$%&()*+,:;<=>?@[\\\]^_`{|}~][A-Za-z]/;

/** True for what is no word in a language whose letters the other tests do not know, or is quoted or assigned. */
const isNoWord = (text: string, end: number, { start, end: last }: Span): boolean =>
  noWord.test(text.slice(start, last)) ||
  /["'`]/.test(text.charAt(start - 1)) ||
  /^[ \t]?=/.test(text.slice(end, end + 2));

/** Where the name around `at` begins; the letter of a JSON escape before it (`\npassword`) is not part of it. */
function nameStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < reach && nameCharacter.test(text.charAt(start - 1))) start--;
  if (text.charAt(start - 1) !== "\\") return start;
  const escaped = /^(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrtbf])/.exec(text.slice(start, at));
  return escaped ? start + escaped[0].length : start;
}

/** The value of a name, behind it in whatever way. */
function valueAfter(text: string, named: Named): Value | undefined {
  const between = afterSeparator(text, named.end);
  if (between !== undefined) return readAssigned(text, named, between);
  const second = argumentAfter(text, named);
  if (second !== undefined) return readArgument(text, second, named);
  const loose = looseValue(text, named, unjoined);
  if (loose) return loose;
  const inside = elementAfter(text, named);
  return inside === undefined ? readOption(text, named) : readElement(text, inside, named);
}
