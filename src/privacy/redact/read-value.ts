// Reads the value of a name: what joins it, where it begins and ends, in quotes, brackets, a block of lines, or bare.
import { matchEnd as uncounted } from "../../text/sticky.ts";
import { countRead, matchAt, matchEnd } from "./effort.ts";
import type { NameVerdict } from "./names.ts";
import { isSecretUnder } from "./promises.ts";
import type { Span } from "./rule.ts";
import { fragment, withFragments } from "./tables.ts";
import { type BareForm, closers, isSecretBare } from "./values.ts";

/** What stands between a name and its value, a type annotation included. */
const separator = fragment("separator", "y");
/** A type between a name and its value, in quotes: `password VARCHAR2(30) := '…'`, `password string = "…"`. */
const declared = /[ \t]{1,8}[A-Za-z]\w{2,20}(?:\(\d{1,5}\))?[ \t]{1,4}:?=[ \t]{0,2}N?(?=["'\x60])/y;
/** `name: DB_PASSWORD`, then the value under a name of its own; `variable "db_password" { default = … }`. */
const labelled = fragment("labelled", "y");

/** Where the value begins that a sign joins to the name that ends at `end`. */
export const afterSeparator = (text: string, end: number): number | undefined =>
  matchEnd(separator, text, end) ?? matchEnd(labelled, text, end) ?? matchEnd(declared, text, end);

/** How far a value is looked at; the work stays linear however many names a text has. Of a longer one all goes up to a blank or quote. */
const longest = 500;
const rest = /[^\s"'`]*/y;
const white = /\s/;
/** What may follow a quote that ends a value. */
const closedBy = /^["'`](?:[\s,;:)\]}>|&+.\\"'`]|$)(?!(?<="")[A-Za-z0-9])/;
/** What may follow a sign that does. */
const ends: ReadonlyMap<string, RegExp> = new Map([
  // A further parameter of an address, `&&` of a shell, an entity of HTML.
  ["&", /^&(?:&|[\w.%[\]-]{1,64}=|(?:amp|quot|lt|gt|#\d+);|["'\s]|$)/],
  // A further setting of a connection, the end of a statement.
  [";", /^;(?:[ ]?[A-Za-z][\w ]{0,40}=|["'`\s)}]|\\+[nrt]|$)/],
  [",", /^,(?:[{["'\\]{0,3}[\w.-]{1,64}["'\\]{0,3}\s?[:=]|["'\s]|\\+[nrt]|$)/],
  ["|", /^\|(?:\||["'\s]|$)/],
  [
    "<",
    /^<\/|^<(?:b|br|p|i|em|code|td|tr|th|li|ul|ol|dd|dt|div|span|strong|pre|a|h\d)\b[^<>]{0,40}>/,
  ],
  [">", /^>(?:["'\s]|$)/],
  ['"', closedBy],
  ["'", closedBy],
  ["`", closedBy],
]);
const closer =
  /^[)\]}]+(?:(?:return|continue|throw|catch|else|let|const|var|async|await|if|for|while|finally|function|case|break|export|import|class|try)\b|[\s"'`]|\\+[nrtux"'`]|[,;.:](?:[\s\w"'`)\]}]|$)|<\/?[A-Za-z]|&(?:&|[\w.-]{1,64}[=;]|\s|$)|\|(?:\||\s|$)|>(?:\s|["'`]|$)|$)/;
const escapeSign = /^\\+(?:[nrt"'`]|u00|x[0-9a-f]{2})/;

const quotes = "\"'`";

/** The end of a value that was judged by its beginning; to be asked of what goes only, for it may be far. */
export function wholeEnd(text: string, end: number): number {
  return uncounted(rest, text, end) ?? end;
}

/** The end of the value that begins at `at`. */
export function bareEnd(text: string, at: number): number {
  const end = endOfBare(text, at);
  countRead(4 * (end - at));
  return end;
}

function endOfBare(text: string, at: number): number {
  const last = Math.min(text.length, at + longest);
  let open = 0;
  for (let i = at; i < last; i++) {
    const sign = text.charAt(i);
    if (white.test(sign)) return i;
    if (/\w/.test(sign)) continue;
    if ("([{".includes(sign)) open++;
    const after = (): string => text.slice(i, i + 72);
    if (sign === "\\" && escapeSign.test(after())) return i;
    if (")]}".includes(sign)) {
      if (open > 0) open--;
      else if (closer.test(after())) return i;
    }
    // What a bracket holds belongs together: `$(cat x; true)`.
    else if ((open === 0 || quotes.includes(sign)) && i > at && ends.get(sign)?.test(after()))
      return i;
  }
  return last;
}

/** A name that promises a secret: where it stands, how it reads in English, and what it promises. */
export interface Named extends Span {
  name: string;
  verdict: NameVerdict;
}

/** What of a name tells of its value. */
type Promising = Pick<Named, "name" | "verdict">;

/** How much of a value is looked at to judge it; the work stays linear, a longer value still goes whole. */
export const sample = 500;

const opening = new RegExp(withFragments(`[bruf@$]{0,2}("""|'''|{anyquote})`), "y");
/** Brackets that stand for quotes: `[[…]]` in Lua, `%q(…)` in Ruby. */
const bracketed = /(?:\[\[(?!redacted:|[ ]?[\d"'[{])|%[qQ]?[[({])(?=[^\s\])}])/y;
/** A value on lines of its own, as YAML has them. */
const block =
  /(?:[|>][+-]?\d?|<<[-~]?["']?\w{2,12}["']?)[ \t]{0,4}(?:\r?\n|\\+n)(?:[ \t]{0,8}\d{1,6}[→\t|:])?[ \t+\uf8ff]{0,40}/y;
/** Such a line, in which any sign may stand; it ends with a quote where it was written into one. */
const line = /(?:(?!\\+[nr"]|["'](?:[\s,;)\]}]|$))\S){1,500}/y;

/** A value, as far as it was read to judge it. */
export interface Value extends Span {
  /** Where all of it ends, which may be far: to be asked once it is sure that it goes. */
  whole?: () => number;
}

/** How a value stands, and whether it may stand without quotes. */
type ValueForm = BareForm & { bare: boolean };

/** The value that begins at `at` and is what its name promises. */
export function readValue(
  text: string,
  at: number,
  named: Promising,
  form: ValueForm,
): Value | undefined {
  const { name, verdict } = named;
  const quoted = matchAt(opening, text, at);
  if (quoted) {
    const start = at + quoted[0].length;
    const mark = quoted[1] ?? '"';
    const near = text.slice(start, start + sample);
    const value: Value | undefined = accept(text, start, start + closing(near, mark), named);
    // A command of a shell or Perl, or code in a manual.
    if (mark === "`" && value && /[\s(]/.test(text.slice(value.start, value.end))) return undefined;
    if (value?.end === start + sample) value.whole = () => start + closing(text.slice(start), mark);
    return value;
  }
  const inBrackets = matchEnd(bracketed, text, at);
  if (inBrackets !== undefined) {
    const close = closers[text.charAt(inBrackets - 1)] ?? "";
    const mark = text.startsWith("[[", at) ? "]]" : close;
    const length = text.slice(inBrackets, inBrackets + sample).indexOf(mark);
    return length < 0 ? undefined : accept(text, inBrackets, inBrackets + length, named);
  }
  if (!form.bare) return undefined;
  const inBlock = matchEnd(block, text, at);
  const from = inBlock ?? at;
  const end = inBlock === undefined ? bareEnd(text, from) : (matchEnd(line, text, from) ?? from);
  const value = text.slice(from, end);
  const secret =
    verdict === "secret"
      ? isSecretBare(value, name, form)
      : isSecretUnder(value, name, verdict) && !reference.test(value);
  if (!secret) return undefined;
  // Of a shorter one the end is known.
  if (end - from < sample) return { start: from, end };
  return { start: from, end, whole: () => wholeEnd(text, end) };
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

/** What stands there, if it is what the name promises. */
export function accept(
  text: string,
  start: number,
  end: number,
  { name, verdict }: Promising,
): Span | undefined {
  countRead(4 * (end - start));
  return isSecretUnder(text.slice(start, end), name, verdict) ? { start, end } : undefined;
}
