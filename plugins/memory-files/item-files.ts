// The files, one a kind: new items are added at the end, what a person changed in them stays.

import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { type MemoryItem, memoryKinds } from "../../src/sdk/index.ts";
import { recordOf } from "../../src/text/index.ts";
import type { MemoryFolder } from "./memory-folder.ts";

/** The kinds of memory item, each with a file of its name. */
export const kinds = memoryKinds satisfies ReadonlyArray<MemoryItem["kind"]>;

/** The name of a kind's file. */
export function fileOf(kind: MemoryItem["kind"]): string {
  return `${kind}.json`;
}

/**
 * Writes into the files what these items say now, adds those that their file has not yet, and takes out those of `gone`. Answers
 * what these said, and the files that could not be read and were left as they are.
 */
export async function updateFiles(
  folder: MemoryFolder,
  items: readonly MemoryItem[],
  gone: ReadonlySet<string> = new Set(),
): Promise<{ contents: string[]; broken: string[] }> {
  const contents: string[] = [];
  const broken: string[] = [];
  const written = new Map<MemoryItem["kind"], unknown[]>();
  for (const kind of kinds) {
    const name = fileOf(kind);
    const file = await folder.read(name);
    const listed: unknown = file.state === "read" ? file.value : [];
    if (file.state === "broken" || !Array.isArray(listed)) {
      broken.push(name);
      continue;
    }
    const own = new Map(items.filter((item) => item.kind === kind).map((item) => [item.id, item]));
    const now: unknown[] = [];
    for (const entry of listed) {
      const id = textOf(entry, "id");
      const item = own.get(id);
      own.delete(id);
      if (gone.has(id)) contents.push(textOf(entry, "content"));
      else now.push(item ? { ...strange(entry), ...entryOf(item) } : entry);
    }
    now.push(...[...own.values()].map(entryOf));
    const isSame = isDeepStrictEqual(now, listed);
    if (isSame && (file.state !== "missing" || items.length === 0)) continue;
    await folder.write(name, now);
    written.set(kind, now);
  }
  if (written.size > 0) await noteWritten(folder, written);
  return { contents, broken };
}

/** What a person put beside memoir's own fields: of these the store says which there are. */
function strange(entry: unknown): object {
  const { state: _, quote: _q, evidence: _e, ...rest } = recordOf(entry);
  return rest;
}

function entryOf({
  kind: _,
  pinned: _p,
  hidden: _h,
  merged: _m,
  edited: _e,
  ...entry
}: MemoryItem) {
  return entry;
}

// `written.json`: which items stand in the files as memoir wrote them, as hashes, so that what a person changed there is distinct from what never came.

const fileName = "written.json";
/** A hash by id, by kind. */
const WrittenSchema = v.record(v.string(), v.record(v.string(), v.string()));
/** What memoir wrote last, by kind and id. */
export type Written = v.InferOutput<typeof WrittenSchema>;

/** Undefined where nothing says what was written, or that cannot be read. */
export async function readWritten(folder: MemoryFolder): Promise<Written | undefined> {
  const file = await folder.read(fileName);
  const parsed = file.state === "read" ? v.safeParse(WrittenSchema, file.value) : undefined;
  return parsed?.success ? parsed.output : undefined;
}

/** Entries of files, by kind. */
type Entries = ReadonlyMap<MemoryItem["kind"], readonly unknown[]>;

/** Notes how the entries of these files stand now; writes nothing where they stood so. */
export async function noteWritten(folder: MemoryFolder, files: Entries): Promise<void> {
  const known = (await readWritten(folder)) ?? {};
  const now = { ...known };
  for (const [kind, entries] of files) {
    const hashes = entries.flatMap((entry) => {
      const id = textOf(entry, "id");
      return id === "" ? [] : [[id, hashOf(entry)] as const];
    });
    if (hashes.length > 0 || known[kind]) now[kind] = Object.fromEntries(hashes);
  }
  if (JSON.stringify(known) !== JSON.stringify(now)) await folder.write(fileName, now);
}

/** Of what a person may change in an entry: its content, and its context. */
export function hashOf(entry: unknown): string {
  return `${hash(textOf(entry, "content"))} ${hash(textOf(entry, "context"))}`;
}

/** Whether an item is the one that was written: ids of a storage that was made anew may be others'. */
export function isWritten(item: unknown, written: string): boolean {
  return hashOf(item).split(" ")[0] === written.split(" ")[0];
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** A text of an entry; empty where it has none. */
export function textOf(entry: unknown, name: string): string {
  const value: unknown =
    typeof entry === "object" && entry !== null ? Reflect.get(entry, name) : undefined;
  return typeof value === "string" ? value : "";
}
