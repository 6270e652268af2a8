// A change to one file of a client's, and its way back: to the very bytes where nobody changed them since, else without what is memoir's.
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { atomicWrite } from "../home/read-file.ts";
import { diffLines } from "./diff.ts";
import type { FileNote } from "./ledger.ts";
import {
  missingFolders,
  removeSettings,
  type SettingsFile,
  textHash,
  writeSettings,
} from "./settings-file.ts";

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
