// What a strategy remembers of each session it works on: what it noted, and which prompt it got last. In memory only.

import * as v from "valibot";
import type { StorageClient } from "../sdk/context.ts";
import type { HandlerContext } from "../sdk/handlers.ts";
import { type Observation, type ObservationDraft, ObservationDraftSchema } from "../sdk/model.ts";
import { wholeOption } from "../sdk/options.ts";
import { dropOldest } from "../text/text.ts";

/** One session's notes. */
export interface SessionNotes {
  /** Titles of the observations made so far, oldest first. */
  titles: string[];
  /** The batch that was answered last, in parts; a repeat of it is not asked again. */
  batch: { key: string; parts: Map<number, AnsweredPart>; isWhole: boolean } | undefined;
}

/** What the model made of a part of a batch. */
export interface AnsweredPart {
  observations: ObservationDraft[];
  model: string;
  tokens: number;
}

/** Notes by session. */
interface SessionMemory {
  /** The session's notes; begun with what storage has of it, so that a restart forgets nothing. */
  of(session: string): Promise<SessionNotes>;
}

const mostTitles = 40;
/** Sessions that were quiet for longest are forgotten first, and read from storage again when they go on. */
const mostSessions = 200;

/** Starts empty. */
export function createSessionMemory(storage: Pick<StorageClient, "observations">): SessionMemory {
  const sessions = new Map<string, SessionNotes>();

  async function begin(session: string): Promise<SessionNotes> {
    let known: Observation[] = [];
    try {
      known = await storage.observations({ session, order: "newest", limit: mostTitles });
    } catch {
      // Without its earlier titles a session may get something twice; storage merges repeats.
    }
    return { titles: known.map(({ title }) => title).reverse(), batch: undefined };
  }

  return {
    async of(session) {
      const notes = sessions.get(session) ?? (await begin(session));
      sessions.delete(session);
      sessions.set(session, notes);
      dropOldest(sessions, mostSessions);
      return notes;
    },
  };
}

/**
 * The answered parts of this batch. What came of the batch before counts as noted only now: until then it could have
 * been tried again, and a model that sees its own titles among the earlier notes says nothing more.
 */
export function partsOf(notes: SessionNotes, key: string): Map<number, AnsweredPart> {
  if (notes.batch?.key !== key) {
    if (notes.batch?.isWhole) notes.titles = titlesSoFar(notes);
    notes.batch = { key, parts: new Map(), isWhole: false };
  }
  return notes.batch.parts;
}

/** The titles of all notes, those of the batch under way included, without the oldest beyond a screenful. */
export function titlesSoFar({ titles, batch }: SessionNotes): string[] {
  const parts = [...(batch?.parts.values() ?? [])];
  const fresh = parts.flatMap(({ observations }) => observations.map(({ title }) => title));
  return [...new Set([...titles, ...fresh])].slice(-mostTitles);
}

// What a prompt strategy works with: its options, and what it keeps while it runs.

/** Options that every strategy has. */
export const StrategyConfigSchema = v.strictObject({
  maxToolUses: wholeOption("Tool uses in one request", 1, 200, 40),
  maxCharacters: wholeOption("Characters of tool uses in one request", 2_000, 400_000, 48_000),
  maxTokens: wholeOption("Tokens that one answer may take", 500, 32_000, 4_096),
  language: v.exactOptional(
    v.pipe(
      v.string(),
      v.nonEmpty(),
      v.description(
        "Language of notes and summaries; that of the user's prompts where it is not set.",
      ),
    ),
  ),
  types: v.exactOptional(
    v.pipe(
      v.array(ObservationDraftSchema.entries.type),
      v.minLength(1),
      v.description("Types of notes, the one for everything else last."),
    ),
  ),
});
/** The options of a strategy, with their defaults filled in. */
export type StrategyConfig = v.InferOutput<typeof StrategyConfigSchema>;

/** What a strategy keeps while it runs. */
export interface StrategyState {
  memory: SessionMemory;
  /** 32 random bits. */
  random(): number;
}

/** The context of a strategy's handlers. */
export type StrategyContext = HandlerContext<
  "observe" | "summarize",
  StrategyConfig,
  StrategyState
>;
