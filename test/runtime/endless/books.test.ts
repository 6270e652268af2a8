// The books: what was kept out, what came back, whether it pays, what sessions took, and what may be concluded.
import { afterEach, expect, test } from "bun:test";
import { appendFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { estimateCost } from "../../../src/runtime/budget/prices.ts";
import type { SessionUsage } from "../../../src/runtime/endless/books.ts";
import {
  endlessMetrics,
  fewestSessions,
  figuresFor,
  toolFigures,
} from "../../../src/runtime/endless/metrics.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import type { TokenUsage } from "../../../src/sdk/work.ts";
import { clientEvent } from "../../support/client-events.ts";
import { type EndlessRoom, keepRequest, openEndlessRoom } from "../../support/endless-room.ts";

let room: EndlessRoom | undefined;
afterEach(async () => {
  await room?.close();
  room = undefined;
});
const day = 86_400_000;
const noTurns = { turns: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function line(
  kind: "kept" | "recalled" | "missed" | "reread" | "declined",
  count: number,
  characters: number,
) {
  const nothing = { part: "" as const, reason: "", whole: 0, tokens: 0, ms: 0, longestMs: 0 };
  return {
    strategy: "live",
    tool: "Read",
    ...nothing,
    at: 0,
    session: "s",
    kind,
    count,
    characters,
  };
}

test.each<[string, Array<ReturnType<typeof line>>, boolean, string]>([
  ["too few to judge", [line("kept", 19, 100), line("recalled", 7, 900)], true, "too few to judge"],
  [
    "few, but looked at again and again",
    [line("kept", 10, 1_000), line("missed", 8, 16)],
    false,
    "8 second looks brought 16 back (80 %, over 25 %)",
  ],
  [
    "looked at again often, however little came back",
    [line("kept", 20, 100_000), line("missed", 6, 60)],
    false,
    "(30 %, over 25 %)",
  ],
  [
    "nothing came back",
    [line("kept", 20, 140_000)],
    true,
    "20 reductions kept out 140,000 characters; 0 second looks brought 0 back (0 %, at most 25 %)",
  ],
  [
    "a quarter may come back",
    [line("kept", 20, 1_000), line("recalled", 1, 200), line("missed", 1, 50)],
    true,
    "2 second looks brought 250 back (25 %, at most 25 %)",
  ],
  [
    "more may not",
    [line("kept", 20, 1_000), line("recalled", 1, 200), line("missed", 1, 51)],
    false,
    "(25 %, over 25 %)",
  ],
  ["nothing gained", [line("kept", 20, -5)], false, "nothing was gained"],
  [
    "neither what was left whole nor reading again counts",
    [line("kept", 20, 1_000), line("declined", 50, 90_000), line("reread", 20, 1_000)],
    true,
    "0 second looks",
  ],
])("%s", (_, lines, profits, why) => {
  const [figures] = toolFigures(lines);
  expect(figures?.profits).toBe(profits);
  expect(figures?.why).toContain(why);
});

test("a project's own figures count where they say enough", () => {
  const all = toolFigures([line("kept", 100, 1_000)]);
  const few = toolFigures([line("kept", 2, 10), line("recalled", 3, 99)]);
  const enough = toolFigures([line("kept", 20, 10), line("recalled", 9, 99)]);
  expect(figuresFor(few, all)).toEqual(all);
  expect(figuresFor(enough, all)).toEqual(enough);
});

test("each kind of a tool has figures of its own", () => {
  const kind = (reason: string, count: number, back: number) => [
    { ...line("kept", count, 10_000), reason },
    { ...line("recalled", back, back), reason },
  ];
  const figures = toolFigures([...kind("signatures (1)", 20, 10), ...kind("repeats (1)", 30, 0)]);
  expect(figures.map(({ kind: of, profits }) => [of, profits])).toEqual([
    ["repeats (1)", true],
    ["signatures (1)", false],
  ]);
  // A kind of another name, as a reducer's new version has, begins anew.
  const [anew] = toolFigures([...kind("signatures (2)", 3, 1)]);
  expect(anew).toMatchObject({ judged: false, profits: true });
});

const recalls = (session: string, id: string, characters: number) =>
  clientEvent("PostToolUse", {
    ...{ session, toolUseId: `asks ${id}`, toolName: "Bash" },
    toolInput: { command: `memoir recall ${id}` },
    toolResponse: { stdout: "y".repeat(characters), stderr: "" },
  });

test("figures: by strategy, over the last 30 days, so that a tool gets another chance", async () => {
  room = await openEndlessRoom();
  const { endless, pass } = room;
  const live = endless.client("live");
  for (let at = 0; at < 20; at++) await live.keep(keepRequest({ toolUseId: `t${at}` }));
  endless.heard(recalls("shop-1", "t7", 7_000));
  const [bash] = await live.figures();
  expect(bash).toMatchObject({ tool: "Bash", reduced: 20, charactersOut: 18_000, fetchedBack: 1 });
  expect(bash?.profits).toBe(false);
  expect(await endless.client("transcript").figures()).toEqual([]);
  expect(await live.figures("example.com/acme/shop")).toEqual([bash as never]);
  await live.keep(keepRequest({ toolUseId: "t99", before: "x".repeat(1_000_000) }));
  expect((await live.figures())[0]?.profits).toBe(true);
  pass(31 * day);
  expect(await live.figures()).toEqual([]);
});

test("notes: by kind and reason, their times, and nothing is lost with an orderly stop", async () => {
  room = await openEndlessRoom();
  const live = room.endless.client("live");
  const about = { session: "shop-1", tool: "Read" };
  await live.note({ ...about, kind: "declined", reason: "an Edit follows", characters: 10 });
  await live.note({ ...about, kind: "declined", reason: "an Edit follows", characters: 10 });
  await live.note({ ...about, kind: "waited", ms: 1_500 });
  await live.note({ ...about, kind: "waited", ms: 500 });
  await live.note({ ...about, kind: "injected", characters: 400, ms: Number.NaN });
  const reason = "r".repeat(200);
  for (const project of [undefined, "p", undefined])
    await live.note({ session: "s", kind: "retired", reason, ...(project && { project }) });
  const again = await room.again();
  const own = await again.metrics({ since: 0, project: "p" });
  expect(own.notes).toMatchObject([{ kind: "retired", reason: "r".repeat(120), count: 3 }]);
  const { notes } = await again.metrics({ since: 0, session: "shop-1" });
  expect(notes).toMatchObject([
    { kind: "declined", reason: "an Edit follows", count: 2, characters: 20 },
    { kind: "waited", count: 2, ms: 2_000, longestMs: 1_500 },
    { kind: "injected", count: 1, characters: 400, tokens: 100, ms: 0 },
  ]);
  expect((await again.metrics({ since: 0, project: "other" })).notes).toEqual([]);
  expect((await again.metrics({ since: 0, session: "shop-1" })).notes).toHaveLength(3);
});

test("metrics count from the day that is asked for", async () => {
  room = await openEndlessRoom();
  const { endless, pass } = room;
  const live = endless.client("live");
  await live.keep(keepRequest());
  pass(3 * day);
  await live.keep(keepRequest({ toolUseId: "t2", tool: "Grep", session: "elsewhere" }));
  endless.heard(recalls("elsewhere", "t2", 8));
  await live.note({ session: "elsewhere", tool: "Grep", kind: "reread", characters: 8 });
  const since = Date.parse("2026-11-23T00:00:00");
  expect((await endless.metrics({ since })).tools.map(({ tool }) => tool)).toEqual(["Grep"]);
  expect((await endless.metrics({ since: 0 })).tools).toHaveLength(2);
  const days = (await endless.metrics({ since: 0 })).byDay;
  expect(days.map(({ reduced, fetchedBack }) => [reduced, fetchedBack])).toEqual([
    [1, 1],
    [1, 0],
  ]);
  expect(days[0]?.key.localeCompare(days[1]?.key ?? "")).toBe(1);
  expect((await endless.metrics({ since })).byDay).toEqual(days.slice(0, 1));
  const own = await endless.metrics({ since: 0, project: "example.com/acme/shop" });
  expect(own.tools.map(({ tool }) => tool)).toEqual(["Bash"]);
  // The books outlive what was kept, by far, and go after a year.
  pass(60 * day);
  await endless.prune();
  expect((await endless.metrics({ since: 0 })).tools).toHaveLength(2);
  pass(400 * day);
  await endless.prune();
  expect((await endless.metrics({ since: 0 })).tools).toEqual([]);
});

const answer = (
  id: string,
  at: string,
  usage: [number, number, number, number],
  { model, ...more }: { model?: string; isSidechain?: boolean; agentId?: string } = {},
) => {
  const [input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens] = usage;
  return `${JSON.stringify({
    type: "assistant",
    uuid: `${id}-${output_tokens}`,
    timestamp: new Date(Date.parse(at)).toISOString(),
    ...more,
    message: {
      id,
      ...(model && { model }),
      role: "assistant",
      content: [],
      usage: { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens },
    },
  })}\n`;
};

function stop(session: string, transcriptPath: string, name: "Stop" | "SessionEnd" = "Stop") {
  const about = { id: "i", key: "k", client: "claude-code", session, time: 1, cwd: "/shop" };
  const event =
    name === "Stop"
      ? { ...about, name, stopHookActive: false, transcriptPath }
      : { ...about, name, reason: "other", transcriptPath };
  return event as ClientEvent;
}

test("what a session's requests took is parted at the first reduction, also after a restart", async () => {
  room = await openEndlessRoom();
  const { configure, folder, pass } = room;
  configure({ everywhere: ["live"] });
  const path = join(folder, "shop-1.jsonl");
  await writeFile(path, answer("m1", "2026-11-21T09:00:00", [10, 1, 100, 1_000]));
  room.endless.answered(stop("shop-1", path), false);
  await room.endless.client("live").keep(keepRequest());
  pass(60_000);
  // One message on two lines counts once, with the later line's output.
  await appendFile(path, answer("m2", "2026-11-21T10:00:30", [5, 2, 1_100, 50]));
  await appendFile(path, answer("m2", "2026-11-21T10:00:31", [5, 9, 1_100, 50]));
  room.endless.answered(stop("shop-1", path), false);
  const again = await room.again();
  const expected = {
    sessions: 1,
    before: { turns: 1, input: 10, output: 1, cacheRead: 100, cacheWrite: 1_000 },
    after: { turns: 1, input: 5, output: 9, cacheRead: 1_100, cacheWrite: 50 },
  };
  expect((await again.metrics({ since: 0 })).treated).toEqual(expected);
  await appendFile(path, answer("m3", "2026-11-21T10:02:00", [1, 1, 1, 1]));
  again.answered(stop("shop-1", path, "SessionEnd"), false);
  const last = await room.again();
  expect((await last.metrics({ since: 0 })).treated.after).toMatchObject({ turns: 2, output: 10 });
  pass(367 * day);
  await last.prune();
  expect((await last.metrics({ since: 0 })).treated.sessions).toBe(0);
});

test("a subagent's requests are counted with the session's, what left its context against them alone", async () => {
  room = await openEndlessRoom();
  const { configure, folder, endless, pass } = room;
  configure({ everywhere: ["live"] });
  const path = join(folder, "shop-1.jsonl");
  const agents = join(folder, "shop-1", "subagents");
  await mkdir(agents, { recursive: true });
  const [opus, haiku] = [{ model: "claude-opus-4-5" }, { model: "claude-haiku-4-5" }];
  const usages = { own: [10, 1, 9_000, 100], sub: [20, 2, 4_000, 500], old: [1, 1, 2_000, 50] };
  const at = (minute: number) => `2026-11-21T10:0${minute}:00`;
  const use = (of: keyof typeof usages) => usages[of] as [number, number, number, number];
  // An older client writes a subagent's lines into the session's own file.
  const older = { ...haiku, isSidechain: true, agentId: "b" };
  await writeFile(
    path,
    answer("m1", at(1), use("own"), opus) + answer("m2", at(2), use("old"), older),
  );
  const sub = { ...haiku, isSidechain: true };
  const file = join(agents, "agent-a.jsonl");
  await writeFile(file, answer("s1", at(1), use("sub"), sub));
  // Whoever links a file there does not have it counted.
  const foreign = join(folder, "foreign.jsonl");
  await writeFile(foreign, answer("x1", at(1), [9_999, 9, 9, 9], sub));
  await symlink(foreign, join(agents, "agent-link.jsonl"));
  pass(90_000);
  const live = endless.client("live");
  const before = "x".repeat(40_400);
  await live.keep(keepRequest({ agent: "a", before, after: "x".repeat(400) }));
  // The session's own agent asks nothing after that.
  await live.keep(keepRequest({ toolUseId: "toolu_02", before }));
  pass(1_000);
  endless.heard({ ...recalls("shop-1", "toolu_01", 8_000), agent: { id: "a" } });
  await appendFile(file, answer("s2", at(2), use("sub"), sub));
  endless.answered(stop("shop-1", path), false);
  const again = await room.again();
  const { gained, treated } = await again.metrics({ since: 0, session: "shop-1" });
  expect([treated.before.turns, treated.after.turns, treated.before.input]).toEqual([2, 2, 30]);
  const cost = (model: string, [input, output, cacheRead, cacheWrite]: number[]) =>
    estimateCost(model, { input, output, cacheRead, cacheWrite } as TokenUsage) ?? 0;
  const all = [
    cost("claude-opus-4-5", usages.own),
    ...[usages.sub, usages.sub, usages.old].map((one) => cost("claude-haiku-4-5", one)),
  ];
  expect(gained.cost).toBeCloseTo(
    all.reduce((sum, one) => sum + one, 0),
    9,
  );
  // 10,000 tokens out and 2,000 back, written with the second request of the subagent, and with no other.
  expect([gained.requests, gained.tokens]).toEqual([1, 8_000]);
  const more = [20 + (8_000 * 20) / 520, 2, 4_000, 500 + (8_000 * 500) / 520];
  const paid = cost("claude-haiku-4-5", usages.sub);
  expect(gained.saved).toBeCloseTo(cost("claude-haiku-4-5", more) - paid, 9);
});

test("held-out sessions are measured too; those without Endless Mode and subagents are not", async () => {
  room = await openEndlessRoom();
  const { configure, folder } = room;
  const path = (session: string) => join(folder, `${session}.jsonl`);
  for (const session of ["shop-1", "shop-2", "other"])
    await writeFile(path(session), answer("m1", "2026-11-21T09:00:00", [10, 1, 100, 1_000]));
  configure({ projects: { "example.com/acme/shop": ["live"] }, holdOut: 1 });
  room.endless.answered(stop("shop-1", path("shop-1")), false);
  room.endless.answered(stop("other", path("other")), false);
  room.endless.answered({ ...stop("shop-2", path("shop-2")), agent: { id: "a" } }, false);
  const again = await room.again();
  const { treated, heldOut } = await again.metrics({ since: 0 });
  expect([treated.sessions, heldOut.sessions]).toEqual([0, 1]);
  expect(heldOut.before.turns).toBe(1);
});

test("a transcript that is missing, foreign or no transcript costs a line in the log at most", async () => {
  room = await openEndlessRoom();
  room.configure({ everywhere: ["live"] });
  await writeFile(join(room.folder, "shop-1.jsonl"), "\u0000\u0001 no json\n{}\n[]\n");
  room.endless.answered(stop("shop-1", join(room.folder, "shop-1.jsonl")), false);
  room.endless.answered(stop("shop-2", join(room.folder, "missing.jsonl")), false);
  room.endless.answered(stop("shop-3", "/etc/passwd"), false);
  const again = await room.again();
  expect((await again.metrics({ since: 0 })).treated.before).toEqual(noTurns);
});

function sessions(count: number, heldOut: boolean, cacheRead: number): SessionUsage[] {
  return Array.from({ length: count }, (_, at) => ({
    session: `s${at}`,
    project: "p",
    strategies: ["live"],
    heldOut,
    firstReducedAt: null,
    updatedAt: 0,
    before: { turns: 10, input: 0, output: 1, cacheRead: cacheRead * 9, cacheWrite: cacheRead },
    after: noTurns,
  }));
}

test.each<[string, SessionUsage[], boolean, string]>([
  ["nobody held out", sessions(50, false, 1), false, "No session was held out"],
  [
    "too few",
    [...sessions(50, false, 1), ...sessions(fewestSessions - 1, true, 1)],
    false,
    "Too few sessions to compare: 50 with Endless Mode, 9 held out",
  ],
  [
    "less",
    [...sessions(10, false, 600), ...sessions(10, true, 1_000)],
    true,
    "A request carried 40 % less with Endless Mode than without.",
  ],
  [
    "more is said as plainly",
    [...sessions(10, false, 1_100), ...sessions(10, true, 1_000)],
    true,
    "10 % more",
  ],
])("a comparison: %s", (_, all, enough, words) => {
  const { comparison } = endlessMetrics(0, [], all);
  expect(comparison.enough).toBe(enough);
  expect(comparison.words).toContain(words);
  const context = (heldOut: boolean) => {
    const { cacheRead = 0, cacheWrite = 0 } =
      all.find((one) => one.heldOut === heldOut)?.before ?? {};
    return cacheRead + cacheWrite === 0 ? null : (cacheRead + cacheWrite) / 10;
  };
  expect(comparison.contextOfTurn).toEqual({ treated: context(false), heldOut: context(true) });
});
