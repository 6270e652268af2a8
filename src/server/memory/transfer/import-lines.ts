// Takes lines of an export into memory: what is wrong is named by its line, what is there and what comes become one, in one piece.

import * as v from "valibot";
import { importedSessions, sessionMark } from "../../../backfill/turn-migration.ts";
import { scrubDeep } from "../../../privacy/redact.ts";
import { askStorage } from "../../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../../sdk/errors.ts";
import {
  type AnyRecord,
  identityOf,
  identityOfParts,
  type RecordLinks,
} from "../../../sdk/identity.ts";
import {
  MemoryItemSchema,
  NewObservationSchema,
  NewPromptSchema,
  NewSummarySchema,
  type Records,
  SessionUpdateSchema,
} from "../../../sdk/model.ts";
import { editable } from "../../../sdk/record-texts.ts";
import type { StoredRecord } from "../../../sdk/storage.ts";
import { type Marks, NewTurnSchema } from "../../../sdk/turn.ts";
import type { ServerRuntime } from "../../life/server-runtime.ts";
import { all, list, stored, type WithHooks } from "../records.ts";
import { joined } from "./join.ts";

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
  lines: ReadonlyArray<{ line: number; text: string }>,
  dryRun: boolean,
) {
  const result = {
    /** Stored, or to be stored: how many of each kind. */
    stored: {} as Record<string, number>,
    /** There already. */
    known: 0,
    /** Deleted by the user before, and not brought back. */
    forgotten: 0,
    /** Lines that were left out, and why. */
    errors: [] as Array<{ line: number; message: string }>,
  };
  const read: ImportedLine[] = [];
  for (const { line, text } of lines) {
    const one = importedRecord(text);
    if (one && "error" in one) result.errors.push({ line, message: one.error });
    else if (one) read.push(one);
  }
  const came = read.map(({ one }) => one);
  const here = await knownRecords(runtime, came);
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

// What memory holds already of the sessions and projects that are being imported.

/** As many as a storage gives at once. */
const atOnce = 1_000;

/** What is stored of the sessions and projects of these records, by identity. */
async function knownRecords(
  runtime: WithHooks,
  records: readonly AnyRecord[],
): Promise<Map<string, AnyRecord>> {
  const known = new Map<string, AnyRecord>();
  const note = (one: StoredRecord) => known.set(identityOf(one as AnyRecord), one as AnyRecord);
  const sessions = new Map(records.flatMap(sessionOf));
  for (const { id, client } of sessions.values()) {
    const wanted = new Set(
      records.filter((one) => sessionOf(one)[0]?.[0] === `${client} ${id}`).map(({ kind }) => kind),
    );
    for (const one of await storedOf(runtime, id, client, wanted)) note(one);
  }
  const projects = new Set(
    records.flatMap((one) => (one.kind === "memory" ? [one.record.project] : [])),
  );
  for (const project of projects)
    for (const record of await all(runtime, "memory", { project, order: "oldest" }, { atOnce }))
      note({ kind: "memory", record });
  return known;
}

const sessionParts = ["prompt", "turn", "observation", "summary"] as const;

async function storedOf(
  runtime: WithHooks,
  session: string,
  client: string,
  wanted: ReadonlySet<string>,
): Promise<StoredRecord[]> {
  const query = { session, client };
  try {
    const own = (await list(runtime, "session", query)).find(
      (one) => one.id === session && one.client === client,
    );
    // Only the beginning of another's id, or of nobody's.
    if (!own) return [];
    const found = stored("session", [own]);
    for (const kind of sessionParts.filter((part) => wanted.has(part))) {
      const records = await all(runtime, kind, { ...query, order: "oldest" }, { atOnce });
      const ours = records.filter((one) => one.session === session && one.client === client);
      found.push(...stored(kind, ours));
    }
    return found;
  } catch (error) {
    if (error instanceof MemoirError && error.code === "session_ambiguous") return [];
    throw error;
  }
}

function sessionOf({ kind, record }: AnyRecord): Array<[string, { id: string; client: string }]> {
  if (kind === "memory") return [];
  const id = kind === "session" ? record.id : record.session;
  return [[`${record.client} ${id}`, { id, client: record.client }]];
}

// One line of an import as a record: its form, its bounds, and its texts without secrets.

const name = v.pipe(v.string(), v.nonEmpty("is empty"), v.maxLength(1_024, "is too long"));
/** What a date can hold. */
const time = v.pipe(
  v.number(),
  v.minValue(0, "is no time in epoch ms"),
  v.maxValue(8_640_000_000_000_000, "is no time in epoch ms"),
);
const whole = v.pipe(v.number(), v.safeInteger("is no whole number"), v.minValue(0, "is negative"));
const day = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/, "is no date like 2026-11-22"));
const place = { client: name, project: name, session: name, time, promptNumber: whole };
const id = v.optional(v.string());

const schemas = {
  session: v.object({
    ...SessionUpdateSchema.entries,
    ...{ id: name, client: name, startedAt: time, lastActiveAt: time },
    endedAt: v.optional(v.nullable(time)),
    prompts: v.optional(whole),
  }),
  prompt: v.object({ ...NewPromptSchema.entries, ...place }),
  turn: v.object({ ...NewTurnSchema.entries, ...place, startedAt: time }),
  observation: v.object({ ...NewObservationSchema.entries, ...place, id, supersededBy: id }),
  summary: v.object({ ...NewSummarySchema.entries, ...place }),
  memory: v.object({ ...MemoryItemSchema.entries, project: name, date: day }),
};
type Kind = keyof typeof schemas;
const hash = v.exactOptional(v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)));
const LinksSchema = v.object({ supersededBy: hash, merged: hash });

/** A record that a line held, and which others it names there. */
interface ImportedLine {
  one: AnyRecord;
  links: RecordLinks;
}

/** The record of a line, or what is wrong with it; undefined for the lines that begin and end an export. */
export function importedRecord(text: string): ImportedLine | { error: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the input.
    return { error: "it is no JSON" };
  }
  if (typeof value !== "object" || value === null) return { error: "it is no JSON object" };
  if ("memoir" in value) return undefined;
  const { kind, record, links } = value as Record<"kind" | "record" | "links", unknown>;
  if (typeof kind !== "string" || !Object.hasOwn(schemas, kind))
    return { error: `its kind is none of ${Object.keys(schemas).join(", ")}` };
  const found = v.safeParse(LinksSchema, links);
  return checked(kind as Kind, record, found.success ? found.output : {});
}

function checked<Name extends Kind>(
  kind: Name,
  record: unknown,
  links: RecordLinks,
): ImportedLine | { error: string } {
  const schema: v.GenericSchema = schemas[kind];
  const before = v.safeParse(schema, record, { abortEarly: true });
  if (!before.success) return { error: wrong(before.issues[0]) };
  // A text may be nothing but a secret, and a title must not be empty.
  const after = v.safeParse(schema, clean(kind, before.output as Fields), { abortEarly: true });
  if (!after.success) return { error: wrong(after.issues[0]) };
  // Ids are another memory's.
  const { id: _, supersededBy: __, merged: ___, ...rest } = after.output as Fields;
  const named = kind === "session" ? { ...rest, id: (after.output as Fields).id } : rest;
  return { one: { kind, record: named } as unknown as AnyRecord, links };
}

function wrong(issue: v.BaseIssue<unknown>): string {
  const at = v.getDotPath(issue);
  // Messages of the library quote what they were given.
  const message = issue.message.replace(/ but received .*$/s, "");
  return `record${at === null ? "" : `.${at}`}: ${message}`;
}

type Fields = Record<string, unknown>;

/** The fields that hold free text; all others name things, and are left as they are. */
const texts: { readonly [Name in Kind]: readonly string[] } = {
  ...editable,
  prompt: ["text"],
  memory: [...editable.memory, "quote"],
};
const pieceTexts = ["text", "about", "described"];

/** What was redacted when it was stored stays as it is; what another version, or another program, let through does not. */
function clean(kind: Kind, record: Fields): Fields {
  const cleaned = cleanFields(record, texts[kind]);
  const { edited } = record as Marks;
  if (edited) cleaned.edited = { ...edited, was: cleanFields(edited.was, Object.keys(edited.was)) };
  if (kind !== "turn") return cleaned;
  const pieces = record.pieces as Fields[];
  return { ...cleaned, pieces: pieces.map((piece) => cleanFields(piece, pieceTexts)) };
}

function cleanFields(record: Fields, names: readonly string[]): Fields {
  // Key by key: a name such as `about` says nothing of what stands in it.
  const cleaned = names
    .filter((field) => record[field] !== undefined)
    .map((field) => [field, scrubDeep(record[field]).value]);
  return { ...record, ...Object.fromEntries(cleaned) };
}
