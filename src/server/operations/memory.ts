// What memory holds: search, single records, sessions, timelines; correcting it; and forgetting, for good or by the user's rules.

import * as v from "valibot";
import { memory, recordKinds } from "../../features/memory.ts";
import { copiesOf } from "../../home/old-copies.ts";
import { KeptPartSchema } from "../../runtime/endless/kept-rows.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { IndexStateSchema } from "../../runtime/hooks/hook-table.ts";
import { FaultSchema } from "../../runtime/status-schema.ts";
import { AuthorSchema } from "../../sdk/change.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { memoryKinds } from "../../sdk/model.ts";
import { editable } from "../../sdk/record-texts.ts";
import { amend, marked } from "../memory/amend.ts";
import { askMemory } from "../memory/ask.ts";
import { sessionContexts, traced } from "../memory/context-preview.ts";
import { forget, whatGoes } from "../memory/forget.ts";
import { OutlineSchema, outlinesOf } from "../memory/overview.ts";
import {
  list,
  search,
  sessionsOf,
  type WithHooks,
  whoSaid,
  withProjectNames,
} from "../memory/records.ts";
import { askRelated, signKinds } from "../memory/related.ts";
import { timeline } from "../memory/timeline.ts";
import {
  atMost,
  bodyOf,
  described,
  filled,
  get,
  IdParams,
  limit,
  listOf,
  marks,
  NoBody,
  optional,
  post,
  queryOf,
  someIds,
  time,
  whole,
} from "../operation.ts";
import {
  ObservationSchema,
  PartSchema,
  PromptSchema,
  RecordAnswer,
  SessionSchema,
  SourceSchema,
  StoredItemSchema,
  StoredRecordSchema,
  SummarySchema,
  TimelineItemSchema,
  TurnSchema,
} from "../schemas/records.ts";

/** Where something found is of. */
const ofProject = {
  project: v.string(),
  projectName: optional(v.string(), "What the project is called beside others of its name."),
};

/** A hit of a search: a turn with the records that hold it, unless `by` asks for each record. */
const ResultSchema = v.object({
  id: v.string(),
  kind: v.picklist(recordKinds),
  by: optional(
    v.string(),
    "Who it is by, in a few words; of a turn, who said the passage that was found. A session has none.",
  ),
  session: v.string(),
  ...ofProject,
  type: v.string(),
  title: v.string(),
  subtitle: v.string(),
  score: v.number(),
  createdAt: v.number(),
  promptNumber: v.number(),
  facts: v.array(v.string()),
  files: v.array(v.string()),
  corrected: optional(v.record(v.string(), v.string())),
  supersededBy: optional(v.string()),
  readTokens: v.number(),
  excerpt: optional(v.string()),
  piece: optional(v.number()),
  why: optional(
    v.object({
      words: v.array(v.object({ word: v.string(), adds: v.number() })),
      field: v.string(),
      session: v.number(),
      documentRank: v.number(),
      likeness: optional(v.number()),
    }),
  ),
  marks: optional(v.array(v.picklist(marks))),
  asked: optional(v.string(), "What was asked in the turn, in a line."),
  failures: optional(
    v.array(v.object({ failed: v.string(), command: optional(v.string()), isFixed: v.boolean() })),
    "What failed in the turn, and whether it passed after files were changed.",
  ),
  parts: optional(v.array(PartSchema), "The records that hold the turn."),
  found: optional(v.string(), "The part that holds the excerpt, if it is another record."),
});

/** All of it read from the storage plugin. */
export const memoryOperations = [
  get("/api/search", {
    summary: `${memory.search.does}, best first.`,
    query: v.strictObject({
      ...queryOf(memory.search.takes),
      offset: optional(whole),
      titles: optional(v.literal("true"), "With the titles, clients and makers of their sessions."),
    }),
    answer: v.object({
      results: v.array(ResultSchema),
      titles: optional(v.record(v.string(), v.string()), "By the session's id."),
      clients: optional(v.record(v.string(), v.string()), "By the session's id."),
      makers: optional(
        v.record(v.string(), AuthorSchema),
        "By the session's id; none for one of this memory.",
      ),
    }),
    async run({ query: { titles, ...query } }, { seen }) {
      const found = await search(seen, {
        ...{ text: "", ...query },
        ...(query.asking !== undefined && { hidden: false }),
      });
      const results = await withProjectNames(seen, found);
      if (!titles) return { results };
      const sessions = await sessionsOf(seen, results);
      const named = sessions.flatMap(({ id, title }) =>
        title === "" ? [] : [[id, title] as const],
      );
      const clients = Object.fromEntries(sessions.map(({ id, client }) => [id, client]));
      const makers = Object.fromEntries(
        sessions.flatMap(({ id, from }) => (from ? [[id, from]] : [])),
      );
      return { results, titles: Object.fromEntries(named), clients, makers };
    },
  }),
  post("/api/ask", {
    summary: `${memory.ask.does}: a model words the searches and answers from the hits. Without a model, what plain search finds.`,
    body: v.strictObject({
      question: filled,
      ...bodyOf(memory.ask.takes),
      asking: optional(filled, "The session that asks: its last prompt is no answer."),
      cwd: optional(filled, "The folder that asks."),
    }),
    answer: v.object({
      sentences: described(
        v.array(v.object({ text: v.string(), sources: v.array(v.string()) })),
        "The answer, each sentence with the ids of the results that carry it. Empty where memory has nothing on it.",
      ),
      results: described(v.array(ResultSchema), "What was found, best first."),
      searched: described(v.array(v.string()), "The phrasings that were searched for."),
      model: v.nullable(v.string()),
      spent: v.object({
        calls: v.number(),
        tokens: v.number(),
        cost: described(v.nullable(v.number()), "US dollars; null where a price is not known."),
      }),
      problem: optional(FaultSchema, "Why no model answered."),
    }),
    run: ({ body }, { seen, now, request: { signal } }) => askMemory(seen, body, { now, signal }),
  }),
  post("/api/reindex", {
    summary: "Start to rebuild the search index; the status shows the progress.",
    body: NoBody,
    answer: IndexStateSchema,
    run: (_, { runtime }) => askStorage(runtime.hooks, "storage.reindex", {}),
  }),
  post("/api/forget", {
    summary: `${memory.forget.does}.`,
    body: v.strictObject({ ids: optional(someIds), ...bodyOf(memory.forget.takes) }),
    /** What goes, a line each, and its ids; the ids of all that went; the copies that still hold it. */
    answer: v.object({
      going: v.array(v.string()),
      ids: v.array(v.string()),
      deleted: v.array(v.string()),
      derived: described(
        v.array(v.string()),
        "Made from it alone; `derived: true` deletes these too.",
      ),
      repeats: described(
        v.array(v.string()),
        "May repeat it, and stays: it rests on other turns too.",
      ),
      named: described(
        v.record(v.string(), v.string()),
        "A line for each of these two, by its id.",
      ),
      copies: v.array(v.string()),
    }),
    async run({ body: { dryRun = false, ...rest } }, { runtime, seen }) {
      const { derived = false, backups = false, ...selection } = rest;
      const found = await whatGoes(seen, selection);
      const { lines: going, ids, repeats, named } = found;
      if (dryRun) {
        const copies = await copiesOf(runtime.home, found.since);
        return { going, ids, deleted: [], derived: found.derived, repeats, named, copies };
      }
      return { going, ids, ...(await forget(runtime, found, { derived, backups })) };
    },
  }),
  get("/api/records/:id", {
    summary: "One record by its id, who it is by, and where it went.",
    params: IdParams,
    answer: RecordAnswer,
    run: ({ params }, { runtime, seen }) => traced(runtime, seen, params.id),
  }),
  get("/api/related/:id", {
    summary: `${memory.related.does}, best first, with the reasons.`,
    params: IdParams,
    query: v.strictObject(queryOf(memory.related.takes)),
    answer: v.object({
      related: v.array(
        v.object({
          id: v.string(),
          kind: v.picklist(recordKinds),
          type: v.string(),
          session: v.string(),
          ...ofProject,
          title: v.string(),
          createdAt: v.number(),
          score: v.number(),
          because: v.array(v.object({ kind: v.picklist(signKinds), what: v.string() })),
          supersededBy: optional(v.string()),
        }),
      ),
    }),
    run: async ({ params, query }, { seen }) => ({
      related: await withProjectNames(seen, await askRelated(seen, params.id, query)),
    }),
  }),
  get("/api/sessions", {
    summary: `List sessions, newest first.`,
    query: v.strictObject({
      ...queryOf(memory.sessions.takes),
      offset: optional(whole),
      order: optional(v.picklist(["newest", "oldest"])),
      outline: optional(v.literal("true"), "With what came of each, counted."),
    }),
    answer: v.object({
      sessions: v.array(SessionSchema),
      outlines: optional(v.record(v.string(), OutlineSchema), "By the session's id."),
    }),
    async run({ query: { outline, ...query } }, { seen }) {
      const sessions = await list(seen, "session", query);
      return { sessions, ...(outline && { outlines: await outlinesOf(seen, sessions) }) };
    },
  }),
  get("/api/sessions/:id/told", {
    summary: "The contexts that a session got, and what Endless Mode removed from it.",
    params: IdParams,
    answer: v.object({
      told: v.array(
        v.object({
          session: v.string(),
          client: v.string(),
          event: v.string(),
          time: v.number(),
          tokens: v.number(),
          records: v.array(v.string()),
        }),
      ),
      records: v.array(SourceSchema),
      takenOut: v.array(KeptPartSchema),
    }),
    run: ({ params }, { seen }) => sessionContexts(seen, params.id),
  }),
  get("/api/sessions/:id", {
    summary: "One session, by its id or the beginning of it, with what is in it.",
    params: IdParams,
    query: v.strictObject({
      since: optional(
        v.pipe(v.string(), v.description("Epoch ms: `next` of the answer before."), time),
      ),
    }),
    /** `next`, where there is more, is where it goes on. */
    answer: v.object({
      next: optional(v.number()),
      session: SessionSchema,
      prompts: v.array(PromptSchema),
      summaries: v.array(SummarySchema),
      observations: v.array(ObservationSchema),
      turns: v.array(TurnSchema),
    }),
    run: ({ params, query }, { seen }) => wholeSession(seen, params.id, query),
  }),
  get("/api/memory", {
    summary: "Decisions, preferences, facts and the like, newest first.",
    query: v.strictObject({
      ...queryOf({
        project: memory.search.takes.project,
        session: memory.timeline.takes.session,
      }),
      kinds: optional(listOf(memoryKinds)),
      marked: optional(v.picklist(marks)),
      hidden: optional(
        v.pipe(
          v.literal("false"),
          v.description("Nothing that the user hid."),
          v.transform(() => false),
        ),
      ),
      limit: optional(limit(500)),
      offset: optional(whole),
    }),
    answer: v.object({
      items: v.array(v.intersect([StoredItemSchema, v.object({ by: v.string() })])),
    }),
    run: async ({ query }, { seen }) => ({
      items: (await list(seen, "memory", query)).map((record) => ({
        ...record,
        by: whoSaid({ kind: "memory", record }) ?? "",
      })),
    }),
  }),
  get("/api/timeline", {
    summary: `${memory.timeline.does}, oldest first.`,
    query: v.strictObject(queryOf(memory.timeline.takes)),
    /** Entries, and the record that was asked around. */
    answer: v.object({
      items: v.array(TimelineItemSchema),
      around: optional(StoredRecordSchema),
    }),
    run: ({ query }, { seen }) => timeline(seen, query),
  }),
];

/** How much of one session a page shows. */
const sessionPage = 500;

/** A session by its id or the beginning of it, with what is in it; a page at a time, by the times of what is in it. */
async function wholeSession(runtime: WithHooks, given: string, { since }: { since?: number }) {
  const found = await list(runtime, "session", { session: given, limit: 2 });
  const session = found.find(({ id }) => id === given) ?? found[0];
  if (!session) throw new MemoirError("record_not_found", "There is no such session.");
  const page = { session: session.id, limit: sessionPage, order: "oldest" as const, since };
  const [prompts, summaries, observations, turns] = await Promise.all([
    list(runtime, "prompt", page),
    list(runtime, "summary", page),
    list(runtime, "observation", page),
    list(runtime, "turn", page),
  ]);
  const cut = [
    ...[lastOf(prompts)?.time, lastOf(summaries)?.time, lastOf(observations)?.time],
    lastOf(turns)?.startedAt,
  ].filter((time) => time !== undefined);
  // What stands at that very moment comes twice, with the same id.
  const next = cut.length === 0 ? {} : { next: Math.max(Math.min(...cut), (since ?? 0) + 1) };
  return { session, prompts, summaries, observations, turns, ...next };
}

/** The last of a page that is full: there may be more. */
function lastOf<Item>(list: readonly Item[]): Item | undefined {
  return list.length >= sessionPage ? list.at(-1) : undefined;
}

// What the user makes of records: edit, pin, hide, merge and undo, and what is marked so.

const words = atMost(20_000);

/** All of them. */
export const amendOperations = [
  post("/api/amend", {
    summary: "Edit records in the user's words, pin or hide them, or undo it.",
    body: v.strictObject({
      ids: someIds,
      set: optional(
        v.record(v.string(), v.union([words, v.pipe(v.array(words), v.maxLength(50))])),
        `The user's own words, by field: ${editable.observation.join(", ")} of an observation; ${editable.memory.join(", ")}, state (\`standing\`) of a memory item; the texts of a summary; ${editable.session.join(", ")} of a session.`,
      ),
      undo: optional(v.boolean(), "Give back what was there before."),
      pinned: optional(v.boolean(), "At the top of every context."),
      hidden: optional(v.boolean(), "Kept, and hidden from agents."),
      merged: optional(
        filled,
        "The record that says what these say, too: they are hidden and name it, until they are hidden no more.",
      ),
      versions: optional(
        v.record(v.string(), v.string()),
        "By id, the `version` that was read: what was changed since is refused.",
      ),
    }),
    answer: v.object({
      records: v.array(StoredRecordSchema),
      unchanged: described(v.array(v.string()), "Already so: pinned, hidden, shown or confirmed."),
      along: described(
        v.array(v.string()),
        "Made of them, or quoting them: hidden, or shown again, with them.",
      ),
      derived: described(v.array(v.string()), "May repeat what was hidden, and is still shown."),
      withheld: described(
        v.array(v.string()),
        "No longer hidden themselves, but what they were made of, or their session, is.",
      ),
    }),
    run: ({ body }, { runtime }) => amend(runtime, body),
  }),
  get("/api/marked", {
    summary: "What the user pinned, hid or edited.",
    query: v.strictObject({
      mark: v.picklist(marks),
      ...queryOf({ project: memory.search.takes.project }),
    }),
    answer: v.object({ records: v.array(StoredRecordSchema) }),
    run: async ({ query: { mark, ...query } }, { seen }) => ({
      records: await marked(seen, mark, query),
    }),
  }),
];

// What memory no longer keeps by the user's rules, and letting it go now.

/** A request lasts no longer than so many sessions take. */
const mostSessions = 20;

/** The plan, and some sessions of it at a time. */
export const retentionOperations = [
  get("/api/retention", {
    summary: "What memory would delete by the rules in `retention.memory`.",
    answer: v.object({
      isBound: described(v.boolean(), "False where memory is kept forever."),
      sessions: v.array(
        v.object({
          id: v.string(),
          client: v.string(),
          project: v.object({ id: v.string(), name: v.string() }),
          lastActiveAt: v.number(),
          prompts: v.number(),
          rule: described(v.string(), "The config's key by which it goes."),
          stays: described(
            v.number(),
            "Records that stay: pinned, edited, or backed by a session that stays.",
          ),
        }),
      ),
      bytes: described(v.number(), "What memory takes."),
      freed: described(v.number(), "About how much of it would go."),
    }),
    run: (_, { retention }) => retention.plan(),
  }),
  post("/api/retention", {
    summary: "Let some of it go, the oldest first.",
    body: v.optional(
      v.strictObject({
        most: optional(
          v.pipe(
            v.number(),
            v.safeInteger("must be a whole number"),
            v.minValue(1, "must be 1 to 20"),
            v.maxValue(20, "must be 1 to 20"),
          ),
          "Sessions at most. Default 20.",
        ),
      }),
      {},
    ),
    /** What went, and how many sessions are left to go. */
    answer: v.object({
      sessions: v.number(),
      records: v.number(),
      left: v.number(),
    }),
    async run({ body: { most = mostSessions } }, { retention }) {
      const { sessions } = await retention.plan();
      const going = sessions.slice(0, most);
      let records = 0;
      for (const session of going) records += await retention.deleteSession(session);
      const left = sessions.length - going.length;
      if (left === 0) await retention.purge();
      return { sessions: going.length, records, left };
    },
  }),
];
