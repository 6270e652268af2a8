// What memory cost and what it gave back, in tokens. Pure; every figure's formula stands here and nowhere else.
import * as v from "valibot";
import type { CarriedInjection, NotedCount } from "../../runtime/journal/counts.ts";
import type { Observation, Session } from "../../sdk/model.ts";
import { localClock } from "../../text/amounts.ts";
import { estimateTokens } from "../../text/text.ts";

/** Sums over some sessions, observations and injections. All tokens are estimates but `discovery` and `observer`. */
const sums = {
  sessions: v.number(),
  prompts: v.number(),
  observations: v.number(),
  /** Tokens the agent spent to find out what the observations say, as its transcript counts them; of `discoveryKnown` observations. */
  discovery: v.number(),
  discoveryKnown: v.number(),
  /** Tokens to read all observations in full. */
  read: v.number(),
  /** Tokens memoir spent to write them; 0 for heuristics. */
  observer: v.number(),
  /** Contexts that sessions were given. */
  injections: v.number(),
  /** Tokens of those contexts. */
  injected: v.number(),
  /** What they cost with every later request that carried them along. */
  carried: v.number(),
  /** Observations that were given and that the session then worked on the files of. */
  used: v.number(),
  /** What finding those out again would have taken: at most this much was saved. */
  saved: v.number(),
  /** `saved - carried`. */
  net: v.number(),
};
type Return = Record<keyof typeof sums, number>;

/** `key` is the day (`2026-11-21`, local time) or the project's id. */
const row = v.object({ key: v.string(), ...sums });
/** Days newest first; projects with most observations first. */
export const returns = { total: v.object(sums), byDay: v.array(row), byProject: v.array(row) };

/** What the report is made from. */
interface ReturnInput {
  sessions: readonly Session[];
  /** Those found in the time asked about. */
  observations: readonly Observation[];
  injections: readonly CarriedInjection[];
  /** Observations that injections name, by id. */
  named: ReadonlyMap<string, Observation>;
}

/** A request that comes after a context was given reads it from the cache, at a tenth of the price of input. */
const cachedShare = 0.1;

/** Tokens to read an observation in full: its texts at `estimateTokens`. */
export function readCost({ title, subtitle, facts, narrative }: Observation): number {
  return estimateTokens([title, subtitle, ...facts, narrative].join("\n"));
}

/**
 * Tokens that a context cost: once in full, and a tenth with each later prompt or tool use of the main agent (each is
 * about one request). An upper bound: a compaction takes it out again.
 */
export function carriedCost({ tokens, laterRequests }: CarriedInjection): number {
  return Math.round(tokens * (1 + cachedShare * laterRequests));
}

/** The whole report. */
export function returnReport(input: ReturnInput) {
  const total = nothing();
  const byDay = new Map<string, Return>();
  const byProject = new Map<string, Return>();
  const add = (time: number, project: string, change: (sum: Return) => void) => {
    change(total);
    change(rowOf(byDay, localClock.day(time)));
    change(rowOf(byProject, project));
  };

  for (const { startedAt, project, prompts } of input.sessions)
    add(startedAt, project.id, (sum) => {
      sum.sessions++;
      sum.prompts += prompts;
    });
  for (const observation of input.observations) {
    const { discoveryTokens, observerTokens, time, project } = observation;
    const read = readCost(observation);
    add(time, project, (sum) => {
      sum.observations++;
      sum.read += read;
      sum.observer += observerTokens ?? 0;
      if (discoveryTokens === null) return;
      sum.discovery += discoveryTokens;
      sum.discoveryKnown++;
    });
  }
  const own = Map.groupBy(input.observations, ({ session }) => session);
  const counted = new Set<string>();
  for (const injection of input.injections) {
    const used = usedBy(injection, own.get(injection.session) ?? [], input.named).filter(
      ({ id }) => !counted.has(`${injection.session} ${id}`),
    );
    for (const { id } of used) counted.add(`${injection.session} ${id}`);
    const carried = carriedCost(injection);
    const saved = used.reduce((sum, { discoveryTokens }) => sum + (discoveryTokens ?? 0), 0);
    add(injection.time, injection.project, (sum) => {
      sum.injections++;
      sum.injected += injection.tokens;
      sum.carried += carried;
      sum.used += used.length;
      sum.saved += saved;
      sum.net += saved - carried;
    });
  }
  return {
    total,
    byDay: rows(byDay).sort((one, other) => (one.key < other.key ? 1 : -1)),
    byProject: rows(byProject).sort((one, other) => other.observations - one.observations),
  };
}

/** The observations it named whose files the session then read or changed. */
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

function filesOf({ filesRead, filesModified }: Observation): string[] {
  return [...filesRead, ...filesModified];
}

const nothing = () =>
  Object.fromEntries(Object.keys(sums).map((name) => [name, 0])) as unknown as Return;

function rowOf(sums: Map<string, Return>, key: string): Return {
  const known = sums.get(key) ?? nothing();
  sums.set(key, known);
  return known;
}

function rows(found: ReadonlyMap<string, Return>) {
  return [...found].map(([key, sum]) => ({ key, ...sum }));
}

// How hints did, by kind: shown, looked up, acted on, kept back.

/** Of one kind of hint. */
export const MomentSchema = v.object({
  /** As the plugin that tells them calls it: `failure`, `file`. */
  kind: v.string(),
  told: v.number(),
  /** A record that it named was asked for. */
  lookedUp: v.number(),
  /** What it spoke of was done. */
  actedOn: v.number(),
  /** Not shown: the kind was silent, for nobody used it. */
  keptBack: v.number(),
});
type MomentCounts = v.InferOutput<typeof MomentSchema>;

const fields: Readonly<Record<string, Exclude<keyof MomentCounts, "kind">>> = {
  told: "told",
  "looked-up": "lookedUp",
  "acted-on": "actedOn",
  silent: "keptBack",
};

/** In the projects that `isAsked` names, by the kind's name. */
export function momentCounts(
  noted: readonly NotedCount[],
  isAsked: (project: string) => boolean,
): MomentCounts[] {
  const found = new Map<string, MomentCounts>();
  for (const { project, name, count } of noted) {
    const [kind = "", what = ""] = name.split(":");
    const field = fields[what];
    if (!field || !isAsked(project)) continue;
    const sum = found.get(kind) ?? { kind, told: 0, lookedUp: 0, actedOn: 0, keptBack: 0 };
    sum[field] += count;
    found.set(kind, sum);
  }
  return [...found.values()].sort((one, other) => one.kind.localeCompare(other.kind));
}
