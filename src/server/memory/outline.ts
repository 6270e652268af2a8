// What came of a session, counted from its evidence: what a card says of it before anybody opens it.
import * as v from "valibot";
import type { Session } from "../../sdk/model.ts";
import { usesOf } from "../../strategy/uses.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { described, optional } from "../operation.ts";
import { list } from "./records.ts";

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
