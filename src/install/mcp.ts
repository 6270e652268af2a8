// Registers memoir's MCP server with the client, and takes it out again.
import { rm } from "node:fs/promises";
import * as v from "valibot";
import { atomicWrite } from "../home/atomic-write.ts";
import type { Environment } from "../home/paths.ts";
import { readFileText } from "../home/read-file.ts";
import { MemoirError } from "../sdk/errors.ts";
import {
  clientStatePath,
  isOwnEntry,
  type McpServerEntry,
  ownServer,
  serversAt,
  withoutServer,
  withServer,
} from "./client-state.ts";
import { readSettings, removeSettings, type Scope, writeSettings } from "./settings-file.ts";

const PlaceSchema = v.object({
  /** The client's state file. */
  path: v.string(),
  /** Where in it the servers stand. */
  at: v.array(v.string()),
  /** How many of the objects around the entry memoir made. */
  made: v.number(),
  /** Whether there was no file. */
  absent: v.optional(v.boolean()),
});
type Place = v.InferOutput<typeof PlaceSchema>;

/** What is to be registered, and where. */
export interface McpRegistration {
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

/** The file that would change, or undefined when the entry is there. Throws like `registerMcp`. */
export async function planMcp(wanted: McpRegistration): Promise<string | undefined> {
  const { path, at } = place(wanted);
  const { text = "" } = await readSettings(path);
  assertFree(text, at, path);
  return JSON.stringify(ownServer(text, at, path)) === JSON.stringify(wanted.entry)
    ? undefined
    : path;
}

/** Registers; gives the file that changed, or undefined when the entry was there. Throws `settings_unreadable`, `settings_unwritable`, and `mcp_name_taken` where somebody else's server bears the name. */
export async function registerMcp(wanted: McpRegistration): Promise<string | undefined> {
  const { path, at } = place(wanted);
  const file = await readSettings(path);
  assertFree(file.text ?? "", at, path);
  const { text, made } = withServer(file.text ?? "", at, wanted.entry, path);
  if (text === file.text) return undefined;
  const places = await readPlaces(wanted.home);
  const known = places.find((other) => samePlace(other, { path, at }));
  const absent = known?.absent ?? (known === undefined && file.text === undefined);
  const entry = { path, at, made: Math.max(made, known?.made ?? 0), absent };
  await writePlaces(
    wanted.home,
    known ? places.map((other) => (other === known ? entry : other)) : [...places, entry],
  );
  await writeSettings(file, text);
  return path;
}

/** Takes memoir out wherever it was registered; gives the files that changed. Nobody's else entry is touched. */
export async function unregisterMcp(home: string, dryRun = false): Promise<string[]> {
  const changed: string[] = [];
  // The last first: what the first had to make around its entry holds the others'.
  for (const { path, at, made, absent = true } of (await readPlaces(home)).toReversed()) {
    const file = await readSettings(path);
    if (file.text === undefined || !isOwnEntry(ownServer(file.text, at, path))) continue;
    const after = withoutServer(file.text, at, made, path);
    if (after === file.text) continue;
    changed.push(path);
    if (dryRun) continue;
    if (absent && after.trim() === "{}") await removeSettings(file);
    else await writeSettings(file, after);
  }
  if (!dryRun) await writePlaces(home, []);
  return [...new Set(changed)];
}

function assertFree(text: string, at: readonly string[], path: string): void {
  const found = ownServer(text, at, path);
  if (found === undefined || isOwnEntry(found)) return;
  throw new MemoirError("mcp_name_taken", `${path} has another MCP server named memoir.`);
}

function place({ scope, env, cwd }: McpRegistration): Pick<Place, "path" | "at"> {
  return { path: clientStatePath(env), at: serversAt(scope, cwd) };
}

function samePlace(one: Pick<Place, "path" | "at">, other: Pick<Place, "path" | "at">): boolean {
  return one.path === other.path && one.at.join("\n") === other.at.join("\n");
}

/** Path of the list of places. */
export function mcpPlacesPath(home: string): string {
  return `${home}/install-mcp.json`;
}

async function readPlaces(home: string): Promise<Place[]> {
  try {
    return v.parse(v.array(PlaceSchema), JSON.parse(await readFileText(mcpPlacesPath(home))));
  } catch {
    return [];
  }
}

async function writePlaces(home: string, places: readonly Place[]): Promise<void> {
  if (places.length === 0) return rm(mcpPlacesPath(home), { force: true });
  await atomicWrite(mcpPlacesPath(home), `${JSON.stringify(places, null, 2)}\n`);
}
