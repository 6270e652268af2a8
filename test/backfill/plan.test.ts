// What a backfill would do: which sessions are wanted, which are not, and how much there is in them.
import { expect, test } from "bun:test";
import { type PlanFilter, planBackfill } from "../../src/backfill/plan.ts";
import { discoverTranscripts } from "../../src/transcript/discover.ts";
import { inFolder } from "../support/in-folder.ts";
import { busySession, recordedSession } from "../support/recorded-session.ts";

const start = Date.parse("2026-01-01T10:00:00Z");
const minute = 60_000;

/** Plans over a shop's long session, a blog's short one that began later, and one without a word. */
function planned(filter: PlanFilter, marked: string[] = []) {
  return inFolder(async (folder) => {
    await busySession("long", "/w/shop", start, 10).write(folder);
    await busySession("short", "/w/blog/site", start + minute, 1).write(folder);
    const empty = recordedSession("empty", "/w/shop");
    empty.say("Hello.", start);
    await empty.write(folder);
    const { sessions } = await discoverTranscripts(folder);
    const marks = new Map(
      sessions
        .filter(({ session }) => marked.includes(session))
        .flatMap(({ main }) => (main ? [main] : []))
        .map(
          ({ path, bytes, changedAt }) =>
            [path, { path, bytes, changedAt, offset: 0, lines: 0 }] as const,
        ),
    );
    const { alreadyRead, ...rest } = await planBackfill(sessions, marks, filter);
    return { ...rest, alreadyRead, ids: rest.sessions.map(({ session }) => session) };
  });
}

test("the session that went on last comes first, with its prompts, tool uses and times", async () => {
  const { ids, sessions, empty, alreadyRead } = await planned({});
  expect([ids, empty, alreadyRead]).toEqual([["long", "short"], 1, 0]);
  expect(sessions[0]).toMatchObject({ prompts: 10, toolUses: 40, cwd: "/w/shop" });
  expect(sessions[0]?.startedAt).toBe(start);
  expect(sessions[0]?.lastAt).toBeGreaterThan(start + 9 * minute);
});

test("what was read before and did not change is counted, not planned", async () => {
  const { ids, alreadyRead } = await planned({}, ["long"]);
  expect([ids, alreadyRead]).toEqual([["short"], 1]);
});

test.each<[string, PlanFilter, string[]]>([
  [
    "`since` takes a session that began before and went on after",
    { since: start + 5 * minute },
    ["long"],
  ],
  ["`since` leaves out what ended before", { since: start + 60 * minute }, []],
  ["a project by its folder", { project: "/w/blog" }, ["short"]],
  ["a folder with a slash at its end", { project: "/w/blog/" }, ["short"]],
  ["a project by the name of a folder on its way", { project: "site" }, ["short"]],
  ["no folder whose name only begins alike", { project: "/w/sho" }, []],
])("%s", async (_, filter, wanted) => {
  expect((await planned(filter)).ids).toEqual(wanted);
});

test("a session with as many prompts as tool uses, or only one of both, is none that is empty", () =>
  inFolder(async (folder) => {
    const equal = recordedSession("equal", "/w/shop");
    equal.prompt("Run it", start);
    equal.run("make", "ok", start + 1_000);
    await equal.write(folder);
    const asked = recordedSession("asked", "/w/shop");
    asked.prompt("Only asked", start);
    await asked.write(folder);
    const { sessions } = await discoverTranscripts(folder);
    const { sessions: found, empty } = await planBackfill(sessions, new Map(), {});
    expect([found.map(({ session }) => session).sort(), empty]).toEqual([["asked", "equal"], 0]);
  }));
