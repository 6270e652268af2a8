// Secrets that their name gives away: `KEY=value`, `"password": "…"`, `--token …`, `<secret>…</secret>`, escaped or not.
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
import type { Found, Span } from "./rule.ts";
import { isChosen, isIssued, isPassphrase, isUnguessable } from "./values.ts";

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
  const value = hit?.groups?.["value"];
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
