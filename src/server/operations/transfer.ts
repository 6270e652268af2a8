// Memory that is carried elsewhere and back: a page of it, lines that are taken in, and what supersedes what among them.
import * as v from "valibot";
import { post } from "../http/operation.ts";
import { exportPage } from "../memory/transfer/export-page.ts";
import { importLines, linkObservations } from "../memory/transfer/import-lines.ts";
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

/** An export page by page, and an import by the lines. */
export const transferOperations = [
  post("/api/export", {
    summary: "A page of everything that memory holds.",
    body: v.optional(
      v.strictObject({
        project: v.exactOptional(v.pipe(id, v.nonEmpty("is empty"))),
        since: v.exactOptional(v.pipe(v.number(), v.description("Epoch ms."))),
        cursor: v.exactOptional(CursorSchema),
      }),
      {},
    ),
    /** `next` is null behind the last page. */
    answer: v.object({
      records: v.array(StoredRecordSchema),
      next: v.nullable(CursorSchema),
    }),
    run: ({ body: { cursor, ...filter } }, { runtime }) => exportPage(runtime, filter, cursor),
  }),
  post("/api/import", {
    summary: "Take lines of an export in; what is there already stays.",
    /** Each line with its number. */
    body: v.strictObject({
      lines: v.pipe(
        v.array(v.strictObject({ line: count, text: v.string() })),
        v.maxLength(1_000, "holds more than 1000 lines"),
      ),
      dryRun: v.exactOptional(v.boolean()),
    }),
    answer: v.object({
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
    }),
    run: ({ body: { lines, dryRun = false } }, { runtime }) => importLines(runtime, lines, dryRun),
  }),
  post("/api/import/links", {
    summary: "Say which imported observations a newer one supersedes.",
    body: v.strictObject({
      links: v.pipe(
        v.array(v.strictObject({ id, by: v.nullable(id) })),
        v.maxLength(1_000, "holds more than 1000 links"),
      ),
      isSure: v.exactOptional(v.boolean()),
    }),
    /** Those without a newer one of which storage knows one. */
    answer: v.object({
      doubtful: v.array(v.object({ id: v.string(), by: v.string() })),
    }),
    run: async ({ body: { links, isSure = false } }, { runtime }) => ({
      doubtful: await linkObservations(runtime, links, isSure),
    }),
  }),
];
