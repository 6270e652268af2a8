// Records as answers carry them: the contract's schemas, with what storage adds.
import * as v from "valibot";
import { recordKinds } from "../../features/memory.ts";
import { AuthorSchema } from "../../sdk/change.ts";
import {
  type MemoryItem,
  MemoryItemSchema,
  memoryKinds,
  NewObservationSchema,
  NewPromptSchema,
  NewSummarySchema,
  type Observation,
  type Prompt,
  type Session,
  SessionUpdateSchema,
  type Summary,
} from "../../sdk/model.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import { NewTurnSchema, type Turn } from "../../sdk/turn.ts";
import { described, describes, marks, optional } from "../operation.ts";

/** What storage adds. */
const stored = { id: v.string(), from: optional(AuthorSchema) };

/** A stored observation. */
export const ObservationSchema = describes<Observation>()(
  v.object({ ...NewObservationSchema.entries, ...stored, supersededBy: optional(v.string()) }),
);
/** A stored summary. */
export const SummarySchema = describes<Summary>()(
  v.object({ ...NewSummarySchema.entries, ...stored }),
);
/** A stored prompt. */
export const PromptSchema = describes<Prompt>()(
  v.object({ ...NewPromptSchema.entries, ...stored }),
);
/** A stored memory item. */
export const StoredItemSchema = describes<MemoryItem>()(
  v.object({ ...MemoryItemSchema.entries, ...stored }),
);
/** A stored session. */
export const SessionSchema = describes<Session>()(
  v.object({
    ...SessionUpdateSchema.entries,
    ...stored,
    title: v.string(),
    subtitle: v.string(),
    prompts: v.number(),
    observations: v.number(),
    endedAt: v.nullable(v.number()),
    endReason: optional(v.string()),
  }),
);

/** A stored turn: the evidence of one prompt. */
export const TurnSchema = describes<Turn>()(v.object({ ...NewTurnSchema.entries, ...stored }));

const observation = v.object({ kind: v.literal("observation"), record: ObservationSchema });
const summary = v.object({ kind: v.literal("summary"), record: SummarySchema });
const prompt = v.object({ kind: v.literal("prompt"), record: PromptSchema });
const turn = v.object({ kind: v.literal("turn"), record: TurnSchema });

/** A record that holds a turn, or a part of it. */
export const PartSchema = v.object({
  id: v.string(),
  kind: v.picklist(recordKinds),
  type: v.string(),
  title: v.string(),
  supersededBy: optional(v.string()),
  marks: optional(v.array(v.picklist(marks))),
});

const parts = v.array(PartSchema);
/** An entry of a timeline, with the records of its turn. */
export const TimelineItemSchema = v.variant("kind", [
  v.object({ ...observation.entries, parts }),
  v.object({ ...summary.entries, parts }),
  v.object({ ...prompt.entries, parts }),
  v.object({ ...turn.entries, parts }),
]);
/** Any record; `kind` says which. */
export const StoredRecordSchema = describes<StoredRecord>()(
  v.variant("kind", [
    observation,
    summary,
    prompt,
    turn,
    v.object({ kind: v.literal("session"), record: SessionSchema }),
    v.object({ kind: v.literal("memory"), record: StoredItemSchema }),
  ]),
);
/** A record behind something in a context. */
export const SourceSchema = v.object({
  id: v.string(),
  kind: v.picklist(recordKinds),
  type: optional(v.picklist(memoryKinds), "Of what is kept across sessions: which kind of it."),
  words: v.string(),
  marks: v.array(v.picklist(marks)),
});

/** A record, who it is by, and its version. */
export const RecordAnswer = v.intersect([
  StoredRecordSchema,
  v.object({
    by: optional(
      v.string(),
      "Who it is by, in a few words: the user, or what concluded it. A session has none, nor has a turn, whose pieces are by many, unless another member made it.",
    ),
    shown: optional(
      v.object({ shown: v.number(), used: v.number(), rests: v.boolean() }),
      "In how many sessions it was shown, in how many of them used; whether it is shown less for it.",
    ),
    went: optional(
      v.array(
        v.object({
          session: v.string(),
          title: v.string(),
          time: v.number(),
          used: v.boolean(),
        }),
      ),
      "The newest of the sessions that it was shown in.",
    ),
    made: optional(v.array(SourceSchema), "Of a turn: the records that were concluded from it."),
    withheld: optional(
      v.literal(true),
      "Hidden from agents because its session, or what it was made of, is hidden.",
    ),
    version: described(
      v.string(),
      "Another one once its texts or what the user made of it change; goes back with `/api/amend`.",
    ),
  }),
]);
