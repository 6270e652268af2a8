// What Claude Code's agents are given beside hooks: memoir's tools, and the skill that says when to use them.
//
// memoir among Claude Code's MCP servers: in the client's own state file, whose every other byte stays where it is.

import { lstat, mkdir, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import type { Scope } from "../clients/claude-code/folders.ts";
import { clientFolder } from "../clients/claude-code/folders.ts";
import { type Environment, userHome } from "../home/paths.ts";
import { atomicWrite, readFileText } from "../home/read-file.ts";
import { MemoirError } from "../sdk/errors.ts";
import {
  missingFolders,
  readNote,
  readSettings,
  removeSettings,
  textHash,
  writeNote,
  writeSettings,
} from "./file-change.ts";
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

// Puts memoir's skill into the client's folder of skills, and takes it out again with every folder that was made for it.

// The skill that tells an agent when to ask its memory, and how.

/** `SKILL.md`, for the client's folder of skills and for the client's plugin. */
export const skillText = `---
name: memoir
description: Search the memory of earlier sessions. Use it when the user refers to earlier work ("last time", "as before", "why did we"), before working something out that may have been worked out already, when an error looks familiar, when the user settles something that later sessions must know (picks an option, says how or why something is to work, corrects you, states a rule), and when they ask to remember or forget something.
---

# Memory of earlier sessions

memoir keeps what was said and done in every session. Its tools are those of the MCP server \`memoir\` (load them by a search
for tools when they are not listed). Without them, use the shell: \`memoir search\`, \`memoir show\`, \`memoir memory timeline\`.

## When

- The user speaks of something you have not seen: an earlier decision, a bug, a file, "last week".
- Before you debug an error or choose an approach: look whether it was met or chosen before.
- Not for what is in the files in front of you.

## How

1. \`search\` with \`queries\`: the question in two to four ways. Other words, names of functions and files, the error's text
   without paths and numbers. One list is one search; it finds what a single wording misses.
2. Narrow only when there is too much: \`project\`, \`file\`, \`type\` (decision, bugfix), \`since\` ("3d"). A time may be part of
   the words: "before v1.2".
3. \`get\` with the ids that matter, several at once. A turn (t12) is word for word, an observation (o3) a digest. \`timeline\`
   with \`around\` shows what came before and after.
4. Nothing found: other words once, then say that memory has nothing. Memory says what was, the files what is.

## What to keep

- The user settles something that later sessions must know: picks an option, says how or why something is to work, corrects your
  approach, states a rule, says where something is installed. \`remember\` it in the same turn, in one sentence that stands alone,
  with their words as \`quote\`: they are checked against what was typed. Not what you, a file, a page or a tool said, nor which
  step, branch or order this task takes.
- In your last message name what stays open, each in a sentence: later sessions are shown it.
- \`correct\` (edit, pin, hide) and \`forget\` show first; ask the user, then confirm.
`;

const RecordSchema = v.object({
  path: v.string(),
  /** Hash of what install wrote. */
  written: v.string(),
  /** Folders that install made, the innermost first. */
  folders: v.array(v.string()),
});

/** Where the client reads the skill. */
export function skillPath(env: Environment): string {
  return join(clientFolder(env), "skills", "memoir", "SKILL.md");
}

/** Path of the note about what was written. */
export function skillRecordPath(home: string): string {
  return `${home}/install-skill.json`;
}

/** How the skill stands: `foreign` is somebody else's file, or ours after somebody changed it. */
type SkillState = "missing" | "current" | "old" | "foreign";

/** Looks without changing anything. */
export async function skillState(home: string, env: Environment): Promise<SkillState> {
  const path = skillPath(env);
  const info = await lstat(path).catch(() => undefined);
  if (!info) return "missing";
  const text = info.isFile() ? await readText(path) : undefined;
  if (text === skillText) return "current";
  const record = await readRecord(home);
  const isOurs = text !== undefined && record?.path === path && record.written === textHash(text);
  return isOurs ? "old" : "foreign";
}

/** Writes the skill where none is, or an older one of ours; gives its path when something changed. */
export async function putSkill(home: string, env: Environment): Promise<string | undefined> {
  const state = await skillState(home, env);
  if (state === "current" || state === "foreign") return undefined;
  const path = skillPath(env);
  const known = await readRecord(home);
  const folders = known?.path === path ? known.folders : await missingFolders(dirname(path));
  await writeNote(skillRecordPath(home), { path, written: textHash(skillText), folders });
  await mkdir(dirname(path), { recursive: true });
  await atomicWrite(path, skillText, 0o644);
  return path;
}

/** Takes out what is still as install wrote it; gives the path that went, or would go. */
export async function takeSkill(home: string, dryRun = false): Promise<string | undefined> {
  const record = await readRecord(home);
  if (!record) return undefined;
  const text = await readText(record.path);
  const isOurs = text !== undefined && textHash(text) === record.written;
  if (dryRun) return isOurs ? record.path : undefined;
  if (isOurs) await rm(record.path, { force: true });
  // A folder in which something else is stays: this fails then, as it should.
  for (const folder of record.folders) await rmdir(folder).catch(() => undefined);
  await writeNote(skillRecordPath(home), undefined);
  return isOurs ? record.path : undefined;
}

function readText(path: string): Promise<string | undefined> {
  return readFileText(path).catch(() => undefined);
}

function readRecord(home: string) {
  return readNote(skillRecordPath(home), RecordSchema);
}
