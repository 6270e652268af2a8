// What a backfill says before, while and after it reads.
import { expect, test } from "bun:test";
import type { BackfillProgress } from "../../../src/backfill/job.ts";
import {
  type BackfillPlan,
  estimateModelTokens,
  type PlannedSession,
} from "../../../src/backfill/plan.ts";
import {
  planLines,
  planReport,
  progressLine,
  resultLine,
} from "../../../src/cli/history/backfill.ts";
import { dateTime } from "../../../src/cli/terminal/layout.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

const free = { provider: null, tokens: { input: 0, output: 0 }, cost: 0 };
const planned = (cwd: string | undefined, part: Partial<PlannedSession>): PlannedSession => ({
  ...{ session: "s", startedAt: 1_000, lastAt: 2_000, bytes: 500, prompts: 1, toolUses: 2 },
  ...{ known: 0, characters: 10, files: { session: "s", folder: "f", agents: [] } as never },
  ...(cwd !== undefined && { cwd }),
  ...part,
});
const plan: BackfillPlan = {
  sessions: [
    planned("/w/blog", { lastAt: 90_000_000 }),
    planned("/w/shop", { startedAt: 500, toolUses: 7, bytes: 1_500 }),
    planned("/w/shop", {}),
    planned(undefined, { toolUses: 1 }),
  ],
  alreadyRead: 3,
  empty: 1,
};
const terminal = plainTerminal({ now: () => 11_000 });
const lines = (model: Parameters<typeof planLines>[1], of = plan) => planLines(of, model, terminal);

test("the plan has sums, from the first to the last, and folders with the most tool uses first", () => {
  expect(lines(free)).toEqual([
    `4 sessions, 4 prompts, 12 tool uses, 3.0 kB, from ${dateTime(500)} to ${dateTime(90_000_000)} (3 read before, 1 empty)`,
    "  /w/shop    2 sessions  2 prompts  9 tool uses",
    "  /w/blog    1 session   1 prompt   2 tool uses",
    "  (unknown)  1 session   1 prompt   1 tool use",
    "No model is used: 0 tokens, $0; nothing leaves this machine.",
  ]);
  expect(planReport(plan, free)).toMatchObject({
    prompts: 4,
    toolUses: 12,
    bytes: 3_000,
    from: 500,
  });
});

test("of many folders twelve are named, and the others counted", () => {
  const sessions = Array.from({ length: 15 }, (_, at) => planned(`/w/${at}`, {}));
  expect(lines(free, { ...plan, sessions }).at(-2)).toBe("  and 3 more folders");
});

test("a model says what it takes, whether or not its price is known", () => {
  const tokens = { input: 1_234_567, output: 89_000 };
  expect(lines({ provider: "claude-cli", tokens, cost: 1.5 }).at(-1)).toBe(
    "claude-cli would be used: about 1,234,567 input and 89,000 output tokens, about $1.50 (estimates).",
  );
  expect(lines({ provider: "mine", tokens, cost: null }).at(-1)).toContain(
    "at a price that is not known",
  );
});

test("nothing to read says why", () => {
  expect(lines(free, { sessions: [], alreadyRead: 2, empty: 0 })).toEqual([
    "No session to read (2 read before).",
  ]);
});

test("tokens are estimated from what a model would be shown, prompts and tool uses", () => {
  expect(
    estimateModelTokens([planned("/w", { characters: 401, prompts: 2, toolUses: 3 })]),
  ).toEqual({ input: 101 + 5_000, output: 180 + 1_000 });
});

const progress: BackfillProgress = {
  ...{ state: "running", sessions: { done: 1, total: 4 }, bytes: { done: 500, total: 1_000 } },
  events: { committed: 30, recovered: 2, delivered: 4, dropped: 1 },
  ...{ unsettled: 0, failures: [], startedAt: 1_000, endedAt: null },
};

test("progress says how much is done of how much, how fast, and draws it on a screen", () => {
  const said = "50 %  1 of 4 sessions  500 B  0.1 sessions/s";
  expect(progressLine(progress, terminal)).toBe(said);
  expect(progressLine(progress, plainTerminal({ now: () => 11_000, width: 80 }))).toBe(
    `${"█".repeat(10)}${"░".repeat(10)} ${said}`,
  );
  const ended = { ...progress, endedAt: 2_000, bytes: { done: 0, total: 0 } };
  expect(progressLine(ended, terminal)).toBe("0 %  1 of 4 sessions  0 B  1.0 sessions/s");
});

test("the end says what came of it, what waits, and what was not read", () => {
  const done = {
    ...progress,
    state: "done",
    endedAt: 6_000,
    sessions: { done: 4, total: 4 },
  } as const;
  expect(resultLine(done, terminal).split("\n")).toEqual([
    "✓ 4 sessions imported in 5.0 s",
    "  30 new events, 4 already known, 2 from an earlier run, 1 skipped by capture",
  ]);
  const poor = {
    ...progress,
    state: "stopped",
    unsettled: 2,
    failures: [{ session: "s2", reason: "gone" }],
  } as const;
  expect(resultLine({ ...poor, failures: [...poor.failures] }, terminal).split("\n")).toEqual([
    "! stopped after 1 of 4 sessions; run the same command to continue",
    "  30 new events, 4 already known, 2 from an earlier run, 1 skipped by capture",
    "  2 sessions not processed yet; see `memoir status`",
    "  not read: s2: gone",
  ]);
});

test("one that goes on is measured to this moment, one that ended to its end", () => {
  expect(resultLine({ ...progress, state: "done" }, terminal)).toContain(" in 10.0 s");
  expect(resultLine({ ...progress, state: "done", endedAt: 1_000 }, terminal)).toContain(
    " in 0.0 s",
  );
  const one = { done: 1, total: 1 };
  const single = { ...progress, sessions: one, events: { ...progress.events, committed: 1 } };
  expect(
    resultLine({ ...single, unsettled: 1 }, terminal)
      .split("\n")
      .slice(1),
  ).toEqual([
    "  1 new event, 4 already known, 2 from an earlier run, 1 skipped by capture",
    "  1 session not processed yet; see `memoir status`",
  ]);
  const over = { ...progress, bytes: { done: 12, total: 10 } };
  expect(progressLine(over, terminal)).toStartWith("100 %  ");
});
