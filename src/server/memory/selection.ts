// What a person means to have forgotten: by ids, session, project, words, file and time; all that is said must hold.
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { RecordFilter, StoredRecord } from "../../sdk/storage.ts";
import { type Asked, all, partKinds, stored } from "./records.ts";

/** At least one field. */
export interface Selection extends Pick<RecordFilter, "project" | "file" | "since" | "until"> {
  /** As search gives them; a session's may be its beginning. */
  ids?: string[];
  session?: string;
  /** Words: what a search finds. Nothing is forgotten by words alone, see `isOpen`. */
  query?: string;
}

/** What was found, and whether somebody has to choose of it. */
interface Selected {
  records: StoredRecord[];
  /** By words: no person has seen which records they find. */
  isOpen: boolean;
}

/** What a person can look through. */
const hits = 50;

/** Throws `usage` where nothing is said, `record_not_found` where nothing fits. */
export async function select(runtime: Asked, selection: Selection): Promise<Selected> {
  const { ids, query, ...filter } = selection;
  const narrows = Object.values(filter).some((value) => value !== undefined);
  if (!ids?.length && query === undefined && !narrows)
    throw new MemoirError("usage", "Nothing says what to forget.", {
      fix: "Name ids, a session, a project, a file, a time or words.",
    });
  const records = ids?.length
    ? await named(runtime, ids)
    : query === undefined
      ? await fitting(runtime, filter)
      : await found(runtime, query, filter);
  const fits =
    ids?.length && (narrows || query !== undefined)
      ? await among(runtime, records, query, filter)
      : records;
  if (fits.length === 0)
    throw new MemoirError("record_not_found", notFound(selection), {
      fix: "Copy ids from a search; a session's stands in the list of sessions.",
    });
  return { records: fits, isOpen: query !== undefined && !ids?.length };
}

function notFound({ ids, ...rest }: Selection): string {
  const narrowed = Object.values(rest).some((value) => value !== undefined);
  if (!ids?.length) return "There is nothing to forget that fits.";
  return `There is no record ${ids.join(", ")} to forget${narrowed ? " that fits" : ""}.`;
}

/** Records by their ids, a session also by the beginning of its own; unknown ones are left out. */
export async function named(runtime: Asked, ids: readonly string[]): Promise<StoredRecord[]> {
  const records = await askStorage(runtime.hooks, "storage.get", { ids: [...ids] });
  const known = new Set(records.map(({ record }) => record.id));
  for (const id of ids) {
    if (known.has(id) || id.length < 4 || /^[osmpt]\d+$/.test(id)) continue;
    const [session] = await askStorage(runtime.hooks, "storage.sessions", {
      session: id,
      limit: 1,
    });
    if (session) records.push({ kind: "session", record: session });
  }
  return records;
}

type Filter = Omit<Selection, "ids" | "query">;

/** Of a session, a project or a time: whole sessions where all of one fits, else what of it does. */
async function fitting(runtime: Asked, filter: Filter): Promise<StoredRecord[]> {
  const { file, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = filter;
  const whole =
    file === undefined
      ? (await all(runtime, "session", filter)).filter(
          ({ startedAt, lastActiveAt }) => startedAt >= since && lastActiveAt < until,
        )
      : [];
  const ids = new Set(whole.map(({ id }) => id));
  const rest = await Promise.all(
    partKinds.map(async (kind) => {
      // A memory item is of no file.
      if (file !== undefined && (kind === "memory" || kind === "prompt")) return [];
      const parts = await all(runtime, kind, filter);
      return stored(
        kind,
        parts.filter(({ session }) => !ids.has(session)),
      );
    }),
  );
  return [...stored("session", whole), ...rest.flat()];
}

async function found(runtime: Asked, text: string, filter: Filter): Promise<StoredRecord[]> {
  const results = await askStorage(runtime.hooks, "storage.search", {
    ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
    ...{ text, by: "record" as const, limit: hits },
  });
  const ids = [...new Set(results.map(({ id }) => id))];
  return askStorage(runtime.hooks, "storage.get", { ids });
}

/** Those that also fit what else was said. */
async function among(
  runtime: Asked,
  records: readonly StoredRecord[],
  query: string | undefined,
  filter: Filter,
): Promise<StoredRecord[]> {
  const fit = await (query === undefined
    ? fitting(runtime, filter)
    : found(runtime, query, filter));
  const ids = new Set(fit.map(({ record }) => record.id));
  const whole = new Set(fit.flatMap(({ kind, record }) => (kind === "session" ? record.id : [])));
  return records.filter(
    ({ kind, record }) => ids.has(record.id) || (kind !== "session" && whole.has(record.session)),
  );
}
