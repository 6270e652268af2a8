// One file of a client's: how it is read, how it would change as a person sees it, how it is replaced, what memoir's home notes of it, and a change to it with its way back: to the very
// bytes where nobody changed them since, else without what is memoir's.
import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, readFile, readlink, rm, rmdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import * as v from "valibot";
import { scopes } from "../clients/claude-code/folders.ts";
import { errorMessage } from "../home/describe-error.ts";
import { atomicWrite, readFileText } from "../home/read-file.ts";
import { MemoirError } from "../sdk/errors.ts";

/** A settings file as found. */
export interface SettingsFile {
  /** As the client knows it. */
  path: string;
  /** Where the bytes lie when `path` is a link. */
  target: string;
  /** Undefined when there is no file. */
  text: string | undefined;
  mode: number;
}

const plainFile = {
  fix: "Put a plain file that you may read in its place, then run the command again.",
};

/** Reads a settings file; one that does not exist is an answer. Rejects with `settings_unreadable` when it cannot be read as UTF-8. */
export async function readSettings(path: string): Promise<SettingsFile> {
  const target = await followLinks(path);
  try {
    // A project's settings come with the repository: reading a pipe would never end.
    if (!(await stat(target)).isFile()) throw new Error("it is no regular file");
    const bytes = await readFile(target);
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path, target, text, mode: (await stat(target)).mode & 0o777 };
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT")
      return { path, target, text: undefined, mode: 0o600 };
    throw new MemoirError(
      "settings_unreadable",
      `${path} cannot be read: ${errorMessage(error)}`,
      error instanceof TypeError
        ? { fix: "Save the file as UTF-8, then run the command again." }
        : plainFile,
    );
  }
}

/** Replaces the file's text in one step; a link stays a link and the mode stays. Makes the folder when it is missing. */
export async function writeSettings(file: SettingsFile, text: string): Promise<void> {
  try {
    await mkdir(dirname(file.target), { recursive: true });
    await atomicWrite(file.target, text, file.mode);
    // The umask may have narrowed what the file had.
    await chmod(file.target, file.mode);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Removes a file that only install made, and of `folders`, the innermost first, those that are empty then. */
export async function removeSettings(
  file: SettingsFile,
  folders: readonly string[] = [],
): Promise<void> {
  try {
    await rm(file.target, { force: true });
  } catch (error) {
    throw unwritable(file, error);
  }
  // A folder in which something else is stays: this fails then, as it should.
  for (const folder of folders) await rmdir(folder).catch(() => undefined);
}

/** The folder and those around it that are not there, the innermost first. */
export async function missingFolders(folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    if (await lstat(at).catch(() => undefined)) break;
    missing.push(at);
  }
  return missing;
}

/** SHA-256 in hexadecimal; tells whether a file is still as it was written. */
export function textHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function unwritable(file: SettingsFile, error: unknown): MemoirError {
  return new MemoirError(
    "settings_unwritable",
    `${file.path} cannot be written: ${errorMessage(error)}`,
  );
}

/** The end of a chain of links, also where it points at nothing yet. */
async function followLinks(path: string): Promise<string> {
  let at = path;
  for (let hops = 0; hops < 40; hops++) {
    const info = await lstat(at).catch(() => undefined);
    if (!info?.isSymbolicLink()) return at;
    at = resolve(dirname(at), await readlink(at));
  }
  throw new MemoirError("settings_unreadable", `${path} is a link that leads nowhere.`, plainFile);
}

// What install notes in memoir's home: which files memoir changed, what they were, and what it wrote. Uninstall gives them back by it.

/** What a note says; undefined where there is none, or nobody can read it. */
export async function readNote<Output>(
  path: string,
  schema: v.GenericSchema<unknown, Output>,
): Promise<Output | undefined> {
  try {
    return v.parse(schema, JSON.parse(await readFileText(path)));
  } catch {
    return undefined;
  }
}

/** Replaces a note; without a value there is none. */
export async function writeNote(path: string, value: unknown): Promise<void> {
  if (value === undefined) await rm(path, { force: true });
  else await atomicWrite(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** What stood in a file before: nothing, a copy in memoir's home, or nobody knows any more. */
const BeforeSchema = v.variant("state", [
  // `folders`: those around it that install made, the innermost first; also where somebody changed the file since.
  v.object({ state: v.literal("absent"), folders: v.array(v.string()) }),
  v.object({ state: v.literal("copied"), backup: v.string() }),
  v.object({ state: v.literal("changed"), folders: v.optional(v.array(v.string()), []) }),
]);

/** A file that memoir stands in: what it was, and the hash of the text that install wrote. */
interface FileNote {
  before: v.InferOutput<typeof BeforeSchema>;
  written: string;
}

const ClientEntrySchema = v.object({
  client: v.string(),
  /** Absolute. */
  path: v.string(),
  before: BeforeSchema,
  written: v.string(),
});

/** One file of a client's that memoir stands in. */
export type ClientEntry = v.InferOutput<typeof ClientEntrySchema>;

/** Path of the list of files of clients beside Claude Code. */
export function clientLedgerPath(home: string): string {
  return `${home}/install-clients.json`;
}

/** What the list says; an unreadable one says nothing, and uninstall then takes out memoir's own parts one by one. */
export async function readClientLedger(home: string): Promise<ClientEntry[]> {
  return (await readNote(clientLedgerPath(home), v.array(ClientEntrySchema))) ?? [];
}

/** Replaces the list; without entries there is none. */
export function writeClientLedger(home: string, entries: readonly ClientEntry[]): Promise<void> {
  return writeNote(clientLedgerPath(home), entries.length === 0 ? undefined : entries);
}

/** As versions before wrote it: of folders only whether there was one. */
const OlderAbsent = v.object({ state: v.literal("absent"), folder: v.boolean() });

const EntrySchema = v.pipe(
  v.object({
    scope: v.picklist(scopes),
    /** Absolute path of the settings. */
    settings: v.string(),
    before: v.union([BeforeSchema, OlderAbsent]),
    written: v.string(),
    /** Allow rules that install put in, and how many of the objects around them it made; absent: none. */
    allowed: v.optional(v.object({ rules: v.array(v.string()), made: v.number() })),
  }),
  v.transform(({ before, ...entry }) => {
    if (!("folder" in before)) return { ...entry, before };
    const folders = before.folder ? [dirname(entry.settings)] : [];
    return { ...entry, before: { state: before.state, folders } };
  }),
);

/** One settings file of Claude Code's that memoir is registered in. */
export type LedgerEntry = v.InferOutput<typeof EntrySchema>;

/** Path of the ledger of Claude Code's settings. */
export function ledgerPath(home: string): string {
  return `${home}/install.json`;
}

/** What the ledger says; an unreadable one says nothing, and uninstall then takes out entries one by one. */
export async function readLedger(home: string): Promise<LedgerEntry[]> {
  const noted = await readNote(ledgerPath(home), v.object({ settings: v.array(EntrySchema) }));
  return noted?.settings ?? [];
}

/** Replaces the ledger; without entries there is none. */
export function writeLedger(home: string, settings: readonly LedgerEntry[]): Promise<void> {
  return writeNote(ledgerPath(home), settings.length === 0 ? undefined : { settings });
}

// A change to one file of a client's, and its way back: to the very bytes where nobody changed them since, else without what is memoir's.

type Before = FileNote["before"];

/** A change that nobody made yet. */
export interface FileChange {
  /** As the client knows it. */
  path: string;
  file: SettingsFile;
  /** Undefined: no file. */
  after: string | undefined;
  /** Empty when nothing changes. */
  diff: string[];
}

/** How a file would be given back. */
export interface FileReturn<Note extends FileNote = FileNote> extends FileChange {
  /** `restored`: byte for byte; `removed`: install had made the file; `cleaned`: only memoir's parts go; `untouched`: none of ours. */
  how: "restored" | "removed" | "cleaned" | "untouched";
  entry: Note | undefined;
}

export function changeTo(file: SettingsFile, after: string | undefined): FileChange {
  return { path: file.path, file, after, diff: diffLines(file.text ?? "", after ?? "") };
}

/**
 * What stands in a file before a change, for the note of it; a text that is nobody's of memoir's is copied to
 * `<home>/backups` as `name`. `known`: the note of an earlier change; `isOurs`: memoir stands in the text.
 */
export async function stateBefore(
  home: string,
  name: string,
  { text, target }: SettingsFile,
  known: FileNote | undefined,
  isOurs: boolean,
): Promise<Before> {
  if (text === undefined)
    return { state: "absent", folders: await missingFolders(dirname(target)) };
  if (known?.written === textHash(text)) return known.before;
  // memoir is in it and somebody changed it since: how it was without, nobody can tell any more.
  if (known || isOurs) return { state: "changed", folders: foldersMadeFor(known) };
  const [start, ending] = name.split(".");
  const backup = `${home}/backups/${start}-${textHash(text).slice(0, 12)}.${ending}`;
  await mkdir(dirname(backup), { recursive: true, mode: 0o700 });
  await atomicWrite(backup, text);
  return { state: "copied", backup };
}

/** The folders that install made for a file. */
function foldersMadeFor(note: FileNote | undefined): string[] {
  return note && "folders" in note.before ? note.before.folders : [];
}

/**
 * How a file would be given back. `without`: the text without memoir's parts, undefined where all of it is memoir's;
 * `copy` is what stood there before, where that is known.
 */
export async function returnOf<Note extends FileNote>(
  file: SettingsFile,
  entry: Note | undefined,
  without: (text: string, copy: string | undefined) => string | undefined,
): Promise<FileReturn<Note>> {
  const { text } = file;
  const back = (how: FileReturn["how"], after: string | undefined) => ({
    ...changeTo(file, after),
    how,
    entry,
  });
  if (text === undefined) return back("untouched", undefined);
  const before = entry?.before;
  const copy =
    before?.state === "copied"
      ? await readFile(before.backup, "utf8").catch(() => undefined)
      : undefined;
  if (entry?.written === textHash(text)) {
    if (before?.state === "absent") return back("removed", undefined);
    if (copy !== undefined) return back("restored", copy);
  }
  const after = without(text, copy);
  if (after === text) return back("untouched", text);
  if (after === undefined || (before?.state === "absent" && isEmpty(after)))
    return back("removed", undefined);
  return back("cleaned", after);
}

function isEmpty(text: string): boolean {
  return /^\s*(?:\{\s*\})?\s*$/.test(text);
}

/** Does it. A copy goes once its bytes are back in place and none of the `others` needs it. */
export async function giveBack(
  { file, how, after, entry }: FileReturn,
  others: readonly FileNote[],
): Promise<void> {
  if (how === "removed") await removeSettings(file, foldersMadeFor(entry));
  else if (how !== "untouched" && after !== undefined) await writeSettings(file, after);
  if (how !== "restored" || entry?.before.state !== "copied") return;
  const { backup } = entry.before;
  const isNeeded = others.some(
    ({ before }) => before.state === "copied" && before.backup === backup,
  );
  if (!isNeeded) await rm(backup, { force: true });
}

// A unified diff of two short texts, for `--dry-run`.

const context = 3;

interface Line {
  mark: " " | "-" | "+";
  text: string;
}

/** The lines that differ, each with up to three unchanged lines around it; empty when nothing differs. */
export function diffLines(before: string, after: string): string[] {
  if (before === after) return [];
  const lines = align(split(before), split(after));
  const near = (index: number) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ mark }) => mark !== " ");
  const shown: string[] = [];
  let skipped = false;
  for (const [index, { mark, text }] of lines.entries()) {
    if (!near(index)) {
      skipped = true;
      continue;
    }
    if (skipped && shown.length > 0) shown.push("  …");
    skipped = false;
    shown.push(`${mark} ${text}`);
  }
  return shown;
}

function split(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The longest common subsequence decides what stays; equal ends are taken off first. */
function align(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const keep = (text: string): Line => ({ mark: " ", text });
  return [
    ...before.slice(0, start).map(keep),
    ...compare(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(keep),
  ];
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      common[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, fresh] = [before[i], after[j]];
    if (old !== undefined && old === fresh) {
      lines.push({ mark: " ", text: old });
      i++;
      j++;
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ mark: "-", text: old });
      i++;
    } else {
      lines.push({ mark: "+", text: fresh ?? "" });
      j++;
    }
  }
  return lines;
}
