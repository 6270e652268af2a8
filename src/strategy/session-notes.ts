// What a strategy knows of the session it works on: its notes so far, and what the model made of the batch under way.

import * as v from "valibot";
import type { StorageClient } from "../sdk/context.ts";
import type { HandlerContext } from "../sdk/handlers.ts";
import { type ObservationDraft, ObservationDraftSchema } from "../sdk/model.ts";
import { wholeOption } from "../sdk/options.ts";
import { dropOldest } from "../text/text.ts";

/** What the model made of a part of a batch. */
export interface AnsweredPart {
  observations: ObservationDraft[];
  model: string;
  tokens: number;
}

/** The answered parts of a batch by their number: what comes again, as its storage failed, say, is not asked again. */
type AnsweredParts = (session: string, batch: string) => Map<number, AnsweredPart>;

const mostTitles = 40;
/** Sessions that were quiet for longest are forgotten first. */
const mostSessions = 200;

/** Keeps the last batch of each session, in memory. */
export function createAnsweredParts(): AnsweredParts {
  const sessions = new Map<string, { batch: string; parts: Map<number, AnsweredPart> }>();
  return (session, batch) => {
    const known = sessions.get(session);
    const last = known?.batch === batch ? known : { batch, parts: new Map() };
    sessions.delete(session);
    sessions.set(session, last);
    dropOldest(sessions, mostSessions);
    return last.parts;
  };
}

/** The titles of a session's newest notes as they are stored, oldest first. */
export async function storedTitles(
  storage: Pick<StorageClient, "observations">,
  session: string,
): Promise<string[]> {
  try {
    const newest = await storage.observations({ session, order: "newest", limit: mostTitles });
    return newest.map(({ title }) => title).reverse();
  } catch {
    // Without its earlier titles a session may get something twice; storage merges repeats.
    return [];
  }
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
  answered: AnsweredParts;
  /** 32 random bits. */
  random(): number;
}

/** The context of a strategy's handlers. */
export type StrategyContext = HandlerContext<
  "observe" | "summarize",
  StrategyConfig,
  StrategyState
>;
