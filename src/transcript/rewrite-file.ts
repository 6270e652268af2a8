// One rewrite of a transcript file, from looking it through to its new form in its place; and its former bytes given back.

import { Buffer } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";
import { decodeLine } from "./parse-entry.ts";
import { inputOf, planRewrite, type RewritePlan, type WantedChanges } from "./plan-rewrite.ts";
import { createBlockReader, readExactly } from "./read.ts";
import { type FileState, holds, replaceFile, stateOf } from "./replace-file.ts";
import {
  type ClearPolicy,
  type IndexedEntry,
  indexTranscript,
  type RewriteIndex,
  type Touchable,
  type TouchableUse,
  touchableIn,
} from "./rewrite-index.ts";
import { differenceAt, editLine, type Splice } from "./splice.ts";
import { dropUndo, readUndo, type UndoRecord, undoPlace, undoRecords } from "./undo-log.ts";

/** A transcript that was looked through for a rewrite. Close it. */
export interface OpenRewrite {
  touchable: Touchable;
  /** Ids of the records that were put in by earlier rewrites. */
  fetched: ReadonlySet<string>;
  /** Ids of the tool uses whose records a hook has put before the model. */
  injected: ReadonlySet<string>;
  /** A tool use's input as it stands in the file; undefined where it cannot be taken out without a doubt. */
  inputOf(use: TouchableUse): Promise<Record<string, unknown> | undefined>;
  /**
   * Makes the changes and puts the new file in place. Everything else is byte for byte as it was; what cannot be done
   * so is left out, and when nothing is left the file stays. Rejects on errors of the disk, the old file in place.
   */
  finish(wanted: WantedChanges, options: RewriteOptions): Promise<Rewritten>;
  close(): Promise<void>;
}

/** How and when a rewrite is put in place. */
export interface RewriteOptions {
  /** Where undo logs are kept, see `undoFolder`. */
  undo: string;
  session: string;
  /** Epoch ms. */
  at: number;
  mayReplace(): Promise<boolean>;
  /** True when a client may append meanwhile. */
  live: boolean;
  drainMs?: number;
}

/** What a rewrite did. */
export type Rewritten =
  | {
      done: true;
      /** Bytes of the file without what came in meanwhile. */
      before: number;
      after: number;
      /** Tool uses that lost their input. */
      cleared: string[];
      /** Ids of the records that were put in. */
      records: string[];
      /** Bytes that a client wrote into the old file meanwhile, and that were carried over. */
      drained: number;
    }
  | { done: false; reason: string };

/** Looks a transcript through. Rejects when it cannot be read. */
export async function openRewrite(path: string, policy: ClearPolicy): Promise<OpenRewrite> {
  const file = await open(path, "r");
  try {
    const { ino, size, mtimeNs } = await file.stat({ bigint: true });
    const end = await wholeEnd(file, Number(size));
    const index = await indexTranscript(chunksOf(file, end));
    const touchable = touchableIn(index, policy);
    const piece = createBlockReader(file);
    const looked: Looked = { path, file, seen: { ino, size, mtimeNs }, end, index, touchable };
    return {
      touchable,
      fetched: index.fetched,
      injected: index.injected,
      inputOf: (use) => inputOf(piece, use),
      finish: (wanted, options) => finish(looked, wanted, options),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface Looked {
  path: string;
  file: FileHandle;
  seen: FileState;
  /** Bytes of whole lines. */
  end: number;
  index: RewriteIndex;
  touchable: Touchable;
}

async function finish(
  { path, file, seen, end, index, touchable }: Looked,
  wanted: WantedChanges,
  { undo, session, at, live, mayReplace, drainMs }: RewriteOptions,
): Promise<Rewritten> {
  if (live && Number(seen.size) !== end) return { done: false, reason: "a line is being written" };
  const plan = await planRewrite(createBlockReader(file), index, touchable, wanted);
  if (plan.splices.length === 0) return { done: false, reason: "nothing to change" };
  const inserted = [...plan.pairs].map(([follower, { uuids }]) => ({
    uuids: [...uuids],
    parent: index.byUuid.get(follower)?.parent ?? "",
  }));
  const replaced = await replaceFile({
    path,
    place: undoPlace(undo, session, path),
    seen,
    end,
    splices: plan.splices,
    record: { session, at, inserted },
    async check(draft, { after }) {
      return checkRewrite(index, await indexOf(draft, after.bytes), plan);
    },
    mayReplace,
    live,
    ...(drainMs !== undefined && { drainMs }),
  });
  if (!replaced.done) return replaced;
  return { ...replaced, cleared: [...plan.cleared], records: plan.records };
}

async function indexOf(path: string, bytes: number): Promise<RewriteIndex> {
  const file = await open(path, "r");
  try {
    return await indexTranscript(chunksOf(file, bytes));
  } finally {
    await file.close();
  }
}

const chunkBytes = 1024 * 1024;

/** The first bytes of an open file, in chunks. */
async function* chunksOf(file: FileHandle, end: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < end; at += chunkBytes)
    yield await readExactly(file, at, Math.min(chunkBytes, end - at));
}

const lineFeed = 10;

/** Where the last whole line ends. */
async function wholeEnd(file: FileHandle, size: number): Promise<number> {
  for (let to = size; to > 0; ) {
    const from = Math.max(0, to - 64 * 1024);
    const feed = (await readExactly(file, from, to - from)).lastIndexOf(lineFeed);
    if (feed >= 0) return from + feed + 1;
    to = from;
  }
  return 0;
}

// Holds a rewritten transcript against the one it was made from: only what was planned may differ.

/**
 * The first thing that is wrong with the rewritten file, in words; undefined when nothing is. Both files were read on
 * their own; that unchanged bytes are the same is checked with the undo log.
 */
export function checkRewrite(
  before: RewriteIndex,
  after: RewriteIndex,
  { pairs, cleared }: Pick<RewritePlan, "pairs" | "cleared">,
): string | undefined {
  if (after.broken !== before.broken) return "a line is no valid JSON any more";
  const inserted = new Map(
    [...pairs.values()].flatMap(({ uuids }) => uuids.map((uuid) => [uuid, 1])),
  );
  const rest: IndexedEntry[] = [];
  const seen = new Set<string>();
  for (const entry of after.entries) {
    if (entry.uuid !== undefined && inserted.has(entry.uuid)) {
      if (seen.has(entry.uuid)) return "an inserted entry is there twice";
      seen.add(entry.uuid);
    } else rest.push(entry);
  }
  if (seen.size !== inserted.size) return "an inserted entry is missing";
  if (rest.length !== before.entries.length) return "the number of entries changed";
  for (const [at, entry] of before.entries.entries()) {
    const now = rest[at];
    const wrong = now ? difference(entry, now, pairs, cleared) : "an entry is missing";
    if (wrong !== undefined) return wrong;
  }
  for (const [follower, pair] of pairs) {
    const wrong = checkPair(before.byUuid.get(follower), after, pair);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function difference(
  before: IndexedEntry,
  after: IndexedEntry,
  pairs: RewritePlan["pairs"],
  cleared: ReadonlySet<string>,
): string | undefined {
  if (before.uuid !== after.uuid || before.type !== after.type) return "an entry is not the same";
  const pair = before.uuid === undefined ? undefined : pairs.get(before.uuid);
  if (after.parent !== (pair ? pair.uuids[1] : before.parent)) return "an entry lost its parent";
  if (after.message !== before.message || after.sidechain !== before.sidechain)
    return "an entry changed its message";
  if (after.results.join() !== before.results.join()) return "a tool result changed its tool use";
  if (after.uses.length !== before.uses.length) return "a tool use is missing";
  for (const [at, use] of before.uses.entries()) {
    const now = after.uses[at];
    if (now?.id !== use.id || now.name !== use.name) return "a tool use changed";
    if (now.cleared !== (use.cleared || cleared.has(use.id))) return "an input was not cleared";
    if (!cleared.has(use.id) && now.characters !== use.characters) return "an input changed";
  }
  return undefined;
}

/** From the entry that follows, over result and use, to what was its parent before. */
function checkPair(
  follower: IndexedEntry | undefined,
  after: RewriteIndex,
  { uuids: [use, result], toolUseId }: { uuids: readonly [string, string]; toolUseId: string },
): string | undefined {
  const [used, answered] = [after.byUuid.get(use), after.byUuid.get(result)];
  const parent = follower?.parent;
  const linked =
    answered?.parent === use &&
    used?.parent === parent &&
    parent !== undefined &&
    after.byUuid.has(parent);
  if (!linked || !used) return "the chain is broken at an inserted pair";
  const matched = used.uses[0]?.id === toolUseId && answered.results[0] === toolUseId;
  return matched ? undefined : "an inserted tool use has no result";
}

// Gives a rewritten transcript its former bytes back; what a client appended since stays, behind them.

/** How a restore goes about. */
interface RestoreOptions {
  /** Only says what would be done. */
  dryRun?: boolean;
  /** Asked right before each step. */
  mayReplace(): Promise<boolean>;
  drainMs?: number;
}

/** What became of one file. */
export interface Restored {
  /** Absent when there is no record that says it. */
  path?: string;
  /** `nothing`: no rewrite is left to be taken back. `refused`: see `reason`. */
  state: "restored" | "nothing" | "refused";
  reason?: string;
  /** Rewrites that were (or would be) taken back. */
  rewrites: number;
  /** Bytes that came (or would come) back, less what was put in. */
  bytes: number;
}

/** Takes back all rewrites of one file, newest first, by the folder of its undo log. */
export async function restoreFile(place: string, options: RestoreOptions): Promise<Restored> {
  const result: Restored = { state: "nothing", rewrites: 0, bytes: 0 };
  // In a dry run nothing changes on disk: what an undone rewrite would leave is known by its record.
  let expected: UndoRecord["before"] | undefined;
  for (const name of await undoRecords(place)) {
    const record = await readUndo(place, name);
    if (!record) return refused(result, "its undo log cannot be read");
    result.path = record.path;
    const { before, after } = record;
    const fits = expected
      ? expected.bytes >= after.bytes
      : await holds(record.path, after).catch(() => undefined);
    if (fits === undefined) return refused(result, "the file is gone");
    if (!fits) {
      if (!(await holds(record.path, before)))
        return refused(result, "the file was changed by something else since");
      // It never took place, or was taken back already.
      if (!options.dryRun) await dropUndo(place, [name]);
      continue;
    }
    if (options.dryRun) expected = before;
    else {
      const reason = await undoOne(place, record, options);
      if (reason !== undefined) return refused(result, reason);
      await dropUndo(place, [name]);
    }
    result.state = "restored";
    result.rewrites++;
    result.bytes += before.bytes - after.bytes;
  }
  return result;
}

function refused(result: Restored, reason: string): Restored {
  return { ...result, state: "refused", reason };
}

/** What went wrong, in words; undefined when nothing did. */
async function undoOne(
  place: string,
  record: UndoRecord,
  { mayReplace, drainMs }: RestoreOptions,
): Promise<string | undefined> {
  const { path, before, after } = record;
  const seen = await stateOf(path);
  const replaced = await replaceFile({
    path,
    place,
    seen,
    end: Number(seen.size),
    splices: [...record.splices, ...(await relinked(record, Number(seen.size)))],
    async check(draft) {
      return (await holds(draft, before)) ? undefined : "it would not give the former bytes back";
    },
    mayReplace,
    live: false,
    ...(drainMs !== undefined && { drainMs }),
  });
  if (!replaced.done) return replaced.reason;
  return replaced.before >= after.bytes ? undefined : "the file changed meanwhile";
}

/** Entries written since that follow one which goes: they follow the entry before it again. */
async function relinked({ path, after, inserted }: UndoRecord, size: number): Promise<Splice[]> {
  const parents = new Map(inserted.flatMap(({ uuids, parent }) => uuids.map((id) => [id, parent])));
  if (parents.size === 0 || size === after.bytes) return [];
  const file = await open(path, "r");
  try {
    const splices: Splice[] = [];
    for (const { offset, bytes, parent } of (await indexTranscript(chunksOf(file, size))).entries) {
      const former = parent === undefined ? undefined : parents.get(parent);
      if (former === undefined || offset < after.bytes) continue;
      const old = await readExactly(file, offset, bytes);
      const made = editLine(decodeLine(old), { parent: former });
      const splice = made === undefined ? undefined : differenceAt(offset, old, Buffer.from(made));
      if (splice) splices.push(splice);
    }
    return splices;
  } finally {
    await file.close();
  }
}
