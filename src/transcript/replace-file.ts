// Puts a spliced copy in a transcript's place in one step. Whatever a client appends to the old file meanwhile goes over into the new one.
import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { type FileHandle, link, open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { moveFile } from "../sdk/within.ts";
import { takeLock } from "./in-use.ts";
import { drain, settlePending, wholeLines } from "./recover-replacement.ts";
import { type Splice, type Spliced, spliceFile, stretchOf } from "./splice.ts";
import { dropUndo, notePending, syncFolder, type UndoRecord, writeUndo } from "./undo-log.ts";

/** A file as it was when it was looked at. */
export interface FileState {
  ino: bigint;
  size: bigint;
  mtimeNs: bigint;
}

/** How a file is replaced. */
export interface Replacement {
  path: string;
  /** Folder of the file's undo log, see `undoPlace`. */
  place: string;
  /** The file that the splices were made for. */
  seen: FileState;
  /** So much of it is spliced; what follows is taken over as it is. */
  end: number;
  splices: readonly Splice[];
  /** What to write into the undo log; absent when an undo is what is being done. */
  record?: Pick<UndoRecord, "session" | "at" | "inserted">;
  /** Looks at the new file before it takes the place; answers what is wrong with it, in words. */
  check?(draft: string, spliced: Spliced): Promise<string | undefined>;
  /** Asked right before the step; false leaves everything as it is. */
  mayReplace(): Promise<boolean>;
  /** True when a client may append meanwhile; else a file that changed stays as it is. */
  live: boolean;
  /** How long the old file is watched afterwards. Default 250 ms. */
  drainMs?: number;
}

/** What became of it. */
type Replaced =
  | { done: true; before: number; after: number; drained: number }
  | { done: false; reason: string };

/** The state of a file; rejects like `stat`. */
export async function stateOf(path: string): Promise<FileState> {
  const { ino, size, mtimeNs } = await stat(path, { bigint: true });
  return { ino, size, mtimeNs };
}

/**
 * Replaces the file, or leaves it as it is and says why. At any instant the path holds the old file or the new one;
 * when the process dies, `recoverReplacement` puts the rest in order. Rejects on errors of the disk, with the old file
 * in place.
 */
export async function replaceFile(replacement: Replacement): Promise<Replaced> {
  const free = await takeLock(join(replacement.place, "lock"));
  if (!free) return { done: false, reason: "another process works on it" };
  try {
    // One that could not be finished holds lines of the client that are nowhere else.
    await settlePending(replacement.place);
    return await replaceLocked(replacement);
  } finally {
    await free();
  }
}

async function replaceLocked(replacement: Replacement): Promise<Replaced> {
  const { path, place, seen } = replacement;
  const word = randomUUID().slice(0, 8);
  const pending = { path, draft: `${path}.${word}.memoir-new`, held: `${path}.${word}.memoir-old` };
  const old = await open(path, "r");
  let record: string | undefined;
  let inPlace = false;
  let over = true;
  try {
    if ((await old.stat({ bigint: true })).ino !== seen.ino) return changed;
    await notePending(place, pending);
    const spliced = await writeDraft(old, pending.draft, replacement);
    const wrong =
      (await undoFails(pending.draft, spliced)) ??
      (await replacement.check?.(pending.draft, spliced));
    if (wrong !== undefined) return { done: false, reason: wrong };
    const { before, after, undo } = spliced;
    if (replacement.record)
      record = await writeUndo(place, {
        ...replacement.record,
        path,
        before,
        after,
        splices: undo,
      });
    const stretch = { from: before.bytes, to: after.bytes };
    await notePending(place, { ...pending, stretch, ...(record && { record }) });

    const held = await hold(path, pending.held);
    if (!held && replacement.live) return { done: false, reason: "the file system has no links" };
    if (!(await replacement.mayReplace())) return { done: false, reason: "a client has it open" };
    const taken = await takeOver(old, pending.draft, replacement);
    if (taken === undefined || (await stateOf(path)).ino !== seen.ino) return changed;
    await moveFile(pending.draft, path);
    inPlace = true;
    over = false;
    await syncFolder(dirname(path));
    const drained = await drain(old, taken, path, replacement.drainMs);
    over = true;
    return { done: true, before: before.bytes, after: after.bytes, drained };
  } finally {
    await old.close();
    // A drain that failed is made up for later: until then the old file stays under its second name.
    if (over) {
      await rm(pending.draft, { force: true });
      await rm(pending.held, { force: true });
      if (!inPlace && record) await dropUndo(place, [record]);
      await notePending(place);
    }
  }
}

const changed: Replaced = { done: false, reason: "the file changed meanwhile" };

async function writeDraft(
  old: FileHandle,
  draft: string,
  replacement: Replacement,
): Promise<Spliced> {
  const { mode, atime, mtime } = await old.stat();
  const file = await open(draft, "wx", mode & 0o7777);
  try {
    // The mask of the process may have taken bits away.
    await file.chmod(mode & 0o7777);
    const { sink, flush } = inBlocks(file);
    const spliced = await spliceFile(old, replacement.end, replacement.splices, sink);
    await flush();
    // Clients continue the session whose file is newest: this one is no newer than it was.
    await file.utimes(atime, mtime);
    await file.sync();
    return spliced;
  } finally {
    await file.close();
  }
}

const blockBytes = 1024 * 1024;

/** Thousands of small splices in few writes. */
function inBlocks(file: FileHandle) {
  let held: Uint8Array[] = [];
  let bytes = 0;
  const flush = async () => {
    await file.writeFile(Buffer.concat(held));
    held = [];
    bytes = 0;
  };
  const sink = async (chunk: Uint8Array) => {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes >= blockBytes) await flush();
  };
  return { sink, flush };
}

/** The new file is read back, and must give the old one when it is undone. */
async function undoFails(draft: string, { before, after, undo }: Spliced) {
  const file = await open(draft, "r");
  try {
    const undone = await spliceFile(file, after.bytes, undo, async () => {});
    const same = undone.before.sha256 === after.sha256 && undone.after.sha256 === before.sha256;
    return same ? undefined : "undoing it would not give the old file back";
  } finally {
    await file.close();
  }
}

/** A second name for the old file, so that what is appended to it survives this process. */
async function hold(path: string, held: string): Promise<boolean> {
  try {
    await link(path, held);
    return true;
  } catch {
    return false;
  }
}

/** Appends what follows the spliced stretch; where in the old file that ends, undefined when it changed otherwise. */
async function takeOver(
  old: FileHandle,
  draft: string,
  { end, seen, live }: Replacement,
): Promise<number | undefined> {
  const { size, mtimeNs } = await old.stat({ bigint: true });
  if (size < seen.size || (!live && (size !== seen.size || mtimeNs !== seen.mtimeNs)))
    return undefined;
  if (Number(size) === end) return end;
  const { atime, mtime } = await old.stat();
  const file = await open(draft, "a");
  try {
    const bytes = await wholeLines(old, end, Number(size), !live);
    await file.writeFile(bytes);
    await file.utimes(atime, mtime);
    await file.sync();
    return end + bytes.length;
  } finally {
    await file.close();
  }
}

/** True when the first bytes of a file are exactly these. */
export async function holds(path: string, stretch: { bytes: number; sha256: string }) {
  const file = await open(path, "r");
  try {
    if ((await file.stat()).size < stretch.bytes) return false;
    return (await stretchOf(file, stretch.bytes)).sha256 === stretch.sha256;
  } finally {
    await file.close();
  }
}
