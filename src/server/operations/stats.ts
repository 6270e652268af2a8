// What memory cost and what it gave back; and a time as a whole, for drawing it.
import * as v from "valibot";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import type { Observation } from "../../sdk/model.ts";
import { get } from "../http/operation.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { momentCounts } from "../memory/moment-counts.ts";
import { overview } from "../memory/overview.ts";
import { returnReport } from "../memory/return-on-investment.ts";
import { optional, text, time } from "../schemas/parts.ts";

const sums = {
  sessions: v.number(),
  prompts: v.number(),
  observations: v.number(),
  discovery: v.number(),
  discoveryKnown: v.number(),
  read: v.number(),
  observer: v.number(),
  injections: v.number(),
  injected: v.number(),
  carried: v.number(),
  used: v.number(),
  saved: v.number(),
  net: v.number(),
};
const row = v.object({ key: v.string(), ...sums });
const moment = v.object({
  kind: v.string(),
  told: v.number(),
  lookedUp: v.number(),
  actedOn: v.number(),
  keptBack: v.number(),
});
const place = { project: v.string(), projectName: v.string() };

const monthMs = 30 * 24 * 60 * 60_000;

/** In tokens, and as sessions with their observations. */
export const statsOperations = [
  get("/api/stats", {
    summary: "What memory cost and what it gave back, in tokens.",
    /** `since` defaults to 30 days ago. */
    query: v.strictObject({
      since: optional(time),
      project: optional(text),
    }),
    answer: v.object({
      since: v.number(),
      total: v.object(sums),
      byDay: v.array(row),
      byProject: v.array(row),
      moments: v.array(moment),
    }),
    run: ({ query: { since, project } }, { runtime, now }) =>
      report(runtime, since ?? now() - monthMs, project),
  }),
  get("/api/overview", {
    summary: "Sessions and observations of a time in few words each, or counts by day.",
    /** `since` is included, `until` is not. */
    query: v.strictObject({
      since: time,
      until: time,
      project: optional(text),
    }),
    /** Either sessions with their observations, or, where there are too many, how many there were each day. */
    answer: v.object({
      sessions: v.array(
        v.object({
          id: v.string(),
          ...place,
          title: v.string(),
          startedAt: v.number(),
          lastActiveAt: v.number(),
          isOpen: v.boolean(),
          prompts: v.number(),
          observations: v.number(),
        }),
      ),
      observations: v.array(
        v.object({
          id: v.string(),
          session: v.string(),
          type: v.string(),
          title: v.string(),
          time: v.number(),
        }),
      ),
      days: v.array(
        v.object({ key: v.string(), ...place, sessions: v.number(), observations: v.number() }),
      ),
      leftOut: v.picklist(["nothing", "observations", "sessions", "oldest"]),
    }),
    run: ({ query }, { runtime }) => overview(runtime, query),
  }),
];

/** Storage passes over all that came before a page: with small ones a large memory is read many times over. */
const page = 1_000;
const idsAtOnce = 200;
/** Beyond this many records of a kind the older ones are not counted. */
const most = 50_000;

async function report(runtime: ServerRuntime, since: number, project: string | undefined) {
  const scope = { since, ...(project !== undefined && { project }) };
  const [sessions, observations] = await Promise.all([
    all((at) => askStorage(runtime.hooks, "storage.sessions", { ...scope, ...at })),
    all((at) =>
      askStorage(runtime.hooks, "storage.observations", { ...scope, superseded: true, ...at }),
    ),
  ]);
  const ids = new Set(sessions.map(({ id }) => id));
  const given = runtime.transcripts
    .injections(since)
    .filter(({ session }) => project === undefined || ids.has(session));
  const named = await namedObservations(
    runtime,
    given.flatMap(({ records }) => records),
  );
  const report = returnReport({ sessions, observations, injections: given, named });
  const noted = runtime.transcripts.noted(since);
  const moments = noted.length === 0 ? [] : momentCounts(noted, await askedFor(runtime, project));
  return { since, ...report, moments };
}

/** Whether a project's id is the one that was asked for, by its id or name. */
async function askedFor(
  runtime: ServerRuntime,
  project: string | undefined,
): Promise<(id: string) => boolean> {
  if (project === undefined) return () => true;
  const { projects } = await askStorage(runtime.hooks, "storage.stats", {});
  const named = projects.filter(({ name }) => name.toLowerCase() === project.toLowerCase());
  const ids = new Set([project, ...named.map(({ id }) => id)]);
  return (id) => ids.has(id);
}

async function all<Item>(
  ask: (at: { limit: number; offset: number }) => Promise<Item[]>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (let offset = 0; offset < most; offset += page) {
    const items = await ask({ limit: page, offset });
    found.push(...items);
    if (items.length < page) break;
  }
  return found;
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
