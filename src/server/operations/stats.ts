// What memory cost and what it gave back; and a time as a whole, for drawing it.

import * as v from "valibot";
import { memory } from "../../features/memory.ts";
import { withoutPasswordsDeep } from "../../privacy/passwords.ts";
import { readConfig } from "../../runtime/config/config.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import type { CarriedInjection, NotedCount } from "../../runtime/journal/counts.ts";
import { FaultSchema } from "../../runtime/status-schema.ts";
import type { Observation, Session } from "../../sdk/model.ts";
import { textsOf } from "../../sdk/record-texts.ts";
import { usesOf } from "../../strategy/uses.ts";
import { estimateTokens, localClock } from "../../text/text.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { OverviewAnswer, overview } from "../memory/overview.ts";
import { all } from "../memory/records.ts";
import {
  carriedCost,
  SavingsSchema,
  savings,
  type UseEvent,
  useEvents,
} from "../memory/savings.ts";
import { described, get, optional, post, queryOf, text, time } from "../operation.ts";

// What memory cost and what it gave back, in tokens. Pure; every figure's formula stands here and nowhere else.

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
  /** Uses of what was shown, those of `savings`. */
  used: v.number(),
};
type Return = Record<keyof typeof sums, number>;

/** `key` is the day (`2026-11-21`, local time) or the project's id. */
const row = v.object({ key: v.string(), ...sums });
/** Days newest first; projects with most observations first. */
const returns = { total: v.object(sums), byDay: v.array(row), byProject: v.array(row) };

/** What the report is made from. */
interface ReturnInput {
  sessions: readonly Session[];
  /** Those found in the time asked about. */
  observations: readonly Observation[];
  injections: readonly CarriedInjection[];
  uses: readonly UseEvent[];
}

/** Tokens to read an observation in full: its texts at `estimateTokens`. */
export function readCost(record: Observation): number {
  const texts = Object.values(textsOf({ kind: "observation", record })).flat();
  return estimateTokens(texts.join("\n"));
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
  for (const injection of input.injections)
    add(injection.time, injection.project, (sum) => {
      sum.injections++;
      sum.injected += injection.tokens;
      sum.carried += carriedCost(injection);
    });
  for (const { time, project } of input.uses)
    add(time, project, (sum) => {
      sum.used++;
    });
  return {
    total,
    byDay: rows(byDay).sort((one, other) => (one.key < other.key ? 1 : -1)),
    byProject: rows(byProject).sort((one, other) => other.observations - one.observations),
  };
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
const MomentSchema = v.object({
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

const monthMs = 30 * 24 * 60 * 60_000;

/** In tokens, and as sessions with their observations. */
export const statsOperations = [
  get("/api/stats", {
    summary: `${memory.stats.does}, in tokens.`,
    /** `since` defaults to 30 days ago. */
    query: v.strictObject(queryOf(memory.stats.takes)),
    answer: v.object({
      since: v.number(),
      ...returns,
      moments: v.array(MomentSchema),
      savings: described(
        SavingsSchema,
        "What was shown, used and avoided; docs/developers/statistics.md takes each figure apart.",
      ),
    }),
    run: ({ query: { since, ...query } }, { runtime, now }) =>
      report(runtime, since ?? now() - monthMs, query),
  }),
  get("/api/overview", {
    summary: "Sessions and observations of a time in few words each, or counts by day.",
    /** `since` is included, `until` is not. */
    query: v.strictObject({
      since: time,
      until: time,
      project: optional(text),
      by: optional(v.literal("day"), "Only counts by day."),
    }),
    /** Either sessions with their observations, or, where there are too many, how many there were each day. */
    answer: OverviewAnswer,
    run: ({ query }, { runtime }) => overview(runtime, query),
  }),
];

/** Storage passes over all that came before a page: with small ones a large memory is read many times over. */
const atOnce = 1_000;
const idsAtOnce = 200;
/** Beyond this many records of a kind the older ones are not counted. */
const most = 50_000;

/** The model at whose list price money is counted, unless another is asked for. */
const usualModel = "claude-sonnet-5-5";

async function report(
  runtime: ServerRuntime,
  since: number,
  { project, model = usualModel }: { project?: string | undefined; model?: string | undefined },
) {
  const scope = { since, project };
  const [sessions, observations] = await Promise.all([
    all(runtime, "session", scope, { atOnce, most }),
    all(runtime, "observation", scope, { atOnce, most }),
  ]);
  const ids = new Set(sessions.map(({ id }) => id));
  const given = runtime.transcripts
    .injections(since)
    .filter(({ session }) => project === undefined || ids.has(session));
  const named = await namedObservations(
    runtime,
    given.flatMap(({ records }) => records),
  );
  const notes = (await usesOf(runtime.home)).all().filter(({ time }) => time >= since);
  const { prices } = (await readConfig(runtime.home)).config.budget;
  const noted = runtime.transcripts.noted(since);
  const moments = noted.length === 0 ? [] : momentCounts(noted, await askedFor(runtime, project));
  const uses = useEvents({ observations, injections: given, named, notes });
  const made = { observations, injections: given, uses };
  const gained = savings({ ...made, model, prices });
  return { since, ...returnReport({ ...made, sessions }), moments, savings: gained };
}

/** Whether a project's id is the one that was asked for, by its id or name. */
async function askedFor(
  runtime: ServerRuntime,
  project: string | undefined,
): Promise<(id: string) => boolean> {
  if (project === undefined) return () => true;
  const { projects } = await askStorage(runtime.hooks, "storage.stats", {});
  const wanted = project.toLowerCase();
  const named = projects.filter(
    ({ name, ids = [] }) => name.toLowerCase() === wanted || ids.includes(project),
  );
  const ids = new Set([project, ...named.flatMap(({ id, ids = [] }) => [id, ...ids])]);
  return (id) => ids.has(id);
}

async function namedObservations(
  runtime: ServerRuntime,
  ids: readonly string[],
): Promise<Map<string, Observation>> {
  const wanted = [...new Set(ids)];
  const found = new Map<string, Observation>();
  for (let at = 0; at < wanted.length; at += idsAtOnce) {
    const records = await askStorage(runtime.hooks, "storage.get", {
      ids: wanted.slice(at, at + idsAtOnce),
    });
    for (const { kind, record } of records)
      if (kind === "observation") found.set(record.id, record);
  }
  return found;
}

// What models took, and whether a provider works.

const modelSums = {
  calls: v.number(),
  failed: v.number(),
  input: v.number(),
  output: v.number(),
  cacheRead: v.number(),
  cacheWrite: v.number(),
  tokens: v.number(),
  cost: v.number(),
  unpriced: v.number(),
};
const modelRows = v.array(v.object({ key: v.string(), ...modelSums }));

/** Usage and a trial. */
export const modelOperations = [
  get("/api/usage", {
    summary: "What model calls took.",
    query: v.strictObject({
      since: optional(time),
      until: optional(time),
      project: optional(text),
      session: optional(text),
    }),
    answer: v.object({
      total: v.object(modelSums),
      byDay: modelRows,
      byProject: modelRows,
      byModel: modelRows,
      byPurpose: modelRows,
    }),
    run: ({ query }, { runtime }) => withoutPasswordsDeep(runtime.usage(query)),
  }),
  post("/api/provider/test", {
    summary: "Ask providers for a word.",
    /** One provider, or every one that config names. */
    body: v.optional(v.strictObject({ provider: optional(text) }), {}),
    answer: v.object({
      tests: v.array(
        v.variant("ok", [
          v.object({
            provider: v.string(),
            ok: v.literal(true),
            model: v.string(),
            ms: v.number(),
            tokens: v.number(),
          }),
          v.object({ provider: v.string(), ok: v.literal(false), error: FaultSchema }),
        ]),
      ),
    }),
    run: async ({ body }, { runtime }) => ({
      tests: withoutPasswordsDeep(await runtime.testProviders(body.provider)),
    }),
  }),
];
