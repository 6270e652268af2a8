// What is asked for, and the documents that a filter lets pass: as a set made before anything is ranked, or the newest of them.
import type { Database } from "../host/sqlite.ts";
import {
  clientLabel,
  conceptLabel,
  fileLabels,
  isFile,
  lastPart,
  pathOf,
  typeLabel,
  withSlashes,
} from "./document.ts";
import type { TailDocument } from "./index/forward.ts";
import type { KnownTerm, Reader } from "./index/reader.ts";
import {
  blockSize,
  blocksInSpan,
  knownName,
  slotOf,
  spanSize,
  unpackPostings,
} from "./index/schema.ts";

/** A document that matched, packed or not. */
export type Candidate =
  | { score: number; number: number; tail?: undefined }
  | { score: number; number?: undefined; tail: TailDocument };

/** What a search is narrowed to. All are optional and combine with AND; a list means any of it. */
export interface SearchFilter {
  projects?: readonly string[];
  kinds?: readonly string[];
  sessions?: readonly string[];
  /** Only these documents. */
  ids?: ReadonlySet<string>;
  type?: string;
  client?: string;
  concept?: string;
  /** Paths, their ends, or folders; several where a file had several names. */
  files?: readonly string[];
  /** Epoch ms, inclusive. */
  since?: number;
  /** Epoch ms, exclusive. */
  until?: number;
}

/** The documents that pass. */
export interface Scope {
  /** False: nothing can pass. */
  possible: boolean;
  /** Numbers of the projects; undefined: all. */
  projects: readonly number[] | undefined;
  /** By slot of a span: 1 for packed documents that pass what is not their project. Undefined: all do. */
  mask: ((span: number) => Uint8Array) | undefined;
  allowsTail(document: TailDocument): boolean;
}

/** Resolves a filter against the index as the reader sees it. */
export function scopeOf(db: Database, reader: Reader, filter: SearchFilter): Scope {
  const projects = filter.projects?.flatMap((name) => knownName(db, "project", name) ?? []);
  const labels = labelSets(db, reader, filter);
  const sets = [
    ...labels.map((set) => postingSet(reader, set, projects)),
    ...columnSets(db, reader, filter),
    ...sessionSets(db, filter),
    ...idSets(db, filter),
  ];
  return {
    possible:
      filter.projects?.length !== 0 &&
      filter.kinds?.length !== 0 &&
      filter.sessions?.length !== 0 &&
      filter.files?.length !== 0,
    projects,
    mask: sets.length === 0 ? undefined : masks(sets),
    allowsTail: (document) => passes(document, filter),
  };
}

/** Sets a span's slots to 0 that do not pass. */
type Narrow = (span: number, mask: Uint8Array) => void;

/** The masks of spans, each made once. */
function masks(sets: readonly Narrow[]): (span: number) => Uint8Array {
  const known = new Map<number, Uint8Array>();
  return (span) => {
    let mask = known.get(span);
    if (!mask) {
      mask = new Uint8Array(spanSize).fill(1);
      for (const narrow of sets) narrow(span, mask);
      known.set(span, mask);
    }
    return mask;
  };
}

/** Whether a document that is not packed passes. */
function passes(document: TailDocument, filter: SearchFilter): boolean {
  const { projects, kinds, sessions, type, client, concept, files, since, until } = filter;
  const { labels } = document;
  return (
    (projects?.includes(document.project) ?? true) &&
    (kinds?.includes(document.kind) ?? true) &&
    (sessions?.includes(document.session) ?? true) &&
    (filter.ids?.has(document.id) ?? true) &&
    (type === undefined || labels.has(typeLabel(type))) &&
    (client === undefined || labels.has(clientLabel(client))) &&
    (concept === undefined || labels.has(conceptLabel(concept))) &&
    (files === undefined ||
      document.analysed.labels.some(
        (label) =>
          label.startsWith(fileLabels()) && files.some((file) => isFile(pathOf(label), file)),
      )) &&
    (since === undefined || document.time >= since) &&
    (until === undefined || document.time < until)
  );
}

/** For each filter that is kept as labels: the terms of which a document has to have one. */
function labelSets(db: Database, reader: Reader, filter: SearchFilter): KnownTerm[][] {
  const one = (label: string) => {
    const known = reader.term(label);
    return known ? [known] : [];
  };
  return [
    ...(filter.type === undefined ? [] : [one(typeLabel(filter.type))]),
    ...(filter.client === undefined ? [] : [one(clientLabel(filter.client))]),
    ...(filter.concept === undefined ? [] : [one(conceptLabel(filter.concept))]),
    ...(filter.files === undefined ? [] : [fileTerms(db, filter.files)]),
  ];
}

/** The labels of all files that are meant. */
function fileTerms(db: Database, files: readonly string[]): KnownTerm[] {
  const range = db.prepare<KnownTerm & { term: string } & Record<string, number | string>>(
    "SELECT term, number, documents, passages FROM search_terms WHERE term >= ? AND term < ?",
  );
  const found = new Map<number, KnownTerm>();
  for (const file of files) {
    // Files by their name; a folder has to be looked for in all paths.
    for (const start of [fileLabels(lastPart(withSlashes(file))), fileLabels()])
      for (const { term, ...known } of range.all([start, `${start}\u{10ffff}`]))
        if (isFile(pathOf(term), file)) found.set(known.number, known);
  }
  return [...found.values()];
}

/** Passes what has one of the terms. */
function postingSet(
  reader: Reader,
  terms: readonly KnownTerm[],
  projects: readonly number[] | undefined,
): Narrow {
  return (span, mask) => {
    const slots = new Uint8Array(spanSize);
    for (const { number } of terms) {
      const { bytes, ends } = reader.postings(number, span, projects);
      ends.forEach((end, i) => {
        const list = bytes.subarray(ends[i - 1] ?? 0, end);
        for (const value of unpackPostings(list)) slots[slotOf(value)] = 1;
      });
    }
    keep(mask, slots);
  };
}

/** Passes what stands in a list of document numbers. */
function numberSet(numbers: readonly number[]): Narrow {
  const spans = Map.groupBy(numbers, (number) => Math.floor(number / spanSize));
  return (span, mask) => {
    const slots = new Uint8Array(spanSize);
    for (const number of spans.get(span) ?? []) slots[number % spanSize] = 1;
    keep(mask, slots);
  };
}

function keep(mask: Uint8Array, slots: Uint8Array): void {
  for (let slot = 0; slot < spanSize; slot++) if (slots[slot] === 0) mask[slot] = 0;
}

/** Kind and time, compared in the columns of each block. */
function columnSets(db: Database, reader: Reader, filter: SearchFilter): Narrow[] {
  const sets: Narrow[] = [];
  const { kinds, since, until } = filter;
  if (kinds) {
    const passing = new Uint8Array(256);
    for (const kind of kinds) passing[knownName(db, "kind", kind) ?? 0] = 1;
    passing[0] = 0;
    sets.push(
      inBlocks((block, mask) => {
        const column = reader.kinds(block);
        for (let slot = 0; slot < blockSize; slot++)
          if (passing[column[slot] ?? 0] === 0) mask[slot] = 0;
      }),
    );
  }
  if (since !== undefined || until !== undefined) sets.push(timeSet(reader, since, until));
  return sets;
}

/** A block whose documents all pass, or none, shows by its oldest and its newest. */
function timeSet(
  reader: Reader,
  since = Number.NEGATIVE_INFINITY,
  until = Number.POSITIVE_INFINITY,
): Narrow {
  const blocks = new Map(reader.blocks().map((block) => [block.block, block]));
  return inBlocks((block, mask) => {
    const known = blocks.get(block);
    if (!known || known.newest < since || known.oldest >= until) mask.fill(0);
    else if (known.oldest < since || known.newest >= until) {
      const times = reader.times(block);
      for (let slot = 0; slot < blockSize; slot++) {
        const time = times[slot] ?? 0;
        if (time < since || time >= until) mask[slot] = 0;
      }
    }
  });
}

function inBlocks(narrow: (block: number, mask: Uint8Array) => void): Narrow {
  return (span, mask) => {
    for (let at = 0; at < blocksInSpan; at++)
      narrow(span * blocksInSpan + at, mask.subarray(at * blockSize, (at + 1) * blockSize));
  };
}

function sessionSets(db: Database, { sessions }: SearchFilter): Narrow[] {
  if (!sessions) return [];
  const find = db.prepare<{ number: number }>(
    "SELECT number FROM search_documents WHERE session = ?",
  );
  const numbers = sessions.flatMap((name) => {
    const session = knownName(db, "session", name);
    return session === undefined ? [] : find.all([session]).map(({ number }) => number);
  });
  return [numberSet(numbers)];
}

function idSets(db: Database, { ids }: SearchFilter): Narrow[] {
  if (!ids) return [];
  const numbers = db.all<{ number: number }>(
    "SELECT number FROM search_documents WHERE id IN (SELECT value FROM json_each(?))",
    [JSON.stringify([...ids])],
  );
  return [numberSet(numbers.map(({ number }) => number))];
}

// Without words: the newest documents that pass a filter.

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
