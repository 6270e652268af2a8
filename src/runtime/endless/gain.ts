// What Endless Mode gained in a session, by the usage that its client wrote down. Pure; the command, the API and the page show what this says.

import { plural, recordOf } from "../../text/text.ts";
import type { EntryUsage, TranscriptEntry } from "../../transcript/entry.ts";
import { contextOf, limitOf } from "../../transcript/usage.ts";
import { estimateCost, type Price } from "../budget/prices.ts";

/** A request of an agent, as the client wrote it down. */
export interface CountedRequest {
  /** Of its answer's first line, in epoch ms. */
  time: number;
  model: string;
  usage: EntryUsage;
  /** The context was compacted between the request before and this one. */
  compacted?: Compaction | undefined;
}

/** A compaction, as the client wrote it down. */
export interface Compaction {
  /** Epoch ms. */
  time: number;
  /** Tokens of the context before; the last request's where the client did not say. */
  tokens?: number | undefined;
  /** Somebody asked for it: it would have come as well with fewer tokens. */
  byHand: boolean;
}

/** What the client wrote down of a compaction, where the entry is that. */
export function compactionIn(entry: TranscriptEntry): Compaction | undefined {
  if (entry.kind !== "system" || entry.subtype !== "compact_boundary") return undefined;
  const { preTokens, trigger } = recordOf(entry.raw.compactMetadata);
  return {
    time: entry.time ?? 0,
    tokens: typeof preTokens === "number" ? preTokens : undefined,
    byHand: trigger === "manual",
  };
}

/** Tokens, estimated, that left the context or (negative) came into it because of Endless Mode. */
export interface Moved {
  /** Epoch ms. */
  at: number;
  tokens: number;
  /** They had been sent before, so the cache behind them was written again. */
  wasSent: boolean;
}

/** All figures but the requests' own usage and cost rest on the estimated tokens of what moved. */
export interface Gain {
  /** Requests since something was left out first. */
  requests: number;
  /** Tokens left out less those that came back, each counted once. */
  tokens: number;
  /** More requests until the context was compacted. */
  more: number;
  /** Dollars at list prices, of all requests; null where a model's price is not known. */
  cost: number | null;
  /** What they would have cost more: reads from and writes to the cache at their own prices. */
  saved: number | null;
}

const minute = 60_000;

/** What is left out at some time, where it would stand in the context, and whether the requests so far had it. */
interface Missing {
  position: number;
  tokens: number;
  isNew: boolean;
}

/** Requests and what moved in the order of time. */
export function gainOf(
  requests: readonly CountedRequest[],
  moved: readonly Moved[],
  prices: Readonly<Record<string, Partial<Price>>> = {},
): Gain {
  const gain: Gain = { requests: 0, tokens: 0, more: 0, cost: 0, saved: 0 };
  const open = [...moved].sort((one, other) => one.at - other.at);
  let missing: Missing[] = [];
  let stretch: CountedRequest[] = [];
  let life = 5 * minute;
  for (const request of requests) {
    const { time, usage, compacted } = request;
    if (compacted) {
      gain.more += requestsMore(stretch, missing, compacted);
      const gone = open.findIndex(({ at }) => at > compacted.time);
      open.splice(0, gone === -1 ? open.length : gone);
      missing = [];
      stretch = [];
    }
    const last = stretch.at(-1);
    const before = last ? contextOf(last.usage) : 0;
    if ((usage.cacheWriteLong ?? 0) > 0) life = 60 * minute;
    for (const one of missing) one.isNew = false;
    let broken = 0;
    while (open[0] !== undefined && open[0].at <= time) {
      const { tokens, wasSent } = open.shift() as Moved;
      // What had been sent left a cache that ends in front of it.
      const position = wasSent ? Math.min(usage.cacheRead, before) : before;
      missing.push({ position, tokens, isNew: !wasSent });
      gain.tokens += tokens;
      if (wasSent) broken += tokens;
    }
    stretch.push(request);
    const isOurs = broken > 0 && last !== undefined && time - last.time <= life;
    const without = isOurs
      ? unbroken(usage, missing, before - broken)
      : withMissing(usage, missing);
    if (missing.length > 0) gain.requests++;
    const paid = estimateCost(request.model, usage, prices);
    const more = estimateCost(request.model, without, prices);
    gain.cost = paid === null || gain.cost === null ? null : gain.cost + paid;
    gain.saved =
      paid === null || more === null || gain.saved === null ? null : gain.saved + more - paid;
  }
  gain.more += requestsMore(stretch, missing);
  return gain;
}

/** The usage with everything that is missing: read from the cache where the request read behind its place, else as the rest was. */
function withMissing(usage: EntryUsage, missing: readonly Missing[]): EntryUsage {
  const isRead = ({ position, isNew }: Missing) => !isNew && usage.cacheRead > position;
  const read = sumOf(missing.filter(isRead));
  return addRest({ ...usage, cacheRead: usage.cacheRead + read }, sumOf(missing) - read);
}

/** The usage where Endless Mode had left the cache as it was: what it made the request write anew would have been read. */
function unbroken(usage: EntryUsage, missing: readonly Missing[], known: number): EntryUsage {
  const anew = Math.max(0, Math.min(known, contextOf(usage)) - usage.cacheRead);
  const fresh = sumOf(missing.filter(({ isNew }) => isNew));
  const read = usage.cacheRead + anew + sumOf(missing) - fresh;
  return addRest({ ...usage, cacheRead: read }, fresh - anew);
}

/** So many tokens more, or fewer, that were not read from the cache: as the request paid for the others of the kind. */
function addRest(usage: EntryUsage, tokens: number): EntryUsage {
  const { input, cacheWrite, cacheWriteLong = 0 } = usage;
  const rest = input + cacheWrite;
  // Nothing says how it would have been charged: the cheapest way counts.
  if (rest === 0) return { ...usage, cacheRead: Math.max(0, usage.cacheRead + tokens) };
  const times = Math.max(0, rest + tokens) / rest;
  return {
    ...usage,
    input: input * times,
    cacheWrite: cacheWrite * times,
    ...(cacheWriteLong > 0 && { cacheWriteLong: cacheWriteLong * times }),
  };
}

function sumOf(missing: readonly Missing[]): number {
  return missing.reduce((sum, { tokens }) => sum + tokens, 0);
}

/**
 * How many requests more one stretch of a context had room for: those that it takes to the limit at the pace at which it
 * grew, less those at the pace with everything that is missing.
 */
function requestsMore(
  stretch: readonly CountedRequest[],
  missing: readonly Missing[],
  compacted?: Compaction,
): number {
  const [first, last] = [stretch[0], stretch.at(-1)];
  const out = sumOf(missing);
  if (!first || !last || out <= 0) return 0;
  const begin = contextOf(first.usage);
  const end = contextOf(last.usage);
  const isFull = compacted !== undefined && !compacted.byHand;
  const limit = isFull ? Math.max(compacted.tokens ?? end, end) : limitOf(end);
  const grown = end - begin;
  if (grown <= 0 || (!isFull && end + out < limit)) return 0;
  const until = (growth: number) => ((limit - begin) / growth) * stretch.length;
  const reached = isFull ? until(grown) : stretch.length;
  return Math.max(0, Math.round(reached - until(grown + out)));
}

/** Of several agents or sessions together; those without a price are left out of the dollars. */
export function sumGains(gains: readonly Gain[]): Gain {
  const of = (some: readonly Gain[], field: keyof Gain) =>
    some.reduce((sum, one) => sum + (one[field] ?? 0), 0);
  const priced = gains.filter(({ saved }) => saved !== null);
  const dollars = (field: "cost" | "saved") =>
    priced.length === 0 && gains.length > 0 ? null : of(priced, field);
  return {
    requests: of(gains, "requests"),
    tokens: Math.round(of(gains, "tokens")),
    more: of(gains, "more"),
    cost: dollars("cost"),
    saved: dollars("saved"),
  };
}

/** Of several sessions, and in words. */
export function addGains(gains: readonly Gain[]): Gain & { sessions: number; words: string } {
  const sum = sumGains(gains);
  return { sessions: gains.length, ...sum, words: gainWords(sum) };
}

/** One line, which says as plainly that nothing was gained. */
function gainWords({ requests, tokens, more, cost, saved }: Gain): string {
  if (requests === 0) return "Nothing was left out of a request, so nothing was gained.";
  const share = cost !== null && saved !== null && cost + saved > 0 ? saved / (cost + saved) : 0;
  const money =
    saved === null
      ? "no price is known for the model"
      : `$${Math.abs(saved).toFixed(2)} ${saved < 0 ? "more" : "less"} (${(Math.abs(share) * 100).toFixed(1)} %)`;
  const room =
    more === 0
      ? "no compaction was put off"
      : `${plural(more, "request")} more before a compaction`;
  return `About ${tokens.toLocaleString("en-US")} tokens left out over ${plural(requests, "request")}: ${money} at list prices with the cache's, and ${room}. Estimates.`;
}
