// What the conversation around tool uses adds: the request behind a "yes, do that", and what was said and thought on the way.

import type { ObservationBatch, ToolUseContext } from "../../src/sdk/index.ts";
import {
  type Claim,
  codeNames,
  countWords,
  type Goal,
  goalOf,
  noGoal,
  overlap,
  type Paths,
} from "../../src/text/index.ts";
import type { Episode } from "./episodes.ts";
import { claimsOf, isVague } from "./told.ts";

/** The prompt as far as it is known, and what it asks for. */
export interface Asked {
  prompt: string;
  goal: Goal;
}

/**
 * The batch's prompt; where no prompt event was seen, the transcript's. Of a prompt that only agrees or points
 * ("yes, let's add this"), the goal is what the assistant had proposed, else what the user had asked for before.
 */
export function askedOf(batch: ObservationBatch, paths: Paths): Asked {
  const context = batch.toolUses.find((use) => use.agent === undefined && use.context)?.context;
  const prompt = paths.inText(batch.prompt?.text || context?.userIntent || "");
  const own = prompt === "" ? noGoal : goalOf(prompt);
  if (isTelling(own) || own.kind === "question" || countWords(prompt) > mostAgreeing)
    return { prompt, goal: own };
  for (const { role, text } of context?.turns.toReversed() ?? []) {
    const shown = paths.inText(text);
    const goal = goalOf(role === "user" ? shown : proposalIn(shown));
    if (goal.ask !== "" && isTelling(goal)) return { prompt, goal };
  }
  return { prompt, goal: own };
}

/** Words of a prompt that only agrees; a longer one says something of its own. */
const mostAgreeing = 8;

function isTelling(goal: Goal): boolean {
  return goal.text !== "" && !isVague(goal.ask || goal.text, 2);
}

const proposal =
  /\b(?:(?:would you like|do you want|want|like) me to|shall I|should I|should we|shall we)\s+([^?\n]{8,240})\?/gi;

/** The last thing that the assistant offered to do. */
function proposalIn(text: string): string {
  const offered = [...text.matchAll(proposal)].at(-1)?.[1] ?? "";
  return offered === "" ? "" : `${offered.charAt(0).toUpperCase()}${offered.slice(1)}.`;
}

/**
 * What was stated before an episode's tool uses and not in the closing words: the last cause and the last decision.
 * What someone says while still searching is often wrong, so only the last counts, only where something was changed,
 * and only in plain words about code. What was merely thought counts when it is a decision.
 */
export function saidOnTheWay(
  episode: Episode,
  contexts: ReadonlyMap<string, ToolUseContext>,
  known: readonly Claim[],
  paths: Paths,
): Claim[] {
  if (episode.changes.length === 0) return [];
  const last = new Map<Claim["kind"], Claim>();
  const note = (text: string | undefined, kind: Claim["kind"]) => {
    for (const claim of text === undefined ? [] : claimsOf(text, paths))
      if (claim.kind === kind && isSure(claim)) last.set(kind, claim);
  };
  for (const { id } of episode.steps) {
    const context = contexts.get(id);
    note(context?.assistantText, "cause");
    note(context?.assistantText, "decision");
    note(context?.reasoning, "decision");
  }
  return [...last.values()].filter(({ text }) =>
    known.every((claim) => overlap(claim.text, text) < 0.6),
  );
}

const unsure =
  /\b(?:I|I'm|I've|I'd|my|me|likely|probably|maybe|perhaps|might|may|could|seems?|appears?|looks like|let me|wait)\b|(?:…|\.\.\.)\.?$/i;

/** Names something in code, and is neither a guess, nor about the speaker, nor the end of a shortened text. */
function isSure({ text, statement }: Claim): boolean {
  const names = statement.code.length > 0 || codeNames(text).length > 0 || named.test(text);
  return names && !unsure.test(text);
}
const named = /\w\.\w|\/\w|"[^"]+"|\w=\w/;
