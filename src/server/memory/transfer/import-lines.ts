// Takes lines of an export into memory: what is wrong is told by its line, what is there and what comes become one, in one piece.
import { importedSessions, sessionMark } from "../../../backfill/turn-migration.ts";
import { askStorage } from "../../../runtime/hooks/ask-storage.ts";
import {
  type AnyRecord,
  identityOf,
  identityOfParts,
  type RecordLinks,
} from "../../../sdk/identity.ts";
import type { Records } from "../../../sdk/model.ts";
import type { ServerRuntime } from "../../life/server-runtime.ts";
import { type ImportedLine, importedRecord } from "./import-line.ts";
import { joined } from "./join.ts";
import { knownRecords } from "./known-records.ts";

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
}

type Transfer = Pick<ServerRuntime, "hooks" | "withoutForgotten"> & {
  transcripts: Pick<ServerRuntime["transcripts"], "mark">;
};

/** A record of these lines as it is to be stored. */
interface Wanted {
  one: AnyRecord;
  links: RecordLinks;
  /** Not there yet, or older there. */
  isNews: boolean;
}

/**
 * Brings what the lines hold and what memory holds together; with `dryRun` only says so. What comes of it does not depend on which was
 * there first. Rejects when the storage fails: nothing of these lines is stored then.
 */
export async function importLines(
  runtime: Transfer,
  lines: readonly ImportLine[],
  dryRun: boolean,
): Promise<ImportedLines> {
  const result: ImportedLines = { stored: {}, known: 0, forgotten: 0, errors: [] };
  const read: ImportedLine[] = [];
  for (const { line, text } of lines) {
    const one = importedRecord(text);
    if (one && "error" in one) result.errors.push({ line, message: one.error });
    else if (one) read.push(one);
  }
  const here = await knownRecords(
    runtime,
    read.map(({ one }) => one),
  );
  const wanted = new Map<string, Wanted>();
  for (const { one, links } of read) {
    const identity = identityOf(one);
    const known = wanted.get(identity)?.one ?? here.get(identity);
    if (!known) {
      wanted.set(identity, {
        one,
        links: { supersededBy: null, merged: null, ...links },
        isNews: true,
      });
      continue;
    }
    const { one: both, isNewer, isChanged } = joined(known, one);
    const before = wanted.get(identity);
    const added = linksOf(links, before?.links ?? linksHere(known), isNewer);
    if (!isNewer || before) result.known++;
    if (isChanged || added)
      wanted.set(identity, {
        one: both,
        links: { ...before?.links, ...added },
        isNews: isNewer || before?.isNews === true,
      });
  }
  const all = [...wanted.values()];
  const records = bundle(all.map(({ one }) => one));
  const kept = runtime.withoutForgotten(records);
  const left = new Set(Object.values(kept).flat());
  for (const { one, isNews } of all) {
    const name = lists[one.kind];
    if (!left.has(one.record as never)) result.forgotten++;
    else if (isNews) result.stored[name] = (result.stored[name] ?? 0) + 1;
  }
  if (dryRun || left.size === 0) return result;
  markSessions(
    runtime,
    all.map(({ one }) => one),
    here,
  );
  const links = Object.fromEntries([...wanted].map(([identity, one]) => [identity, one.links]));
  const key = `import:${crypto.randomUUID()}`;
  await askStorage(runtime.hooks, "storage.put", { key, records: kept, links });
  return result;
}

/** Of a session that an import began nothing is made from a transcript: lines that are still to come say it. */
function markSessions(
  { transcripts }: Transfer,
  records: readonly AnyRecord[],
  here: ReadonlyMap<string, AnyRecord>,
): void {
  const begun = new Set<string>();
  for (const { kind, record } of records) {
    if (kind === "memory") continue;
    const { client } = record;
    const id = kind === "session" ? record.id : record.session;
    if (!here.has(identityOfParts("session", [client, id]))) begun.add(sessionMark({ client, id }));
  }
  const none = { bytes: 0, changedAt: 0, offset: 0, lines: 0 };
  transcripts.mark(
    importedSessions,
    [...begun].map((path) => ({ path, ...none })),
  );
}

/** What a line adds to the links that are there; undefined for nothing. A newer one replaces them. */
function linksOf(links: RecordLinks, here: RecordLinks, isNewer: boolean): RecordLinks | undefined {
  const { supersededBy = null, merged } = links;
  const isSuperseded = isNewer || (supersededBy !== null && !here.supersededBy);
  const isMerged = merged !== undefined && !here.merged;
  if (!isSuperseded && !isMerged) return undefined;
  return { ...(isSuperseded && { supersededBy }), ...(isMerged && { merged }) };
}

function linksHere({ record }: AnyRecord): RecordLinks {
  const { supersededBy, merged } = record as { supersededBy?: string; merged?: string };
  return { ...(supersededBy && { supersededBy }), ...(merged && { merged }) };
}

const lists = {
  session: "sessions",
  prompt: "prompts",
  turn: "turns",
  observation: "observations",
  summary: "summaries",
  memory: "memory",
} as const;

function bundle(records: readonly AnyRecord[]): Records {
  const bundled: Record<string, unknown[]> = {};
  for (const { kind, record } of records) {
    bundled[lists[kind]] ??= [];
    bundled[lists[kind]]?.push(record);
  }
  return bundled as Records;
}
