// Gives a rewritten transcript its former bytes back; what a client appended since stays, behind them.
import { Buffer } from "node:buffer";
import { open } from "node:fs/promises";
import { decodeLine } from "./parse-entry.ts";
import { readExactly } from "./read.ts";
import { holds, replaceFile, stateOf } from "./replace-file.ts";
import { chunksOf } from "./rewrite-file.ts";
import { indexTranscript } from "./rewrite-index.ts";
import { differenceAt, editLine, type Splice } from "./splice.ts";
import { dropUndo, readUndo, type UndoRecord, undoRecords } from "./undo-log.ts";

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
