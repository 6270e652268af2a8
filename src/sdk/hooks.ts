// The typed hook map: every hook's kind, input and output. Handlers, runners and listings are all inferred from it.
import type { ApplyRequest, ApplyResult, ChangesPage, ChangesQuery } from "./change.ts";
import type { ModelRequest, ModelResponse } from "./endless.ts";
import type { ClientEvent, ClientEventName, ClientEvents, Reply } from "./events.ts";
import type {
  HubFile,
  HubHealth,
  HubPull,
  HubPulled,
  HubPush,
  HubPushed,
  HubWrite,
} from "./hub.ts";
import type { MemoryItem, Observation, Prompt, Session, Summary } from "./model.ts";
import type { Completion, CompletionRequest } from "./provider.ts";
import type {
  AmendRequest,
  DeleteResult,
  ListQuery,
  MemoryListQuery,
  ProjectChange,
  ProjectCount,
  PutRequest,
  PutResult,
  SearchIndexState,
  SearchQuery,
  SearchResult,
  StorageStats,
  StoredRecord,
  SummaryListQuery,
  TurnListQuery,
} from "./storage.ts";
import type { Turn } from "./turn.ts";
import type {
  ObservationBatch,
  ObservationResult,
  Settled,
  SummaryInput,
  SummaryResult,
} from "./work.ts";

/**
 * How the handlers of one hook are run.
 * - `parallel`: all at once, results ignored (`stored`, `settled`).
 * - `sequence`: one after the other, every result collected in order.
 * - `reduce`: each handler transforms the value for the next; no result leaves it as it is.
 * - `first`: the first result wins; a handler may wrap those after it with `ctx.next()`; an error passes on to the next.
 */
export type HookKind = "parallel" | "sequence" | "reduce" | "first";

interface Hook<Kind extends HookKind, Input, Output = undefined> {
  kind: Kind;
  input: Input;
  output: Output;
}

/** A capture plugin's answer that takes the event out, with the reason that `status` shows. */
export interface Drop {
  drop: string;
}

/** What extractors refine: the batch and what was made of it so far. */
export interface Extraction {
  batch: ObservationBatch;
  result: ObservationResult;
}

/** What a search found, best first, before it is shown. */
export interface Ranking {
  query: SearchQuery;
  results: SearchResult[];
}

/** A page of everything that memory holds, for an exporter. */
export interface ExportPage {
  records: StoredRecord[];
  isFirst: boolean;
  isLast: boolean;
}

/** Notified after records became durable. */
export interface StoredNotice {
  session: string;
  project: string;
  observations: Observation[];
  summaries: Summary[];
  /** Items that the user asked to remember; absent where there are none. */
  memory?: MemoryItem[];
  /** Nothing more is made of the session, unless it goes on. */
  ended?: true;
}

/** Notified after records were forgotten for good: a plugin that keeps something of them lets go of it. */
export interface ForgottenNotice {
  /** Of every record that went; of a session also the client's id of it. */
  ids: string[];
  /** The client's ids of the sessions of which turns went, or all. */
  sessions?: string[];
  /** The tool uses of what went, as far as they are known. */
  toolUses?: string[];
}

/** Notified after a session was given a context: never for a preview. */
export interface ShownNotice {
  session: string;
  /** `Project.id`, or the folder where there is none. */
  project: string;
  /** The event that it answers. */
  event: ClientEventName;
  /** Epoch ms. */
  time: number;
  /** Of the records that it names. */
  ids: string[];
}

type ClientHooks = {
  [Name in keyof ClientEvents]: Hook<"sequence", ClientEvents[Name], Reply>;
};

/** Every hook there is. A plugin subscribes by name; inputs and outputs are structured-cloneable. */
export interface HookMap extends ClientHooks {
  /** A payload of a client that memoir does not know, in the form of Claude Code's hooks (null: no event); and what its hook prints. */
  "client.payload": Hook<"first", { client: string; payload: unknown }, { payload: object | null }>;
  "client.answer": Hook<"first", { event: ClientEvent; reply: Reply }, { answer: object | null }>;
  /**
   * Slot `capture`: filter, redact, enrich an event before anything is written.
   *
   * @example
   * ```ts
   * import { mapEvent, mapTexts } from "memoir/privacy";
   * import { definePlugin } from "memoir/sdk";
   *
   * export default definePlugin({
   *   name: "no-customers",
   *   description: "Takes customers' numbers out.",
   *   sdk: 1,
   *   slot: "capture",
   *   hooks: {
   *     capture: (event) =>
   *       mapEvent(event, (value) =>
   *         mapTexts(value, (text) => text.replace(/CUST-\d+/g, "[customer]")),
   *       ),
   *   },
   * });
   * ```
   */
  capture: Hook<"reduce", ClientEvent, ClientEvent | Drop>;
  /**
   * Slot `observation`: tool uses become observations.
   *
   * @example
   * ```ts
   * import { definePlugin, type ToolUse } from "memoir/sdk";
   *
   * const failureOf = ({ id, name, error = "" }: ToolUse) => ({
   *   ...{ type: "discovery", title: `${name} failed`, subtitle: error.slice(0, 100) },
   *   ...{ facts: [], narrative: error, concepts: ["failure"] },
   *   ...{ filesRead: [], filesModified: [] },
   *   toolUseIds: [id],
   * });
   *
   * export default definePlugin({
   *   name: "failures",
   *   description: "Keeps failures; the next in the slot has the rest.",
   *   sdk: 1,
   *   slot: "observation",
   *   events: ["PostToolUseFailure", "Stop"],
   *   hooks: {
   *     async observe(batch, ctx) {
   *       const failed = batch.toolUses.filter((use) => use.error !== undefined && !use.withheld);
   *       const rest = await ctx.next();
   *       return { ...rest, observations: [...(rest?.observations ?? []), ...failed.map(failureOf)] };
   *     },
   *   },
   * });
   * ```
   */
  observe: Hook<"first", ObservationBatch, ObservationResult>;
  /**
   * Slot `observation`, stacked on `observe`: add to, change or remove what was observed.
   *
   * @example
   * ```ts
   * import { definePlugin } from "memoir/sdk";
   *
   * export default definePlugin({
   *   name: "no-trivia",
   *   description: "Leaves out observations without a fact.",
   *   sdk: 1,
   *   hooks: {
   *     extract({ batch, result }) {
   *       const observations = result.observations.filter(({ facts }) => facts.length > 0);
   *       return { batch, result: { ...result, observations } };
   *     },
   *   },
   * });
   * ```
   */
  extract: Hook<"reduce", Extraction, Extraction>;
  /**
   * Slot `summarization`: titles and summaries.
   *
   * @example
   * ```ts
   * import { definePlugin } from "memoir/sdk";
   * import { oneLine } from "memoir/text";
   *
   * export default definePlugin({
   *   name: "first-words",
   *   description: "Takes a session's title from its first prompt.",
   *   sdk: 1,
   *   slot: "summarization",
   *   hooks: {
   *     summarize({ scope, prompts }) {
   *       if (scope !== "opening") return undefined;
   *       return { title: oneLine(prompts[0]?.text ?? "").split(" ").slice(0, 6).join(" ") };
   *     },
   *   },
   * });
   * ```
   */
  summarize: Hook<"first", SummaryInput, SummaryResult>;
  /**
   * Slot `provider`: a model answers.
   *
   * @example
   * ```ts
   * import { definePlugin, MemoirError } from "memoir/sdk";
   * import * as v from "valibot";
   *
   * const AnswerSchema = v.object({ text: v.string(), read: v.number(), written: v.number() });
   *
   * export default definePlugin({
   *   name: "own-model",
   *   description: "Asks a model that runs here.",
   *   sdk: 1,
   *   slot: "provider",
   *   hooks: {
   *     async complete({ system, messages, maxTokens }, ctx) {
   *       const body = JSON.stringify({ system, messages, maxTokens });
   *       const asked = { method: "POST", body, signal: ctx.signal };
   *       const response = await fetch("http://127.0.0.1:8080/answer", asked);
   *       const answer = v.safeParse(AnswerSchema, await response.json());
   *       if (!answer.success) throw new MemoirError("provider_answer", "own-model answered something else.");
   *       const { text, read, written } = answer.output;
   *       const usage = { input: read, output: written, cacheRead: 0, cacheWrite: 0 };
   *       return { text, model: "own", usage, stopReason: "end" };
   *     },
   *   },
   * });
   * ```
   */
  complete: Hook<"first", CompletionRequest, Completion>;
  /**
   * Slot `storage`, the hooks below.
   *
   * @example
   * ```ts
   * import { join } from "node:path";
   * import { openRecords, recordHooks } from "memoir/records";
   * import { definePlugin } from "memoir/sdk";
   *
   * export default definePlugin({
   *   name: "elsewhere",
   *   description: "Keeps memory in a file of its own.",
   *   sdk: 1,
   *   slot: "storage",
   *   start: async (ctx) => ({ records: await openRecords(join(ctx.home, "elsewhere.db"), ctx.now) }),
   *   hooks: recordHooks,
   *   stop: (state) => state?.records.close(),
   * });
   * ```
   */
  "storage.put": Hook<"first", PutRequest, PutResult>;
  "storage.search": Hook<"first", SearchQuery, SearchResult[]>;
  /** Answers in the order asked; unknown ids are left out. A session is asked by the client's session id. */
  "storage.get": Hook<"first", { ids: string[]; hidden?: boolean }, StoredRecord[]>;
  "storage.observations": Hook<"first", ListQuery, Observation[]>;
  "storage.summaries": Hook<"first", SummaryListQuery, Summary[]>;
  "storage.prompts": Hook<"first", ListQuery, Prompt[]>;
  "storage.sessions": Hook<"first", ListQuery, Session[]>;
  /** Standing decisions, preferences and facts. A memory item has no type, concepts or files. */
  "storage.memory": Hook<"first", MemoryListQuery, MemoryItem[]>;
  /** What was said and done between two prompts, word for word. */
  "storage.turns": Hook<"first", TurnListQuery, Turn[]>;
  "storage.stats": Hook<"first", Record<string, never>, StorageStats>;
  /** Forgets records for good: a turn with its prompt, a session (its client's whole id) with all of it. `gently`: room may stay taken. */
  "storage.delete": Hook<"first", { ids: string[]; gently?: boolean }, DeleteResult>;
  /** Edits, pins or hides a record, and answers it; a later put leaves its texts. Rejects with `usage`, `record_not_found`. Optional. */
  "storage.amend": Hook<"first", AmendRequest, StoredRecord>;
  /** Keeps what a person decided about projects, if anything, and answers all. Optional. */
  "storage.projects": Hook<"first", { change?: ProjectChange }, ProjectCount[]>;
  /** Some of the changes that made this memory, for another to apply. Optional: without it and the next one memory is not shared. */
  "storage.changes": Hook<"first", ChangesQuery, ChangesPage>;
  /** Takes changes of other memories in, all or none: in any order, and as often as they come. Optional. */
  "storage.apply": Hook<"first", ApplyRequest, ApplyResult>;
  /** Begins to make anew what search needs, and answers at once; `storage.stats` tells how far it is. */
  "storage.reindex": Hook<"first", Record<string, never>, SearchIndexState>;
  /**
   * Slot `hub`, the hooks below. Keeps a batch before it answers; a repeat changes nothing.
   *
   * @example
   * ```ts
   * import { definePlugin } from "memoir/sdk";
   *
   * const kept = new Map<string, Uint8Array>();
   *
   * export default definePlugin({
   *   name: "one-process",
   *   description: "A hub's files, for as long as this process lives.",
   *   sdk: 1,
   *   slot: "hub",
   *   hooks: {
   *     "hub.write"({ space, name, bytes, isNew }) {
   *       if (isNew && kept.has(`${space}/${name}`)) return { written: false };
   *       kept.set(`${space}/${name}`, bytes);
   *       return { written: true };
   *     },
   *     "hub.health": () => ({ ok: true, where: "this process" }),
   *   },
   * });
   * ```
   */
  "hub.push": Hook<"first", HubPush, HubPushed>;
  "hub.pull": Hook<"first", HubPull, HubPulled>;
  "hub.write": Hook<"first", HubWrite, { written: boolean }>;
  /** Files of a space whose names begin so, in the order of their names. */
  "hub.files": Hook<"first", { space: string; prefix: string }, { files: HubFile[] }>;
  /** Takes files away; a name that is not there is none the less gone. */
  "hub.remove": Hook<"first", { space: string; names: string[] }, Record<string, never>>;
  /** Answers once something may have come into one of the spaces, or after so many ms. */
  "hub.wait": Hook<"first", { spaces: string[]; ms: number }, { changed: boolean }>;
  "hub.health": Hook<"first", { space?: string }, HubHealth>;
  /**
   * Slot `endless-mode`: change what a client is about to send to its model. Without an answer in time it goes as it came.
   *
   * @example
   * ```ts
   * import { definePlugin } from "memoir/sdk";
   *
   * export default definePlugin({
   *   name: "fewer-words",
   *   description: "Lets a model answer at most 4,000 tokens.",
   *   sdk: 1,
   *   slot: "endless-mode",
   *   hooks: {
   *     request: (request) => ({ ...request, body: { ...request.body, max_tokens: 4_000 } }),
   *   },
   * });
   * ```
   */
  request: Hook<"reduce", ModelRequest, ModelRequest>;
  /** A model answered through the gateway. */
  responded: Hook<"parallel", ModelResponse>;
  /**
   * A step in search's ranking, for people and agents: the same results in another order.
   *
   * @example
   * ```ts
   * import { definePlugin } from "memoir/sdk";
   *
   * export default definePlugin({
   *   name: "decisions-first",
   *   description: "Puts decisions before all else that a search finds.",
   *   sdk: 1,
   *   hooks: {
   *     rank({ query, results }) {
   *       const isFirst = ({ type }: { type: string }) => type === "decision";
   *       return { query, results: results.toSorted((a, b) => +isFirst(b) - +isFirst(a)) };
   *     },
   *   },
   * });
   * ```
   */
  rank: Hook<"reduce", Ranking, Ranking>;
  /** Writes memory in a form of its own: `memoir memory export --to <plugin>`. Called page by page, and asked for the text of each. */
  export: Hook<"first", ExportPage, { text: string }>;
  /**
   * Records became durable.
   *
   * @example
   * ```ts
   * import { definePlugin } from "memoir/sdk";
   *
   * export default definePlugin({
   *   name: "count",
   *   description: "Logs how much became durable.",
   *   sdk: 1,
   *   hooks: { stored: ({ observations }, ctx) => ctx.log.info(`${observations.length} stored`) },
   * });
   * ```
   */
  stored: Hook<"parallel", StoredNotice>;
  /** Records were forgotten, by the user's word. */
  forgotten: Hook<"parallel", ForgottenNotice>;
  /** A session was given a context. */
  shown: Hook<"parallel", ShownNotice>;
  /** The user edited, pinned or hid a record. */
  amended: Hook<"parallel", StoredRecord>;
  /** A tool use ended in stored, skipped or parked. */
  settled: Hook<"parallel", Settled>;
}

/** The name of a hook. */
export type HookName = keyof HookMap;
/** What the handlers of a hook are given. */
export type HookInput<Name extends HookName> = HookMap[Name]["input"];
/** What a handler of a hook may answer. */
export type HookOutput<Name extends HookName> = HookMap[Name]["output"];

/** The kind of each hook at run time; a hook that is missing here does not compile. */
export const hookKinds: { readonly [Name in HookName]: HookMap[Name]["kind"] } = {
  SessionStart: "sequence",
  UserPromptSubmit: "sequence",
  PreToolUse: "sequence",
  PostToolUse: "sequence",
  PostToolUseFailure: "sequence",
  PostToolBatch: "sequence",
  Stop: "sequence",
  SubagentStart: "sequence",
  SubagentStop: "sequence",
  SessionEnd: "sequence",
  PreCompact: "sequence",
  PostCompact: "sequence",
  Other: "sequence",
  "client.payload": "first",
  "client.answer": "first",
  capture: "reduce",
  observe: "first",
  extract: "reduce",
  summarize: "first",
  complete: "first",
  "storage.put": "first",
  "storage.search": "first",
  "storage.get": "first",
  "storage.observations": "first",
  "storage.summaries": "first",
  "storage.prompts": "first",
  "storage.sessions": "first",
  "storage.memory": "first",
  "storage.turns": "first",
  "storage.stats": "first",
  "storage.delete": "first",
  "storage.amend": "first",
  "storage.projects": "first",
  "storage.changes": "first",
  "storage.apply": "first",
  "storage.reindex": "first",
  "hub.push": "first",
  "hub.pull": "first",
  "hub.write": "first",
  "hub.files": "first",
  "hub.remove": "first",
  "hub.wait": "first",
  "hub.health": "first",
  request: "reduce",
  responded: "parallel",
  stored: "parallel",
  forgotten: "parallel",
  amended: "parallel",
  settled: "parallel",
  shown: "parallel",
  rank: "reduce",
  export: "first",
};

/** Names of hooks that are client events, in the order a session meets them: no other hook is a sequence. */
export const clientEventNames = (Object.keys(hookKinds) as HookName[]).filter(
  (name): name is ClientEventName => hookKinds[name] === "sequence",
);
