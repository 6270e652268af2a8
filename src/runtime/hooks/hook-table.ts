// What is known of each hook beside its kind: how long a call may take, whose slot it is, and what an answer has to be.
import * as v from "valibot";
import { ChangeSchema } from "../../sdk/change.ts";
import type { ClientEvent, ClientEventName } from "../../sdk/events.ts";
import type { HookName, Ranking } from "../../sdk/hooks.ts";
import {
  AgentSchema,
  MemoryItemSchema,
  NewObservationSchema,
  NewPromptSchema,
  NewSummarySchema,
  ProjectSchema,
  SessionUpdateSchema,
} from "../../sdk/model.ts";
import type { Slot } from "../../sdk/plugin.ts";
import type { PutRequest, PutResult } from "../../sdk/storage.ts";
import { NewTurnSchema } from "../../sdk/turn.ts";

/** The texts that hooks bring, as whoever adds a plugin reads them, in this order. */
export const textsOfHooks = {
  raw: "every event's texts, before secrets are removed",
  prompts: "your prompts",
  tools: "what tools are given and answer",
  answers: "the agent's answers",
  sessions: "the starts and ends of sessions and subagents",
  compactions: "compactions and their summaries",
  unknown: "events that memoir does not know, whole",
  turns: "prompts, tool uses and answers of whole turns",
  asked: "what models are asked",
  conversations: "whole conversations on their way to the model",
  records: "your memory's records",
  sealed: "sealed batches that it cannot read",
} as const;
type Texts = keyof typeof textsOfHooks;

interface HookFacts {
  /** What its handlers get to read. */
  gets: Texts;
  /** How long one call of a handler may take when its subscription does not say, in ms. */
  deadlineMs: number;
  /** The slot whose work it is. */
  slot?: Slot;
  /** What an answer has to be, where somebody else's work would break on anything else. */
  answer?: v.GenericSchema;
}

const text = v.string();
const texts = v.array(text);
const count = v.pipe(v.number(), v.minValue(0));
const id = { id: text };

// Of what is stored only the form counts: a person may have edited its words.
const observation = v.object({ ...NewObservationSchema.entries, ...id, type: text, title: text });
const summary = v.object({ ...NewSummarySchema.entries, ...id });
const prompt = v.object({ ...NewPromptSchema.entries, ...id });
const memory = v.object({ ...MemoryItemSchema.entries, ...id });
const turn = v.object({ ...NewTurnSchema.entries, ...id });
const session = v.object({
  ...SessionUpdateSchema.entries,
  title: text,
  subtitle: text,
  prompts: v.number(),
  observations: v.number(),
});

const stored = v.variant("kind", [
  v.object({ kind: v.literal("observation"), record: observation }),
  v.object({ kind: v.literal("summary"), record: summary }),
  v.object({ kind: v.literal("prompt"), record: prompt }),
  v.object({ kind: v.literal("session"), record: session }),
  v.object({ kind: v.literal("memory"), record: memory }),
  v.object({ kind: v.literal("turn"), record: turn }),
]);

const hit = v.object({
  ...id,
  kind: v.picklist(["observation", "summary", "prompt", "session", "memory", "turn"]),
  session: text,
  project: text,
  type: text,
  title: text,
  subtitle: text,
  score: v.number(),
  createdAt: v.number(),
  promptNumber: v.number(),
  facts: texts,
  files: texts,
  corrected: v.optional(v.record(text, text)),
  readTokens: v.number(),
  excerpt: v.optional(text),
  piece: v.optional(v.number()),
  why: v.optional(
    v.object({
      words: v.array(v.object({ word: text, adds: v.number() })),
      field: text,
      session: v.number(),
      documentRank: v.number(),
      likeness: v.optional(v.number()),
    }),
  ),
});

/** How what search needs beside the records is doing. */
export const IndexStateSchema = v.object({
  isWhole: v.boolean(),
  indexed: v.number(),
  records: v.number(),
  madeAnewAt: v.optional(v.number()),
});

const projectCount = {
  ...id,
  name: text,
  plain: v.optional(text),
  sessions: v.number(),
  observations: v.number(),
  lastActiveAt: v.number(),
};

/** What a storage says of itself, to whoever asks for its status too. */
export const StatsSchema = v.object({
  sessions: v.number(),
  prompts: v.number(),
  observations: v.number(),
  summaries: v.number(),
  memory: v.number(),
  turns: v.number(),
  bytes: v.number(),
  schemaVersion: v.number(),
  index: v.optional(IndexStateSchema),
  meaning: v.optional(v.object({ model: text, turns: v.number(), trouble: v.optional(text) })),
  projects: v.array(v.object({ ...projectCount, ids: v.optional(texts) })),
});

/** A project, what it is made of, and what looks like it. */
export const ProjectDetailsSchema = v.object({
  ...projectCount,
  ids: texts,
  folders: texts,
  like: v.array(v.object({ ...id, why: text })),
});

const reply = v.object({
  context: v.nullish(text),
  records: v.nullish(texts),
  traces: v.nullish(v.array(texts)),
  omitted: v.nullish(v.record(text, text)),
  noted: v.nullish(texts),
  systemMessage: v.nullish(text),
});

const json = v.nullable(v.record(text, v.unknown()));
const extraction = v.object({
  batch: v.looseObject({}),
  result: v.object({ observations: v.array(v.unknown()) }),
});
const completion = v.object({
  text,
  model: text,
  usage: v.object({ input: count, output: count, cacheRead: count, cacheWrite: count }),
  stopReason: v.picklist(["end", "max_tokens", "refusal", "other"]),
});
const putResult = v.object({
  written: v.boolean(),
  observations: texts,
  summaries: texts,
  turns: v.optional(texts),
});

const position = v.record(text, count);
const changesPage = v.object({
  ...{ replica: text, position, upTo: position },
  changes: v.array(ChangeSchema),
});
const applied = v.object({
  ...{ replica: text, position, copied: v.boolean(), changed: texts, gone: texts },
  ...{ applied: count, repeated: count, waiting: count },
  refused: v.array(v.object({ replica: text, number: v.number(), why: text })),
  came: v.optional(texts),
});

const clientEvent = (gets: Texts): HookFacts => ({ gets, deadlineMs: 1_000, answer: reply });
const notice = (gets: Texts): HookFacts => ({ gets, deadlineMs: 5_000 });
const modelMs = 120_000;

/** A hook of the slot `storage`. */
function ofStorage(answer: v.GenericSchema): HookFacts {
  return { gets: "records", deadlineMs: 15_000, slot: "storage", answer };
}

/** A hook of the slot `hub`: nothing waits for it but the exchange with other homes. */
function ofHub(answer: v.GenericSchema): HookFacts {
  return { gets: "sealed", deadlineMs: 30_000, slot: "hub", answer };
}

const bytes = v.instance(Uint8Array);
const batchNumber = v.pipe(count, v.safeInteger());

/** Every hook. `capture` is held against the event it was given; `observe` and `summarize` are checked by who asks. */
export const hookFacts: { readonly [Name in HookName]: HookFacts } = {
  // One part of what the hook command waits for; all of them: `ownDeadlineMs` in `server/endpoint.ts`.
  SessionStart: { gets: "sessions", deadlineMs: 1_200, slot: "context-injection", answer: reply },
  UserPromptSubmit: {
    gets: "prompts",
    deadlineMs: 1_500,
    slot: "context-injection",
    answer: reply,
  },
  PreToolUse: clientEvent("tools"),
  PostToolUse: clientEvent("tools"),
  PostToolUseFailure: clientEvent("tools"),
  PostToolBatch: clientEvent("tools"),
  Stop: clientEvent("answers"),
  SubagentStart: clientEvent("sessions"),
  SubagentStop: clientEvent("answers"),
  SessionEnd: clientEvent("sessions"),
  PreCompact: clientEvent("compactions"),
  PostCompact: clientEvent("compactions"),
  Other: clientEvent("unknown"),
  // Nobody else can read the payload: what is late is lost.
  "client.payload": { gets: "raw", deadlineMs: 2_000, answer: v.object({ payload: json }) },
  "client.answer": { gets: "raw", deadlineMs: 1_000, answer: v.object({ answer: json }) },
  capture: { gets: "raw", deadlineMs: 500, slot: "capture" },
  observe: { gets: "turns", deadlineMs: modelMs, slot: "observation" },
  extract: { gets: "turns", deadlineMs: modelMs, slot: "observation", answer: extraction },
  summarize: { gets: "turns", deadlineMs: modelMs, slot: "summarization" },
  complete: { gets: "asked", deadlineMs: modelMs, slot: "provider", answer: completion },
  "storage.put": ofStorage(putResult),
  "storage.search": ofStorage(v.array(hit)),
  "storage.get": ofStorage(v.array(stored)),
  "storage.observations": ofStorage(v.array(observation)),
  "storage.summaries": ofStorage(v.array(summary)),
  "storage.prompts": ofStorage(v.array(prompt)),
  "storage.sessions": ofStorage(v.array(session)),
  "storage.memory": ofStorage(v.array(memory)),
  "storage.turns": ofStorage(v.array(turn)),
  "storage.stats": ofStorage(StatsSchema),
  "storage.delete": ofStorage(v.object({ deleted: texts })),
  "storage.amend": ofStorage(stored),
  "storage.projects": ofStorage(v.array(ProjectDetailsSchema)),
  "storage.changes": ofStorage(changesPage),
  "storage.apply": ofStorage(applied),
  "storage.reindex": ofStorage(IndexStateSchema),
  "hub.push": ofHub(
    v.object({
      state: v.picklist(["stored", "there", "taken", "behind"]),
      number: batchNumber,
    }),
  ),
  "hub.pull": ofHub(
    v.object({
      batches: v.array(v.object({ stream: text, number: batchNumber, bytes })),
      heads: v.array(v.object({ stream: text, number: batchNumber, digest: text })),
      more: v.boolean(),
    }),
  ),
  "hub.write": ofHub(v.object({ written: v.boolean() })),
  "hub.files": ofHub(v.object({ files: v.array(v.object({ name: text, bytes })) })),
  "hub.remove": ofHub(v.object({})),
  "hub.wait": { ...ofHub(v.object({ changed: v.boolean() })), deadlineMs: 60_000 },
  "hub.health": ofHub(
    v.object({
      ok: v.boolean(),
      where: text,
      trouble: v.optional(text),
      bytes: v.optional(count),
    }),
  ),
  // Before the agent's own request goes out: late is as good as never.
  request: { gets: "conversations", deadlineMs: 2_000, slot: "endless-mode" },
  responded: notice("conversations"),
  stored: notice("records"),
  forgotten: notice("records"),
  amended: notice("records"),
  settled: notice("turns"),
  shown: notice("records"),
  rank: {
    gets: "records",
    deadlineMs: 1_000,
    answer: v.object({ results: v.array(v.object(id)) }),
  },
  export: { gets: "records", deadlineMs: 30_000, answer: v.object({ text }) },
};

// What is wrong with a plugin's answer, where somebody else's work would break on it.

/** What is wrong with a plugin's answer, in words without any of its text; undefined when nothing is. */
export function answerObjection(
  hook: HookName,
  input: unknown,
  answer: object,
): string | undefined {
  if (answer === input) return undefined;
  if (hook === "capture") return eventObjection(input as ClientEvent, answer);
  // Of a part that is no hook: what goes out as JSON has to be such, and a document is a text.
  if (hook.startsWith("operations.")) return jsonObjection(answer);
  if (hook.startsWith("panels."))
    return typeof (answer as { answer?: unknown }).answer === "string"
      ? undefined
      : "it answered no text";
  const schema = hookFacts[hook]?.answer;
  const parsed = schema && v.safeParse(schema, answer, { abortEarly: true });
  if (parsed && !parsed.success)
    return `its answer does not fit ${hook} (${v.getDotPath(parsed.issues[0]) ?? "answer"})`;
  if (hook === "rank") return rankObjection(input as Ranking, answer as Ranking);
  if (hook === "storage.put") return putObjection(input as PutRequest, answer);
  if ("updatedToolOutput" in answer) return jsonObjection(answer.updatedToolOutput);
  return undefined;
}

/** A step may move what was found: nothing is lost, made up or found twice by it. */
function rankObjection(input: Ranking, answer: Ranking): string | undefined {
  const given = new Set(input.results.map((one) => one.id));
  const answered = new Set(answer.results.map((one) => one.id));
  const added = [...answered].filter((one) => !given.has(one)).length;
  const lost = [...given].filter((one) => !answered.has(one)).length;
  if (added > 0) return `it answered rank with ${added} results that were not found`;
  if (lost > 0) return `it answered rank without ${lost} of ${given.size} results`;
  if (answer.results.length > answered.size) return "it answered rank with a result twice";
  return undefined;
}

/** Without an id for each record the work would pass for stored, and nothing could be found again. */
function putObjection({ records }: PutRequest, answer: object): string | undefined {
  const { written, ...given } = answer as PutResult;
  if (!written) return undefined;
  for (const kind of ["observations", "summaries", "turns"] as const) {
    const asked = records[kind]?.length ?? 0;
    // A storage that was written before there were turns may go without, as long as it is given none.
    const count = given[kind]?.length ?? 0;
    if (count !== asked) return `it answered storage.put with ${count} ids for ${asked} ${kind}`;
  }
  return undefined;
}

// Is a capture plugin's answer still the event that it was given, in a form that the journal can keep?

const maybeText = v.optional(text);
const tool = { toolName: text, toolUseId: text };

/** What of an event is read by name; the rest may be anything that is JSON. */
const base = {
  cwd: text,
  project: v.optional(ProjectSchema),
  agent: v.optional(AgentSchema),
  transcriptPath: maybeText,
  transcriptBytes: v.optional(v.number()),
  promptId: maybeText,
  withheld: v.optional(v.boolean()),
};

const eventFields: { readonly [Name in ClientEventName]: v.ObjectEntries } = {
  SessionStart: { source: text, model: maybeText },
  UserPromptSubmit: { prompt: text },
  PreToolUse: tool,
  PostToolUse: tool,
  PostToolUseFailure: { ...tool, error: text, isInterrupt: v.boolean() },
  PostToolBatch: { toolCalls: v.array(v.object(tool)) },
  Stop: { stopHookActive: v.boolean(), lastAssistantMessage: maybeText },
  SubagentStart: {},
  SubagentStop: { lastAssistantMessage: maybeText, agentTranscriptPath: maybeText },
  SessionEnd: { reason: text },
  PreCompact: { trigger: text },
  PostCompact: { trigger: text, compactSummary: maybeText },
  Other: { clientEvent: text },
};

const eventSchemas = new Map(
  Object.entries(eventFields).map(([name, entries]) => [name, v.object({ ...base, ...entries })]),
);

/** A plugin may change what an event says, not which happening it is. */
export const unchangeableFields = [
  "id",
  "key",
  "name",
  "client",
  "session",
  "time",
  "toolUseId",
] as const;

/** What is wrong with it, in words without any of its text; undefined when nothing is. */
export function eventObjection(event: ClientEvent, answer: object): string | undefined {
  if ("drop" in answer)
    return typeof answer.drop === "string" ? undefined : "its `drop` must be a string";
  const given = answer as Record<string, unknown>;
  const before = event as unknown as Record<string, unknown>;
  const changed = unchangeableFields.find((field) => given[field] !== before[field]);
  if (changed !== undefined)
    return `it answered with something that is not the event it was given (${changed})`;
  const schema = eventSchemas.get(event.name);
  const parsed = schema && v.safeParse(schema, answer, { abortEarly: true });
  if (parsed && !parsed.success)
    return `it answered with something that is no ${event.name} event (${v.getDotPath(parsed.issues[0]) ?? "event"})`;
  return jsonObjection(answer);
}

/** Why a value cannot be written as JSON: a cycle, a bigint, a `toJSON` that throws. */
function jsonObjection(value: unknown): string | undefined {
  try {
    JSON.stringify(value);
    return undefined;
  } catch {
    return "it answered with something that cannot be written as JSON";
  }
}
