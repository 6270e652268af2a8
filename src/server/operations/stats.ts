// What memory cost and what it gave back; and a time as a whole, for drawing it.

import * as v from "valibot";
import { withoutPasswordsDeep } from "../../privacy/passwords.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { FaultSchema } from "../../runtime/status-schema.ts";
import type { Observation } from "../../sdk/model.ts";
import { operationInputs } from "../inputs.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { OverviewAnswer, overview } from "../memory/overview.ts";
import { all } from "../memory/records.ts";
import {
  MomentSchema,
  momentCounts,
  returnReport,
  returns,
} from "../memory/return-on-investment.ts";
import { get, optional, post, queryOf, text, time } from "../operation.ts";

const monthMs = 30 * 24 * 60 * 60_000;

/** In tokens, and as sessions with their observations. */
export const statsOperations = [
  get("/api/stats", {
    summary: `${operationInputs.stats.does}, in tokens.`,
    /** `since` defaults to 30 days ago. */
    query: v.strictObject(queryOf(operationInputs.stats.takes)),
    answer: v.object({
      since: v.number(),
      ...returns,
      moments: v.array(MomentSchema),
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
    answer: OverviewAnswer,
    run: ({ query }, { runtime }) => overview(runtime, query),
  }),
];

/** Storage passes over all that came before a page: with small ones a large memory is read many times over. */
const atOnce = 1_000;
const idsAtOnce = 200;
/** Beyond this many records of a kind the older ones are not counted. */
const most = 50_000;

async function report(runtime: ServerRuntime, since: number, project: string | undefined) {
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

const sums = {
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
const rows = v.array(v.object({ key: v.string(), ...sums }));

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
      total: v.object(sums),
      byDay: rows,
      byProject: rows,
      byModel: rows,
      byPurpose: rows,
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
