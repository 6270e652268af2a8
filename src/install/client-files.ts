// Puts memoir into a client's files and takes it out again: back to the very bytes where nobody changed them since, else only what is memoir's.
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { ClientAdapter } from "../clients/adapter.ts";
import type { RegistrationFile, RegistrationPlace } from "../clients/registration.ts";
import { atomicWrite } from "../home/atomic-write.ts";
import { type ClientEntry, readClientLedger, writeClientLedger } from "./client-ledger.ts";
import { type PartState, partName, putPart, stateOf, takePart } from "./client-parts.ts";
import { diffLines } from "./diff.ts";
import {
  missingFolders,
  readSettings,
  removeSettings,
  type SettingsFile,
  textHash,
  writeSettings,
} from "./settings-file.ts";

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
