// Memory that is carried elsewhere and back: a page of it, and lines that are taken in.
import * as v from "valibot";
import { post } from "../http/operation.ts";
import { exportPage } from "../memory/transfer/export-page.ts";
import { importLines } from "../memory/transfer/import-lines.ts";
import { optional } from "../schemas/parts.ts";
import { StoredRecordSchema } from "../schemas/records.ts";

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

const LinksSchema = optional(
  v.object({ supersededBy: optional(id), merged: optional(id) }),
  "The records that those fields name, by hashes that are the same in every memory.",
);

/** An export page by page, and an import by the lines. */
export const transferOperations = [
  post("/api/export", {
    summary: "A page of everything that memory holds.",
    body: v.optional(
      v.strictObject({
        project: optional(v.pipe(id, v.nonEmpty("is empty"))),
        since: optional(v.number(), "Epoch ms."),
        cursor: optional(CursorSchema),
      }),
      {},
    ),
    /** `next` is null behind the last page. */
    answer: v.object({
      records: v.array(v.intersect([StoredRecordSchema, v.object({ links: LinksSchema })])),
      next: v.nullable(CursorSchema),
    }),
    run: ({ body: { cursor, ...filter } }, { runtime }) => exportPage(runtime, filter, cursor),
  }),
  post("/api/import", {
    summary: "Take lines of an export in; what is there and what comes become one.",
    /** Each line with its number. */
    body: v.strictObject({
      lines: v.pipe(
        v.array(v.strictObject({ line: count, text: v.string() })),
        v.maxLength(1_000, "holds more than 1000 lines"),
      ),
      dryRun: optional(v.boolean()),
    }),
    answer: v.object({
      stored: v.record(v.string(), v.number()),
      known: v.number(),
      forgotten: v.number(),
      errors: v.array(v.object({ line: v.number(), message: v.string() })),
    }),
    run: ({ body: { lines, dryRun = false } }, { runtime }) => importLines(runtime, lines, dryRun),
  }),
];
