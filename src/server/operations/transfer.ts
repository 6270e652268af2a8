// Memory that is carried elsewhere and back: a page of it, and lines that are taken in.
import * as v from "valibot";
import { nearest } from "../../runtime/config/problems.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ExportPage } from "../../sdk/hooks.ts";
import { identityOf } from "../../sdk/identity.ts";
import type { Session } from "../../sdk/model.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import { list, stored, type WithHooks } from "../memory/records.ts";
import { importLines } from "../memory/transfer/import-lines.ts";
import { optional, post } from "../operation.ts";
import { StoredRecordSchema } from "../schemas/records.ts";

// A page of everything that memory holds: session by session, the longest silent first, then memory items. By the storage's contract alone.

/** What is exported; all of it where nothing is said. */
interface ExportFilter {
  /** Sessions and memory items of this project, by id or name. */
  project?: string | undefined;
  /** Epoch ms: only what is not older. */
  since?: number | undefined;
}

/** How many, or how far. */
const count = v.pipe(
  v.number(),
  v.safeInteger("wants a whole number"),
  v.minValue(0, "is negative"),
);
/** An id of any record. */
const recordId = v.pipe(v.string(), v.maxLength(2_048, "is too long"));

/** Where the next page begins. */
const CursorSchema = v.variant("stage", [
  v.object({
    stage: v.literal("sessions"),
    /** When the export was begun. */
    began: v.number(),
    /** Last activity of the newest session so far, at most `began`; and the sessions from that moment on that are done. */
    time: v.number(),
    done: v.pipe(v.array(recordId), v.maxLength(100_000, "holds too many")),
    /** The session under way, and how far. */
    session: v.optional(v.object({ id: recordId, client: recordId, kind: count, offset: count })),
  }),
  v.object({ stage: v.literal("memory"), offset: count }),
]);
type ExportCursor = v.InferOutput<typeof CursorSchema>;

type StoredPage = { records: StoredRecord[]; next: ExportCursor | null };

/** So many sessions, and so many records of one, are asked for at once. */
const sessionsAtOnce = 50;
const recordsAtOnce = 200;
/** A page ends with the records that make it this long. */
const pageCharacters = 1_000_000;

const kinds = ["prompt", "turn", "observation", "summary"] as const;

/**
 * The page at `cursor`, or the first. A session that is at work meanwhile may come a second time, with what it came to; none is
 * left out.
 */
export async function exportPage(runtime: WithHooks, filter: ExportFilter, from?: ExportCursor) {
  const { records, next } = await pageAt(runtime, filter, from);
  return { records: await withLinks(runtime, records), next };
}

async function withLinks({ hooks }: WithHooks, records: readonly StoredRecord[]) {
  const ids = new Set(records.flatMap((one) => Object.values(linksOf(one))));
  const named = new Map<string, string>();
  for (let at = 0; at < ids.size; at += recordsAtOnce) {
    const some = [...ids].slice(at, at + recordsAtOnce);
    for (const one of await askStorage(hooks, "storage.get", { ids: some }))
      named.set(one.record.id, identityOf(one));
  }
  return records.map((one) => {
    const links = Object.entries(linksOf(one)).flatMap(([name, id]) => {
      const identity = named.get(id);
      return identity === undefined ? [] : [[name, identity]];
    });
    return links.length === 0 ? one : { ...one, links: Object.fromEntries(links) };
  });
}

function linksOf({ record }: StoredRecord): Record<string, string> {
  const { merged } = record;
  const { supersededBy } = "supersededBy" in record ? record : {};
  return { ...(supersededBy && { supersededBy }), ...(merged && { merged }) };
}

async function pageAt(
  runtime: WithHooks,
  filter: ExportFilter,
  from?: ExportCursor,
): Promise<StoredPage> {
  const cursor = from ?? first(filter);
  if (cursor.stage === "memory") return await memoryPage(runtime, filter, cursor.offset);
  const records: StoredRecord[] = [];
  let length = 0;
  let at = cursor;
  const sessions = at.session ? [] : await nextSessions(runtime, filter, at);
  for (;;) {
    if (!at.session) {
      const session = sessions.shift();
      if (!session) break;
      records.push({ kind: "session", record: session });
      at = begun(at, session);
    }
    const part = await partOf(runtime, filter, at.session);
    records.push(...part.records);
    length += JSON.stringify(part.records).length;
    at = { ...at, session: part.next };
    if (length >= pageCharacters) return { records, next: at };
  }
  if (records.length > 0) return { records, next: at };
  return await memoryPage(runtime, filter, 0);
}

function first({ since = 0 }: ExportFilter): ExportCursor & { stage: "sessions" } {
  return { stage: "sessions", began: Date.now(), time: since, done: [] };
}

function keyOf({ client, id }: Pick<Session, "client" | "id">): string {
  return `${client} ${id}`;
}

function begun(
  { began, time, done }: ExportCursor & { stage: "sessions" },
  session: Session,
): ExportCursor & { stage: "sessions" } {
  const key = keyOf(session);
  // From the beginning on every one is remembered: else a session that does not rest would come for ever.
  const next = Math.min(session.lastActiveAt, began);
  return {
    ...{ stage: "sessions", began, time: Math.max(time, next) },
    done: next > time ? [key] : [...done, key],
    session: { id: session.id, client: session.client, kind: 0, offset: 0 },
  };
}

/** By the time, not by an offset: sessions that are at work move while others are read. */
async function nextSessions(
  runtime: WithHooks,
  { project }: ExportFilter,
  { time, done }: ExportCursor & { stage: "sessions" },
): Promise<Session[]> {
  const known = new Set(done);
  const sessions = await list(runtime, "session", {
    ...{ project, since: time, order: "oldest", limit: known.size + sessionsAtOnce },
  });
  return sessions.filter((session) => !known.has(keyOf(session)));
}

type UnderWay = NonNullable<Extract<ExportCursor, { stage: "sessions" }>["session"]>;

/** Some records of one kind, and where the session goes on; `next` is absent behind its last. */
async function partOf(
  runtime: WithHooks,
  { since }: ExportFilter,
  session: UnderWay | undefined,
): Promise<{ records: StoredRecord[]; next?: UnderWay | undefined }> {
  const kind = session && kinds[session.kind];
  if (!session || !kind) return { records: [] };
  const { id, client, offset } = session;
  const found = await list(runtime, kind, {
    ...{ session: id, client, since, order: "oldest", limit: recordsAtOnce, offset },
    superseded: kind === "observation" ? true : undefined,
  });
  const isLast = found.length < recordsAtOnce;
  const next = isLast
    ? { ...session, kind: session.kind + 1, offset: 0 }
    : { ...session, offset: offset + recordsAtOnce };
  return { records: stored(kind, found), next: next.kind < kinds.length ? next : undefined };
}

async function memoryPage(
  runtime: WithHooks,
  { project, since }: ExportFilter,
  offset: number,
): Promise<StoredPage> {
  const found = await list(runtime, "memory", {
    ...{ project, since, order: "oldest", limit: recordsAtOnce, offset },
  });
  const isLast = found.length < recordsAtOnce;
  const next: ExportCursor | null = isLast
    ? null
    : { stage: "memory", offset: offset + recordsAtOnce };
  return { records: stored("memory", found), next };
}

// Memory that is carried elsewhere and back: a page of it, and lines that are taken in.

const LinksSchema = optional(
  v.object({ supersededBy: optional(recordId), merged: optional(recordId) }),
  "The records that those fields name, by hashes that are the same in every memory.",
);

/** A page in a plugin's form. Throws `plugin_not_found` for one that exports nothing, and the plugin's own error. */
async function written({ hooks }: WithHooks, to: string, page: ExportPage): Promise<string> {
  const all = [...new Set(hooks.subscriptions("export").map(({ plugin }) => plugin))];
  if (!all.includes(to)) {
    const near = nearest(to, all);
    throw new MemoirError(
      "plugin_not_found",
      `No plugin in force exports as ${to}${near ? `; did you mean ${near}?` : "."}`,
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
        project: optional(v.pipe(recordId, v.nonEmpty("is empty"))),
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
      records: v.array(v.intersect([StoredRecordSchema, v.object({ links: LinksSchema })])),
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
      errors: v.array(v.object({ line: v.number(), message: v.string() })),
    }),
    run: ({ body: { lines, dryRun = false } }, { runtime }) => importLines(runtime, lines, dryRun),
  }),
];
