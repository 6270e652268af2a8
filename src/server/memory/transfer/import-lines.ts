// Takes lines of an export into memory. The data's way: a line is a record with what a person made of it → the changes that make it so
// (`changesOf`) → `storage.apply`, as for the changes of another home. So any order and any repetition make the same memory.

import * as v from "valibot";
import { importedSessions, sessionMark } from "../../../backfill/turn-migration.ts";
import { scrubDeep } from "../../../privacy/redact.ts";
import { applyInAll, askStorage } from "../../../runtime/hooks/ask-storage.ts";
import { AuthorSchema, ChangeSchema } from "../../../sdk/change.ts";
import { type AnyRecord, changesOf, type UnnumberedChange } from "../../../sdk/identity.ts";
import {
  MemoryItemSchema,
  NewObservationSchema,
  NewPromptSchema,
  NewSummarySchema,
  type Records,
  SessionUpdateSchema,
} from "../../../sdk/model.ts";
import { type Marks, NewTurnSchema } from "../../../sdk/turn.ts";
import type { ServerRuntime } from "../../life/server-runtime.ts";

type Transfer = Pick<ServerRuntime, "hooks" | "withoutForgotten" | "forget"> & {
  transcripts: Pick<ServerRuntime["transcripts"], "mark">;
};

/** What is known of a record beside what it says. */
type About = NonNullable<Parameters<typeof changesOf>[1]>;

/** A record that a line held. */
interface ImportedLine {
  one: AnyRecord;
  about: About;
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
    /** Records that were there, and that the file says were forgotten. */
    gone: 0,
    /** Lines that were left out, and why. */
    errors: [] as Array<{ line: number; message: string }>,
  };
  const read: Array<ImportedLine & { line: number }> = [];
  const forgets: UnnumberedChange[] = [];
  for (const { line, text } of lines) {
    const one = importedRecord(text);
    if (one && "forget" in one) forgets.push(one.forget);
    else if (one && "error" in one) result.errors.push({ line, message: one.error });
    else if (one) read.push({ line, ...one });
  }
  const kept = runtime.withoutForgotten(bundle(read));
  const left = new Set<unknown>(Object.values(kept).flat());
  const wanted = read.filter(({ one }) => left.has(one.record));
  result.forgotten = read.length - wanted.length;
  if (wanted.length + forgets.length === 0) return result;
  const begun = dryRun ? [] : await sessionsBegun(runtime, wanted);
  const { came, gone } = await take(runtime, { wanted, kept, forgets }, dryRun);
  result.gone = gone;
  const stored = new Set<string>();
  for (const [at, { line, one }] of wanted.entries()) {
    const { record = "", outcome = "" } = came[at] ?? {};
    if (outcome === "forgotten") result.forgotten++;
    else if (outcome !== "new" && outcome !== "known")
      result.errors.push({ line, message: outcome });
    else if (outcome === "known" || stored.has(record)) result.known++;
    else {
      stored.add(record);
      const name = lists[one.kind];
      result.stored[name] = (result.stored[name] ?? 0) + 1;
    }
  }
  const none = { bytes: 0, changedAt: 0, offset: 0, lines: 0 };
  runtime.transcripts.mark(
    importedSessions,
    begun.map((path) => ({ path, ...none })),
  );
  return result;
}

interface Taken {
  wanted: readonly ImportedLine[];
  /** The same as lists of records. */
  kept: Records;
  forgets: readonly UnnumberedChange[];
}

/** Of each line its record's identity, and what came of it; and how many records went. */
async function take(
  { hooks, forget }: Transfer,
  { wanted, kept, forgets }: Taken,
  dryRun: boolean,
): Promise<{ came: Array<{ record: string; outcome: string | undefined }>; gone: number }> {
  const changes = wanted.map(({ one, about }) => changesOf(one, about));
  if (!(await hooks.first("storage.changes", { limit: 1 }))) {
    // A storage without a change log takes records as those that are made here.
    const key = `import:${crypto.randomUUID()}`;
    if (!dryRun) await askStorage(hooks, "storage.put", { key, records: kept });
    const came = changes.map(([one]) => ({ record: one?.record ?? "", outcome: "new" }));
    return { came, gone: 0 };
  }
  const unnumbered = [...changes.flat(), ...forgets];
  const { came = [], gone } = await applyInAll(hooks, { unnumbered, dryRun }, (ids, heard) =>
    forget(ids, { gently: true, heard }),
  );
  let at = 0;
  return {
    came: changes.map(({ length, 0: change }) => {
      const outcome = came[at];
      at += length;
      return { record: change?.record ?? "", outcome };
    }),
    gone: gone.length,
  };
}

/** The sessions that an import begins: nothing is made of their transcripts, lines that are still to come say it. */
async function sessionsBegun(
  { hooks }: Transfer,
  records: readonly ImportedLine[],
): Promise<string[]> {
  const named = records.flatMap(({ one: { kind, record } }) => {
    if (kind === "memory") return [];
    return { client: record.client, id: kind === "session" ? record.id : record.session };
  });
  const ids = [...new Set(named.map(({ id }) => id))];
  const known = await askStorage(hooks, "storage.get", { ids });
  const here = new Set(
    known.flatMap(({ kind, record }) => (kind === "session" ? sessionMark(record) : [])),
  );
  return [...new Set(named.map(sessionMark))].filter((mark) => !here.has(mark));
}

const lists = {
  session: "sessions",
  prompt: "prompts",
  turn: "turns",
  observation: "observations",
  summary: "summaries",
  memory: "memory",
} as const;

function bundle(lines: readonly ImportedLine[]): Records {
  const records = Map.groupBy(lines, ({ one }) => lists[one.kind]);
  return Object.fromEntries(
    [...records].map(([name, of]) => [name, of.map(({ one }) => one.record)]),
  );
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
const identity = ChangeSchema.entries.record;
/** What a line says beside its record; an export of an earlier memoir says `links` alone. */
const AboutSchema = v.object({
  change: v.optional(
    v.object({
      ...{ record: identity, time: ChangeSchema.entries.time, by: v.optional(AuthorSchema) },
      anew: v.optional(v.literal(true)),
    }),
  ),
  links: v.optional(v.object({ merged: v.optional(identity) })),
});

/** What a line says of a record that was forgotten. */
export const ForgetSchema = v.object({
  ...{ record: identity, time: ChangeSchema.entries.time },
  /** A hash too. */
  project: v.string(),
  until: v.number(),
  /** Of the items of a session: its id. */
  items: v.optional(v.string()),
});

function forgetIn(value: object): { forget: UnnumberedChange } | { error: string } {
  const { success, output, issues } = v.safeParse(ForgetSchema, value, { abortEarly: true });
  if (!success) return { error: wrong(issues[0]) };
  const { until, items, ...of } = output;
  const body = { until, ...(items !== undefined && { items }) };
  return { forget: { ...of, kind: "forget", body } };
}

/** What a line says, or what is wrong with it; undefined for the lines that begin and end an export. */
export function importedRecord(
  text: string,
): ImportedLine | { forget: UnnumberedChange } | { error: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the input.
    return { error: "it is not valid JSON" };
  }
  if (typeof value !== "object" || value === null) return { error: "it is not a JSON object" };
  if ("memoir" in value) return value.memoir === "forgotten" ? forgetIn(value) : undefined;
  const { kind, record } = value as Record<"kind" | "record", unknown>;
  if (typeof kind !== "string" || !Object.hasOwn(schemas, kind))
    return { error: `its kind is none of ${Object.keys(schemas).join(", ")}` };
  const { success, output } = v.safeParse(AboutSchema, value);
  return checked(kind as Kind, record, success ? { ...output.change, ...output.links } : {});
}

function checked<Name extends Kind>(
  kind: Name,
  record: unknown,
  about: About,
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
  return { one: { kind, record: named } as unknown as AnyRecord, about };
}

function wrong(issue: v.BaseIssue<unknown>): string {
  const at = v.getDotPath(issue);
  // Messages of the library quote what they were given.
  const message = issue.message.replace(/ but received .*$/s, "");
  return `record${at === null ? "" : `.${at}`}: ${message}`;
}

type Fields = Record<string, unknown>;

/** Fields that name things, by which records are found and told apart; whatever else a record has may hold a secret. */
const namingFields: ReadonlySet<string> = new Set([
  ...["id", "client", "project", "session", "branch", "agent", "type", "kind"],
  ...["transcriptPath", "filesRead", "filesModified", "filesEdited", "files"],
  ...["evidence", "toolUseId", "toolUseIds", "uuid", "requestId", "provenance", "leftOut"],
  ...["merged", "supersededBy", "edited", "pieces"],
]);

/** What was redacted when it was stored stays as it is; what another version, or another program, let through does not. */
function clean(kind: Kind, record: Fields): Fields {
  const cleaned = cleanFields(record);
  const { edited } = record as Marks;
  if (edited) cleaned.edited = { ...edited, was: cleanFields(edited.was) };
  if (kind !== "turn") return cleaned;
  return { ...cleaned, pieces: (record.pieces as Fields[]).map(cleanFields) };
}

function cleanFields(record: Fields): Fields {
  // Key by key: a name such as `about` says nothing of what stands in it.
  return Object.fromEntries(
    Object.entries(record).map(([field, value]) => [
      field,
      namingFields.has(field) || typeof value === "number" ? value : scrubDeep(value).value,
    ]),
  );
}
