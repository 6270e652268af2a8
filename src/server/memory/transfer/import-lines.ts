// Takes lines of an export into memory: what is wrong is told by its line, what is there stays, the rest is stored in one piece.
import { createHash } from "node:crypto";
import { askStorage } from "../../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../../sdk/errors.ts";
import type { Records } from "../../../sdk/model.ts";
import type { AmendRequest } from "../../../sdk/storage.ts";
import type { Marks } from "../../../sdk/turn.ts";
import type { ServerRuntime } from "../../life/server-runtime.ts";
import { type ImportedRecord, importedRecord } from "./import-line.ts";
import { isMarked, knownRecords } from "./known-records.ts";

/** A line and its number. */
interface ImportLine {
  line: number;
  text: string;
}

/** What became of some lines. */
interface ImportedLines {
  /** Stored, or to be stored: how many of each kind. */
  stored: Record<string, number>;
  /** There already. */
  known: number;
  /** Forgotten by the user's word, and not brought back. */
  forgotten: number;
  /** Lines that were left out, and why. */
  errors: Array<{ line: number; message: string }>;
  /** Observations by the ids that they had, for `linkObservations`. */
  observations: Array<{ was: string; id: string; isNew: boolean; supersededBy?: string }>;
}

type Transfer = Pick<ServerRuntime, "hooks" | "withoutForgotten">;

/** Stores what the lines hold and memory does not; with `dryRun` only says so. Rejects when the storage fails: nothing of these lines is stored then. */
export async function importLines(
  runtime: Transfer,
  lines: readonly ImportLine[],
  dryRun: boolean,
): Promise<ImportedLines> {
  const result: ImportedLines = {
    stored: {},
    known: 0,
    forgotten: 0,
    errors: [],
    observations: [],
  };
  const read: ImportedRecord[] = [];
  for (const { line, text } of lines) {
    const one = importedRecord(text);
    if (one && "error" in one) result.errors.push({ line, message: one.error });
    else if (one) read.push(one);
  }
  const known = await knownRecords(runtime, read);
  const fresh: ImportedRecord[] = [];
  const amends: AmendRequest[] = [];
  for (const one of read) {
    const found = known.find(one);
    if (!found) {
      fresh.push(one);
      known.add(one);
    } else {
      result.known++;
      if (found.id !== undefined && !found.isMarked && isMarked(one.record))
        amends.push({ id: found.id, ...marksOf(one.record) });
      if (found.id !== undefined) result.observations.push(...linked(one, found.id, false));
    }
  }
  const records = bundle(fresh);
  const kept = runtime.withoutForgotten(records);
  result.stored = Object.fromEntries(
    Object.entries(kept).map(([kind, list = []]) => [kind, list.length] as const),
  );
  const left = Object.values(kept).reduce((sum, list = []) => sum + list.length, 0);
  result.forgotten = fresh.length - left;
  if (!dryRun) for (const request of amends) await mark(runtime, request);
  if (dryRun || left === 0) return result;
  const key = `import:${createHash("sha256").update(JSON.stringify(kept)).digest("hex")}`;
  const { observations: ids } = await askStorage(runtime.hooks, "storage.put", {
    key,
    records: kept,
  });
  const written = new Map(fresh.map((one) => [one.record as object, one]));
  for (const [at, record] of (kept.observations ?? []).entries()) {
    const one = written.get(record);
    const id = ids[at];
    if (one && id !== undefined) result.observations.push(...linked(one, id, true));
  }
  return result;
}

/** What the user made of a record elsewhere, where it is here without. */
function marksOf(record: Marks): Omit<AmendRequest, "id"> {
  const { pinned, hidden, edited } = record;
  const set = Object.keys(edited?.was ?? {}).map((name) => [name, Reflect.get(record, name)]);
  return {
    ...(pinned && { pinned }),
    ...(hidden && { hidden }),
    ...(edited && { set: Object.fromEntries(set) }),
  };
}

/** What a storage refuses, or cannot do, stays as it is. */
async function mark({ hooks }: Transfer, request: AmendRequest): Promise<void> {
  try {
    await askStorage(hooks, "storage.amend", request);
  } catch (error) {
    const code = error instanceof MemoirError ? error.code : undefined;
    if (code !== "usage" && code !== "storage_unanswered") throw error;
  }
}

/** Which observation holds no more because of which, or of none. */
interface ObservationLink {
  id: string;
  by: string | null;
}

/**
 * Says of observations that were imported by which they are superseded where they came from: a storage that puts them in
 * another order would find others. Answers those of `links` with no newer one of which storage knows one all the same;
 * the caller sends them again with `isSure` where that one was imported too.
 */
export async function linkObservations(
  { hooks }: Pick<ServerRuntime, "hooks">,
  links: readonly ObservationLink[],
  isSure: boolean,
): Promise<Array<{ id: string; by: string }>> {
  const found = await askStorage(hooks, "storage.get", { ids: links.map(({ id }) => id) });
  const current = new Map(
    found.flatMap((one) =>
      one.kind === "observation" ? [[one.record.id, one.record.supersededBy ?? null] as const] : [],
    ),
  );
  const doubtful: Array<{ id: string; by: string }> = [];
  const superseded: Record<string, string | null> = {};
  for (const { id, by } of links) {
    const now = current.get(id);
    if (now === undefined || now === by) continue;
    if (by === null && !isSure && now !== null) doubtful.push({ id, by: now });
    else superseded[id] = by;
  }
  if (Object.keys(superseded).length > 0)
    await askStorage(hooks, "storage.put", {
      ...{ key: `import-links:${crypto.randomUUID()}`, records: {}, superseded },
    });
  return doubtful;
}

function linked(one: ImportedRecord, id: string, isNew: boolean): ImportedLines["observations"] {
  if (one.kind !== "observation" || one.record.id === undefined) return [];
  const { id: was, supersededBy } = one.record;
  return [{ was, id, isNew, ...(supersededBy === undefined ? {} : { supersededBy }) }];
}

const lists = {
  session: "sessions",
  prompt: "prompts",
  turn: "turns",
  observation: "observations",
  summary: "summaries",
  memory: "memory",
} as const;

function bundle(records: readonly ImportedRecord[]): Records {
  const bundled: Record<string, unknown[]> = {};
  for (const { kind, record } of records) {
    bundled[lists[kind]] ??= [];
    bundled[lists[kind]]?.push(record);
  }
  return bundled as Records;
}
