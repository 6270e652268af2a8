// Sessions at a glance: everything of a time over all projects, sessions with their observations or counts by day where there are too many
// to draw; and what came of each.

import * as v from "valibot";
import { withoutPasswordsDeep } from "../../privacy/passwords.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import type { Session } from "../../sdk/model.ts";
import { firstWords } from "../../sdk/record-texts.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import { usesOf } from "../../strategy/uses.ts";
import { cut, localClock } from "../../text/text.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { described, optional } from "../operation.ts";
import { list, type WithHooks } from "./records.ts";

const place = { project: v.string(), projectName: v.string() };
/** What began on a day (`2026-11-21`, local time) in a project. */
const DaySchema = v.object({
  ...{ key: v.string(), ...place },
  ...{ sessions: v.number(), observations: v.number() },
});
/** Either sessions (bars) with their observations (dots), or, where there are too many, how many there were each day. */
export const OverviewAnswer = v.object({
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
  days: v.array(DaySchema),
  leftOut: v.picklist(["nothing", "observations", "sessions", "oldest"]),
});

/** More than these nobody tells apart. */
export const mostSessions = 500;
export const mostObservations = 2_000;
/** Beyond this many sessions the older ones are not counted. */
const mostCounted = 10_000;

/**
 * `since` and `until` in epoch ms; the newest first. What is left out: `observations`: there are too many of them, sessions say
 * how many; `sessions`: only `days` are given; `oldest`: and the oldest sessions are not counted.
 */
export async function overview(
  runtime: WithHooks,
  { by, ...asked }: { since: number; until: number; project?: string; by?: "day" },
): Promise<v.InferOutput<typeof OverviewAnswer>> {
  const few =
    by === "day" ? [] : await list(runtime, "session", { ...asked, limit: mostSessions + 1 });
  if (by === "day" || few.length > mostSessions) {
    const counted = await list(runtime, "session", { ...asked, limit: mostCounted });
    const leftOut = counted.length >= mostCounted ? "oldest" : "sessions";
    return { sessions: [], observations: [], days: daysOf(counted), leftOut };
  }
  const dots = { ...asked, superseded: true, limit: mostObservations + 1 };
  const found = await list(runtime, "observation", dots);
  const sessions = few.map(bar);
  if (found.length > mostObservations)
    return { sessions, observations: [], days: [], leftOut: "observations" };
  const observations = found.map(({ id, session, type, title, time }) => ({
    ...{ id, session, type, title, time },
  }));
  return { sessions, observations, days: [], leftOut: "nothing" };
}

function bar(session: Session) {
  const { id, title, startedAt, lastActiveAt, status, prompts, observations } = session;
  return {
    ...{ id, ...placeOf(session), title, startedAt, lastActiveAt, prompts, observations },
    isOpen: status === "active",
  };
}

const placeOf = ({ project }: Session) => ({ project: project.id, projectName: project.name });

function daysOf(sessions: readonly Session[]) {
  const days = new Map<string, v.InferOutput<typeof DaySchema>>();
  for (const session of sessions) {
    const key = localClock.day(session.startedAt);
    const name = `${key} ${session.project.id}`;
    const sums = days.get(name) ?? { key, ...placeOf(session), sessions: 0, observations: 0 };
    sums.sessions++;
    sums.observations += session.observations;
    days.set(name, sums);
  }
  return [...days.values()];
}

// What happens now, with the names that records have.

/** More are not named. */
const mostRecords = 150;
const longestTitle = 160;

/** With `titles` of the sessions and `records` that are named here, by id; those that are gone are not among them. Storage that does not answer costs the names. */
export async function now(runtime: ServerRuntime, spool: number) {
  const lately = runtime.lately();
  const records = [
    ...lately.happened.flatMap(({ observations }) => observations),
    ...lately.told.flatMap((told) => told.records),
  ];
  const sessions = [...lately.sessions, ...lately.happened, ...lately.told].map(
    ({ session }) => session,
  );
  const ids = [...new Set([...sessions, ...records.slice(0, mostRecords)])];
  const stored =
    ids.length === 0
      ? []
      : await askStorage(runtime.hooks, "storage.get", { ids }).catch((): StoredRecord[] => []);
  return withoutPasswordsDeep({
    ...lately,
    titles: Object.fromEntries(
      stored.flatMap(({ kind, record }) =>
        kind === "session" && record.title !== ""
          ? [[record.id, cut(record.title, longestTitle)]]
          : [],
      ),
    ),
    records: Object.fromEntries(
      stored.flatMap((one) => (one.kind === "session" ? [] : [[one.record.id, named(one)]])),
    ),
    spool,
  });
}

function named(stored: StoredRecord) {
  return { id: stored.record.id, kind: stored.kind, title: cut(firstWords(stored), longestTitle) };
}

// What came of a session, counted from its evidence: what a card says of it before anybody opens it.

/** Of one session. */
export const OutlineSchema = v.object({
  outcome: described(v.string(), "What came of it, in the words of its summary; empty for none."),
  open: described(v.string(), "What its summary leaves open."),
  failures: v.number(),
  fixed: described(v.number(), "Failures that passed after files were changed."),
  commits: v.number(),
  files: described(v.number(), "Files that it changed."),
  plans: v.number(),
  worked: described(v.number(), "Time in its turns, in ms, without the pauses between them."),
  at: described(
    v.record(v.string(), v.number()),
    "By what is counted (`failures`, `fixed`, `commits`, `plans`, `files`): the first prompt that has one.",
  ),
  decisions: described(
    v.number(),
    "Decisions, preferences and facts laid down in it; what is only suggested does not count.",
  ),
  given: optional(v.object({ times: v.number(), tokens: v.number() }), "Contexts that it got."),
  shownTo: described(v.number(), "Sessions that a record of it was shown to."),
  usedBy: described(v.number(), "Those of them that used it."),
});
type Outline = v.InferOutput<typeof OutlineSchema>;

type Reader = Pick<ServerRuntime, "hooks" | "home" | "toldTo">;

/** More turns of one session are not counted, the oldest of them. */
const mostTurns = 500;
const dayMs = 24 * 60 * 60_000;

/** By the sessions' ids. */
export async function outlinesOf(runtime: Reader, sessions: readonly Session[]) {
  const uses = (await usesOf(runtime.home)).all();
  const all = sessions.map(
    async (session) => [session.id, await outlineOf(runtime, session, uses)] as const,
  );
  return Object.fromEntries(await Promise.all(all));
}

async function outlineOf(
  runtime: Reader,
  { id, startedAt, lastActiveAt }: Session,
  uses: ReturnType<Awaited<ReturnType<typeof usesOf>>["all"]>,
): Promise<Outline> {
  const of = { session: id, limit: mostTurns };
  const [turns, items, summaries] = await Promise.all([
    list(runtime, "turn", of),
    list(runtime, "memory", of),
    list(runtime, "summary", of),
  ]);
  const pieces = turns.flatMap((turn) => turn.pieces);
  const count = (kind: string) => pieces.filter((piece) => piece.kind === kind).length;
  const changed = turns.flatMap(({ files }) => files.filter(({ changed }) => changed));
  const placeOf = (name: string, isMeant: (turn: (typeof turns)[number]) => boolean) => {
    const numbers = turns.filter(isMeant).map(({ promptNumber }) => promptNumber);
    return numbers.length > 0 ? [[name, Math.min(...numbers)] as const] : [];
  };
  const has =
    (kind: string) =>
    ({ pieces }: (typeof turns)[number]) =>
      pieces.some((piece) => piece.kind === kind);
  const summary = summaries.find(({ scope }) => scope === "session");
  const given = runtime.toldTo({
    ...{ session: id, since: startedAt - dayMs, until: lastActiveAt + dayMs },
  });
  const own = new Set([...turns, ...items].map((record) => record.id));
  const shown = uses.filter(
    ({ session, ids }) => session !== id && ids.some((one) => own.has(one)),
  );
  const used = shown.filter((note) => note.used.some((one) => own.has(one)));
  return {
    outcome: summary?.completed || summary?.learned || "",
    open: summary?.nextSteps ?? "",
    failures: count("failure"),
    fixed: count("repair"),
    commits: count("commit"),
    files: new Set(changed.map(({ path }) => path)).size,
    plans: count("plan"),
    at: Object.fromEntries([
      ...placeOf("failures", has("failure")),
      ...placeOf("fixed", has("repair")),
      ...placeOf("commits", has("commit")),
      ...placeOf("plans", has("plan")),
      ...placeOf("files", ({ files }) => files.some(({ changed }) => changed)),
    ]),
    worked: turns.reduce((all, { time, startedAt }) => all + Math.max(0, time - startedAt), 0),
    decisions: items.filter(
      ({ kind, state }) => state === "standing" && kind !== "workflows" && kind !== "gotchas",
    ).length,
    ...(given.length > 0 && {
      given: { times: given.length, tokens: given.reduce((sum, one) => sum + one.tokens, 0) },
    }),
    shownTo: new Set(shown.map(({ session }) => session)).size,
    usedBy: new Set(used.map(({ session }) => session)).size,
  };
}
