// Secrets that the words before them give away: a token by its own beginning, what follows a phrase or stands in a place, and the value of a telling name.
import { rowsOf, withoutRemarks } from "../../text/tables.ts";
import phraseTable from "../rules/phrases.txt" with { type: "text" };
import placeTable from "../rules/places.txt" with { type: "text" };
import tokenTable from "../rules/tokens.txt" with { type: "text" };
import { type Condition, readCondition } from "./conditions.ts";
import { readColumns, readInsert, readList } from "./listed.ts";
import {
  afterSeparator,
  argumentAfter,
  elementAfter,
  looseValue,
  type Named,
  readArgument,
  readAssigned,
  readElement,
  readOption,
  unjoined,
  type Value,
} from "./named-value.ts";
import {
  foreignBeginnings,
  foreignSource,
  judgeNamed,
  judgeSpoken,
  kindOf,
  type NameVerdict,
} from "./names.ts";
import {
  type Allowance,
  classOf,
  type Found,
  matchAt,
  matchEnd,
  type Rule,
  type Span,
} from "./runs.ts";
import { once, readExpression, readWords, withFragments } from "./tables.ts";
import { crosses, isChosen, isIssued, isPassphrase, isUnguessable } from "./values.ts";

/** A token that begins with something no word begins with. */
interface TokenRule extends Rule {
  kind: string;
  /** Literal beginnings, in the case they are written in. */
  prefixes: readonly string[];
  /** Matches the whole token from its beginning on; sticky. */
  shape(): RegExp;
}

/** Every service that memoir knows: of tokens that begin alike the first whose shape fits is believed. */
export const tokenRules = rowsOf(tokenTable).map(([name = "", ...cells]): TokenRule => {
  const [id = "", kind = id] = name.split(":");
  const [prefixes, [source = ""]] = readWords(cells);
  const finds = `${id.replaceAll("-", " ")}, by its beginning ${prefixes[0]}`;
  const shape = once(() => new RegExp(withFragments(source), "y"));
  return { id, kind, finds, prefixes, source, shape };
});

const prefixes = new Set(tokenRules.flatMap((rule) => rule.prefixes));

/** The shortest prefix that a prefix begins with. */
function beginningOf(prefix: string): string {
  for (let end = 1; end < prefix.length; end++)
    if (prefixes.has(prefix.slice(0, end))) return prefix.slice(0, end);
  return prefix;
}

/** The rules, in their order, by what their tokens begin with: one of these words stands where a token begins. */
export const tokensByBeginning = new Map<string, Set<TokenRule>>();
for (const rule of tokenRules)
  for (const beginning of rule.prefixes.map(beginningOf)) {
    const group = tokensByBeginning.get(beginning) ?? new Set();
    tokensByBeginning.set(beginning, group.add(rule));
  }

const escapeEnd = /(?:\\(?:[nrtbf]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})|%[0-9A-Fa-f]{2})$/;
/** What stands before a sign in the midst of base 64. */
const longRun = /(?=[^\d]{0,19}\d)(?=[^A-Z]{0,19}[A-Z])[A-Za-z0-9/+]{20}$/;

const isInBase64 = (text: string, at: number): boolean =>
  /[+/]/.test(text.charAt(at - 1)) && longRun.test(text.slice(Math.max(0, at - 24), at - 1));

/**
 * True when a token may begin at `at`: what stands before is no part of a word. An escape (`\n`, `%20`) is no word.
 * Starting nowhere else also keeps the work linear: one try for one run of word characters.
 */
export function startsRun(text: string, at: number): boolean {
  if (at === 0) return true;
  if (!isRunCode(text.charCodeAt(at - 1))) return true;
  // The sign of a removed line of a patch.
  if (text[at - 1] === "-" && (at === 1 || text[at - 2] === "\n")) return true;
  return endsEscape(text, at);
}

function endsEscape(text: string, at: number): boolean {
  // Asked in the midst of many a word: where none of these signs stands there is no need of an expression.
  const sign = text[at - 2] === "\\" || text[at - 4] === "\\" || text[at - 6] === "\\";
  return (sign || text[at - 3] === "%") && escapeEnd.test(text.slice(Math.max(0, at - 6), at));
}

const runs = classOf(/[\w-]/);

/** A word character or a hyphen. */
export const isRunCode = (code: number): boolean => runs[code] === 1;

/** A place where a rule's word stands. */
export interface Start {
  at: number;
  word: string;
}

/** Every token of a known service that begins at one of these places, all of which start a run. */
export function findTokens(text: string, starts: readonly Start[], allowance: Allowance): Found[] {
  const found: Found[] = [];
  // Nothing begins inside a token.
  let from = 0;
  for (const start of starts.toSorted((a, b) => a.at - b.at)) {
    const tried = start.at >= from && allowance.begin(start.at);
    const token = tried ? tokenAt(text, start) : undefined;
    if (!token || isInBase64(text, start.at)) continue;
    found.push(token);
    from = token.end;
  }
  return found;
}

function tokenAt(text: string, { at, word }: Start): Found | undefined {
  for (const { id, kind, prefixes, shape } of tokensByBeginning.get(word) ?? []) {
    if (!prefixes.some((prefix) => text.startsWith(prefix, at))) continue;
    const end = matchEnd(shape(), text, at);
    if (end !== undefined && !crosses.test(text.slice(at, end)))
      return { start: at, end, kind, rule: id };
  }
  return undefined;
}

// Secrets that the words before them give away (rules/phrases.txt), and places where one stands (rules/places.txt).

/** A rule of a table: its expressions and conditions are read where they are first needed. */
interface TableRule extends Rule {
  kind: string;
  words: readonly string[];
}

/** Where a secret stands, and what it has to be. Its last group is the secret and ends the match. */
interface Look {
  pattern: RegExp;
  accepts: Condition;
}

/** The kind and place of what a match found, where it is accepted; `word` stands for a name that the pattern has not. */
function foundBy(rule: TableRule, accepts: Condition, match: RegExpExecArray, word: string) {
  const value = match.findLast((group) => group !== undefined) ?? "";
  const name = match.groups?.name ?? word;
  if (!accepts(value.replace(/^["']|["']$/g, ""), name)) return undefined;
  const end = match.index + match[0].length;
  const kind = match.groups?.name === undefined ? rule.kind : kindOf(name);
  return { start: end - value.length, end, kind, rule: rule.id };
}

/** A rule about a place, and where it finds one in a text. */
interface PlaceRule extends TableRule {
  find(text: string): Found[];
}

function readPlace([name = "", ...cells]: readonly string[]): PlaceRule {
  const [id = "", kind = id] = name.split(":");
  const [words, [finds = "", ...rest]] = readWords(cells);
  const rule = { id, kind, words, finds, source: rest.join(" ") };
  const look = once((): Look => {
    const [pattern, condition] = readExpression(rest);
    return { pattern, accepts: readCondition(condition) };
  });
  return {
    ...rule,
    find(text) {
      const { pattern, accepts } = look();
      const found = [...text.matchAll(pattern)].map((hit) => foundBy(rule, accepts, hit, ""));
      return found.filter((one) => one !== undefined);
    },
  };
}

/** Every place that memoir knows: of rules that find the same the first names it. */
export const placeRules: readonly PlaceRule[] = rowsOf(placeTable).map(readPlace);

/** What follows a word up to the secret; sticky. */
interface Phrase {
  look(): Look;
  /** The word may be the end of a longer one. */
  inside: boolean;
  rule: TableRule;
}

const blank = withFragments("{blanks}");

/** The pattern that words of a command line stand for, as a table has them. */
function patternOf(cell: string): RegExp {
  const glued = cell.startsWith("~");
  const parts = (glued ? cell.slice(1) : cell).split(" ").map((part, at) => {
    if (part === "...") return "[^\\n|;&]{0,160}?";
    const before = glued && at === 0 ? "" : blank;
    return before + (part === "_" ? "{any}" : part.replace(/![?!]?$/, "{secret}"));
  });
  return new RegExp(withFragments(parts.join("")), "y");
}

/** What a secret has to be behind such words, by how they end. */
function conditionOf(cell: string): string {
  if (cell.endsWith("?")) return "chosen | issued | passphrase";
  return cell.endsWith("!!") ? "random & scattered" : "password";
}

const phrasesByWord = new Map<string, Phrase[]>();

/** What the cells behind the words of a row say: an expression and its condition, or words of a command line. */
function readLook([first = "", ...rest]: readonly string[]): Look {
  if (!first.startsWith("/"))
    return { pattern: patternOf(first), accepts: readCondition(conditionOf(first)) };
  const [pattern, condition] = readExpression([first, ...rest]);
  return { pattern, accepts: readCondition(condition) };
}

const heading = /^\[([\w-]+):([\w-]+)( inside)?\] (.*)\n/;

function readPhrases(section: string): TableRule {
  const [head = "", id = "", kind = "", inside, finds = ""] = heading.exec(section) ?? [];
  const rule: TableRule = { id, kind, finds, words: [], source: section };
  const words = new Set<string>();
  for (const cells of rowsOf(section.slice(head.length), /\n {2}(?=\S)/)) {
    const [names, rest] = readWords(cells);
    const phrase = { look: once(() => readLook(rest)), inside: inside !== undefined, rule };
    // The blank behind a word belongs to what is looked for, so that it stands for no part of another word.
    const behind = /^[/~]/.test(rest[0] ?? "") ? "" : " ";
    for (const word of names.map((name) => name + behind)) {
      words.add(word);
      phrasesByWord.set(word, [...(phrasesByWord.get(word) ?? []), phrase]);
    }
  }
  rule.words = [...words];
  return rule;
}

/** The rules of phrases. */
export const phraseRules: readonly TableRule[] = withoutRemarks(phraseTable)
  .trim()
  .split(/\n(?=\[)/)
  .map(readPhrases);

/** One of these words stands where a phrase begins. */
export const phraseWords: readonly string[] = [...phrasesByWord.keys()];

/** True for a word with which phrases begin only where it is no part of another: `dd`, but not that of `address`. */
export const isWhole = (word: string): boolean =>
  /^\w/.test(word) && !phrasesByWord.get(word)?.some(({ inside }) => inside);

/** Every secret behind a phrase that begins at one of these places. */
export function findPhrases(text: string, starts: readonly Start[], allowance: Allowance): Found[] {
  const found: Found[] = [];
  for (const { at, word } of starts) {
    if (!allowance.begin(at)) continue;
    const isInside = /[\w-]/.test(text.charAt(at - 1)) && /^\w/.test(word);
    for (const { look, inside, rule } of phrasesByWord.get(word) ?? []) {
      if (isInside && !inside) continue;
      const { pattern, accepts } = look();
      const match = matchAt(pattern, text, at + word.trimEnd().length);
      const one = match && foundBy(rule, accepts, match, word);
      if (one) found.push(one);
    }
  }
  return found;
}

// Secrets that their name gives away: `KEY=value`, `"password": "…"`, `--token …`, `<secret>…</secret>`, escaped or not.

/** The rule by which named values go. */
export const assignmentRule = {
  id: "named-value",
  finds:
    "values under a name that promises a secret, in any quoting: assignments, settings, options, arguments",
  words: [
    ..."pass pwd pswd psw secret token key auth cred connection salt pw pat sid jwt".split(" "),
    ...foreignBeginnings,
  ],
  source: 2,
};

/** The part of a name that tells; it begins with one of the rule's words. */
const stem = new RegExp(
  `pass(?:w|phrase|code)?|pwd|pswd|psw|secret|token|key|auth|cred|connection[_-]?string|salt|(?:(?<![a-z])(?:pw|pat|sid|jwt)|(?<=admin|bind|db|ftp|ldap|login|root|smtp|sql|user)pw)(?![a-z])|${foreignSource}`,
  "iy",
);
const nameCharacter = /[\w$.\-\u00c0-\u024f\u0370-\u052f]/;
/** How far a name reaches to either side of its telling part. */
const reach = 64;
/** As far back stand the words of a sentence, or the heading, that belong to a name. */
const spokenReach = 140;

/** What the name is compared with, before it: `'…' === password`, `"…".equals(password)`. */
const compares =
  /(["'])(?<value>[^"'\s]{8,200})\1(?:[ \t]{0,2}[!=]==?[ \t]{0,2}|\.equals\w{0,12}\()[\w.]{0,20}$/;

/**
 * Every value that stands under a secret's name; `places` are those where the rule's words stand, in their order. Where a
 * name ends that has no value `bare` is called.
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
    const value = verdict && valueOfName(text, { start, end, name, verdict });
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

/** The value of a name, wherever it stands. */
function valueOfName(text: string, named: Named): Value | undefined {
  const value = valueAfter(text, named);
  if (value || named.verdict === "maybe") return value;
  const before = named.verdict === "made" ? undefined : usedBefore(text, named);
  return before ?? usedBehind(text, named);
}

/** What stands before a name as the value of a pattern that ends with it. */
function valueBefore(text: string, start: number, pattern: RegExp, most: number) {
  const from = Math.max(0, start - most);
  const hit = pattern.exec(text.slice(from, start));
  const value = hit?.groups?.value;
  if (!hit || value === undefined) return undefined;
  const at = from + hit.index + hit[0].indexOf(value);
  return { value, span: { start: at, end: at + value.length } };
}

/** What a sentence says to take as what the name says: `use … as the root password`, `nimm … als Passwort`. */
const uses =
  /(?:^|[\s"'(+→\uf8ff])(?:use|put|set|take|enter|type|try|with|use|usa|usar|usando|pon|coloca|coloque|mets|mettez|utilise|nimm|nehmt|verwende|setz|setze|gebruik|användn?|użyj|ustaw|используй)[ ]["'`*«]{0,2}(?<value>[^\s"'`«»]{6,80})["'`*»]{0,2} (?:as|als|como|comme|come|som|jako|как)(?: \p{L}{1,14}){0,3} $/iu;
/** Behind a name what makes of it the name of something else: `the password grant`. */
const kindOfName =
  /^ (?:grant|hash|hashing|hasher|manager|field|provider|type|method|flow|prompt)\b/;

/** A literal with which the name is compared, or what is said to be used as what it promises. */
function usedBefore(text: string, { start, end, name, verdict }: Named): Span | undefined {
  const before = text.charAt(start - (text[start - 1] === " " ? 2 : 1));
  if (before === "=" || before === "(") {
    const { value = "", span } = valueBefore(text, start, compares, 240) ?? {};
    const isSecret = isIssued(value) || (verdict !== "issued" && isUnguessable(value, true));
    if (isSecret) return span;
  }
  if (text[start - 1] !== " " || !/^pass|password$|passphrase$|secret$/i.test(name))
    return undefined;
  if (kindOfName.test(text.slice(end, end + 12))) return undefined;
  const { value = "", span } = valueBefore(text, start, uses, 160) ?? {};
  return isChosen(value) || isUnguessable(value, true) || isPassphrase(value) ? span : undefined;
}

/** What tells to take what follows the name: `use the password …`, `usa la clave … para entrar`. */
const using =
  /(?:^|[\s"'(+→\uf8ff])(?:use|using|with|try|usa|usando|con|com|avec|mit|nimm)(?: (?:the|this|la|el|le|o|a|das|dem|il))? $/i;
const used = / ["'`]?([^\s"'`]{6,80}?)["'`]?(?=[.,;:!?]?(?:\s|$|"))/y;

/** What stands behind a name that a sentence says to use. */
function usedBehind(text: string, { start, end, name }: Named): Span | undefined {
  if (text[end] !== " " || !/^pass(?:word|phrase)?$/i.test(name)) return undefined;
  if (!using.test(text.slice(Math.max(0, start - 24), start))) return undefined;
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
