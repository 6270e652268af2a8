// One line of an import as a record: its form, its bounds, and its texts without secrets.
import * as v from "valibot";
import { scrubDeep } from "../../../privacy/scrub.ts";
import type { AnyRecord, RecordLinks } from "../../../sdk/identity.ts";
import {
  MemoryItemSchema,
  NewObservationSchema,
  NewPromptSchema,
  NewSummarySchema,
  SessionUpdateSchema,
  summaryTextNames,
} from "../../../sdk/model.ts";
import { type Marks, NewTurnSchema } from "../../../sdk/turn.ts";

const name = v.pipe(v.string(), v.nonEmpty("is empty"), v.maxLength(1_024, "is too long"));
/** What a date can hold. */
const time = v.pipe(
  v.number(),
  v.minValue(0, "is no time in epoch ms"),
  v.maxValue(8_640_000_000_000_000, "is no time in epoch ms"),
);
const whole = v.pipe(v.number(), v.safeInteger("is no whole number"), v.minValue(0, "is negative"));
const day = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/, "is no date like 2026-11-22"));
const place = { client: name, project: name };
const id = v.optional(v.string());

const schemas = {
  session: v.object({
    ...SessionUpdateSchema.entries,
    ...{ id: name, client: name, startedAt: time, lastActiveAt: time },
    endedAt: v.optional(v.nullable(time)),
    prompts: v.optional(whole),
  }),
  prompt: v.object({
    ...NewPromptSchema.entries,
    ...place,
    session: name,
    time,
    promptNumber: whole,
  }),
  turn: v.object({
    ...NewTurnSchema.entries,
    ...{ ...place, session: name, startedAt: time, time, promptNumber: whole },
  }),
  observation: v.object({
    ...NewObservationSchema.entries,
    ...{ ...place, session: name, time, promptNumber: whole, id, supersededBy: id },
  }),
  summary: v.object({
    ...NewSummarySchema.entries,
    ...{ ...place, session: name, time, promptNumber: whole },
  }),
  memory: v.object({ ...MemoryItemSchema.entries, project: name, date: day }),
};
type Kind = keyof typeof schemas;
const hash = v.exactOptional(v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)));
const LinksSchema = v.object({ supersededBy: hash, merged: hash });

/** A record that a line held, and which others it names there. */
export interface ImportedLine {
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
  session: ["title", "subtitle"],
  prompt: ["text"],
  turn: [],
  observation: ["title", "subtitle", "facts", "narrative"],
  summary: summaryTextNames,
  memory: ["content", "context", "quote"],
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
