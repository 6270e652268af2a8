// Filters as a set of documents, made before anything is ranked.
import type { Database } from "../host/sqlite.ts";
import {
  baseName,
  clientLabel,
  conceptLabel,
  fileLabels,
  isFile,
  pathOf,
  slashed,
  typeLabel,
} from "./document.ts";
import type { TailDocument } from "./index/forward.ts";
import { blockSize, blocksInSpan, slotOf, spanSize, unpackPostings } from "./index/postings.ts";
import type { KnownTerm, Reader } from "./index/reader.ts";
import { knownName } from "./index/schema.ts";

/** What a search is narrowed to. All are optional and combine with AND; a list means any of it. */
export interface SearchFilter {
  projects?: readonly string[];
  kinds?: readonly string[];
  sessions?: readonly string[];
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
    for (const start of [fileLabels(baseName(slashed(file))), fileLabels()])
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

/** A block whose documents all pass, or none, is told by its oldest and its newest. */
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
