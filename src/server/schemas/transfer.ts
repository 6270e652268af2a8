// Memory that is carried elsewhere and back: what is asked for a page of it and answered, and lines that are taken in.
import * as v from "valibot";
import { StoredRecordSchema } from "./records.ts";

const count = v.pipe(
  v.number(),
  v.safeInteger("wants a whole number"),
  v.minValue(0, "is negative"),
);
const id = v.pipe(v.string(), v.maxLength(2_048, "is too long"));
const ids = (most: number) => v.pipe(v.array(id), v.maxLength(most, "holds too many"));

const CursorSchema = v.variant("stage", [
  v.object({
    stage: v.literal("sessions"),
    began: v.number(),
    time: v.number(),
    done: ids(100_000),
    session: v.optional(v.object({ id, client: id, kind: count, offset: count })),
  }),
  v.object({ stage: v.literal("memory"), offset: count }),
]);
/** `POST /api/export`: the first page, or the one at `cursor`. */
export const ExportBody = v.optional(
  v.strictObject({
    project: v.exactOptional(v.pipe(id, v.nonEmpty("is empty"))),
    since: v.exactOptional(v.pipe(v.number(), v.description("Epoch ms."))),
    cursor: v.exactOptional(CursorSchema),
  }),
  {},
);
/** `next` is null behind the last page. */
export const ExportAnswer = v.object({
  records: v.array(StoredRecordSchema),
  next: v.nullable(CursorSchema),
});

/** `POST /api/import`: lines of an export, each with its number. */
export const ImportBody = v.strictObject({
  lines: v.pipe(
    v.array(v.strictObject({ line: count, text: v.string() })),
    v.maxLength(1_000, "holds more than 1000 lines"),
  ),
  dryRun: v.exactOptional(v.boolean()),
});
/** What became of them. */
export const ImportAnswer = v.object({
  stored: v.record(v.string(), v.number()),
  known: v.number(),
  forgotten: v.number(),
  errors: v.array(v.object({ line: v.number(), message: v.string() })),
  observations: v.array(
    v.object({
      was: v.string(),
      id: v.string(),
      isNew: v.boolean(),
      supersededBy: v.exactOptional(v.string()),
    }),
  ),
});

/** `POST /api/import/links`: by which newer observation each is superseded. */
export const LinksBody = v.strictObject({
  links: v.pipe(
    v.array(v.strictObject({ id, by: v.nullable(id) })),
    v.maxLength(1_000, "holds more than 1000 links"),
  ),
  isSure: v.exactOptional(v.boolean()),
});
/** Those without a newer one of which storage knows one. */
export const LinksAnswer = v.object({
  doubtful: v.array(v.object({ id: v.string(), by: v.string() })),
});
