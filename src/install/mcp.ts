// memoir among Claude Code's MCP servers: in the client's own state file, whose every other byte stays where it is.
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import type { Scope } from "../clients/claude-code/folders.ts";
import { type Environment, userHome } from "../home/paths.ts";
import { MemoirError } from "../sdk/errors.ts";
import { readNote, readSettings, removeSettings, writeNote, writeSettings } from "./file-change.ts";
import { putAt, removeAt, removeEmpty, unknownForm, valueAt } from "./json-edit.ts";

/** How the client starts an MCP server. */
interface McpServerEntry {
  type: "stdio";
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** What is to be registered, and where. */
interface McpRegistration {
  home: string;
  scope: Scope;
  env: Environment;
  cwd: string;
  entry: McpServerEntry;
}

/** The entry that runs an installed binary for a home; `home` only where it is not the usual one. */
export function mcpEntry(binary: string, home: string | undefined): McpServerEntry {
  const env = home === undefined ? {} : { env: { MEMOIR_HOME: home } };
  return { type: "stdio", command: binary, args: ["mcp"], ...env };
}

/** The client's state file: `.claude.json` in `CLAUDE_CONFIG_DIR`, else in the user's home folder. */
export function clientStatePath(env: Environment): string {
  const folder = env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : userHome(env);
  return join(folder, ".claude.json");
}

/** Where in that file a scope's servers stand; a project's are kept with the user's own, so that no colleague gets them. */
export function serversAt(scope: Scope, cwd: string): string[] {
  return scope === "user" ? ["mcpServers"] : ["projects", cwd, "mcpServers"];
}

/** The server's name, and with it the beginning of its tools' names: `mcp__memoir__recall`. */
const mcpName = "memoir";

/** What stands under memoir's name; undefined when nothing does. May be somebody else's, see `isOwnEntry`. Throws `settings_unreadable`. */
export function ownServer(text: string, at: readonly string[], path: string): unknown {
  assertPlain(text, path);
  return valueAt(text, [...at, mcpName], path);
}

/** The parser forgives; this client does not, so what it would refuse is not touched. */
function assertPlain(text: string, path: string): void {
  const body = text.replace(/^\ufeff/, "");
  try {
    const value: unknown = JSON.parse(body.trim() === "" ? "{}" : body);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  } catch {}
  throw unknownForm(path);
}

/** Whether an entry is one that memoir writes, of this or another home: somebody else's server may bear the same name. */
export function isOwnEntry(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { command, args } = value as { command?: unknown; args?: unknown };
  const runsMemoir = typeof command === "string" && /(?:^|[\\/])memoir(?:\.exe)?$/i.test(command);
  return runsMemoir && Array.isArray(args) && args.length === 1 && args[0] === "mcp";
}

const PlaceSchema = v.object({
  /** The client's state file. */
  path: v.string(),
  /** Where in it the servers stand. */
  at: v.array(v.string()),
  /** How many of the objects around the entry memoir made. */
  made: v.number(),
  /** Whether there was no file. */
  absent: v.optional(v.boolean(), true),
});
type Place = v.InferOutput<typeof PlaceSchema>;

/** What is there now. Throws `mcp_name_taken` where somebody else's server bears the name. */
async function look({ scope, env, cwd, entry }: McpRegistration) {
  const [path, at] = [clientStatePath(env), serversAt(scope, cwd)];
  const file = await readSettings(path);
  const found = ownServer(file.text ?? "", at, path);
  if (found !== undefined && !isOwnEntry(found))
    throw new MemoirError("mcp_name_taken", `${path} has another MCP server named memoir.`);
  return { path, at, file, isThere: JSON.stringify(found) === JSON.stringify(entry) };
}

/** The file that would change, or undefined when the entry is there. Throws like `registerMcp`. */
export async function planMcp(wanted: McpRegistration): Promise<string | undefined> {
  const { path, isThere } = await look(wanted);
  return isThere ? undefined : path;
}

/** Registers; gives the file that changed, or undefined when the entry was there. Throws `settings_unreadable`, `settings_unwritable`, and `mcp_name_taken` where somebody else's server bears the name. */
export async function registerMcp(wanted: McpRegistration): Promise<string | undefined> {
  const { path, at, file, isThere } = await look(wanted);
  if (isThere) return undefined;
  const cleared = removeAt(file.text ?? "", [...at, mcpName], path);
  const { text, made } = putAt(cleared, [...at, mcpName], wanted.entry, path);
  const places = await readPlaces(wanted.home);
  const known = places.find((other) => other.path === path && isDeepStrictEqual(other.at, at));
  const absent = known?.absent ?? file.text === undefined;
  const place = { path, at, made: Math.max(made, known?.made ?? 0), absent };
  const others = places.map((other) => (other === known ? place : other));
  await writePlaces(wanted.home, known ? others : [...places, place]);
  await writeSettings(file, text);
  return path;
}

/** Takes memoir out wherever it was registered; gives the files that changed. Nobody's else entry is touched. */
export async function unregisterMcp(home: string, dryRun = false): Promise<string[]> {
  const changed = new Set<string>();
  // The last first: what the first had to make around its entry holds the others'.
  for (const { path, at, made, absent } of (await readPlaces(home)).toReversed()) {
    const file = await readSettings(path);
    if (file.text === undefined || !isOwnEntry(ownServer(file.text, at, path))) continue;
    changed.add(path);
    if (dryRun) continue;
    const after = removeEmpty(removeAt(file.text, [...at, mcpName], path), at, made, path);
    if (absent && after.trim() === "{}") await removeSettings(file);
    else await writeSettings(file, after);
  }
  if (!dryRun) await writePlaces(home, []);
  return [...changed];
}

/** Path of the list of places. */
export function mcpPlacesPath(home: string): string {
  return `${home}/install-mcp.json`;
}

async function readPlaces(home: string): Promise<Place[]> {
  return (await readNote(mcpPlacesPath(home), v.array(PlaceSchema))) ?? [];
}

function writePlaces(home: string, places: readonly Place[]): Promise<void> {
  return writeNote(mcpPlacesPath(home), places.length === 0 ? undefined : places);
}
