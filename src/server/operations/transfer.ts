// Memory that is carried elsewhere and back: a page of it, and lines that are taken in.
import * as v from "valibot";
import { nearest } from "../../runtime/config/problems.ts";
import { AuthorSchema, type Change } from "../../sdk/change.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ExportPage } from "../../sdk/hooks.ts";
import type { RecordKind, StoredRecord } from "../../sdk/storage.ts";
import { list, stored, type WithHooks } from "../memory/records.ts";
import { ForgetSchema, importLines } from "../memory/transfer/import-lines.ts";
import { described, optional, post } from "../operation.ts";
import { StoredRecordSchema } from "../schemas/records.ts";

// A page of everything that memory holds: its change log as records that people can read, the last changed last.

/** What is exported; all of it where nothing is said. */
interface ExportFilter {
  /** Sessions and memory items of this project, by id or name. */
  project?: string | undefined;
  /** Epoch ms: only what is not older. */
  since?: number | undefined;
}

const count = v.pipe(
  v.number(),
  v.safeInteger("must be a whole number"),
  v.minValue(0, "is negative"),
);
const name = v.pipe(v.string(), v.maxLength(2_048, "is too long"));

/** Where the next page begins. */
const CursorSchema = v.variant("by", [
  v.object({ by: v.literal("changes"), after: v.record(name, count) }),
  /** Of a storage without a change log. */
  v.object({ by: v.literal("kind"), kind: count, offset: count }),
]);
type ExportCursor = v.InferOutput<typeof CursorSchema>;

/** A page has so many records. */
const atOnce = 200;

/**
 * The page at `cursor`, or the first. What changes meanwhile comes a second time, as it is then; nothing is left out.
 */
export async function exportPage(
  runtime: WithHooks,
  filter: ExportFilter,
  from?: ExportCursor,
): Promise<{
  records: ExportedRecord[];
  forgotten?: ExportedForget[];
  next: ExportCursor | null;
}> {
  if (from?.by === "kind") return await listedPage(runtime, filter, from);
  const { project, since } = filter;
  const answer = await runtime.hooks.first("storage.changes", {
    ...{ shown: true, limit: atOnce, after: from?.after ?? {} },
    ...(project !== undefined && { projects: [project] }),
    ...(since !== undefined && { since }),
  });
  if (!answer) return await listedPage(runtime, filter, { by: "kind", kind: 0, offset: 0 });
  const { changes, position, upTo } = answer.result;
  const isLast = Object.entries(position).every(([replica, at]) => (upTo[replica] ?? 0) >= at);
  const [forgets, records] = partitioned(changes);
  return {
    records: records.map(lineOf),
    ...(forgets.length > 0 && { forgotten: forgets.map(forgetOf) }),
    next: isLast ? null : { by: "changes", after: upTo },
  };
}

function partitioned(changes: readonly Change[]): [forgets: Change[], records: Change[]] {
  const isForget = ({ kind }: Change) => kind === "forget";
  return [changes.filter(isForget), changes.filter((one) => !isForget(one))];
}

type ExportedForget = v.InferOutput<typeof ForgetSchema>;

function forgetOf({ record, time, project, body: { until, items } }: Change): ExportedForget {
  return { record, time, project, until, ...(items !== undefined && { items }) } as ExportedForget;
}

type ExportedRecord = StoredRecord & v.InferOutput<typeof BesideSchema>;

function lineOf({ kind, body, record, time, by }: Change): ExportedRecord {
  return {
    ...{ kind, record: body.record },
    change: { record, time, ...(by && { by }), ...(body.anew === true && { anew: true }) },
    ...(body.merged !== undefined && { links: { merged: body.merged } }),
  } as ExportedRecord;
}

const kinds: readonly RecordKind[] = [
  ...(["session", "prompt", "turn", "observation", "summary", "memory"] as const),
];

/** Of a storage without a change log: kind by kind, the oldest first. */
async function listedPage(
  runtime: WithHooks,
  filter: ExportFilter,
  { kind: at, offset }: ExportCursor & { by: "kind" },
): Promise<{ records: StoredRecord[]; next: ExportCursor | null }> {
  const kind = kinds[at];
  if (!kind) return { records: [], next: null };
  const found = await list(runtime, kind, {
    ...{ ...filter, order: "oldest", limit: atOnce, offset },
    superseded: kind === "observation" ? true : undefined,
  });
  const isLast = found.length < atOnce;
  const next = isLast ? { kind: at + 1, offset: 0 } : { kind: at, offset: offset + atOnce };
  return {
    records: stored(kind, found),
    next: next.kind < kinds.length ? { by: "kind", ...next } : null,
  };
}

const identity = v.string();
const BesideSchema = v.object({
  change: optional(
    v.object({
      ...{ record: identity, time: v.string(), by: v.optional(AuthorSchema) },
      anew: v.optional(v.literal(true)),
    }),
    "The change that made it so: the record by a hash that is the same in every memory, when by a clock whose times sort as texts, and by whom.",
  ),
  links: optional(
    v.object({ merged: optional(identity) }),
    "The record that it was merged into, by such a hash.",
  ),
});

/** A page in a plugin's form. Throws `plugin_not_found` for one that exports nothing, and the plugin's own error. */
async function written({ hooks }: WithHooks, to: string, page: ExportPage): Promise<string> {
  const all = [...new Set(hooks.subscriptions("export").map(({ plugin }) => plugin))];
  if (!all.includes(to)) {
    const near = nearest(to, all);
    throw new MemoirError(
      "plugin_not_found",
      `No enabled plugin exports as ${to}${near ? `; did you mean ${near}?` : "."}`,
      {
        fix:
          all.length > 0
            ? `These do: ${all.join(", ")}.`
            : "`memoir plugin new exporter <name>` writes one; without `--to` the export is JSON lines.",
      },
    );
  }
  const answer = await hooks.first("export", page, { skip: (plugin) => plugin !== to });
  if (answer) return answer.result.text;
  throw new MemoirError("plugin_failed", `plugin ${to} answered export with nothing`, {
    plugin: to,
    hook: "export",
    fix: 'Its author has to answer each page, with `{ text: "" }` where nothing of it is wanted.',
  });
}

/** An export page by page, and an import by the lines. */
export const transferOperations = [
  post("/api/export", {
    summary: "A page of everything that memory holds.",
    body: v.optional(
      v.strictObject({
        project: optional(v.pipe(name, v.nonEmpty("is empty"))),
        since: optional(v.number(), "Epoch ms."),
        cursor: optional(CursorSchema),
        to: optional(
          v.pipe(v.string(), v.nonEmpty("is empty")),
          "The plugin that writes the page in its own form.",
        ),
      }),
      {},
    ),
    /** `next` is null behind the last page. */
    answer: v.object({
      records: v.array(v.intersect([StoredRecordSchema, BesideSchema])),
      forgotten: optional(v.array(ForgetSchema), "What was forgotten, by hashes."),
      next: v.nullable(CursorSchema),
      text: optional(
        v.string(),
        "What the plugin made of the page; its records are left out then.",
      ),
    }),
    async run({ body: { cursor, to, ...filter } }, { runtime }) {
      const page = await exportPage(runtime, filter, cursor);
      if (to === undefined) return page;
      const text = await written(runtime, to, {
        records: page.records,
        isFirst: cursor === undefined,
        isLast: page.next === null,
      });
      return { records: [], next: page.next, text };
    },
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
      gone: described(
        v.number(),
        "Records that the lines say were forgotten where they come from.",
      ),
      errors: v.array(v.object({ line: v.number(), message: v.string() })),
    }),
    run: ({ body: { lines, dryRun = false } }, { runtime }) => importLines(runtime, lines, dryRun),
  }),
];
