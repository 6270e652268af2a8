// Puts memoir into a client's files and takes it out again: back to the very bytes where nobody changed them since, else only what is memoir's.
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Node } from "jsonc-parser";
import { findNodeAtLocation, getNodeValue } from "jsonc-parser";
import type { ClientAdapter } from "../clients/adapter.ts";
import type {
  RegistrationFile,
  RegistrationPart,
  RegistrationPlace,
} from "../clients/registration.ts";
import { atomicWrite } from "../home/atomic-write.ts";
import { MemoirError } from "../sdk/errors.ts";
import { type ClientEntry, readClientLedger, writeClientLedger } from "./client-ledger.ts";
import { diffLines } from "./diff.ts";
import { isHookCommand } from "./hook-command.ts";
import { appendProperty, removeChild } from "./json-edit.ts";
import type { FlatHook, HookGroup, WantedHooks } from "./registration.ts";
import {
  missingFolders,
  readSettings,
  removeSettings,
  type SettingsFile,
  textHash,
  writeSettings,
} from "./settings-file.ts";
import {
  hasKey,
  openText,
  ownHooks,
  parseSettings,
  withHooks,
  withKey,
  withoutHooks,
  withoutKey,
} from "./settings-text.ts";

/** A change to one file that nobody made yet. */
export interface FileChange {
  path: string;
  file: SettingsFile;
  /** Undefined: no file. */
  after: string | undefined;
  /** Empty when nothing changes. */
  diff: string[];
}

/** How a file would be given back. */
export interface FileReturn extends FileChange {
  how: "restored" | "removed" | "cleaned" | "untouched";
  entry: ClientEntry | undefined;
}

/** What registering with a client would change. Rejects with `settings_unreadable` or `mcp_name_taken`; nothing is touched. */
export function planClient(
  adapter: ClientAdapter,
  place: RegistrationPlace,
): Promise<FileChange[]> {
  return Promise.all(
    filesOf(adapter, place).map(async ({ path, parts }) => {
      const file = await readSettings(path);
      const after = parts.reduce(
        (text, part) => putPart(text, part, place.command, path),
        file.text ?? "",
      );
      return { path, file, after, diff: diffLines(file.text ?? "", after) };
    }),
  );
}

/** Makes the changes; what stood there before is kept in `<home>/backups` first. Gives the copies' paths. */
export async function applyClient(
  home: string,
  client: string,
  changes: readonly FileChange[],
): Promise<string[]> {
  const backups: string[] = [];
  for (const { path, file, after, diff } of changes) {
    if (diff.length === 0 || after === undefined) continue;
    const ledger = await readClientLedger(home);
    const known = ledger.find((entry) => entry.path === path);
    const before = await stateBefore(home, client, file, known);
    if (before.state === "copied" && before !== known?.before) backups.push(before.backup);
    const entry: ClientEntry = { client, path, before, written: textHash(after) };
    // First the list: a crash in between leaves a hash that does not fit, and memoir's parts are taken out one by one.
    await writeClientLedger(home, [...ledger.filter((other) => other !== known), entry]);
    await writeSettings(file, after);
  }
  return backups;
}

async function stateBefore(
  home: string,
  client: string,
  { text, target }: SettingsFile,
  known: ClientEntry | undefined,
): Promise<ClientEntry["before"]> {
  if (text === undefined)
    return { state: "absent", folders: await missingFolders(dirname(target)) };
  if (known?.written === textHash(text)) return known.before;
  // memoir is in it and somebody changed it since: how it was without, nobody can tell any more.
  if (known) return { state: "changed", folders: madeFor(known) };
  const backup = `${home}/backups/${client}-${textHash(text).slice(0, 12)}.txt`;
  await mkdir(dirname(backup), { recursive: true, mode: 0o700 });
  await atomicWrite(backup, text);
  return { state: "copied", backup };
}

/** The folders that install made for a file. */
function madeFor(entry: ClientEntry | undefined): string[] {
  return entry && "folders" in entry.before ? entry.before.folders : [];
}

/** What taking memoir out of a client would do. Files that cannot be read are left as they are. */
export async function planReturn(
  home: string,
  adapter: ClientAdapter,
  place: RegistrationPlace,
): Promise<FileReturn[]> {
  const ledger = await readClientLedger(home);
  const returns: FileReturn[] = [];
  const files = new Map(filesOf(adapter, place).map((file) => [file.path, file]));
  // Also what an earlier version wrote to, or another environment named.
  const own = ledger.filter(({ client }) => client === adapter.name);
  for (const path of new Set([...files.keys(), ...own.map((entry) => entry.path)])) {
    const entry = own.find((one) => one.path === path);
    const file = await readSettings(path);
    const { how, after } = await returned(file, files.get(path), entry);
    const diff = diffLines(file.text ?? "", after ?? "");
    returns.push({ path, file, how, after, diff, entry });
  }
  // The last first: the first may have made the folder, which must be empty to go.
  return returns.filter(({ how, entry }) => how !== "untouched" || entry).toReversed();
}

async function returned(
  { text, path }: SettingsFile,
  wanted: RegistrationFile | undefined,
  entry: ClientEntry | undefined,
): Promise<Pick<FileReturn, "how" | "after">> {
  if (text === undefined) return { how: "untouched", after: undefined };
  const before = entry?.before;
  const copy =
    before?.state === "copied"
      ? await readFile(before.backup, "utf8").catch(() => undefined)
      : undefined;
  if (entry && entry.written === textHash(text)) {
    if (before?.state === "absent") return { how: "removed", after: undefined };
    if (copy !== undefined) return { how: "restored", after: copy };
  }
  let after: string | undefined = text;
  for (const part of (wanted?.parts ?? []).toReversed())
    after = after === undefined ? undefined : takePart(after, part, path, copy);
  if (after === undefined || (before?.state === "absent" && isEmpty(after)))
    return { how: "removed", after: undefined };
  return { how: after === text ? "untouched" : "cleaned", after };
}

function isEmpty(text: string): boolean {
  return /^\s*(?:\{\s*\})?\s*$/.test(text);
}

/** Does it, and forgets the files. A copy goes once its bytes are back in place. */
export async function applyReturn(home: string, returns: readonly FileReturn[]): Promise<void> {
  for (const { file, how, after, entry } of returns) {
    const before = entry?.before;
    if (how === "removed") await removeSettings(file, madeFor(entry));
    else if (how !== "untouched" && after !== undefined) await writeSettings(file, after);
    if (!entry) continue;
    const others = (await readClientLedger(home)).filter(({ path }) => path !== entry.path);
    await writeClientLedger(home, others);
    if (how !== "restored" || before?.state !== "copied") continue;
    const needed = others.some(
      (other) => other.before.state === "copied" && other.before.backup === before.backup,
    );
    if (!needed) await rm(before.backup, { force: true });
  }
}

/** How one part of a registration stands. */
export interface PartFinding {
  path: string;
  what: string;
  state: PartState | "unreadable";
}

/** How memoir stands in a client's files. Never rejects. */
export async function lookAtClient(
  adapter: ClientAdapter,
  place: RegistrationPlace,
): Promise<PartFinding[]> {
  const found: PartFinding[] = [];
  for (const { path, parts } of filesOf(adapter, place))
    for (const part of parts) {
      const what = partName(part);
      try {
        const { text } = await readSettings(path);
        const state = text === undefined ? "none" : stateOf(text, part, place.command, path);
        found.push({ path, what, state });
      } catch {
        found.push({ path, what, state: "unreadable" });
      }
    }
  return found;
}

function filesOf(
  { registration }: ClientAdapter,
  place: RegistrationPlace,
): readonly RegistrationFile[] {
  return registration?.files(place) ?? [];
}

// One part of a client's registration in the text of a file: put in, taken out, looked for.

/** `none`: nothing of memoir's; `current`: as it should be; `other`: memoir's, and not as it should be; `foreign`: somebody else's in its place. */
type PartState = "none" | "current" | "other" | "foreign";

/** What a client's hooks run. */
type Command = string;

/** What a part is, in words. */
function partName(part: RegistrationPart): string {
  switch (part.kind) {
    case "hooks":
      return "hooks";
    case "server":
      return part.what ?? "MCP server";
    case "whole":
      return "file";
    case "edit":
      return part.what;
  }
}

/** The text with the part in it; the same text when it is there. Throws `settings_unreadable` and `mcp_name_taken`. */
export function putPart(
  text: string,
  part: RegistrationPart,
  command: Command,
  path: string,
): string {
  switch (part.kind) {
    case "hooks":
      return withHooks(withFlat(text, part, path), wantedOf(part, command), path);
    case "server":
      return putServer(text, part, path);
    case "whole":
      if (stateOf(text, part, command, path) === "foreign") throw taken(path);
      return part.text;
    case "edit":
      return part.put(text, path);
  }
}

/** The text without the part; undefined where the file is memoir's own. `before`: what stood there before the install, where that is known. */
export function takePart(
  text: string,
  part: RegistrationPart,
  path: string,
  before: string | undefined,
): string | undefined {
  switch (part.kind) {
    case "hooks":
      return takeHooks(text, part, path, before);
    case "server":
      return takeServer(text, part.at, path, before);
    case "whole":
      return isOwnFile(text, part.text) ? undefined : text;
    case "edit":
      return part.take(text, path);
  }
}

/** How the part stands in a text. Throws `settings_unreadable`. */
export function stateOf(
  text: string,
  part: RegistrationPart,
  command: Command,
  path: string,
): PartState {
  switch (part.kind) {
    case "hooks": {
      if (ownHooks(parseSettings(text, path)).length === 0) return "none";
      return putPart(text, part, command, path) === text ? "current" : "other";
    }
    case "server": {
      const node = findNodeAtLocation(openText(text, path).root, [...part.at]);
      if (!node) return "none";
      const found: unknown = getNodeValue(node);
      if (JSON.stringify(found) === JSON.stringify(part.entry)) return "current";
      return runsMemoir(found) ? "other" : "foreign";
    }
    case "whole":
      if (text === part.text) return "current";
      if (text.trim() === "") return "none";
      return isOwnFile(text, part.text) ? "other" : "foreign";
    case "edit":
      return part.state(text, path);
  }
}

type HooksPart = RegistrationPart & { kind: "hooks" };

function wantedOf({ events, flat, named }: HooksPart, command: Command): WantedHooks {
  const wanted = new Map<string, HookGroup | FlatHook>();
  for (const [event, { matcher, timeout }] of events) {
    const matched = matcher === undefined ? {} : { matcher };
    const hook = { command, ...(timeout !== undefined && { timeout }), ...named };
    const group = { ...matched, hooks: [{ type: "command" as const, ...hook }] };
    wanted.set(event, flat ? { ...matched, ...hook } : group);
  }
  return wanted;
}

function withFlat(text: string, { flat }: HooksPart, path: string): string {
  return flat ? withKey(text, "version", flat.version, path) : text;
}

/** What an install put beside the hooks goes where no hooks are left that want it. */
function takeHooks(
  text: string,
  { flat }: HooksPart,
  path: string,
  before: string | undefined,
): string {
  const without = withoutHooks(text, path);
  if (!flat || without === text || hasKey(without, "hooks", path)) return without;
  const wasThere = before !== undefined && hasKey(before, "version", path);
  return wasThere ? without : withoutKey(without, "version", path);
}

/** A file of memoir's begins with the same line in every version. */
function isOwnFile(text: string, own: string): boolean {
  return text.split("\n", 1)[0] === own.split("\n", 1)[0];
}

/** Whether an entry starts memoir's MCP server or its hooks, whatever form the client wants it in. */
function runsMemoir(entry: unknown): boolean {
  const words: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string") words.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  collect(entry);
  if (words.some(isHookCommand)) return true;
  return words.includes("mcp") && words.some((word) => /(?:^|[\\/])memoir(?:\.exe)?$/i.test(word));
}

function putServer(
  text: string,
  part: RegistrationPart & { kind: "server" },
  path: string,
): string {
  const state = stateOf(text, part, "", path);
  if (state === "current") return text;
  if (state === "foreign") throw taken(path);
  const cleared = state === "other" ? removeAt(text, part.at, path) : text;
  const { mark, body, root } = openText(cleared, path);
  let there = 0;
  let holder: Node = root;
  for (; there < part.at.length - 1; there++) {
    const next = findNodeAtLocation(root, part.at.slice(0, there + 1));
    if (!next) break;
    holder = next;
  }
  if (holder.type !== "object") throw unreadable(path);
  const [name = "", ...inner] = part.at.slice(there);
  const value = inner.reduceRight<unknown>((rest, key) => ({ [key]: rest }), part.entry);
  return mark + appendProperty(body, holder, name, value);
}

/** Objects around the entry go with it where install had made them and nothing else is in them. */
function takeServer(
  text: string,
  at: readonly string[],
  path: string,
  before: string | undefined,
): string {
  const node = findNodeAtLocation(openText(text, path).root, [...at]);
  if (!node || !runsMemoir(getNodeValue(node))) return text;
  let result = removeAt(text, at, path);
  for (let depth = at.length - 1; depth > 0; depth--) {
    const around = at.slice(0, depth);
    const holder = findNodeAtLocation(openText(result, path).root, around);
    const was = before !== undefined && findNodeAtLocation(openText(before, path).root, around);
    if (was || holder?.type !== "object" || (holder.children ?? []).length > 0) break;
    result = removeAt(result, around, path);
  }
  return result;
}

function removeAt(text: string, at: readonly string[], path: string): string {
  const { mark, body, root } = openText(text, path);
  const item = findNodeAtLocation(root, [...at])?.parent;
  return item?.parent ? mark + removeChild(body, item.parent, item) : text;
}

function taken(path: string): MemoirError {
  return new MemoirError("mcp_name_taken", `${path} has something else named memoir.`, {
    fix: "Give it another name, or leave it and go without; then run the command again.",
  });
}

function unreadable(path: string): MemoirError {
  return new MemoirError("settings_unreadable", `${path} does not have the form that is known.`, {
    fix: "Start the client once, so that it puts its file in order, then run the command again.",
  });
}
