// What a subagent found out or did, in the words of its report.
import { expect, test } from "bun:test";
import type { Reported } from "../../../plugins/observation-heuristic/describe-work.ts";
import { describeReport } from "../../../plugins/observation-heuristic/index.ts";
import type { Evidence } from "../../../src/sdk/turn.ts";
import type { ToolUse } from "../../../src/sdk/work.ts";
import { pathsFrom } from "../../../src/text/paths.ts";
import { sampleTurn } from "../../support/sample-records.ts";

const report =
  "The vouchers are counted in `src/cart.ts`, 2 times each.\n\n\n\nIts **totalOf** adds them once more in line 12 of /w/src/sum.ts.";
const use = (id: string, name: string, path: string, part: Partial<ToolUse> = {}): ToolUse => ({
  ...{ id, name, input: { file_path: `/w/${path}` }, response: {}, time: 9, cwd: "/w", ...part },
});
const agent = { id: "a1", type: "Explore" };
const pieces: Evidence[] = [
  { kind: "prompt", text: "Mend the cart" },
  { kind: "task", text: "Find out where vouchers are counted", about: "Look at vouchers" },
  { kind: "report", text: report, about: "Look at vouchers", agent: "a1" },
  {
    kind: "report",
    text: "Another report that somebody else wrote of something in the cart of the shop.",
    agent: "a2",
  },
];

const described = (
  part: Partial<Reported> = {},
  of = pieces,
  files: Array<{ path: string; changed: boolean; symbols: string[] }> = [],
) =>
  describeReport(
    { agent, uses: [use("r", "Read", "src/cart.ts")], ...part },
    {
      turn: sampleTurn({ promptNumber: 4, time: 99, pieces: of, files }),
      prompt: "Mend the cart",
      paths: pathsFrom("/w"),
    },
  );

test("a report is told by what it comes to, its best sentences, whole in its story", () => {
  const one = described();
  expect([one?.title, one?.subtitle]).toEqual([
    "The vouchers are counted in src/cart.ts, 2 times each",
    "Look at vouchers",
  ]);
  expect(one?.facts).toEqual([
    "The vouchers are counted in src/cart.ts, 2 times each.",
    "Its totalOf adds them once more in line 12 of src/sum.ts.",
  ]);
  expect(one?.narrative).toBe((one?.facts ?? []).join("\n\n"));
  expect([one?.agent, one?.toolUseIds, one?.filesRead, one?.time]).toEqual([
    agent,
    ["r"],
    ["src/cart.ts"],
    9,
  ]);
  expect(one?.evidence).toEqual([
    { turn: 4, piece: 1 },
    { turn: 4, piece: 2 },
  ]);
});

test("what it said at its end counts before what the turn has of it", () => {
  const said = "Nothing of it is in use: `src/old.ts` was left behind 3 years ago by somebody.";
  expect(described({ said })?.narrative).toBe(said.replaceAll("`", ""));
  const [, , , other] = pieces;
  const alike = described({ agent: { id: "a9" }, said: ` ${other?.text} ` });
  expect(alike?.evidence).toEqual([{ turn: 4, piece: 3 }]);
  const alone = described({ agent: { id: "a9" }, said });
  expect([alone?.evidence, alone?.title]).toEqual([
    [{ turn: 4, piece: 0 }],
    "Nothing of it is in use: src/old.ts was left behind 3 years ago by somebody",
  ]);
  expect(described({ uses: [] })?.time).toBe(99);
});

test.each<[string, Partial<Reported>, boolean]>([
  ["fewer than sixty characters", { said: "x".repeat(59) }, false],
  ["nothing, where it looked", { agent: { id: "a9" } }, false],
  ["little, where it changed something", { said: "Done.", uses: [use("e", "Edit", "a.ts")] }, true],
  ["sixty characters", { said: `It counts ${"word ".repeat(10)}` }, true],
])("of a report with %s something is told: %p", (_, part, isTold) => {
  expect(described(part) !== undefined).toBe(isTold);
});

test("few facts are joined by the names that changed, and the kind is that of the task", () => {
  const files = [{ path: "a.ts", changed: true, symbols: ["total"] }];
  const uses = [use("e", "Edit", "a.ts")];
  const one = described({ said: "Done.", uses }, pieces, files);
  expect([one?.facts, one?.narrative, one?.filesModified]).toEqual([
    ["a.ts changed: total"],
    "Done.",
    ["a.ts"],
  ]);
  expect(one?.type).toBe("change");
  const task: Evidence = { kind: "task", text: "Fix the vouchers", about: "Look at vouchers" };
  const fixed = described({ uses }, pieces.with(1, task), files);
  expect([fixed?.type, fixed?.facts.length]).toEqual(["bugfix", 3]);
});

test("it reads fifty files at most, ends with its last use, and decides nothing of its turn's", () => {
  const uses = Array.from({ length: 60 }, (_, at) =>
    use(`r${at}`, "Read", `src/f${at}.ts`, { time: at }),
  );
  const chosen: Evidence = { kind: "choice", text: "Redis", about: "Which store?" };
  const one = described({ uses }, [...pieces, chosen]);
  expect([one?.filesRead.length, one?.time, one?.type]).toEqual([50, 59, "discovery"]);
});

test("without a task it has no subtitle", () => {
  const words = "The vouchers of members are counted in `src/cart.ts`, 2 times each";
  const of: Evidence[] = [{ kind: "report", text: `${words}.`, agent: "a1" }];
  const one = described({}, of);
  expect([one?.title, one?.subtitle]).toEqual([words.replaceAll("`", ""), ""]);
});

test("a narrative keeps the items of a list as lines; code stays as it is", () => {
  const said =
    "The cart counted each voucher twice in `totalOf`. This affects:\n- `cart.ts` - the sum\n- `mail.ts`\n  1. its total\n\n```\n- a\n- b\n```";
  expect(described({ said })?.narrative).toBe(
    "The cart counted each voucher twice in totalOf. This affects:\n- cart.ts - the sum\n- mail.ts\n1. its total\n\n```\n- a\n- b\n```",
  );
});
