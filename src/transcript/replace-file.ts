// Puts a spliced copy in a transcript's place in one step. Whatever a client appends to the old file meanwhile goes over into the new one;
// what a kill left half done is finished later.
import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { type FileHandle, link, open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { moveFile } from "../sdk/within.ts";
import { takeLock } from "./in-use.ts";
import { readExactly } from "./read.ts";
import { type Splice, type Spliced, spliceFile, stretchOf } from "./splice.ts";
import {
  dropUndo,
  notePending,
  readPending,
  syncFolder,
  type UndoRecord,
  undoPlaces,
  undoSessions,
  writeUndo,
} from "./undo-log.ts";

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

// After a death in the middle of a replacement: drafts go, and lines that a client wrote into the old file come over.

/** What had to be put in order. */
interface RecoveredReplacement {
  path: string;
  /** True when the new file had taken its place already. */
  replaced: boolean;
  /** Bytes that had to be carried over. */
  drained: number;
}

/** Puts every replacement that was cut off in order. Leaves alone what another process is just doing. */
export async function recoverReplacements(folder: string): Promise<RecoveredReplacement[]> {
  const recovered: RecoveredReplacement[] = [];
  for (const session of await undoSessions(folder))
    for (const place of await undoPlaces(folder, session)) {
      const one = await recoverReplacement(place);
      if (one) recovered.push(one);
    }
  return recovered;
}

/** The same for one file, by the folder of its undo log. */
export async function recoverReplacement(place: string): Promise<RecoveredReplacement | undefined> {
  if (!(await readPending(place))) return undefined;
  const free = await takeLock(join(place, "lock"));
  if (!free) return undefined;
  try {
    return await settlePending(place);
  } finally {
    await free();
  }
}

/** The same by whoever has the lock. Rejects on errors of the disk; it is then still to be done. */
async function settlePending(place: string): Promise<RecoveredReplacement | undefined> {
  const pending = await readPending(place);
  if (!pending) return undefined;
  const { path, draft, held, stretch, record } = pending;
  const [now, old] = await Promise.all([inode(path), inode(held)]);
  // The draft goes with its new name: while it stands there it has not taken the place.
  const replaced = (await inode(draft)) === undefined && stretch !== undefined && now !== old;
  let drained = 0;
  if (replaced && old !== undefined && now !== undefined) {
    const file = await open(held, "r");
    try {
      drained = await drainRest(file, stretch.from, path, stretch.to);
    } finally {
      await file.close();
    }
  }
  await rm(draft, { force: true });
  await rm(held, { force: true });
  if (!replaced && record !== undefined) await dropUndo(place, [record]);
  await notePending(place);
  return { path, replaced, drained };
}

async function inode(path: string): Promise<bigint | undefined> {
  try {
    return (await stat(path, { bigint: true })).ino;
  } catch {
    return undefined;
  }
}

// What a client still appends to a file that was replaced under it, carried over into the new one, line by line.

const lineFeed = 10;
const lookMs = 10;
const defaultMs = 250;

/** Carries over what is appended to `old` from byte `from` on, for so long; how many bytes that were. */
async function drain(
  old: FileHandle,
  from: number,
  path: string,
  forMs = defaultMs,
): Promise<number> {
  const end = performance.now() + forMs;
  let at = from;
  for (;;) {
    const over = performance.now() >= end;
    const { size } = await old.stat();
    if (size > at) {
      const bytes = await wholeLines(old, at, size, over);
      await append(path, bytes);
      at += bytes.length;
    }
    if (over) return at - from;
    await pause(lookMs);
  }
}

/** The bytes up to the last line feed; with `rest` also a line that has none. */
export async function wholeLines(
  file: FileHandle,
  from: number,
  to: number,
  rest: boolean,
): Promise<Uint8Array> {
  const bytes = await readExactly(file, from, to - from);
  return rest ? bytes : bytes.subarray(0, bytes.lastIndexOf(lineFeed) + 1);
}

/**
 * The lines of `old` from byte `from` on that the file at `path` does not hold from byte `to` on, appended to it. For
 * a drain that was cut off: some of them may be there already.
 */
export async function drainRest(
  old: FileHandle,
  from: number,
  path: string,
  to: number,
): Promise<number> {
  const [was, now] = await Promise.all([restOf(old, from), open(path, "r")]);
  let there: Set<string>;
  try {
    there = new Set(linesOf(await restOf(now, to)));
  } finally {
    await now.close();
  }
  const missing = linesOf(was).filter((line) => !there.has(line));
  if (missing.length === 0) return 0;
  const bytes = Buffer.from(missing.map((line) => `${line}\n`).join(""), "latin1");
  // A line that was torn by a full disk must not swallow the one that follows.
  const feed = Buffer.from((await endsInLine(path)) ? "" : "\n");
  await append(path, Buffer.concat([feed, bytes]));
  return bytes.length;
}

async function endsInLine(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    return size === 0 || (await readExactly(file, size - 1, 1))[0] === lineFeed;
  } finally {
    await file.close();
  }
}

async function restOf(file: FileHandle, from: number): Promise<Uint8Array> {
  const { size } = await file.stat();
  return size > from ? readExactly(file, from, size - from) : new Uint8Array(0);
}

/** Byte for byte. */
function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
}

async function append(path: string, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0) return;
  const file = await open(path, "a");
  try {
    // One write, so that the client's own lines stay whole; a disk that is nearly full takes a part of it only.
    for (let at = 0; at < bytes.length; )
      at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
    await file.sync();
  } finally {
    await file.close();
  }
}
