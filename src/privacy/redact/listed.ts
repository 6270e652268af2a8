// Secrets whose name stands once for many: the head of a column, or of a list.

import { inEnglish, judgeNamed, verdictOf } from "./names.ts";
import { type Found, matchAt, matchEnd, type Rule, type Span } from "./runs.ts";
import {
  isChosen,
  isIssued,
  isPassphrase,
  isRandom,
  isSecretLiteral,
  isUnguessable,
} from "./values.ts";

/** The rule of columns. */
export const columnRule: Rule = {
  id: "secret-column",
  finds: "values of a table below a head that promises a secret: CSV, tabs, bars",
  source: 2,
};

/** The rule of lists. */
export const listRule: Rule = {
  id: "secret-list",
  finds:
    "the items of a list under a name that promises secrets: `tokens: […]`, `passwords:` in YAML",
  source: 2,
};

/** The rest of the columns of an SQL statement that inserts, and the beginning of its values. */
const columnsEnd = /[`"\]]?(?:,[^()\n]{0,300})?\)\s{0,8}VALUES\s{0,8}\(/iy;
/** A value there: a literal, or what has no comma. */
const inserted =
  /\s{0,4}N?(?:'((?:[^'\n]|''){0,400})'|[^',()]{0,200}(?:\([^()]{0,100}\))?)\s{0,4}(?=[,)])/y;

/** Where the literal ends that an SQL statement inserts into the column of a secret, added to `found`; undefined for any other place. */
export function readInsert(text: string, { start, end }: Span, found: Found[]): number | undefined {
  let at = matchEnd(columnsEnd, text, end);
  if (at === undefined) return undefined;
  const before = text.slice(Math.max(0, start - 300), start);
  const column = before.slice(before.lastIndexOf("(") + 1).split(",").length - 1;
  for (let number = 0; number <= column; number++) {
    const value = matchAt(inserted, text, at);
    if (!value) return undefined;
    const literal = value[1] ?? "";
    if (number === column && (isChosen(literal, true) || isMade(literal))) {
      const from = value.index + value[0].indexOf(literal);
      found.push({ start: from, end: from + literal.length, kind: "secret", rule: columnRule.id });
    }
    at += value[0].length + 1;
  }
  return at;
}

const afterHead = /["'*`]{0,4}[ \t]{0,40}(?:[|│,;\t]|\r?\n)/y;
const beforeHead = /(?:^|[\n|│,;\t]| {2})[ \t"'*`]{0,40}(?:[A-Za-z]{2,12}[ _-]){0,2}$/;
const ruler = /^[\uf8ff+]{0,2}[ \t]{0,8}(?:\d{1,6}[→|:])?[\s|+:=\u2500-\u257f-]*$/;
const mostRows = 1_000;
const widest = 2_000;

/** Where the table ends at whose head a name stands, its secrets added to `found`; undefined for any other place. */
export function readColumns(
  text: string,
  { start, end }: Span,
  found: Found[],
): number | undefined {
  if (matchEnd(afterHead, text, end) === undefined) return undefined;
  if (!beforeHead.test(text.slice(Math.max(0, start - 70), start))) return undefined;
  // No further than a table is wide: a text without lines stays cheap.
  const before = text.slice(Math.max(0, start - widest), start);
  const from = start - (before.length - before.lastIndexOf("\n") - 1);
  const lineBreak = end + text.slice(end, end + widest).indexOf("\n");
  if (lineBreak < end) return undefined;
  const line = text.slice(from, lineBreak);
  // A sentence before the head may have signs of its own: what parts the next line as well is the table's.
  const next = text.slice(lineBreak + 1, lineEnd(text, lineBreak + 1)).slice(0, widest);
  const parts = (sign: string | RegExp, of: string): number => of.split(sign).length;
  const delimiter =
    delimiters.find((sign) => parts(sign, line) > 2 && parts(sign, line) === parts(sign, next)) ??
    delimiters.find((sign) => parts(sign, line) > 1);
  const columns = delimiter === undefined ? [] : columnsOf(line, delimiter);
  if (delimiter === undefined || columns.length === 0) return lineBreak;
  return readRows(text, lineBreak + 1, line, delimiter, columns, found);
}

/** The cells of a line; a delimiter between quotes parts nothing in comma-separated values. */
function cellsOf(line: string, delimiter: string | RegExp): string[] {
  if (delimiter !== "," || !line.includes('"')) return line.split(delimiter);
  return line.match(/(?:"[^"]*"|[^,"])+|(?<=^|,)(?=,|$)/g) ?? [];
}

const delimiters: ReadonlyArray<string | RegExp> = ["|", "│", "\t", ";", ",", / {2,}/g];

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Which cells of a line are the name of a secret. */
function columnsOf(line: string, delimiter: string | RegExp): number[] {
  const cells = line.split(delimiter);
  // A list in code has a word and a comma in each line.
  if (cells.filter((cell) => cell.trim() !== "").length < 2) return [];
  // A head is made of names: a list in code has signs, one of packages their versions in each line.
  if (/\/\*|=/.test(line)) return [];
  if (cells.some((cell) => /^[\s"']{0,40}\d[\d:]{0,6}[.-]\d/.test(cell))) return [];
  return cells.flatMap((cell, column) => {
    const name = bare(cell);
    if (name.length > 40) return [];
    const { name: english, verdict } = judgeNamed(name);
    const isHead =
      verdict === "likely"
        ? english.length <= 8
        : !!verdict && verdict !== "maybe" && verdict !== "made";
    return isHead ? [column] : [];
  });
}

const bare = (cell: string): string => cell.replace(/^[\s"'*`]{1,40}|[\s"'*`]{1,40}$/g, "");

/** Where a cell of a line begins. */
function cellStart(line: string, values: readonly string[], column: number): number {
  let at = 0;
  for (const value of values.slice(0, column)) at = line.indexOf(value, at) + value.length;
  return line.indexOf(values[column] ?? "", at);
}

/** Heads of what people choose themselves. */
const passwords = /passw|pwd|pw$/i;

/** What a listing or a patch puts before a line. */
const lead = /^[\uf8ff+ ]{0,10}(?:\d{1,6}[→\t|:])?/;
/** Heads that say whose they are. */
const ofUser =
  /user|login|name|mail|account|host|benutzer|konto|usuario|utilisateur|utente|compte/i;
/** Words for a password, where a table says whose it is. */
const isWorded = (value: string): boolean =>
  isPassphrase(value, true) || (/^\p{L}{7,30}$/u.test(value) && isSecretLiteral(value, ""));

/** What nobody typed; it stands alone in its cell, so that any sign is one of it. */
const isMade = (value: string): boolean => isUnguessable(value, true) || isIssued(value);

/** Reads the rows of a table; gives where it ends. */
function readRows(
  text: string,
  from: number,
  headLine: string,
  delimiter: string | RegExp,
  columns: readonly number[],
  found: Found[],
): number {
  const cells = headLine.split(delimiter).length;
  const plainHead = headLine.replace(/^.{0,40}": ?"/, "").replace(lead, "");
  // A line of code has two words and a comma between; a table of three columns is none.
  const isWide = cells > 2 && /^[\w ,;|│"\t:.→\uf8ff+-]*$/.test(plainHead);
  const isLogin = isWide && passwords.test(inEnglish(headLine)) && ofUser.test(headLine);
  let start = from;
  for (let row = 0; row < mostRows && start < text.length; row++) {
    const end = lineEnd(text, start);
    const line = end - start > widest ? "" : text.slice(start, end);
    if (!ruler.test(line) || line === "") {
      const values = cellsOf(line, delimiter);
      if (values.length !== cells) break;
      // A list whose lines all begin alike has no head.
      const first = (values[0] ?? "").replace(lead, "");
      if (row === 0 && /\w|\\/.test(first) && plainHead.startsWith(first)) break;
      for (const column of columns) {
        const value = bare(values[column] ?? "");
        const at = start + cellStart(line, values, column) + (values[column] ?? "").indexOf(value);
        if (
          isMade(value) ||
          (isLogin && isWorded(value)) ||
          (isWide && passwords.test(inEnglish(headLine)) && isChosen(value, true))
        )
          found.push({ start: at, end: at + value.length, kind: "secret", rule: columnRule.id });
      }
    }
    start = end + 1;
  }
  return start;
}

const listStart = /["']?[ \t]{0,4}(?:=>|[:=])(?:[ \t]{0,4}[[({]\s{0,8}|[ \t]{0,4}(?=\n))/y;
const mapStart =
  /["']?[ \t]{0,4}(?:=>|[:=])?[ \t]{0,4}\{\s{0,8}(?=["']?[\w-]{1,40}["']?[ \t]{0,4}[:=])/y;
const entryOfMap =
  /\\{0,4}["']?[\w-]{1,40}\\{0,4}["']?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}(\\{0,4}["'])([^"'\\\n]{6,400})\1[\s,\uf8ff+]{0,24}/y;
const quotedItem = /(\\{0,4}["'])([^"'\\\n]{6,400})\1[\s,\uf8ff+]{0,24}/y;
const dashItem =
  /\n[ \t+\uf8ff]{0,40}(?:\d{1,6}[→\t|:])?[ \t]{0,40}- ["']?([^\s"']{6,400})["']?[ \t]*/y;

/** Where the list ends whose name promises secrets, its items added to `found`; undefined where there is none. */
export function readList(
  text: string,
  end: number,
  name: string,
  found: Found[],
): number | undefined {
  const isMany = /s$/i.test(name) && verdictOf(name.slice(0, -1)) === "secret";
  if (!isMany && verdictOf(name) !== "secret") return undefined;
  const inMap = matchEnd(mapStart, text, end);
  let last = inMap ?? matchEnd(listStart, text, end);
  if (last === undefined) return undefined;
  const lines = text.charAt(last) === "\n" ? dashItem : quotedItem;
  const item = inMap === undefined ? lines : entryOfMap;
  for (let one = matchAt(item, text, last); one; one = matchAt(item, text, last)) {
    last += one[0].length;
    const value = one.at(-1) ?? "";
    const start = one.index + one[0].indexOf(value);
    const isChosenOne =
      !isMany && passwords.test(name) && /\d\d/.test(value) && isChosen(value, true);
    if (
      isUnguessable(value, !isMany) ||
      isRandom(value) ||
      ((item === entryOfMap || !isMany) && isIssued(value)) ||
      isChosenOne
    )
      found.push({ start, end: start + value.length, kind: "secret", rule: listRule.id });
  }
  return last;
}

/** The rule of the Secrets of Kubernetes. */
export const kubernetesRule = {
  id: "kubernetes-secret",
  finds: "the values below `data` and `stringData` of a Kubernetes Secret",
  words: ["kind:"],
  source: 2,
};

const head = /\bkind: ?["']?Secret\b/;
const start = /(?:^|\n)[^\n\w]{0,24}(?:\d{1,6}[→\t:|])?[ \t+]{0,16}(?:data|stringData):[ \t]*\n/g;
const entry =
  /([^\n\w]{0,24}(?:\d{1,6}[→\t:|])?[ \t+]{1,24}["']?[\w.-]{1,100}["']?:[ \t]+["']?)([^\s"'{|>][^\s"']{3,8000})["']?[ \t]*\n?/y;

/** The same in one line: `data: {user: YWRh, password: …}`. */
const inline =
  /(?:^|\n)[^\n\w]{0,24}(?:\d{1,6}[→\t:|])?[ \t+]{0,16}(?:data|stringData): ?\{([^{}\n]{4,4000})\}/g;
const member = /[\w.-]{1,100}["']?: ?["']?([^\s"',{}]{4,4000})/g;

/** Every value of every Secret in a text. */
export function findKubernetesSecrets(text: string): Found[] {
  if (!head.test(text)) return [];
  const found: Found[] = [];
  const add = (value: string, end: number): void => {
    if (!value.startsWith("[redacted:"))
      found.push({ start: end - value.length, end, kind: "secret", rule: kubernetesRule.id });
  };
  for (const { index, 0: line } of text.matchAll(start)) {
    let at = index + line.length;
    for (let hit = matchAt(entry, text, at); hit; hit = matchAt(entry, text, at)) {
      const [whole, before = "", value = ""] = hit;
      add(value, at + before.length + value.length);
      at += whole.length;
    }
  }
  for (const { index, 0: whole, 1: members = "" } of text.matchAll(inline))
    for (const hit of members.matchAll(member))
      add(hit[1] ?? "", index + whole.length - 1 - members.length + hit.index + hit[0].length);
  return found;
}
