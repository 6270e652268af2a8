// What a backfill would do: which sessions are wanted, which are not, and how much there is in them.
import { expect, test } from "bun:test";
import { planBackfill } from "../../src/backfill/plan.ts";
import { discoverTranscripts } from "../../src/transcript/discover.ts";
import { inFolder } from "../support/in-folder.ts";
import { busySession, recordedSession } from "../support/recorded-session.ts";

type PlanFilter = Parameters<typeof planBackfill>[2];

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

test("of a session that was read and changed since, rewritten or gone on, only what came is planned", () =>
  inFolder(async (folder) => {
    await busySession("rewritten", "/w/shop", start, 10).write(folder);
    await busySession("gone-on", "/w/shop", start, 10).write(folder);
    const { sessions } = await discoverTranscripts(folder);
    const files = sessions.flatMap(({ main }) => (main ? [main] : []));
    const readAt = { rewritten: start + 60 * minute, "gone-on": start + 5 * minute - 1 };
    const marks = new Map(
      files.map(({ path }) => {
        const changedAt = path.includes("gone-on") ? readAt["gone-on"] : readAt.rewritten;
        // It had more bytes then, or fewer.
        return [path, { path, bytes: 7, changedAt, offset: 0, lines: 0 }] as const;
      }),
    );
    const plan = await planBackfill(sessions, marks, {});
    expect(plan.sessions.map(({ session, prompts }) => [session, prompts])).toEqual([
      ["gone-on", 5],
    ]);
    expect(plan.alreadyRead).toBe(1);
    const whole = await planBackfill(sessions, new Map(), {});
    const characters = (of: typeof plan) => of.sessions[0]?.characters ?? 0;
    expect(characters(plan)).toBeLessThan(characters(whole));
  }));

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

test("failed tool uses count as well, and of a long text only what a model would be shown", () =>
  inFolder(async (folder) => {
    const recorded = recordedSession("s1", "/w/shop");
    recorded.prompt("Run", start);
    recorded.run("make", "no rule", start + 1_000, true);
    const failed = { toolUses: 1, prompts: 1, characters: '{"command":"make"}"no rule"'.length };
    const plan = async () => {
      await recorded.write(folder);
      const { sessions } = await discoverTranscripts(folder);
      return (await planBackfill(sessions, new Map(), {})).sessions[0];
    };
    expect(await plan()).toMatchObject(failed);
    recorded.run("make all", "x".repeat(9_000), start + 2_000);
    expect(await plan()).toMatchObject({
      toolUses: 2,
      characters: failed.characters + '{"command":"make all"}'.length + 4_000,
    });
  }));

test("a subagent's file is part of its session, also where the session's own is gone", () =>
  inFolder(async (folder) => {
    const main = busySession("s1", "/w/shop", start, 1);
    const agent = recordedSession("s1", "/w/shop", "a7");
    agent.prompt("Look", start - minute);
    agent.run("grep", "found", start - minute + 1);
    await agent.write(folder);
    const plan = async () => {
      const { sessions } = await discoverTranscripts(folder);
      return (await planBackfill(sessions, new Map(), { project: "shop" })).sessions;
    };
    expect(await plan()).toMatchObject([
      { prompts: 0, toolUses: 1, startedAt: start - minute + 501 },
    ]);
    await main.write(folder);
    const both = await plan();
    expect(both).toMatchObject([{ prompts: 1, toolUses: 5, cwd: "/w/shop" }]);
    expect(both[0]?.startedAt).toBeLessThan(start);
    expect(both[0]?.lastAt).toBeGreaterThan(start);
  }));

test("a session whose lines name no folder brings nothing", () =>
  inFolder(async (folder) => {
    const recorded = busySession("s1", "/w/shop", start, 1);
    for (const line of recorded.lines) delete line.cwd;
    await recorded.write(folder);
    const { sessions } = await discoverTranscripts(folder);
    expect(await planBackfill(sessions, new Map(), {})).toMatchObject({ sessions: [], empty: 1 });
  }));
