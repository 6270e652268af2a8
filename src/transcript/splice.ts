// A rewrite as splices: what is taken out where and what is put in. Everything between them is copied byte for byte.
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { isRecord, recordOf } from "../text/text.ts";
import { type Json, parseObject } from "./parse-entry.ts";
import { createBlockReader } from "./read.ts";

/** At byte `at`, `remove` bytes give way to `insert`. */
export interface Splice {
  at: number;
  remove: number;
  insert: Uint8Array;
}

/** A stretch of a file from its first byte on, and what it holds. */
export interface Stretch {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** What a copy with splices made. */
export interface Spliced {
  before: Stretch;
  after: Stretch;
  /** The splices that turn `after` into `before` again. */
  undo: Splice[];
}

/** Takes the next bytes of the new file. */
type Sink = (chunk: Uint8Array) => Promise<void>;

const chunkBytes = 1024 * 1024;

/**
 * Copies the first `end` bytes of a file with splices, which must be in order and apart. Rejects when the file is
 * shorter than that.
 */
export async function spliceFile(
  from: FileHandle,
  end: number,
  splices: readonly Splice[],
  sink: Sink,
): Promise<Spliced> {
  const before = createHash("sha256");
  const after = createHash("sha256");
  const undo: Splice[] = [];
  const piece = createBlockReader(from);
  let read = 0;
  let written = 0;

  const put = async (chunk: Uint8Array) => {
    if (chunk.length === 0) return;
    after.update(chunk);
    written += chunk.length;
    await sink(chunk);
  };
  const copyTo = async (to: number) => {
    while (read < to) {
      const chunk = await piece(read, Math.min(chunkBytes, to - read));
      before.update(chunk);
      read += chunk.length;
      await put(chunk);
    }
  };

  for (const { at, remove, insert } of splices) {
    if (at < read || at + remove > end) throw new RangeError("Splices overlap or leave the file.");
    await copyTo(at);
    // Copied, so that a few bytes do not keep a whole block alive.
    const removed = (await piece(at, remove)).slice();
    before.update(removed);
    read += remove;
    undo.push({ at: written, remove: insert.length, insert: removed });
    await put(insert);
  }
  await copyTo(end);
  return {
    before: { bytes: read, sha256: before.digest("hex") },
    after: { bytes: written, sha256: after.digest("hex") },
    undo,
  };
}

/** What a stretch of a file holds. Rejects when the file is shorter. */
export async function stretchOf(file: FileHandle, bytes: number): Promise<Stretch> {
  return (await spliceFile(file, bytes, [], async () => {})).before;
}

/** The smallest splice that turns the bytes `old`, which stand at `at`, into `made`; undefined when they are equal. */
export function differenceAt(at: number, old: Uint8Array, made: Uint8Array): Splice | undefined {
  const shorter = Math.min(old.length, made.length);
  let head = 0;
  while (head < shorter && old[head] === made[head]) head++;
  if (head === old.length && head === made.length) return undefined;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === made.at(-1 - tail)) tail++;
  return {
    at: at + head,
    remove: old.length - head - tail,
    insert: made.subarray(head, made.length - tail),
  };
}

// Changes inside one line of a transcript. A line that would not come out the same when nothing is changed is left alone.

/** What happens to one line. */
export interface LineEdit {
  /** New inputs by tool-use id. */
  inputs?: ReadonlyMap<string, Json>;
  /** The entry's new parent. */
  parent?: string;
  /** Takes out the tool's structured result, which no model reads. */
  dropResult?: boolean;
  /** Texts that are replaced wherever a string holds them. */
  scrub?: readonly Scrub[];
}

/** A text that was taken out elsewhere, and what stands for it. */
export interface Scrub {
  text: string;
  instead: string;
}

/**
 * The line's object, when writing it gives the very same text: only then does an edit change nothing else. Numbers
 * beyond a double, doubled keys and odd spacing do not.
 */
export function exactObject(text: string): Json | undefined {
  const value = parseObject(text);
  return value && JSON.stringify(value) === text ? value : undefined;
}

/** The content blocks of an entry's message; empty where it has none. */
export function blocksOf(entry: Json): Json[] {
  const content = recordOf(entry.message).content;
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

/** The tool use of this id in an entry; undefined where there is none or where it is signed. */
export function plainUse(entry: Json, id: string): { block: Json; input: Json } | undefined {
  const block = blocksOf(entry).find((block) => block.type === "tool_use" && block.id === id);
  const input = block?.input;
  if (
    !block ||
    !isRecord(input) ||
    Object.keys(block).some((key) => /signature|encrypted/i.test(key))
  )
    return undefined;
  return { block, input };
}

/** The line with its edits; undefined when it cannot be edited exactly, or when nothing changes. */
export function editLine(text: string, edit: LineEdit): string | undefined {
  const entry = exactObject(text);
  if (!entry) return undefined;
  for (const [id, input] of edit.inputs ?? []) {
    const found = plainUse(entry, id);
    if (!found) return undefined;
    found.block.input = input;
  }
  if (edit.parent !== undefined) entry.parentUuid = edit.parent;
  if (edit.dropResult) delete entry.toolUseResult;
  const made = edit.scrub ? (scrubbed(entry, edit.scrub, 0) as Json) : entry;
  const written = JSON.stringify(made);
  return written === text ? undefined : written;
}

/** Deeper values are nothing that a client writes. */
const maxDepth = 100;

function scrubbed(value: unknown, scrubs: readonly Scrub[], depth: number): unknown {
  if (typeof value === "string")
    return scrubs.reduce(
      (text, { text: out, instead }) =>
        text.includes(out) ? text.replaceAll(out, () => instead) : text,
      value,
    );
  if (depth > maxDepth || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, scrubs, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, scrubbed(item, scrubs, depth + 1)]),
  );
}
