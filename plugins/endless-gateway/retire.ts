// Whether old tool results should leave a running session's requests now: what that saves against writing the cache again. Pure.

import { contextLimits } from "../../src/transcript/index.ts";

/** A tool result that is old enough to go. Tokens are estimates, all on one scale. */
export interface OldResult {
  /** Of its tool use. */
  id: string;
  /** Tokens of the request that stand in front of it. */
  at: number;
  /** Tokens that leave with it, the line that stays in its place taken off. */
  saves: number;
  /** Answers of the model since it was first sent. */
  age: number;
}

/** What is known when the next request is about to go out. */
interface RetirementCase {
  results: readonly OldResult[];
  /** Tokens of the whole request. */
  contextTokens: number;
  /** Tokens of the context at each answer so far, oldest first. */
  answers: readonly number[];
  /** True when the API has forgotten the cached beginning by now, or never had it. */
  cacheIsCold: boolean;
}

/** When a batch is worth it. Prices are those of one input token. */
interface RetirementPolicy {
  readPrice: number;
  writePrice: number;
  /** A result is left alone for so many answers. */
  minAge: number;
  /** A batch saves at least so many tokens … */
  minTokens: number;
  /** … and at least this share of the context; batches stay rare. */
  minShare: number;
  /** The gain is at least so many times the cost. */
  margin: number;
  /** With a cold cache a batch costs nothing; it only has to be worth the trouble. */
  coldMinTokens: number;
  /** As a session may end at any time, only this share of the turns so far is expected to come. */
  turnShare: number;
  maxTurnsToCome: number;
  /** Tokens at which the client is taken to compact, which ends what a batch saves: the first that the context is below. */
  contextLimits: readonly number[];
}

export const retirementPolicy: Readonly<RetirementPolicy> = {
  readPrice: 0.1,
  writePrice: 1.25,
  minAge: 8,
  minTokens: 12_000,
  minShare: 0.15,
  margin: 1.5,
  coldMinTokens: 4_000,
  turnShare: 0.5,
  maxTurnsToCome: 200,
  contextLimits,
};

/** The sum, whatever came of it. Costs are in tokens at the input price. */
export interface RetirementSum {
  retire: boolean;
  /** Of the tool uses whose results go, in the order of the request; empty when nothing is old enough. */
  ids: string[];
  /** Tokens that every later request is shorter by. */
  tokens: number;
  /** Tokens behind the first of them, which have to be written to the cache again. */
  rewritten: number;
  turnsToCome: number;
  cost: number;
  gain: number;
  cacheIsCold: boolean;
  /** In one sentence, with the figures. */
  why: string;
}

/**
 * How many answers are still to come, from the past only: a share of those so far, as what has gone on for long goes on
 * for long; no more than fit into the context at the pace at which it grew (its median).
 */
export function expectedTurns(
  answers: readonly number[],
  contextTokens: number,
  policy: RetirementPolicy = retirementPolicy,
): number {
  const alike = Math.min(answers.length * policy.turnShare, policy.maxTurnsToCome);
  const steps = answers
    .slice(1)
    .map((size, at) => size - (answers[at] ?? 0))
    .filter((step) => step > 0)
    .sort((a, b) => a - b);
  const pace = steps[Math.floor(steps.length / 2)];
  if (pace === undefined) return Math.floor(alike);
  const limit = policy.contextLimits.find((most) => contextTokens < most) ?? contextTokens;
  return Math.floor(Math.min(alike, Math.max(1, (limit - contextTokens) / pace)));
}

/**
 * The best batch there is, and whether it pays. Everything behind the first result that goes is written to the cache
 * again, so the batch begins where gain less cost is greatest and takes every old result from there on.
 */
export function weighRetirement(
  known: RetirementCase,
  policy: RetirementPolicy = retirementPolicy,
): RetirementSum {
  const { contextTokens, cacheIsCold } = known;
  const old = known.results
    .filter(({ age, saves }) => age >= policy.minAge && saves > 0)
    .sort((a, b) => a.at - b.at);
  const turnsToCome = expectedTurns(known.answers, contextTokens, policy);
  let best: Omit<RetirementSum, "retire" | "why"> | undefined;
  let tokens = 0;
  for (let first = old.length - 1; first >= 0; first -= 1) {
    const { at = 0, saves = 0 } = old[first] ?? {};
    tokens += saves;
    const rewritten = Math.max(0, contextTokens - at - tokens);
    const before = contextTokens - at;
    // Cold, all of it is written either way: less of it when something goes.
    const cost = cacheIsCold
      ? 0
      : Math.max(0, policy.writePrice * rewritten - policy.readPrice * before);
    const now = cacheIsCold ? policy.writePrice * tokens : 0;
    const gain = now + policy.readPrice * tokens * turnsToCome;
    if (best && gain - cost <= best.gain - best.cost) continue;
    const ids = old.slice(first).map(({ id }) => id);
    best = { ids, tokens, rewritten, turnsToCome, cost, gain, cacheIsCold };
  }
  if (!best) {
    const none = { ids: [], tokens: 0, rewritten: 0, turnsToCome, cost: 0, gain: 0, cacheIsCold };
    return { ...none, retire: false, why: "nothing is old enough" };
  }
  const { retire, why } = verdict(best, contextTokens, policy);
  return { ...best, retire, why };
}

function verdict(
  sum: Omit<RetirementSum, "retire" | "why">,
  contextTokens: number,
  policy: RetirementPolicy,
): { retire: boolean; why: string } {
  const { tokens, turnsToCome, cost, gain, cacheIsCold } = sum;
  const least = cacheIsCold
    ? policy.coldMinTokens
    : Math.max(policy.minTokens, policy.minShare * contextTokens);
  if (tokens < least)
    return { retire: false, why: `${round(tokens)} tokens are fewer than ${round(least)}` };
  if (cacheIsCold)
    return { retire: true, why: `the cache is cold: ${round(tokens)} tokens need not be written` };
  const figures = `${round(tokens)} tokens less over ${turnsToCome} turns gain ${round(gain)}, writing the cache again costs ${round(cost)}`;
  const pays = gain >= policy.margin * cost;
  return { retire: pays, why: pays ? figures : `${figures}: too little` };
}

function round(tokens: number): string {
  return String(Math.round(tokens));
}
