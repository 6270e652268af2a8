// Parts of a registration that several clients share: hooks in Claude Code's form, and an MCP server in a JSON or TOML file.
import { isDeepStrictEqual } from "node:util";
import { parseToml } from "../../host/index.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEventName } from "../../sdk/events.ts";
import { isRecord, recordOf, textField } from "../../text/text.ts";
import type { HooksPart, RegistrationPart, RegistrationPlace } from "../adapter.ts";

/** Events that clients match by tool name. */
const toolEvents: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** How a client's hooks differ from Claude Code's. */
interface HooksForm extends Pick<HooksPart, "named" | "flat"> {
  /** Its own names of the events that it has; absent: Claude Code's. */
  names?: ReadonlyMap<ClientEventName, string>;
  /** In which unit it counts a timeout; absent: seconds. `none`: memoir's hook ends itself. */
  timeout?: "milliseconds" | "none";
}

/** Every wanted event that the client has, by its name there. */
export function hooksPart(
  { events }: Pick<RegistrationPlace, "events">,
  form: HooksForm = {},
): HooksPart {
  const { names, timeout: unit, ...more } = form;
  const wanted = [...events].flatMap(([event, seconds]) => {
    const name = names ? names.get(event) : event;
    if (name === undefined) return [];
    if (unit === "none") return [[name, {}] as const];
    const timeout = unit === "milliseconds" ? seconds * 1_000 : seconds;
    return [[name, toolEvents.has(event) ? { matcher: "*", timeout } : { timeout }] as const];
  });
  return { kind: "hooks", events: new Map(wanted), ...more };
}

/** memoir's MCP server as most clients write it. */
export function serverPart(
  { binary, home }: RegistrationPlace,
  at: readonly string[] = ["mcpServers", "memoir"],
  more: Readonly<Record<string, unknown>> = {},
): RegistrationPart {
  const env = home === undefined ? {} : { env: { MEMOIR_HOME: home } };
  return { kind: "server", at, entry: { ...more, command: binary, args: ["mcp"], ...env } };
}

// memoir's MCP server in Codex's TOML: a table of its own at the end, every other byte where it was. Lines that look like the
// beginning of a table may stand inside a value, so each edit is parsed again: whatever else the file says must be the same.

type Json = Record<string, unknown>;

/** `[mcp_servers.memoir]` as a part of a registration. */
export function serverTable({ binary, home }: RegistrationPlace): RegistrationPart {
  // JSON's strings and lists are TOML's.
  const written = [`command = ${JSON.stringify(binary)}`, 'args = ["mcp"]'];
  if (home !== undefined) written.push(`env = { MEMOIR_HOME = ${JSON.stringify(home)} }`);
  const wanted = recordOf(parseToml(written.join("\n")));
  return {
    kind: "edit",
    what: "MCP server",
    put: (text, path) => put(text, written, wanted, path),
    take,
    state(text, path) {
      if (!ownTable(text, path)) return "none";
      return isAsWanted(serverIn(read(text, path)), wanted) ? "current" : "other";
    },
  };
}

function put(text: string, written: readonly string[], wanted: Json, path: string): string {
  const before = read(text, path);
  const server = serverIn(before);
  const own = ownTable(text, path);
  if (own && isAsWanted(server, wanted)) return text;
  if (!own && server !== undefined) throw taken(path);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = written.map((line) => line + eol);
  const start = text === "" || text.endsWith("\n") ? "" : eol;
  const gap = text.trim() === "" ? "" : eol;
  const result = own
    ? anew(own, lines, eol)
    : [text, start, gap, `[mcp_servers.memoir]${eol}`, ...lines].join("");
  const after = parsed(result);
  if (after && isSameBeside(before, after) && isAsWanted(serverIn(after), wanted)) return result;
  // What is no table cannot be added to.
  throw own ? unreadable(path) : taken(path);
}

/** What somebody set in the table beside memoir's own (a timeout, tools that are off) stays. */
function anew({ lines, start, end }: Section, written: readonly string[], eol: string): string {
  const kept: string[] = [];
  for (let at = start + 1; at < end; at++) {
    if (!managed.test(lines[at] ?? "")) {
      kept.push(lines[at] ?? "");
      continue;
    }
    const first = at;
    // Its value may go over lines: as many as make it whole.
    while (at < end - 1 && !parsed(lines.slice(first, at + 1).join(""))) at++;
  }
  const head = `${lines[start]?.trimEnd()}${eol}`;
  return [...lines.slice(0, start), head, ...written, ...kept, ...lines.slice(end)].join("");
}

/** Without memoir's table and what Codex put below it, such as tools that need not be asked for. */
function take(text: string, path: string): string {
  let result = text;
  if (!ownTable(text, path)) return text;
  for (let own = sectionIn(text); own; own = sectionIn(result)) {
    const { lines, start, end } = own;
    const from = lines[start - 1]?.trim() === "" ? start - 1 : start;
    result = [...lines.slice(0, from), ...lines.slice(end)].join("");
  }
  return result;
}

const managed = /^[ \t]*(?:command|args|env)\b/;

function isAsWanted(server: unknown, wanted: Json): boolean {
  const { command, args, env } = recordOf(server);
  return isDeepStrictEqual(
    { command, args, env },
    { command: wanted.command, args: wanted.args, env: wanted.env },
  );
}

/** Lines of a file that are one table of memoir's. */
interface Section {
  lines: readonly string[];
  start: number;
  /** Behind its last line that says something: what stands between it and the next belongs to that. */
  end: number;
}

/** memoir's table; undefined where there is none, or the one of that name starts something else. */
function ownTable(text: string, path: string): Section | undefined {
  const command = textField(serverIn(read(text, path)), "command");
  if (!/(?:^|[\\/])memoir(?:\.exe)?$/i.test(command)) return undefined;
  const own = sectionIn(text);
  return own && parsed(own.lines.slice(own.start, own.end).join("")) ? own : undefined;
}

const ourHead = /^[ \t]*\[[ \t]*["']?mcp_servers["']?[ \t]*\.[ \t]*["']?memoir["']?[ \t]*[\].]/;
const anyHead = /^[ \t]*\[/;

/** The first table of memoir's, or below it, without which the file says all the rest that it says now. */
function sectionIn(text: string): Section | undefined {
  const before = parsed(text);
  if (!before) return undefined;
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  for (const [start, line] of lines.entries()) {
    if (!ourHead.test(line)) continue;
    for (let next = start + 1; next <= lines.length; next++) {
      if (next < lines.length && !anyHead.test(lines[next] ?? "")) continue;
      const after = parsed([...lines.slice(0, start), ...lines.slice(next)].join(""));
      const isOurs =
        after &&
        isSameBeside(before, after) &&
        !isDeepStrictEqual(serverIn(before), serverIn(after));
      if (!isOurs) continue;
      let end = next;
      while (end > start + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1]?.trimEnd() ?? "")) end--;
      return { lines, start, end };
    }
  }
  return undefined;
}

function serverIn(file: Json): unknown {
  return recordOf(file.mcp_servers).memoir;
}

/** Whether two files say the same but for memoir's server. */
function isSameBeside(one: Json, other: Json): boolean {
  return isDeepStrictEqual(beside(one), beside(other));
}

function beside({ mcp_servers: servers, ...rest }: Json): unknown {
  const { memoir: _memoir, ...others } = recordOf(servers);
  return { ...rest, mcp_servers: isRecord(servers) || servers === undefined ? others : servers };
}

function parsed(text: string): Json | undefined {
  try {
    return recordOf(parseToml(text.replace(/^\ufeff/, "")));
  } catch {
    return undefined;
  }
}

/** Throws `settings_unreadable` for what is no TOML: it is changed by nobody then. */
function read(text: string, path: string): Json {
  const file = parsed(text);
  if (!file) throw unreadable(path);
  return file;
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
