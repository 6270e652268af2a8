// What a plugin's answer to each hook has to be, where somebody else's work would break on anything else.
import * as v from "valibot";
import type { ClientEvent } from "../../sdk/events.ts";
import { clientEventNames, type HookName } from "../../sdk/hooks.ts";
import {
  MemoryItemSchema,
  NewObservationSchema,
  NewPromptSchema,
  NewSummarySchema,
  SessionUpdateSchema,
} from "../../sdk/model.ts";
import type { PutRequest, PutResult } from "../../sdk/storage.ts";
import { NewTurnSchema } from "../../sdk/turn.ts";
import { eventObjection, jsonObjection } from "./event-shape.ts";

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

const index = v.object({
  isWhole: v.boolean(),
  indexed: count,
  records: count,
  madeAnewAt: v.optional(v.number()),
});

const stats = v.object({
  sessions: v.number(),
  prompts: v.number(),
  observations: v.number(),
  summaries: v.number(),
  memory: v.number(),
  turns: v.number(),
  bytes: v.number(),
  schemaVersion: v.number(),
  index: v.optional(index),
  meaning: v.optional(v.object({ model: text, turns: v.number(), trouble: v.optional(text) })),
  projects: v.array(
    v.object({
      ...id,
      name: text,
      sessions: v.number(),
      observations: v.number(),
      lastActiveAt: v.number(),
    }),
  ),
});

const reply = v.object({
  context: v.nullish(text),
  records: v.nullish(texts),
  traces: v.nullish(v.array(texts)),
  noted: v.nullish(texts),
  systemMessage: v.nullish(text),
});

const object = v.record(text, v.unknown());

/** `capture` and `put` are held against what they were given; `observe` and `summarize` are checked by who asks. */
const shapes: Partial<Record<HookName, v.GenericSchema>> = {
  ...Object.fromEntries(clientEventNames.map((name) => [name, reply])),
  "client.payload": v.object({ payload: v.nullable(object) }),
  "client.answer": v.object({ answer: v.nullable(object) }),
  extract: v.object({
    batch: v.looseObject({}),
    result: v.object({ observations: v.array(v.unknown()) }),
  }),
  complete: v.object({
    text,
    model: text,
    usage: v.object({ input: count, output: count, cacheRead: count, cacheWrite: count }),
    stopReason: v.picklist(["end", "max_tokens", "refusal", "other"]),
  }),
  "storage.put": v.object({
    written: v.boolean(),
    observations: texts,
    summaries: texts,
    turns: v.optional(texts),
  }),
  "storage.search": v.array(hit),
  "storage.get": v.array(stored),
  "storage.observations": v.array(observation),
  "storage.summaries": v.array(summary),
  "storage.prompts": v.array(prompt),
  "storage.sessions": v.array(session),
  "storage.memory": v.array(memory),
  "storage.turns": v.array(turn),
  "storage.stats": stats,
  "storage.delete": v.object({ deleted: texts }),
  "storage.amend": stored,
  "storage.reindex": index,
};

/** What is wrong with a plugin's answer, in words without any of its text; undefined when nothing is. */
export function answerObjection(
  hook: HookName,
  input: unknown,
  answer: object,
): string | undefined {
  if (answer === input) return undefined;
  if (hook === "capture") return eventObjection(input as ClientEvent, answer);
  const schema = shapes[hook];
  const parsed = schema && v.safeParse(schema, answer, { abortEarly: true });
  if (parsed && !parsed.success)
    return `its answer is not what ${hook} wants (${v.getDotPath(parsed.issues[0]) ?? "answer"})`;
  if (hook === "storage.put") return putObjection(input as PutRequest, answer);
  if ("updatedToolOutput" in answer) return jsonObjection(answer.updatedToolOutput);
  return undefined;
}

/** Without an id for each record the work would pass for stored, and nothing could be found again. */
function putObjection({ records }: PutRequest, answer: object): string | undefined {
  // A storage that was written before there were turns may go without, as long as it is given none.
  const {
    written,
    observations,
    summaries,
    turns = [],
  } = answer as Omit<PutResult, "turns"> & {
    turns?: string[];
  };
  if (!written) return undefined;
  const wanted = {
    observations: records.observations,
    summaries: records.summaries,
    turns: records.turns,
  };
  for (const [kind, given] of Object.entries({ observations, summaries, turns })) {
    const asked = wanted[kind as keyof typeof wanted]?.length ?? 0;
    if (given.length !== asked)
      return `it answered storage.put with ${given.length} ids for ${asked} ${kind}`;
  }
  return undefined;
}
