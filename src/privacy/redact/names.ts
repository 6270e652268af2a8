// Which names promise a secret, in whatever language, and whether a value under one keeps the promise: `password`, `apiKey`, `GITHUB_TOKEN`; not `max_tokens`, `tokenCount`, `password_field`.
import { rowsOf } from "../../text/tables.ts";
import languageTable from "../rules/languages.txt" with { type: "text" };
import nameTable from "../rules/names.txt" with { type: "text" };
import { fragment, readLists, serviceNames } from "./tables.ts";
import {
  isChosen,
  isHandedOut,
  isInRuns,
  isIssued,
  isPassphrase,
  isRandom,
  isSecretLiteral,
  isUnguessable,
} from "./values.ts";

/**
 * `secret`: any value counts. `spoken`: one that somebody chose, or a service made. `likely`: one that somebody chose.
 * `issued`: one that a service made, a run of hexadecimal digits or a UUID included. `made`: the same, if it is long and
 * assigned. `maybe`: one that looks random.
 */
export type NameVerdict = "secret" | "spoken" | "likely" | "issued" | "made" | "maybe" | undefined;

const list = readLists(nameTable);
const secretWords = list("secret");
const secretPairs = list("secret-pairs");
const issuedPairs = list("issued-pairs");
const lookups = list("lookups");
const aspects = list("aspects");
const maybeWords = list("maybe");
const likelyWords = list("likely");
const owners = list("owners");
const trailing = list("trailing");
const tokenKinds = list("token-kinds");
const nobodys = list("nobodys");
const keepers = list("keepers");

/** True for a name that says something of a secret and is none of one: `password_hash`. */
const isOfSecret = (name: string): boolean => aspects.has(nameWords(name).at(-1) ?? "");
/** Names of secrets that words behind them only tell apart: `S3_SECRET_ASSETS`, `ALGOLIA_API_KEY_SEARCH`. */
const toldApart =
  /(?:^| )(?:secrets?|apikey|(?:api|secret|private|admin|access|auth|deploy|encryption|signing|master|service|account) keys?)((?: [^ ]+){1,3})$/;
/** Names of several secrets, under which one may stand. */
const several = /(?:^| )(?:secret|private|signing|encryption) keys$|(?:^|[^ ]+ )tokens$/;
/** Ends of names written in one word: `PGPASSWORD`, `smtppass`, `storepass`. */
const secretEnd = fragment("secretend");
const likelyEnd = /(?<!by|com|sur|tres|over|under|en|im)pass$/;

/** The words of a name: camelCase, snake_case, kebab-case, dotted; lower case. */
function nameWords(name: string): string[] {
  // A digit among capitals parts nothing: `TEXT2DATA_KEY`.
  const parted = /[a-z]/.test(name) ? name.replace(/([a-z0-9])([A-Z])/g, "$1 $2") : name;
  return parted
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9\u00aa-\uffff]+/)
    .map((word) => (trailing.has(word) ? word : word.replace(/\d+$/, "")))
    .filter((word) => word !== "");
}

const telling =
  /pass|pwd|pw(?![a-z])|pswd?|secret|token|key|auth|cred|connection|salt|pat(?![a-z])|sid(?![a-z])|session|jwt/i;

/** What a variable's, key's, header's or option's name says about its value. */
export function judgeName(name: string): NameVerdict {
  if (name.length > 100 || !telling.test(name)) {
    return undefined;
  }
  const words = nameWords(name);
  // `password_for_staging`, `tokenOfAda`: what it is for comes behind.
  const purpose = words.findIndex((word) => word === "for" || word === "of");
  if (purpose > 0 && secretWords.has(words[purpose - 1] ?? "")) words.length = purpose;
  const isPair = () => secretPairs.has(words.slice(-2).join("_"));
  while (words.length > 1 && trailing.has(words.at(-1) ?? "") && !isPair()) words.pop();
  const last = words.at(-1) ?? "";
  const before = words.at(-2) ?? "";
  if (last === "pwd" && (words.length === 1 ? name === "PWD" : before === "old")) return undefined;
  if (last === "token" && tokenKinds.has(before)) return undefined;
  if (secretWords.has(last) || secretEnd.test(last) || isPair()) {
    return before === "public" || words.includes("csrf") ? "maybe" : "secret";
  }
  if (
    [2, 3].some((count) => issuedPairs.has(words.slice(-count).join("_"))) ||
    last === "consumerkey"
  )
    return "issued";
  if (last.endsWith("s") && /s$/i.test(name)) {
    // The name of many, given to one.
    const one = judgeName(name.slice(0, -1));
    if (one === "secret") return /pass|pwd/.test(last) ? "likely" : "issued";
  }
  if (likelyWords.has(last) && owners.has(before)) return "secret";
  if (likelyWords.has(last) || likelyEnd.test(last)) return "likely";
  if (serviceNames.has(last.replace(/key$/, "")))
    return last.endsWith("key") ? "issued" : undefined;
  // A dot would rather part off the end of a file's name: `secrets.tar.gz`.
  if (!name.includes(".") && isOneOfMore(words)) return "issued";
  if (hasSecretBefore(last)) return "likely";
  if (!maybeWords.has(last)) return isMadeInOneWord(last) ? "made" : undefined;
  if (before === "public") return undefined;
  // A variable of an environment or a header: what it holds was made elsewhere, if it is no key to look something up by.
  const isCarried = /^(?:[A-Z][A-Z\d_]+|[Xx]-[\w-]+)$/.test(name);
  const isSignIn = /^(?:auth|creds?)$/.test(last) && words.length > 1;
  const isKey = /^s?key$/.test(last) && words.length > 1 && !lookups.has(before);
  if ((isKey || isSignIn) && isCarried) return words.includes("public") ? "maybe" : "issued";
  if (words.includes("public")) return "maybe";
  if (last === "auth" && before === "redis") return "likely";
  if (endsInService(words.slice(0, -1)) || (isKey && serviceNames.has(words[0] ?? "")))
    return "issued";
  return isKey || isSignIn ? "made" : "maybe";
}

/** True for `passwordtravis`: a password, and in the same word whose it is. */
function hasSecretBefore(word: string): boolean {
  const [, whose = ""] = /^(?:password|passwd|secret)([a-z]{3,16})$/.exec(word) ?? [];
  return whose !== "" && !aspects.has(whose) && !/^(?:less|reset|input|box|ary|ion|ly)/.test(whose);
}

/** True for `wechatkey`, `repotoken`: written in one word, neither published nor something to look up or count by; and no animal. */
function isMadeInOneWord(word: string): boolean {
  if (/^(?:pub|site|(?:mon|tur|don|joc|hoc|whis|off|latch|pass|sub|data|map)key$)/.test(word))
    return false;
  const [, whose = ""] = /^([a-z]{3,16})(?:key|token|secret)$/.exec(word) ?? [];
  return whose !== "" && !lookups.has(whose) && !tokenKinds.has(whose) && !/^[cx]srf/.test(whose);
}

/** True when the words end with the name of a service, which may be two of them: `customer_io`, `new-relic`. */
const endsInService = (words: readonly string[]): boolean =>
  [1, 2, 3].some((count) => serviceNames.has(words.slice(-count).join("")));
/** True for the name of a service, however its parts are joined. */
const isService = (name = ""): boolean => endsInService(name.toLowerCase().split(/[._-]/));
/** True for the name of a secret behind which stands which of them it is, or which stands for several. */
function isOneOfMore(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  if (words.length < 2 || aspects.has(last) || words.includes("public")) return false;
  if (last === "tokens" && tokenKinds.has(words.at(-2) ?? "")) return false;
  const name = words.join(" ");
  const [, which = ""] = toldApart.exec(name) ?? [];
  if (which.split(" ").some((word) => aspects.has(word))) return false;
  return which !== "" || several.test(name);
}

/** The two words before a name in a sentence: `my Datadog API key: …`. */
const spoken = /(?:([A-Za-z0-9][\w.-]{1,19})[ ])?([A-Za-z0-9][\w.-]{1,19})[ ]["'`*]{0,3}$/;

/** The heading of a section, of an object or in a comment, of which the name is one of the first settings. */
const section = fragment("section");

/** What tells whose the next setting is: `"provider": "deepgram", "key": …`. */
const provider =
  /["']?(?:service|provider|vendor|integration|platform|source)["']?[ ]?[:=][ ]{0,3}["']?([A-Za-z0-9][\w.-]{1,19})["']?(?:,[\n ]{0,20}|[\n ]{1,20})["']?$/i;

/** A line that is nothing but such a heading. */
const headingAlone =
  /^[+ -]?[ \t]{0,16}(?:["']?([A-Za-z0-9][\w.-]{1,19})["']?[ ]?:[ {]{0,3}|\[([A-Za-z0-9][\w.-]{1,19})\]|(?:#{1,3}|\/\/|--|;)[ \t]{0,2}([A-Za-z0-9][\w.-]{1,19})(?:[ ](?:api|prod|credentials))?)$/;

/** True for a line behind which the settings of a service stand. */
export function isHeadingOfService(line: string): boolean {
  if (line.length > 60) return false;
  const heading = headingAlone.exec(line) ?? provider.exec(`${line}\n`);
  return heading !== null && isService(heading[1] ?? heading[2] ?? heading[3]);
}

/** Without what stands before the lines of a listing or patch. */
const unnumbered = (text: string): string =>
  /[→\uf8ff]|\d\t|(?:^|\n)\+/.test(text)
    ? text.replace(/\uf8ff\+?|(?<=\n|^)(?:[ \t]{0,8}\d{1,6}[→\t]|\+)/g, "")
    : text;

/** The same of a name of one word, by the words before it in a sentence or the heading above it too. */
export function judgeSpoken(name: string, textBefore: () => string): NameVerdict {
  const verdict = verdictOf(name);
  if (name.length > 6 || !/^(?:key|token|auth|secret)$/i.test(name)) return verdict;
  const before = unnumbered(textBefore());
  const heading = /[:\]#/;-]/.test(before) ? section.exec(before) : null;
  const above = heading?.[1] ?? heading?.[2] ?? heading?.[3] ?? provider.exec(before)?.[1];
  if (isService(above)) return "issued";
  const [, first = "", second = ""] = spoken.exec(before) ?? [];
  if (/^key$/i.test(name) && above && keepers.has(above.toLowerCase())) return "likely";
  if (isService(second) || (/^(?:api|access|auth)$/i.test(second) && isService(first)))
    return "issued";
  if (secretPairs.has(`${second}_${name}`.toLowerCase()))
    return isService(first) ? "issued" : "spoken";
  const whose = second.toLowerCase();
  if (/^key$/i.test(name) && lookups.has(whose)) return undefined;
  if (whose === "" || nobodys.has(whose) || tokenKinds.has(whose)) return verdict;
  if (/^(?:token|secret)$/i.test(name)) return "issued";
  return /^key$/i.test(name) ? "made" : verdict;
}

const mostRemembered = 1_000;
const remembered = /^[A-Za-z_.$-]{1,40}$/;

/** `judge`, which is asked of few names over and over. One with a digit, in which a secret might be, is never kept. */
export function rememberNames<Value>(judge: (name: string) => Value): (name: string) => Value {
  const known = new Map<string, Value>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined || known.has(name)) return before as Value;
    if (!remembered.test(name)) return judge(name);
    // A copy: a part of a text would keep all of the text, as what is made of it would.
    const copy = [...name].join("");
    const value = judge(copy);
    if (known.size >= mostRemembered) known.clear();
    known.set(copy, value);
    return value;
  };
}

/** `judgeName` of what is asked over and over. */
export const verdictOf = rememberNames(judgeName);

/** True when a property of this name holds a secret whatever its value looks like. */
export const isSecretName = (name: string): boolean => verdictOf(name) === "secret";

// What a name promises in whatever language, and whether a value under it keeps the promise.

const groups = rowsOf(languageTable).map(([meaning = "", ...lines]) => ({
  meaning,
  words: lines.join(" ").split(" "),
}));

/** Of a word of the table an expression: a bar at its edge is the edge of a word, be it in camel case. */
const sourceOf = (word: string): string =>
  word
    .replaceAll("_", "[ ._-]?")
    .replace(/^\|/, "(?<!(?-i:[a-zа-яё](?=[a-zа-яё])|[A-ZА-ЯЁ]))")
    .replace(/\|$/, "(?!(?-i:[a-zа-яё]))");

/** All of them, as a part of an expression that looks at letters of both cases. */
export const foreignSource = groups.flatMap(({ words }) => words.map(sourceOf)).join("|");

const plainWords = groups.flatMap(({ words }) =>
  words.flatMap((word) =>
    ["_", " ", "-", ".", ""].map((joint) => word.replaceAll("|", "").replaceAll("_", joint)),
  ),
);

/** What to look for in a text; of words with other letters than ASCII the capitals have to be named. */
export const foreignBeginnings: readonly string[] = [
  ...new Set(
    plainWords
      .toSorted()
      // Where one stands that this one begins with, this one is found as well.
      .reduce<string[]>((kept, word) => {
        const last = kept.at(-1);
        if (last === undefined || !word.startsWith(last)) kept.push(word);
        return kept;
      }, [])
      // The rule of names looks for these anyway.
      .filter((word) => !/^(?:pass|secret)/.test(word))
      .flatMap((word) =>
        /^[ -~]+$/.test(word)
          ? [word]
          : [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)],
      ),
  ),
];

const pattern = new RegExp(
  groups.map(({ words }) => `(${words.map(sourceOf).join("|")})`).join("|"),
  "gi",
);

/** The name with such words in English, in the case that they are written in; the name itself if there are none. */
export const inEnglish = rememberNames(translated);

function translated(name: string): string {
  return name.replace(pattern, (word, ...hits: unknown[]) => {
    const meaning = groups[hits.findIndex((hit) => hit !== undefined)]?.meaning ?? word;
    if (word !== word.toLowerCase() && word === word.toUpperCase()) return meaning.toUpperCase();
    const [first = ""] = word;
    return first === first.toLowerCase()
      ? meaning
      : meaning.charAt(0).toUpperCase() + meaning.slice(1);
  });
}

/** A name in English, and what it promises. */
interface Promised {
  name: string;
  verdict: NameVerdict;
}

/** A secret's name behind which stands what it is for: `senha do banco`. */
const begins = /^(?:password|secret|token|api_key)(?![a-z])/i;

/** What a variable's, key's, header's or option's name says about its value, in other languages too. */
export function judgeNamed(written: string): Promised {
  const name = inEnglish(written);
  const verdict = verdictOf(name);
  if (name === written) return { name, verdict };
  if (verdict === "maybe" || verdict === "made") return { name, verdict: "spoken" };
  const isOne = begins.test(name) && !isOfSecret(name);
  return { name, verdict: verdict ?? (isOne ? "likely" : undefined) };
}

/** A variable of an environment, where a run of hexadecimal digits is no revision. */
export const isVariable = (name: string): boolean => /^[A-Z][A-Z\d_]*$/.test(name);

/** True for what a service made as the password of a database. */
const isLongHex = (value: string): boolean =>
  value.length >= 24 && /^(?=[a-f]{0,24}\d)(?=\d{0,24}[a-f])[0-9a-f]{24,128}$/.test(value);

/** True for a value that is what its name promises. */
export function isSecretUnder(value: string, name: string, verdict: NameVerdict): boolean {
  if (verdict === undefined) return false;
  if (verdict === "secret") return isSecretLiteral(value, name);
  // Of what is shortened nothing is left to take.
  if (value.includes("...")) return false;
  if (verdict === "maybe") return isRandom(value);
  if (verdict === "made") return value.length >= 20 && isIssued(value);
  if (verdict !== "issued" && isInRuns(value)) return true;
  if (verdict === "likely")
    return (
      isRandom(value) ||
      isChosen(value, true) ||
      isPassphrase(value) ||
      isLongHex(value) ||
      (isVariable(name) && (isIssued(value) || isUnguessable(value, true)))
    );
  const isMade = isHandedOut(value) || isUnguessable(value, true);
  return isMade || (verdict === "spoken" && isChosen(value, true));
}

/** The mark of what stands under a name and is a secret; undefined for anything else. */
export function kindUnder(key: string, value: string): string | undefined {
  const { name, verdict } = judgeNamed(key);
  return isSecretUnder(value, name, verdict) ? kindOf(name) : undefined;
}

/** What the mark says was there: `password`, `token`, `key`, `secret`. */
export function kindOf(name: string): string {
  if (/pass|pwd|pw$/i.test(name)) return "password";
  if (/token/i.test(name)) return "token";
  return /key/i.test(name) ? "key" : "secret";
}
