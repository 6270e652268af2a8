// memoir's MCP server in Codex's TOML: a table of its own at the end, every other byte where it was.
import { MemoirError } from "../../sdk/errors.ts";
import type { RegistrationPart, RegistrationPlace } from "../registration.ts";

/** One line of a TOML file, and what stands at its beginning. */
interface TomlLine {
  /** With its line end. */
  text: string;
  /** The table that begins here, as its keys. */
  table?: readonly string[];
  /** The key that is set here, without its table's; not inside a value that goes over lines. */
  key?: readonly string[];
  /** Of its value what stands in this line. */
  value?: string;
  /** It goes on with the value of a line before it. */
  goesOn?: boolean;
}

const at: readonly string[] = ["mcp_servers", "memoir"];

/** `[mcp_servers.memoir]` as a part of a registration. */
export function serverTable(place: RegistrationPlace): RegistrationPart {
  const wanted = settings(place);
  return {
    kind: "edit",
    what: "MCP server",
    put: (text, path) => put(text, wanted, path),
    take: (text, path) => take(text, path),
    state(text, path) {
      const found = ownTable(linesOf(text, path));
      if (!found) return "none";
      return isAsWanted(found.lines, wanted) ? "current" : "other";
    },
  };
}

/** What is set in the table. JSON's strings and lists are TOML's. */
function settings({ binary, home }: RegistrationPlace): Map<string, string> {
  const env = home === undefined ? [] : [["env", `{ MEMOIR_HOME = ${JSON.stringify(home)} }`]];
  return new Map([
    ["command", JSON.stringify(binary)],
    ["args", '["mcp"]'],
    ...(env as [string, string][]),
  ]);
}

function put(text: string, wanted: ReadonlyMap<string, string>, path: string): string {
  const lines = linesOf(text, path);
  const own = ownTable(lines);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const written = [...wanted].map(([key, value]) => `${key} = ${value}${eol}`).join("");
  if (own && isAsWanted(own.lines, wanted)) return text;
  if (!own && names(lines)) throw taken(path);
  const start = text === "" || text.endsWith("\n") ? "" : eol;
  const gap = text.trim() === "" ? "" : eol;
  const result = own
    ? anew(lines, own, written, eol)
    : `${text}${start}${gap}[${at.join(".")}]${eol}${written}`;
  const after = ownTable(linesOf(result, path));
  if (!after || !isAsWanted(after.lines, wanted)) throw unreadable(path);
  return result;
}

/** What somebody set in the table beside memoir's own (a timeout, tools that are off) stays. */
function anew(lines: readonly TomlLine[], own: OwnTable, written: string, eol: string): string {
  let isOurs = false;
  const kept = own.lines.slice(1).filter(({ key, goesOn }) => {
    isOurs = goesOn ? isOurs : key !== undefined && isManaged(key);
    return !isOurs;
  });
  const head = `${own.lines[0]?.text.trimEnd()}${eol}`;
  const [before, after] = [lines.slice(0, own.start), lines.slice(own.end)].map(textOf);
  return `${before}${head}${written}${textOf(kept)}${after}`;
}

/** Without memoir's table and what Codex put below it, such as tools that need not be asked for. */
function take(text: string, path: string): string {
  const lines = linesOf(text, path);
  if (!ownTable(lines)) return text;
  const heads = lines.flatMap(({ table }, index) => (table ? [index] : []));
  const gone = new Set<number>();
  for (const [number, start] of heads.entries()) {
    if (!isBelow(lines[start]?.table ?? [])) continue;
    const end = endOf(lines, start, heads[number + 1] ?? lines.length);
    for (let index = start; index < end; index++) gone.add(index);
    if (lines[start - 1]?.text.trim() === "") gone.add(start - 1);
  }
  return textOf(lines.filter((_, index) => !gone.has(index)));
}

/** Behind the last line of a table that says something: what stands between it and the next belongs to that. */
function endOf(lines: readonly TomlLine[], start: number, next: number): number {
  let end = next;
  while (end > start + 1 && isSilent(lines[end - 1])) end--;
  return end;
}

/** Blank, or a comment. */
function isSilent(line: TomlLine | undefined): boolean {
  return line !== undefined && !line.goesOn && /^\s*(?:#.*)?$/.test(line.text.trimEnd());
}

interface OwnTable {
  start: number;
  /** Behind its last line. */
  end: number;
  lines: readonly TomlLine[];
}

/** memoir's table; undefined where there is none, or the one of that name starts something else. */
function ownTable(lines: readonly TomlLine[]): OwnTable | undefined {
  const start = lines.findIndex(({ table }) => table && isSame(table, at));
  if (start < 0) return undefined;
  const next = lines.findIndex(({ table }, index) => index > start && table !== undefined);
  const end = endOf(lines, start, next < 0 ? lines.length : next);
  const own = lines.slice(start, end);
  const command = own.find(({ key }) => key && isSame(key, ["command"]))?.value ?? "";
  const runsMemoir = /^["'](?:.*[\\/])?memoir(?:\.exe)?["']\s*(?:#.*)?$/i.test(command.trim());
  return runsMemoir ? { start, end, lines: own } : undefined;
}

function isAsWanted(lines: readonly TomlLine[], wanted: ReadonlyMap<string, string>): boolean {
  const found = lines.flatMap(({ key, value = "" }) =>
    key && isManaged(key) ? [`${key.join(".")} = ${value.trim()}`] : [],
  );
  return isSame(found.sort(), [...wanted].map(([key, value]) => `${key} = ${value}`).sort());
}

const managed: ReadonlySet<string> = new Set(["command", "args", "env"]);
const isManaged = ([first = ""]: readonly string[]) => managed.has(first);

/** Whether anything in the file says what memoir's server is, in whatever form; or makes a table that cannot be added to. */
function names(lines: readonly TomlLine[]): boolean {
  let table: readonly string[] = [];
  for (const line of lines) {
    table = line.table ?? table;
    const whole = line.key ? [...table, ...line.key] : (line.table ?? []);
    if (isBelow(whole) || (line.key && isSame(whole, at.slice(0, 1)))) return true;
  }
  return false;
}

const isBelow = (keys: readonly string[]) => at.every((key, index) => keys[index] === key);

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}

function textOf(lines: readonly TomlLine[]): string {
  return lines.map(({ text }) => text).join("");
}

const keyPart = String.raw`(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')`;
const keys = String.raw`${keyPart}(?:[ \t]*\.[ \t]*${keyPart})*`;
const tableLine = new RegExp(String.raw`^[ \t]*\[(\[?)[ \t]*(${keys})[ \t]*\](\]?)[ \t]*(?:#.*)?$`);
const keyLine = new RegExp(String.raw`^[ \t]*(${keys})[ \t]*=(.*)$`);

/** The lines of a file. Throws `settings_unreadable` for what is no TOML as far as it is looked at: it is changed by nobody then. */
function linesOf(text: string, path: string): TomlLine[] {
  const lines: TomlLine[] = [];
  let open: Open = { quote: "", depth: 0 };
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const said = line.replace(/\r?\n$/, "").replace(/^\ufeff/, "");
    if (open.quote !== "" || open.depth > 0) {
      open = after(said, open, path);
      lines.push({ text: line, goesOn: true });
      continue;
    }
    const table = tableLine.exec(said);
    const set = keyLine.exec(said);
    if (table?.[2] !== undefined) lines.push({ text: line, table: keysOf(table[2]) });
    else if (set?.[1] !== undefined) {
      const value = set[2] ?? "";
      lines.push({ text: line, key: keysOf(set[1]), value });
      open = after(value, open, path);
    } else if (/^[ \t]*(?:#.*)?$/.test(said)) lines.push({ text: line });
    else throw unreadable(path);
  }
  if (open.quote !== "" || open.depth > 0) throw unreadable(path);
  return lines;
}

function keysOf(text: string): string[] {
  return (text.match(new RegExp(keyPart, "g")) ?? []).map((part) => {
    if (part.startsWith("'")) return part.slice(1, -1);
    if (!part.startsWith('"')) return part;
    try {
      return String(JSON.parse(part));
    } catch {
      return part;
    }
  });
}

/** What of a value is not closed at a line's end: a text over lines, lists and tables. */
interface Open {
  quote: string;
  depth: number;
}

function after(line: string, { quote, depth }: Open, path: string): Open {
  let [inside, level, index] = [quote, depth, 0];
  while (index < line.length) {
    const sign = line.charAt(index);
    if (inside !== "") {
      if (sign === "\\" && inside.startsWith('"')) index += 2;
      else if (line.startsWith(inside, index)) {
        index += inside.length;
        // A text over lines may end with quotes of its own.
        while (inside.length === 3 && line.charAt(index) === sign) index++;
        inside = "";
      } else index++;
      continue;
    }
    if (sign === "#") break;
    if (sign === '"' || sign === "'")
      inside = line.startsWith(sign.repeat(3), index) ? sign.repeat(3) : sign;
    if (sign === "[" || sign === "{") level++;
    if (sign === "]" || sign === "}") level--;
    index += Math.max(1, inside.length);
  }
  if (inside.length === 1 || level < 0) throw unreadable(path);
  return { quote: inside, depth: level };
}

function taken(path: string): MemoirError {
  return new MemoirError("mcp_name_taken", `${path} has something else named memoir.`, {
    fix: "Give it another name, or write MCP servers as tables of their own; then run the command again.",
  });
}

function unreadable(path: string): MemoirError {
  return new MemoirError("settings_unreadable", `${path} does not have the form that is known.`, {
    fix: "Start Codex once: it says what is wrong with its file. Correct that, then run the command again.",
  });
}
