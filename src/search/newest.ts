// Without words: the newest documents that pass a filter.
import type { Database } from "../host/sqlite.ts";
import { type Scope, type SearchFilter, scopeOf } from "./filter.ts";
import type { TailDocument } from "./index/forward.ts";
import { blockSize, blocksInSpan } from "./index/postings.ts";
import type { Reader } from "./index/reader.ts";
import type { Candidate } from "./rank/candidates.ts";

interface Dated {
  id: string;
  time: number;
  /** Of two of one time, the one put later comes first. */
  number: number;
  /** Absent for a packed one. */
  tail?: TailDocument;
}

/** A document by its time. */
interface Newest {
  id: string;
  /** As ranking takes it; all score the same. */
  candidate: Candidate;
}

/** The newest first; call `refresh` before. */
export function newestDocuments(
  db: Database,
  reader: Reader,
  filter: SearchFilter,
  limit: number,
  offset: number,
): Newest[] {
  const scope = scopeOf(db, reader, filter);
  if (!scope.possible) return [];
  const size = reader.size();
  const tail = reader
    .tail()
    .filter((document) => scope.allowsTail(document))
    .map((one): Dated => ({ id: one.id, time: one.time, number: size + one.number, tail: one }));
  const packed = scope.mask
    ? masked(db, reader, scope, scope.mask, offset + limit)
    : unmasked(db, scope, offset + limit);
  return [...tail, ...packed]
    .sort((a, b) => b.time - a.time || b.number - a.number)
    .slice(offset, offset + limit)
    .map(({ id, number, tail: newer }) => ({
      id,
      candidate: newer ? { score: 1, tail: newer } : { score: 1, number },
    }));
}

type DatedRow = Pick<Dated, "id" | "time" | "number"> & Record<string, number | string>;

/** By the indexes over time. */
function unmasked(db: Database, { projects }: Scope, most: number): Dated[] {
  if (!projects)
    return db
      .prepare<DatedRow>(
        "SELECT id, time, number FROM search_documents ORDER BY time DESC, number DESC LIMIT ?",
      )
      .all([most]);
  const ofProject = db.prepare<DatedRow>(
    `SELECT id, time, number FROM search_documents WHERE project = ? ORDER BY time DESC, number DESC LIMIT ?`,
  );
  return projects.flatMap((project) => ofProject.all([project, most]));
}

/** By the columns of blocks, the newest block first, until no other can hold anything newer: the filter may leave few, anywhere. */
function masked(
  db: Database,
  reader: Reader,
  { projects }: Scope,
  mask: (span: number) => Uint8Array,
  most: number,
): Dated[] {
  const find = db.prepare<{ id: string; project: number }>(
    "SELECT id, project FROM search_documents WHERE number = ?",
  );
  const blocks = reader.blocks().toSorted((a, b) => b.newest - a.newest);
  let waiting: Array<{ number: number; time: number }> = [];
  const found: Dated[] = [];
  blocks.forEach(({ block }, i) => {
    if (found.length >= most) return;
    waiting = [...waiting, ...passing(reader, mask, block)].sort(
      (a, b) => b.time - a.time || b.number - a.number,
    );
    const next = blocks[i + 1]?.newest ?? Number.NEGATIVE_INFINITY;
    const sure = waiting.findIndex(({ time }) => time <= next);
    for (const { number, time } of waiting.splice(0, sure < 0 ? waiting.length : sure)) {
      if (found.length >= most) return;
      const row = find.get([number]);
      if (row && (projects?.includes(row.project) ?? true))
        found.push({ id: row.id, time, number });
    }
  });
  return found;
}

function passing(
  reader: Reader,
  mask: (span: number) => Uint8Array,
  block: number,
): Array<{ number: number; time: number }> {
  const allowed = mask(Math.floor(block / blocksInSpan));
  const first = (block % blocksInSpan) * blockSize;
  const kinds = reader.kinds(block);
  const found: Array<{ number: number; time: number }> = [];
  let times: Float64Array | undefined;
  for (let slot = 0; slot < blockSize; slot++)
    if (allowed[first + slot] === 1 && kinds[slot] !== 0) {
      times ??= reader.times(block);
      found.push({ number: block * blockSize + slot, time: times[slot] ?? 0 });
    }
  return found;
}
