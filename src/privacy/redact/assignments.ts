// Secrets that their name gives away: `KEY=value`, `"password": "…"`, `--token …`, `<secret>…</secret>`, escaped or not.
import { judgeName, type NameVerdict } from "./names.ts";
import type { Found } from "./tokens.ts";
import { isRandom, isSecretBare, isSecretLiteral, isSecretLoose } from "./values.ts";

const stem = /pass(?:w|phrase|code)|pwd|secret|token|key|auth|cred|connection[_-]?string/gi;
const nameCharacter = /[\w$.-]/;
/** How far a name reaches to either side of its telling part. */
const reach = 64;

const quote = String.raw`(?:\\{0,8}["'\x60]|&quot;|&#0?39;)`;
/** What stands between a name and its value, a type annotation included. */
const separator = new RegExp(
  String.raw`${quote}?\]?[*_]{0,2}[ \t]{0,16}(?::[ \t]{0,4}(?:&(?:'\w{1,20}[ \t])?)?[A-Za-z]{1,20}[ \t]{0,4}=(?!=)|:=|=>|!==?|={1,3}|:(?![:/])|%3[Dd])[*_]{0,2}[ \t]{0,16}`,
  "y",
);
/** `name: DB_PASSWORD`, then the value under a name of its own. */
const labelled = new RegExp(
  String.raw`${quote}?,?(?:\s|\\[nrt]){0,24}${quote}?[Vv]alue${quote}?[ \t]{0,4}[:=][ \t]{0,4}`,
  "y",
);
/** Places where a value may follow without a sign of assignment: prose, a table, a call. */
const loosely = /[*_`]{0,3}(?:[ \t]{1,4}is:?[ \t]{1,4}|[ \t]{0,40}\|[ \t]{0,4}|\()[*_`]{0,3}/y;
const opening = new RegExp(`[bruf@$]{0,2}(${quote})`, "y");
const bare = String.raw`(?:[^\s"'\x60<>,;&|)\]}\\]|\\(?![nrt"'\x60\\]))`;
const bareStart = new RegExp(`${bare}{1,500}`, "y");
const bareRest = new RegExp(`${bare}*`, "y");
const option = /[ \t]{1,4}(?!-)/y;
/** Words that follow an option's name in prose about it. */
const prose =
  /^(?:flags?|options?|arguments?|args?|parameters?|values?|and|or|is|are|to|for|with|was|in|on|as|if|when|the|a|an|from|via)\b/i;

/** How much of a value is looked at to judge it; the work stays linear, a longer value still goes whole. */
const sample = 500;

/** Every value that stands under a secret's name. */
export function findAssignments(text: string): Found[] {
  const found: Found[] = [];
  stem.lastIndex = 0;
  for (let hit = stem.exec(text); hit !== null; hit = stem.exec(text)) {
    const start = nameStart(text, hit.index);
    let end = stem.lastIndex;
    while (end - hit.index < reach && nameCharacter.test(text.charAt(end))) end++;
    stem.lastIndex = end;
    const name = text.slice(start, end).replace(/^[.$-]+|[.-]+$/g, "");
    const verdict = judgeName(name);
    if (verdict === undefined) continue;
    const value = valueAfter(text, start, end, name, verdict);
    if (value) {
      found.push({ ...value, kind: kindOf(name) });
      stem.lastIndex = Math.max(end, value.end);
    }
  }
  return found;
}

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
  const between = match(separator, text, end) ?? match(labelled, text, end);
  if (between !== undefined) {
    const written = text.slice(end, between);
    const compares = /[=!]=/.test(written);
    return readValue(text, between, name, verdict, {
      tight: !/\s|:/.test(written),
      bare: !compares,
    });
  }
  const loose = verdict === "secret" ? match(loosely, text, end) : undefined;
  if (loose !== undefined) {
    const value = readValue(text, loose, name, verdict, { tight: false, bare: true });
    return value && isSecretLoose(text.slice(value.start, value.end), name) ? value : undefined;
  }
  if (text.charAt(end) === ">" && text.charAt(start - 1) === "<") {
    const close = text.slice(end, end + sample).indexOf("</");
    return close < 0 ? undefined : accept(text, end + 1, end + close, name, verdict);
  }
  if (!text.startsWith("--", start)) return undefined;
  const value = match(option, text, end);
  if (value === undefined || prose.test(text.slice(value, value + 12))) return undefined;
  return readValue(text, value, name, verdict, { tight: true, bare: true });
}

function readValue(
  text: string,
  at: number,
  name: string,
  verdict: NameVerdict,
  form: { tight: boolean; bare: boolean },
): Span | undefined {
  opening.lastIndex = at;
  const quoted = opening.exec(text);
  if (quoted) {
    const start = opening.lastIndex;
    const mark = quoted[1] ?? '"';
    const near = text.slice(start, start + sample);
    const value = accept(text, start, start + closing(near, mark), name, verdict);
    if (value?.end !== start + sample) return value;
    return { start, end: start + closing(text.slice(start), mark) };
  }
  bareStart.lastIndex = at;
  const value = form.bare ? bareStart.exec(text)?.[0] : undefined;
  if (value === undefined || text.charAt(at + value.length) === "(") return undefined;
  const secret = verdict === "secret" ? isSecretBare(value, name, form.tight) : isRandom(value);
  return secret ? { start: at, end: match(bareRest, text, at + value.length) ?? at } : undefined;
}

/** Where a quoted value ends: at its own kind of quote, else at the end of the line or text. */
function closing(text: string, mark: string): number {
  const line = text.search(/[\r\n]/);
  let end = text.indexOf(mark);
  // A quote behind a further backslash belongs to the value.
  while (end > 0 && text.charAt(end - 1) === "\\" && mark.length < 3)
    end = text.indexOf(mark, end + 1);
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
  const value = text.slice(start, end);
  const secret = verdict === "secret" ? isSecretLiteral(value, name) : isRandom(value);
  return secret ? { start, end } : undefined;
}

/** The end of a sticky match at `at`. */
function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** What the mark says was there: `password`, `token`, `key`, `secret`. */
export function kindOf(name: string): string {
  if (/pass|pwd/i.test(name)) return "password";
  if (/token/i.test(name)) return "token";
  return /key/i.test(name) ? "key" : "secret";
}
