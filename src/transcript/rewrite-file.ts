// One rewrite of a transcript file, from looking it through to its new form in its place.
import { type FileHandle, open } from "node:fs/promises";
import { createBlockReader, readExactly } from "./block-reader.ts";
import { checkRewrite } from "./check-rewrite.ts";
import { type ClearPolicy, type Touchable, type TouchableUse, touchableIn } from "./clearable.ts";
import { inputOf, planRewrite, type WantedChanges } from "./plan-rewrite.ts";
import { type FileState, replaceFile } from "./replace-file.ts";
import { indexTranscript, type RewriteIndex } from "./rewrite-index.ts";
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
