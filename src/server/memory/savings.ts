// What memory gave and what it cost, as a sceptic counts: what was shown, which of it was used, and what finding it out again costs where nothing was shown. Pure; every figure's formula stands here.
import * as v from "valibot";
import { estimateCost, type Price } from "../../runtime/budget/prices.ts";
import type { CarriedInjection } from "../../runtime/journal/counts.ts";
import type { Observation } from "../../sdk/model.ts";
import type { UseNote } from "../../strategy/uses.ts";

/** How something that was shown was used, the strongest sign first. Who only works on the same file may have found it anyway: that avoids nothing. */
const ways = ["opened", "fix applied", "followed", "worked on"] as const;

const EventSchema = v.object({
  time: v.number(),
  session: v.string(),
  project: v.string(),
  how: v.picklist(ways),
  /** Records that were used. */
  ids: v.array(v.string()),
});
export type UseEvent = v.InferOutput<typeof EventSchema>;

const spread = v.object({ low: v.number(), median: v.number(), high: v.number() });
type Spread = v.InferOutput<typeof spread>;
const dollars = v.nullable(v.number());

/** Tokens are input tokens, or count like them; money is null for a model without a known price. */
export const SavingsSchema = v.object({
  model: v.string(),
  shown: v.object({
    contexts: v.number(),
    tokens: v.number(),
    /** With every later request that read them from the cache, at a tenth. */
    carried: v.number(),
    cost: dollars,
  }),
  /** The newest 200 first; `count` and `ways` are of all, `sure` of those that avoided something. */
  used: v.object({
    ...{ count: v.number(), sure: v.number(), events: v.array(EventSchema) },
    ways: v.record(v.string(), v.number()),
  }),
  /** `each` is one finding that was made again where nothing was shown, `cases` of them; null: too few to say. */
  avoided: v.object({
    cases: v.number(),
    each: v.nullable(spread),
    tokens: v.nullable(spread),
    cost: v.nullable(spread),
  }),
  /** `avoided.tokens` less `shown.carried`. */
  net: v.nullable(spread),
});
type Savings = v.InferOutput<typeof SavingsSchema>;

/** What uses are seen in. */
interface UsesInput {
  injections: readonly CarriedInjection[];
  notes: readonly UseNote[];
  observations: readonly Observation[];
  /** Observations that injections name, by id. */
  named: ReadonlyMap<string, Observation>;
}

/** What the figures are made from. */
interface SavingsInput extends Pick<UsesInput, "injections" | "observations"> {
  /** All of the time asked about. */
  uses: readonly UseEvent[];
  model: string;
  prices: Readonly<Record<string, Partial<Price>>>;
}

/** A request that comes after a context was given reads it from the cache, at a tenth of the price of input. */
const cachedShare = 0.1;
/** Fewer cases tell nothing. */
const leastCases = 8;
const mostEvents = 200;

/** All of it. */
export function savings(input: SavingsInput): Savings {
  const { injections, model, prices } = input;
  const price = (usage: { input?: number; cacheWrite?: number; cacheRead?: number }) =>
    estimateCost(model, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...usage }, prices);
  const tokens = sum(injections, (one) => one.tokens);
  const later = sum(injections, (one) => one.tokens * one.laterRequests);
  const carried = sum(injections, carriedCost);
  const { uses } = input;
  const { cases, each } = findingAgain(input);
  const sure = uses.filter(({ how }) => how !== "worked on").length;
  const counts = ways.map((way) => [way, uses.filter(({ how }) => how === way).length] as const);
  const avoided = each && scaled(each, (one) => one * sure);
  return {
    model,
    shown: {
      ...{ contexts: injections.length, tokens, carried },
      cost: price({ cacheWrite: tokens, cacheRead: later }),
    },
    used: {
      ...{ count: uses.length, sure, events: uses.slice(0, mostEvents) },
      ways: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    },
    avoided: {
      ...{ cases, each, tokens: avoided },
      cost:
        avoided && price({}) !== null ? scaled(avoided, (one) => price({ input: one }) ?? 0) : null,
    },
    net: avoided && scaled(avoided, (one) => one - carried),
  };
}

/**
 * Tokens that a context cost: once in full, and a tenth with each later prompt or tool use of the main agent (each is
 * about one request). An upper bound: a compaction takes it out again.
 */
export function carriedCost({ tokens, laterRequests }: CarriedInjection): number {
  return Math.round(tokens * (1 + cachedShare * laterRequests));
}

/** Each record once a session, by the strongest sign; the newest first. */
export function useEvents({ injections, notes, observations, named }: UsesInput): UseEvent[] {
  const own = Map.groupBy(observations, ({ session }) => session);
  const sessions = new Set(injections.map(({ session }) => session));
  const candidates = [
    ...notes
      .filter(({ session, used }) => sessions.has(session) && used.length > 0)
      .map((note) => ({ ...note, how: wayOf(note), ids: note.used })),
    ...injections.map((one) => ({
      ...{ ...one, how: "worked on" as const },
      ids: usedBy(one, own.get(one.session) ?? [], named).map(({ id }) => id),
    })),
  ];
  candidates.sort((a, b) => ways.indexOf(a.how) - ways.indexOf(b.how) || a.time - b.time);
  const counted = new Set<string>();
  const events = candidates.flatMap(({ time, session, project, how, ids }) => {
    const fresh = ids.filter((id) => !counted.has(`${session} ${id}`));
    for (const id of fresh) counted.add(`${session} ${id}`);
    return fresh.length > 0 ? [{ time, session, project, how, ids: fresh }] : [];
  });
  return events.sort((a, b) => b.time - a.time);
}

function wayOf({ kind, lookedUp, actedOn }: UseNote): UseEvent["how"] {
  if (actedOn) return kind === "failure" ? "fix applied" : "followed";
  return lookedUp ? "opened" : "followed";
}

/** The observations a context named whose files the session then read or changed. */
function usedBy(
  { records, time }: CarriedInjection,
  own: readonly Observation[],
  named: ReadonlyMap<string, Observation>,
): Observation[] {
  const touched = new Set(own.filter((later) => later.time >= time).flatMap(filesOf));
  return records.flatMap((id) => {
    const observation = named.get(id);
    return observation && filesOf(observation).some((file) => touched.has(file))
      ? [observation]
      : [];
  });
}

/**
 * What it took to read and search in files that an earlier session knew already, in sessions that were shown nothing: the quartiles
 * over the person's own observations that changed no file, so that work is not counted as search.
 */
function findingAgain({
  injections,
  observations,
}: Pick<UsesInput, "injections" | "observations">) {
  const shown = new Set(injections.map(({ session }) => session));
  const known = new Map<string, string>();
  const costs: number[] = [];
  for (const one of observations.toSorted((a, b) => a.time - b.time)) {
    const files = filesOf(one).map((file) => `${one.project} ${file}`);
    const isAgain = files.some((file) => (known.get(file) ?? one.session) !== one.session);
    const isSearch = isAgain && one.filesModified.length === 0 && !shown.has(one.session);
    if (isSearch && one.discoveryTokens !== null) costs.push(one.discoveryTokens);
    for (const file of files) if (!known.has(file)) known.set(file, one.session);
  }
  costs.sort((a, b) => a - b);
  const at = (share: number) => costs[Math.floor(share * (costs.length - 1))] ?? 0;
  const each =
    costs.length < leastCases ? null : { low: at(0.25), median: at(0.5), high: at(0.75) };
  return { cases: costs.length, each };
}

function scaled({ low, median, high }: Spread, by: (value: number) => number): Spread {
  return { low: by(low), median: by(median), high: by(high) };
}

function filesOf({ filesRead, filesModified }: Observation): string[] {
  return [...filesRead, ...filesModified];
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
