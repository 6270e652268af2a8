// One rewrite of a transcript file, from looking it through to its new form in its place.
import { type FileHandle, open } from "node:fs/promises";
import { inputOf, planRewrite, type RewritePlan, type WantedChanges } from "./plan-rewrite.ts";
import { createBlockReader, readExactly } from "./read.ts";
import { type FileState, replaceFile } from "./replace-file.ts";
import {
  type ClearPolicy,
  type IndexedEntry,
  indexTranscript,
  type RewriteIndex,
  type Touchable,
  type TouchableUse,
  touchableIn,
} from "./rewrite-index.ts";
import { undoPlace } from "./undo-log.ts";

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
export async function* chunksOf(file: FileHandle, end: number): AsyncGenerator<Uint8Array> {
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
      if (seen.has(entry.uuid)) return "an inserted entry stands there twice";
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
