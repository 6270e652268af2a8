// Secrets that their name gives away: `KEY=value`, `"password": "…"`, `--token …`, `<secret>…</secret>`, escaped or not.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples in other languages
import { bareEnd, wholeEnd } from "./bare-value.ts";
import { foreignBeginnings, foreignSource } from "./foreign-names.ts";
import { readColumns, readInsert, readList } from "./listed.ts";
import { joined, type LooseForm, unjoined } from "./loose-forms.ts";
import { judgeSpoken, type NameVerdict, verdictOf } from "./names.ts";
import { isSecretUnder, isVariable, judgeNamed, kindOf } from "./promises.ts";
import type { Found, TextRule } from "./rule.ts";
import {
  type BareForm,
  isChosen,
  isHandedOut,
  isIssued,
  isSecretBare,
  isUnguessable,
} from "./values.ts";

/** The rule by which named values go. */
export const assignmentRule: TextRule = {
  id: "named-value",
  finds:
    "values under a name that promises a secret, in any quoting: assignments, settings, options, arguments",
  words: [
    ..."pass pwd pswd psw secret token key auth cred connection salt pw pat sid jwt".split(" "),
    ...foreignBeginnings,
  ],
  gone: [
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
  ],
  stay: [
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
  ],
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

const quote = String.raw`(?:\\{0,8}["'\x60]|&quot;|&#0?39;)`;
/** What stands between a name and its value, a type annotation included. */
const separator = new RegExp(
  String.raw`${quote}?[\]}]?(?:[ \t]\d{1,2}(?=:[ \t]))?(?:[ \t][([][^()[\]\n"'=]{1,30}[)\]](?=[ \t]{0,2}[:=]))?(?:\[\d{0,4}\])?[*_]{0,2}[ \t]{0,40}(?:(?::[ \t]{0,4}|As[ \t])[&*[\]]{0,4}(?:'\w{1,20}[ \t]|(?:const|mut|dyn)[ \t])?[A-Za-z][\w.[\]<>|?!]{0,40}(?:[ \t]{1,4}=|=(?=[ \t"'\x60\\]))(?!=)|(?:[:?+]|\|\||\?\?)=|=>|<-(?=[ \t]{0,2}["'])|::(?=[ \t])|!==?|={1,3}|;s:\d{1,4}:(?=\\{0,8}")|:(?![:/])|%3[Dd])[*_]{0,2}[ \t]{0,16}(?:(?<=:[ \t]{1,4})!!?(?!(?:secret|env|env_var|include|ref|reference|vault|encrypted|lambda|input|file|import|path|param|ssm|sops|join)[ \t])[a-z][\w./:-]{0,40}[ \t]{1,4})?`,
  "y",
);
/** A type between a name and its value, in quotes: `password VARCHAR2(30) := '…'`, `password string = "…"`. */
const declared = /[ \t]{1,8}[A-Za-z]\w{2,20}(?:\(\d{1,5}\))?[ \t]{1,4}:?=[ \t]{0,2}N?(?=["'\x60])/y;
/** Blanks, line breaks and what stands before the lines of a listing or patch. */
const gap = String.raw`(?:\s|\\[nrt]|\uf8ff|[+]|\d{1,6}[→|:\t]){0,24}`;
/** `name: DB_PASSWORD`, then the value under a name of its own; `variable "db_password" { default = … }`. */
const labelled = new RegExp(
  String.raw`${quote}?,?(?:\s|\\[nrt]){0,4}\{?(?:${gap}(?:type|description|sensitive|nullable)[ \t]{0,8}=[ \t]{0,4}[^\n=]{1,80}\n){0,3}${gap}${quote}?(?:(?:[Pp]arameter|[Pp]aram|[Oo]ption|[Ss]etting|[Ff]ield|[Dd]efault)?[Vv]alue|default|content)${quote}?[ \t]{0,4}[:=][ \t]{0,4}`,
  "y",
);
/** What an unguessable value has at its beginning. */
const digitSoon = /^[^\n]{0,3}\S*\d/;
/** The rest of an element of XML whose name, or whose attribute or key, says it. */
const element =
  /(?:[ \t][^<>\n]{1,120})?>|\\{0,4}["']>|<\/key>(?:[\s+\uf8ff]|\\[nrt]|\d{1,6}[→|:]){0,24}<(?:string|data)>/y;
const opening = new RegExp(`[bruf@$]{0,2}("""|'''|${quote})`, "y");
/** Brackets that stand for quotes: `[[…]]` in Lua, `%q(…)` in Ruby. */
const bracketed = /(?:\[\[(?!redacted:|[ ]?[\d"'[{])|%[qQ]?[[({])(?=[^\s\])}])/y;
const closers: Readonly<Record<string, string>> = { "[": "]", "(": ")", "{": "}" };
/** A name in quotes, then its value in quotes: `define('DB_PASSWORD', '…')`, `fill('input[name="password"]', '…')`. */
const argument = /(?:\\{0,4}["'])?\]?\\{0,4}["'][ \t]{0,4},[ \t]{0,4}(?:"(?=\\")|'(?="))?/y;
/** A value on lines of its own, as YAML has them. */
const block =
  /(?:[|>][+-]?\d?|<<[-~]?["']?\w{2,12}["']?)[ \t]{0,4}(?:\r?\n|\\+n)(?:[ \t]{0,8}\d{1,6}[→\t|:])?[ \t+\uf8ff]{0,40}/y;
/** Such a line, in which any sign may stand; it ends with a quote where it was written into one. */
const line = /(?:(?!\\+[nr"]|["'](?:[\s,;)\]}]|$))\S){1,500}/y;
const option = /[ \t]{1,4}(?!-)/y;
/** Words that follow an option's name in prose about it. */
const prose =
  /^(?:flags?|options?|arguments?|args?|parameters?|values?|and|or|is|are|to|for|with|was|in|on|as|if|when|the|a|an|from|via)\b/i;

/** What may stand before a name that begins a line, as in a file of settings; its text may stand in JSON. */
const lineStart = /(?:^|\n|\\n|\uf8ff|": ?")[+ ]{0,8}(?:\d{1,6}[→\t:|])?(?:export |set |ENV )?$/;
/** A selector of CSS goes on so: `#password:focus{`. */
const pseudoClass =
  /(?::?(?:before|after)|focus(?:-within|-visible)?|hover|active|visited|disabled|enabled|checked|(?:in)?valid|required|optional|empty|target|not|is|has|where|(?:first|last|only|nth)-(?:child|of-type)|placeholder-shown|read-only|autofill)(?:\([^()\n]{0,60}\))?[ \t]{0,4}[{,:.>+~\s]/y;
/** What the name is compared with, before it: `'…' === password`, `"…".equals(password)`. */
const compares =
  /(["'])([^"'\s]{8,200})\1(?:[ \t]{0,2}[!=]==?[ \t]{0,2}|\.equals\w{0,12}\()[\w.]{0,20}$/;

/** How much of a value is looked at to judge it; the work stays linear, a longer value still goes whole. */
const sample = 500;

/**
 * Every value that stands under a secret's name; `places` are those where the rule's words stand, in their order. Where a
 * name ends that has no value `bare` is told.
 */
export function findAssignments(
  text: string,
  places: readonly number[],
  bare: (end: number) => void = () => {},
): Found[] {
  const found: Found[] = [];
  let readTo = 0;
  let from = 0;
  for (const place of places) {
    let end = place >= from ? match(stem, text, place) : undefined;
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
    const value =
      verdict &&
      (valueAfter(text, start, end, name, verdict) ?? comparedBefore(text, start, verdict));
    if (value && (name === written || isNoWord(text, end, value))) {
      found.push({ ...value, kind: kindOf(name), rule: assignmentRule.id });
      if (value.start - end > 1 && text.slice(end, value.start).includes("\n")) bare(end);
      from = Math.max(end, value.end);
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

type Span = Pick<Found, "start" | "end">;

function valueAfter(
  text: string,
  start: number,
  end: number,
  name: string,
  verdict: NameVerdict,
): Span | undefined {
  const between =
    match(separator, text, end) ?? match(labelled, text, end) ?? match(declared, text, end);
  if (between !== undefined) {
    const written = text.slice(end, between);
    // What a page or a form only carries around is no value of a name that says little.
    if ((verdict === "maybe" || verdict === "made") && /content/.test(written)) return undefined;
    // A part of a name with colons, `arn:aws:…:secret:…`; or the quote behind a label, `"Password: "`.
    if (written === ":" && text.charAt(start - 1) === ":" && !isListed(text, start))
      return undefined;
    if (written === ":" && match(pseudoClass, text, between) !== undefined) return undefined;
    if (/^: {0,4}$/.test(written) && closesLabel(text, start, between))
      return looseValue(text, end, name, verdict, joined);
    // Whose it is says no less of a value than its name alone.
    const joinedVerdict = verdictOf(name) === "secret" ? "secret" : verdict;
    const value = readValue(text, between, name, joinedVerdict, {
      tight: !/\s|:/.test(written),
      bare: !/[=!]=/.test(written),
      variable: written === "=" && /^[A-Z][A-Z0-9_]*$/.test(name),
      line: () => written === "=" && lineStart.test(text.slice(Math.max(0, start - 24), start)),
    });
    if (value && isParameter(text, value, written)) return undefined;
    if (value && defaultToken.test(name) && shortWords.test(text.slice(value.start, value.end)))
      return undefined;
    if (value && /[!=]=/.test(written) && isKeyword(text.slice(value.start, value.end), name))
      return undefined;
    if (value && written === "=") value.end = closedEnd(text, start, value.end);
    return value ?? looseValue(text, end, name, verdict, joined);
  }
  const isArgument =
    /(?:\(|buildConfigField[ ])\s{0,4}(?:["']\w{1,20}["'][ ]?, ?)?\\{0,4}["'](?:[\w*=^ -]{0,20}[#.[])?[\w=]{0,8}\\{0,4}["']?$/.test(
      text.slice(Math.max(0, start - 40), start),
    );
  const second = isArgument ? match(argument, text, end) : undefined;
  if (second !== undefined && /["'\\]/.test(text.charAt(second))) {
    const value = readValue(text, second, name, verdict, {
      tight: false,
      bare: false,
      variable: false,
    });
    const literal = value && text.slice(value.start, value.end);
    return literal && (isChosen(literal, true) || isIssued(literal)) ? value : undefined;
  }
  const loose = looseValue(text, end, name, verdict, unjoined);
  if (loose) return loose;
  const inside = elementStart(text, start, end);
  if (inside !== undefined) {
    const near = text.slice(inside, inside + 8 * sample);
    const [opened = ""] = /^\s{0,40}<!\[CDATA\[/.exec(near) ?? [];
    const close = near.indexOf(opened === "" ? "</" : "]]>");
    return close < 0
      ? undefined
      : accept(text, inside + opened.length, inside + close, name, verdict);
  }
  if (!isOption(text, start)) return undefined;
  const value = match(option, text, end);
  if (value === undefined || prose.test(text.slice(value, value + 12))) return undefined;
  const form = { tight: true, bare: true, variable: false };
  // The command before an option says no less of its value.
  const ofOption = verdictOf(name) === "secret" ? "secret" : verdict;
  const found = readValue(text, value, name, ofOption, form);
  const sure = text.startsWith("--", start) || !found;
  return sure || isChosen(text.slice(found.start, found.end)) ? found : undefined;
}

/** The name of a kind of token in the tables of a lexer. */
const defaultToken = /^(?:default_?)?token$/i;
const shortWords = /^[a-z]{1,12}(?:[._-][a-z]{1,12}){0,5}$/;
/** True for a variable that a call is given under the name of a parameter: `sign(task_token=callback_id)`. */
const isParameter = (text: string, { start, end }: Span, written: string): boolean =>
  written === "=" &&
  /^[),]/.test(text.charAt(end)) &&
  /^[a-z]+(?:_[a-z]+)+$/.test(text.slice(start, end));

/** True for a word with which a token of code, or the type of a value is compared, and no password. */
const isKeyword = (value: string, name: string): boolean =>
  /^(?:function|string|object|undefined|number|boolean|symbol|bigint)$/.test(value) ||
  (/^[A-Za-z_-]{1,20}$/.test(value) && !/pass|pwd|secret/i.test(name));

/** Where a value with blanks ends that stands in quotes with its name: `docker run -e 'PASSPHRASE=two words'`. */
function closedEnd(text: string, start: number, end: number): number {
  const [mark = ""] = labelOpening.exec(text.slice(Math.max(0, start - 9), start)) ?? [];
  if (mark === "" || text.charAt(end) !== " ") return end;
  const [rest = ""] = /^(?: [^\s="'`]{1,40}){1,5}/.exec(text.slice(end, end + 210)) ?? [];
  return text.startsWith(mark, end + rest.length) ? end + rest.length : end;
}

/** What grep puts before a line: `conf/app.env:`, `src/a.py:12:`. */
const ofListing = /(?:^|[\s"'\uf8ff→])[+-]?[\w./@-]{0,120}(?:\.\w{1,12}|\/[\w.-]{1,60}|:\d{1,6}):$/;

const isListed = (text: string, start: number): boolean =>
  ofListing.test(text.slice(Math.max(0, start - 160), start));

/** `--token`, or `-Password` as PowerShell and Java's tools have it. */
function isOption(text: string, start: number): boolean {
  if (text.startsWith("--", start)) return true;
  return text.charAt(start) === "-" && /^\s?$/.test(text.charAt(start - 1));
}

/** No value stands farther behind its name with its first digit. */
const farthest = 300;

/** What a service handed out, and no short number of something else. */
const isIssuedLoosely = (value: string): boolean =>
  isIssued(value) || (value.length >= 12 && isHandedOut(value) && !/^[0-9a-f]+$/.test(value));

/** A value behind a name that stands there in another way than assigned. */
function looseValue(
  text: string,
  end: number,
  name: string,
  verdict: NameVerdict,
  forms: readonly LooseForm[],
): Span | undefined {
  if (verdict === "maybe" || verdict === "made") return undefined;
  const hasDigit = /\d/.test(text.slice(end, end + farthest));
  for (const { between, bare, accepts, likely } of forms) {
    if (bare && !hasDigit) continue;
    const at = match(between, text, end);
    if (at === undefined || (bare && !digitSoon.test(text.slice(at, at + 60)))) continue;
    const value = readValue(text, at, name, verdict, { tight: false, bare, variable: false });
    if (!value) continue;
    // Of a long one the end was not judged, and may be a sign of the sentence.
    const found = text.slice(value.start, Math.min(value.end, value.start + sample));
    const isQuoted = /["'`]/.test(text.charAt(value.start - 1));
    if ((verdict === "issued" || verdict === "spoken") && isIssuedLoosely(found)) return value;
    // Whose a token is says no less of a value than that it is one.
    if (verdict === "issued" && verdictOf(name) !== "secret") continue;
    if (verdict === "likely" && !likely && !isQuoted && !isVariable(name)) continue;
    if (accepts(found, name, isQuoted)) return value;
  }
  return undefined;
}

/** Where the text of an element of XML begins that the name at `start` stands for. */
function elementStart(text: string, start: number, end: number): number | undefined {
  const before = text.slice(Math.max(0, start - 24), start);
  const isNamed = /<(?:[\w-]{1,20}:)?$|<key>$|<\w{1,16} name=\\{0,4}["']$/.test(before);
  return isNamed ? match(element, text, end) : undefined;
}

const labelOpening = /(\\{0,8})["'`]$/;

/** True when the quote at `at` is the one that was opened right before the name, behind as many backslashes. */
function closesLabel(text: string, start: number, at: number): boolean {
  const opened = labelOpening.exec(text.slice(Math.max(0, start - 9), start));
  return opened !== null && text.startsWith(opened[0], at);
}

function readValue(
  text: string,
  at: number,
  name: string,
  verdict: NameVerdict,
  form: BareForm & { bare: boolean },
): Span | undefined {
  opening.lastIndex = at;
  const quoted = opening.exec(text);
  if (quoted) {
    const start = opening.lastIndex;
    const mark = quoted[1] ?? '"';
    const near = text.slice(start, start + sample);
    const value = accept(text, start, start + closing(near, mark), name, verdict);
    // A command of a shell or Perl, or code in a manual.
    if (mark === "`" && value && /[\s(]/.test(text.slice(value.start, value.end))) return undefined;
    if (value?.end !== start + sample) return value;
    return { start, end: start + closing(text.slice(start), mark) };
  }
  const inBrackets = match(bracketed, text, at);
  if (inBrackets !== undefined) {
    const close = closers[text.charAt(inBrackets - 1)] ?? "";
    const mark = text.startsWith("[[", at) ? "]]" : close;
    const length = text.slice(inBrackets, inBrackets + sample).indexOf(mark);
    return length < 0 ? undefined : accept(text, inBrackets, inBrackets + length, name, verdict);
  }
  if (!form.bare) return undefined;
  const inBlock = match(block, text, at);
  const from = inBlock ?? at;
  const end = inBlock === undefined ? bareEnd(text, from) : (match(line, text, from) ?? from);
  const value = text.slice(from, end);
  const secret =
    verdict === "secret"
      ? isSecretBare(value, name, form)
      : isSecretUnder(value, name, verdict) && !reference.test(value);
  return secret ? { start: from, end: wholeEnd(text, from, end) } : undefined;
}

/** What code reads a key from, whatever its name looks like. */
const reference =
  /^(?:self|this|process|os|sys|import|window|globalThis|config|settings|options|opts|args|ctx|req|request|params|props|state)\.[A-Za-z_]|^[A-Za-z_$]\w{0,40}_\d{1,2}\.[A-Za-z_$]/;

/** Where a quoted value ends: at its own kind of quote, else at the end of the line or text. */
function closing(text: string, mark: string): number {
  const line = text.search(/[\r\n]/);
  let end = text.indexOf(mark);
  // A quote behind a further backslash belongs to the value, and so does one that is doubled.
  while (end > 0 && mark.length < 3)
    if (text.charAt(end - 1) === "\\") end = text.indexOf(mark, end + 1);
    else if (/^(?:''|"")[^\s'",;)\]}]/.test(text.slice(end, end + 3)))
      end = text.indexOf(mark, end + 2);
    // A shell has no other way to write its own quote: 'a'"'"'b', 'a'\''b'.
    else if (/^'(?:"'"|\\')'\S/.test(text.slice(end, end + 6)))
      end = text.indexOf(mark, end + (text.charAt(end + 1) === '"' ? 5 : 4));
    else break;
  if (end >= 0 && (line < 0 || end < line)) return end;
  return line < 0 ? text.length : line;
}

function accept(
  text: string,
  start: number,
  end: number,
  name: string,
  verdict: NameVerdict,
): Span | undefined {
  return isSecretUnder(text.slice(start, end), name, verdict) ? { start, end } : undefined;
}

/** The end of a sticky match at `at`. */
function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
