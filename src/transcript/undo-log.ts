// The undo log of rewritten transcripts: for each file a folder of records, each with what gives the former bytes back.

import { Buffer } from "node:buffer";
import { mkdir, open, readdir, readFile, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import * as v from "valibot";
import { moveFile } from "../sdk/within.ts";
import { parseJson } from "./parse-entry.ts";
import type { Splice, Stretch } from "./splice.ts";

const StretchSchema = v.object({ bytes: v.number(), sha256: v.string() });
const RecordSchema = v.object({
  version: v.literal(1),
  /** Absolute path of the transcript. */
  path: v.string(),
  session: v.string(),
  /** Epoch ms. */
  at: v.number(),
  before: StretchSchema,
  after: StretchSchema,
  /** Position and length in the rewritten file, and what stood there (base64). */
  splices: v.array(v.tuple([v.number(), v.number(), v.string()])),
  /** Entries that were put in, and what the entry after them had as parent. */
  inserted: v.array(v.object({ uuids: v.array(v.string()), parent: v.string() })),
});
type Stored = v.InferOutput<typeof RecordSchema>;

/** One rewrite that can be taken back. */
export interface UndoRecord extends Omit<Stored, "version" | "splices" | "before" | "after"> {
  before: Stretch;
  after: Stretch;
  /** They turn the rewritten stretch into the former one. */
  splices: Splice[];
}

const PendingSchema = v.object({
  path: v.string(),
  draft: v.string(),
  held: v.string(),
  /** How much of the old file the new one was made from, and what that became; absent until the draft is whole. */
  stretch: v.optional(v.object({ from: v.number(), to: v.number() })),
  /** Name of the rewrite's record. */
  record: v.optional(v.string()),
});
/** A replacement under way: what has to be put in order when its process dies. */
type PendingReplacement = v.InferOutput<typeof PendingSchema>;

const zip = promisify<string, { level: number }, Buffer>(gzip);
const unzip = promisify(gunzip);
const ending = ".json.gz";
const pendingName = "pending.json";
/** Says whose records a folder holds, so that nothing has to be unpacked to know it. */
const pathName = "path";

/** Where memoir keeps undo logs. */
export function undoFolder(home: string): string {
  return join(home, "endless", "undo");
}

/** The folder of one file's records: `<undo folder>/<session>/<file's name>`. Throws for a session that is no file name. */
export function undoPlace(folder: string, session: string, path: string): string {
  if (!/^[\w-]{1,200}$/.test(session)) throw new RangeError("The session's id is no file name.");
  return join(folder, session, basename(path, ".jsonl"));
}

/** Every file of a session that has records, by folder. */
export async function undoPlaces(folder: string, session: string): Promise<string[]> {
  if (!/^[\w-]{1,200}$/.test(session)) return [];
  return (await names(join(folder, session))).map((name) => join(folder, session, name));
}

/** The sessions that have an undo log. */
export async function undoSessions(folder: string): Promise<string[]> {
  return names(folder);
}

/** The names of a file's records, newest first. */
export async function undoRecords(place: string): Promise<string[]> {
  return (await names(place)).filter((name) => name.endsWith(ending)).reverse();
}

/** Reads a record; undefined when it cannot be read. */
export async function readUndo(place: string, name: string): Promise<UndoRecord | undefined> {
  try {
    const text = (await unzip(await readFile(join(place, name)))).toString("utf8");
    const { version: _version, splices, ...rest } = v.parse(RecordSchema, parseJson(text));
    return {
      ...rest,
      splices: splices.map(([at, remove, content]) => ({
        at,
        remove,
        insert: Buffer.from(content, "base64"),
      })),
    };
  } catch {
    return undefined;
  }
}

/** Writes a record durably; its name. */
export async function writeUndo(place: string, { splices, ...rest }: UndoRecord): Promise<string> {
  const stored: Stored = {
    version: 1,
    ...rest,
    splices: splices.map(({ at, remove, insert }) => [
      at,
      remove,
      Buffer.from(insert).toString("base64"),
    ]),
  };
  const newest = Number.parseInt((await undoRecords(place))[0] ?? "0", 10);
  const name = `${String(newest + 1).padStart(6, "0")}${ending}`;
  await writeDurably(join(place, pathName), Buffer.from(rest.path));
  await writeDurably(join(place, name), await zip(JSON.stringify(stored), { level: 1 }));
  return name;
}

/** Takes records out, and the folder with the last of them. */
export async function dropUndo(place: string, records: readonly string[]): Promise<void> {
  for (const name of records) await rm(join(place, name), { force: true });
}

/**
 * Takes out the records of transcripts that their client deleted: the file is gone, its folder is there, and nothing
 * was written for `restMs`. Gives how many files that were.
 */
export async function pruneUndo(folder: string, now: number, restMs: number): Promise<number> {
  let pruned = 0;
  for (const session of await names(folder)) {
    for (const place of await undoPlaces(folder, session)) {
      const path = await readFile(join(place, pathName), "utf8").catch(() => undefined);
      if (path === undefined || (await stateOf(path)) || !(await stateOf(dirname(path)))) continue;
      const rests = now - ((await stateOf(join(place, pathName)))?.mtimeMs ?? now);
      if (rests < restMs) continue;
      await rm(place, { recursive: true, force: true });
      pruned++;
    }
    // Only an empty one goes.
    await rmdir(join(folder, session)).catch(() => {});
  }
  return pruned;
}

function stateOf(path: string) {
  return stat(path).catch(() => undefined);
}

/** Says what is under way, or, without anything, that nothing is. */
export async function notePending(place: string, pending?: PendingReplacement): Promise<void> {
  const path = join(place, pendingName);
  if (pending) await writeDurably(path, Buffer.from(JSON.stringify(pending)));
  else await rm(path, { force: true });
}

/** What was under way when a process died; undefined when nothing was. */
export async function readPending(place: string): Promise<PendingReplacement | undefined> {
  const text = await readFile(join(place, pendingName), "utf8").catch(() => "");
  const parsed = v.safeParse(PendingSchema, parseJson(text));
  return parsed.success ? parsed.output : undefined;
}

/** Flushes a folder's names; some systems cannot open a folder, and lose nothing but that. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.tmp`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await moveFile(draft, path);
  await syncFolder(dirname(path));
}

async function names(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch {
    return [];
  }
}
