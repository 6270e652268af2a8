// The value of a name: where it stands (joined by a sign, as an argument, option or element, in a sentence, on the next line), and where it begins and ends.

import { rowsOf } from "../../text/tables.ts";
import { matchEnd as uncounted } from "../../text/text.ts";
import formTable from "../rules/behind-names.txt" with { type: "text" };
import { isSecretUnder, isVariable, type NameVerdict, verdictOf } from "./names.ts";
import { countRead, matchAt, matchEnd, type Span } from "./runs.ts";
import { fragment, readExpression, withFragments } from "./tables.ts";
import {
  type BareForm,
  closers,
  isChosen,
  isHandedOut,
  isIssued,
  isPassphrase,
  isSecretBare,
  isSecretLoose,
  isUnguessable,
} from "./values.ts";

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
const sample = 500;

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
function readValue(text: string, at: number, named: Promising, form: ValueForm): Value | undefined {
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
function accept(
  text: string,
  start: number,
  end: number,
  { name, verdict }: Promising,
): Span | undefined {
  countRead(4 * (end - start));
  return isSecretUnder(text.slice(start, end), name, verdict) ? { start, end } : undefined;
}

// Where the value of a name stands: joined by a sign, behind it as an argument, option or element, in a sentence, on the next line.

/** Names of what people choose themselves, words with digits too. */
const chosenByPeople = /pass|pwd|psw|pw$/i;

/** No word of a sentence: `DB_PASSWORD`, `dbPassword`, `db-password`, `TOKEN`, `authkey`. */
const isIdentifier = (name: string): boolean =>
  /[a-z][A-Z]|[_-]|^[A-Z]{4,}$|(?:api|auth|access|secret|private)key$/.test(name);
/** A constant's name in place of a value. */
const isConstant = (value: string): boolean => /^[A-Z][A-Z\d_]*$/.test(value);

/** What a person chose with care, or what no word is; in quotes any sign may stand in it. */
const isKept = (value: string, name: string, quoted = false): boolean =>
  isUnguessable(value, quoted) ||
  (chosenByPeople.test(name) &&
    (quoted
      ? (isChosen(value, true) || isPassphrase(value)) && !isConstant(value)
      : value.length >= 8 && /\d{2}/.test(value) && isChosen(value)));
/** The same in quotes, where what was handed out and what was chosen count behind an identifier, too. */
const isKeptInQuotes = (value: string, name: string): boolean =>
  isKept(value, name, true) ||
  (isIdentifier(name) && (isIssued(value) || (isChosen(value, true) && !isConstant(value))));
/** As the last word of a line, where signs of all kinds stand too. */
const isKeptAlone = (value: string, name: string, quoted: boolean): boolean =>
  quoted
    ? isKeptInQuotes(value, name)
    : isKept(value, name) || (chosenByPeople.test(name) && isUnguessable(value, true));
/** Behind a name that no word of a sentence is, whatever a person chose counts. */
const isKeptBehindIdentifier = (value: string, name: string): boolean =>
  isUnguessable(value) || (isIdentifier(name) && (isKept(value, name) || isIssued(value)));
const isKeptBelow = (value: string, name: string, quoted: boolean): boolean =>
  isKeptAlone(value, name, quoted) ||
  (chosenByPeople.test(name) && (/^[0-9a-f]{24,64}$/.test(value) || isPassphrase(value)));

/** What a value has to be behind its name, by what the table calls it. */
const conditions: Readonly<
  Record<string, (value: string, name: string, quoted: boolean) => boolean>
> = {
  alone: isKeptAlone,
  "behind-identifier": isKeptBehindIdentifier,
  below: isKeptBelow,
  // Of two quoted things beside each other one is seldom the other's value.
  beside: (value, name) => isKept(value, name),
  // What something is compared with, or types, is mostly made up.
  "by-people": (value, name) => isKept(value, name, true),
  "in-quotes": isKeptInQuotes,
  kept: (value, name, quoted) => isKept(value, name, quoted),
  loose: isSecretLoose,
};

/** A place where a value may stand, whether without quotes too, and what it has to be. */
interface LooseForm {
  /** What stands between the end of the name and the value; sticky. */
  between: RegExp;
  bare: boolean;
  /** Counts for names, too, that promise a password less surely. */
  likely: boolean;
  accepts(value: string, name: string, quoted: boolean): boolean;
}

function readForm([flags = "", condition = "", ...cells]: readonly string[]): LooseForm {
  const accepts = conditions[condition];
  if (!accepts) throw new Error(`no condition is called ${condition}`);
  const [between] = readExpression(cells);
  return { between, accepts, bare: flags.startsWith("bare"), likely: flags.endsWith("likely") };
}

/** Where no sign of assignment follows the name, and where one does and what follows it is no value. */
export const [unjoined = [], joined = []] = formTable
  .split(/^\[\w+\]\n/m)
  .slice(1)
  .map((section): readonly LooseForm[] => rowsOf(section).map(readForm));

/** What an unguessable value has at its beginning. */
const digitSoon = /^[^\n]{0,3}\S*(?:\d|\p{L}(?:[&+!@^]\p{L}|-\p{Lu}))/u;
/** Words that a person joined. */
const joinedWords = /\p{L}(?:[&+!@^]\p{L}|-\p{Lu})/u;
/** No value stands farther behind its name with its first digit. */
const farthest = 300;

/** What a service handed out, and no short number of something else. */
const isIssuedLoosely = (value: string): boolean =>
  isIssued(value) || (value.length >= 12 && isHandedOut(value) && !/^[0-9a-f]+$/.test(value));

/** A value behind a name that stands there in another way than assigned. */
export function looseValue(
  text: string,
  named: Named,
  forms: readonly LooseForm[],
): Value | undefined {
  const { end, name, verdict } = named;
  if (verdict === "maybe" || verdict === "made") return undefined;
  const near = text.slice(end, end + farthest);
  const hasDigit = /\d/.test(near) || (chosenByPeople.test(name) && joinedWords.test(near));
  for (const { between, bare, accepts, likely } of forms) {
    if (bare && !hasDigit) continue;
    const at = matchEnd(between, text, end);
    if (at === undefined || (bare && !digitSoon.test(text.slice(at, at + 60)))) continue;
    const value = readValue(text, at, named, { tight: false, bare, variable: false });
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

/** What stands before a name that is an argument, or the selector of a field. */
const opensArgument =
  /(?:\(|buildConfigField[ ])\s{0,4}(?:["']\w{1,20}["'][ ]?, ?)?\\{0,4}["'](?:[\w*=^ -]{0,20}[#.[])?[\w=]{0,8}\\{0,4}["']?$/;
/** A name in quotes, then its value in quotes: `define('DB_PASSWORD', '…')`, `fill('input[name="password"]', '…')`. */
const argument = /(?:\\{0,4}["'])?\]?\\{0,4}["'][ \t]{0,4},[ \t]{0,4}(?:"(?=\\")|'(?="))?/y;

/** Where the second argument of a call begins, in quotes, of which the first is the name: `define('DB_PASSWORD', '…')`. */
export function argumentAfter(text: string, { start, end }: Named): number | undefined {
  if (!opensArgument.test(text.slice(Math.max(0, start - 40), start))) return undefined;
  const second = matchEnd(argument, text, end);
  return second !== undefined && /["'\\]/.test(text.charAt(second)) ? second : undefined;
}

/** The value of such an argument: what somebody chose or a service handed out. */
export function readArgument(text: string, at: number, named: Named): Value | undefined {
  const value = readValue(text, at, named, { tight: false, bare: false, variable: false });
  const literal = value && text.slice(value.start, value.end);
  return literal && (isChosen(literal, true) || isIssued(literal)) ? value : undefined;
}

/** The rest of an element of XML whose name, or whose attribute or key, says it. */
const element =
  /(?:[ \t][^<>\n]{1,120})?>|\\{0,4}["']>|<\/key>(?:[\s+\uf8ff]|\\[nrt]|\d{1,6}[→|:]){0,24}<(?:string|data)>/y;

/** Where the text of an element of XML begins that the name stands for. */
export function elementAfter(text: string, { start, end }: Named): number | undefined {
  const before = text.slice(Math.max(0, start - 24), start);
  const isNamed = /<(?:[\w-]{1,20}:)?$|<key>$|<\w{1,16} name=\\{0,4}["']$/.test(before);
  return isNamed ? matchEnd(element, text, end) : undefined;
}

/** The text of an element from `at` on, to its end or that of its literal part. */
export function readElement(text: string, at: number, named: Named): Value | undefined {
  const near = text.slice(at, at + 8 * sample);
  const [opened = ""] = /^\s{0,40}<!\[CDATA\[/.exec(near) ?? [];
  const close = near.indexOf(opened === "" ? "</" : "]]>");
  return close < 0 ? undefined : accept(text, at + opened.length, at + close, named);
}

/** What stands between an option and its value. */
const option = /[ \t]{1,4}(?!-)/y;
/** Words that follow an option's name in prose about it. */
const prose =
  /^(?:flags?|options?|arguments?|args?|parameters?|values?|and|or|is|are|to|for|with|was|in|on|as|if|when|the|a|an|from|via)\b/i;

/** `--token`, or `-Password` as PowerShell and Java's tools have it. */
function isOption(text: string, start: number): boolean {
  if (text.startsWith("--", start)) return true;
  return text.charAt(start) === "-" && /^\s?$/.test(text.charAt(start - 1));
}

/** What follows an option of a command. */
export function readOption(text: string, named: Named): Value | undefined {
  const { start, end, name, verdict } = named;
  if (!isOption(text, start)) return undefined;
  const value = matchEnd(option, text, end);
  if (value === undefined || prose.test(text.slice(value, value + 12))) return undefined;
  // The command before an option says no less of its value.
  const ofOption = verdictOf(name) === "secret" ? "secret" : verdict;
  const form = { tight: true, bare: true, variable: false };
  const found = readValue(text, value, { name, verdict: ofOption }, form);
  const sure = text.startsWith("--", start) || !found;
  return sure || isChosen(text.slice(found.start, found.end)) ? found : undefined;
}

/** What makes the value of an attribute an expression, as Vue and Angular have it. */
const binding = /\s(?::|@|v-[\w.-]{1,8}:|\[\(?)$/;
/** What holds a secret and nothing else: `Some("…")`, `SecretString::from("…")`. */
const holder =
  /(?:Some|Just|Ok|Optional\.of|Cow::Borrowed|(?:[\w.]{1,20}::)?(?:String|Secret(?:String|Str|Box)?|Password|Sensitive|Zeroizing)(?:::(?:from|new))?)\([ \t]?(?=\\{0,4}["'])/y;
/** What may stand before a name that begins a line, as in a file of settings; its text may stand in JSON. */
const lineStart = /(?:^|\n|\\n|\uf8ff|": ?")[+ ]{0,8}(?:\d{1,6}[→\t:|])?(?:export |set |ENV )?$/;
/** A selector of CSS goes on so: `#password:focus{`. */
const pseudoClass =
  /(?::?(?:before|after)|focus(?:-within|-visible)?|hover|active|visited|disabled|enabled|checked|(?:in)?valid|required|optional|empty|target|not|is|has|where|(?:first|last|only|nth)-(?:child|of-type)|placeholder-shown|read-only|autofill)(?:\([^()\n]{0,60}\))?[ \t]{0,4}[{,:.>+~\s]/y;

/** The value that begins at `between`, behind the separator of a name. */
export function readAssigned(text: string, named: Named, between: number): Value | undefined {
  const { start, end, name, verdict } = named;
  const written = text.slice(end, between);
  // A line of a file of accounts: `passwd:x:1000:1000::/home/bob:/bin/bash`.
  if (written === ":" && /^[x*!]{0,2}:\d{1,6}:\d{1,6}:/.test(text.slice(between, between + 20)))
    return undefined;
  // A further attribute, whose value is an expression: `:password="form.password" :token="csrfToken"`.
  if (/^\\{0,4}["'][ \t]+:[\w-]/.test(written)) return undefined;
  if (written === "=" && binding.test(text.slice(Math.max(0, start - 12), start))) {
    const expression = /^\\{0,4}["'][A-Za-z_$][\w$.]*\\{0,4}["']/.exec(
      text.slice(between, between + 80),
    );
    if (expression && !/\d/.test(expression[0])) return undefined;
  }
  // What a page or a form only carries around is no value of a name that says little.
  if ((verdict === "maybe" || verdict === "made") && /content/.test(written)) return undefined;
  // A part of a name with colons, `arn:aws:…:secret:…`; or the quote behind a label, `"Password: "`.
  if (written === ":" && text.charAt(start - 1) === ":" && !isListed(text, start)) return undefined;
  if (written === ":" && matchEnd(pseudoClass, text, between) !== undefined) return undefined;
  if (/^: {0,4}$/.test(written) && closesLabel(text, start, between))
    return looseValue(text, named, joined);
  // Whose it is says no less of a value than its name alone.
  const joinedVerdict = verdictOf(name) === "secret" ? "secret" : verdict;
  const value = readValue(
    text,
    matchEnd(holder, text, between) ?? between,
    { name, verdict: joinedVerdict },
    {
      tight: !/\s|:/.test(written),
      bare: !/[=!]=/.test(written),
      variable: written === "=" && /^[A-Z][A-Z0-9_]*$/.test(name),
      line: () => written === "=" && lineStart.test(text.slice(Math.max(0, start - 24), start)),
    },
  );
  if (!value) return looseValue(text, named, joined);
  const literal = text.slice(value.start, value.end);
  if (isParameter(text, value, written)) return undefined;
  if (defaultToken.test(name) && shortWords.test(literal)) return undefined;
  if (/[!=]=/.test(written) && isKeyword(literal, name)) return undefined;
  if (written === "=") value.end = closedEnd(text, start, value.end);
  return value;
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

const labelOpening = /(\\{0,8})["'`]$/;

/** True when the quote at `at` is the one that was opened right before the name, behind as many backslashes. */
function closesLabel(text: string, start: number, at: number): boolean {
  const opened = labelOpening.exec(text.slice(Math.max(0, start - 9), start));
  return opened !== null && text.startsWith(opened[0], at);
}
