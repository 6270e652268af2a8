// Which failures are told as open, which commands as known to work, and what comes again and again.
import { describe, expect, test } from "bun:test";
import {
  checkKey,
  openFailures,
  recurring,
  workflows,
} from "../../../plugins/context-handover/open.ts";
import { pastOf } from "../../../plugins/context-handover/past.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { turn } from "../../support/turns.ts";

const failed = turn(
  1,
  [
    ["failure", "2 failed", "bun test"],
    ["closing", "Two tests fail."],
  ],
  {
    changed: ["src/a.ts"],
  },
);
const open = (...turns: Turn[]) => openFailures(pastOf(turns)).map(({ piece }) => piece.about);

describe("a failure is open", () => {
  test.each<[string, Turn[], string[]]>([
    ["while nothing came after it", [failed], ["bun test"]],
    [
      "beside other work",
      [failed, turn(2, [["closing", "Translated."]], { changed: ["b.md"] })],
      ["bun test"],
    ],
    [
      "when another thing passes",
      [failed, turn(2, [["passed", "", "bun run lint"]])],
      ["bun test"],
    ],
    [
      "while work on its files is broken off",
      [failed, turn(2, [["interrupted", "", "node mend.js"]], { changed: ["src/a.ts"] })],
      ["bun test"],
    ],
    ["not when it passes", [failed, turn(2, [["passed", "", "cd /app && bun test 2>&1"]])], []],
    [
      "not when it passes as part of a line",
      [failed, turn(2, [["ran", "", "bun test | tail -3"]])],
      [],
    ],
    [
      "not when another program does the same",
      [failed, turn(2, [["passed", "", "npm run test"]])],
      [],
    ],
    ["not when something is committed", [failed, turn(2, [["commit", "Fix a"]])], []],
    [
      "not when its files change and the turn closes",
      [failed, turn(2, [["closing", "Mended."]], { changed: ["src/a.ts"] })],
      [],
    ],
    [
      "when that turn failed too",
      [
        failed,
        turn(
          2,
          [
            ["failure", "x", "make lint"],
            ["closing", "No."],
          ],
          { changed: ["src/a.ts"] },
        ),
      ],
      ["bun test", "make lint"],
    ],
    ["never when it only looks", [turn(1, [["failure", "no match", "grep -rn x src"]])], []],
    [
      "when its files are only read later",
      [
        failed,
        turn(2, [["closing", "Looked."]], { files: [{ path: "src/a.ts", changed: false }] }),
      ],
      ["bun test"],
    ],
    [
      "never for a tool of another server",
      [turn(1, [["failure", "timed out", "mcp__browser__click #buy"]])],
      [],
    ],
    [
      "never for tools that are no commands",
      [turn(1, [["failure", "not found", "Edit src/a.ts"]])],
      [],
    ],
  ])("%s", (_, turns, wanted) => {
    expect(open(...turns)).toEqual(wanted);
  });
  test("within one turn a later pass counts", () => {
    expect(
      open(
        turn(1, [
          ["failure", "no script", "npm test"],
          ["passed", "ok", "pnpm test"],
        ]),
      ),
    ).toEqual([]);
  });
});

test("commands that pass again, or after they failed, in the order they are run", () => {
  const day = (number: number) =>
    turn(number, [
      ["passed", "", "bun install"],
      ["passed", "", "git status"],
      ["passed", "", "bun run build"],
      ["passed", "", "bun test"],
    ]);
  const once = turn(3, [
    ["repair", "x\n\n→ a.ts", "bun run types"],
    ["passed", "", "bun run types"],
    ["passed", "", "bun run once"],
  ]);
  const found = workflows(pastOf([day(1), day(2), once]));
  expect(found.map(({ line, passed }) => `${line} ${passed}`)).toEqual([
    "bun install 2",
    "bun run types 1",
    "bun run build 2",
    "bun test 2",
  ]);
  const broken = turn(4, [["failure", "x", "bun test"]]);
  expect(workflows(pastOf([day(1), day(2), broken])).map(({ line }) => line)).not.toContain(
    "bun test",
  );
});

test("a failure that came again in another turn, with what mended it; once is work", () => {
  const text = "EADDRINUSE: address already in use :::3000\n\n→ src/port.ts";
  const again = (number: number) => turn(number, [["repair", text, "bun run dev"]]);
  expect(recurring(pastOf([again(1)]))).toEqual([]);
  expect(recurring(pastOf([again(1), again(2)]))).toMatchObject([
    {
      command: "bun run dev",
      line: "EADDRINUSE: address already in use :::3000",
      turns: 2,
      files: "src/port.ts",
    },
  ]);
});

test.each([
  ["CI=1 bun test", "bun test"],
  ["cd /a && bun test | tail -3", "bun test"],
  ["git status", ""],
  ["/bin/ls -la", ""],
  ["cat <<'EOF'\nx\nEOF", ""],
])("%s is checked by %p", (line, wanted) => {
  expect(checkKey(line)).toBe(wanted);
});

test("a command of more than 160 characters is none to check by", () => {
  expect(checkKey(`bun test ${"a".repeat(151)}`)).toHaveLength(160);
  expect(checkKey(`bun test ${"a".repeat(152)}`)).toBe("");
});

test("a command that passes twice in a turn was seen in one turn", () => {
  const twice = turn(1, [
    ["passed", "", "bun test"],
    ["passed", "", "bun test"],
  ]);
  expect(workflows(pastOf([twice]))).toMatchObject([{ passed: 2, turns: 1 }]);
});

test("what mended a failure is told where it came again unmended, and nothing that was never mended", () => {
  const text = "EADDRINUSE: address already in use :::3000";
  const again = (number: number) => turn(number, [["failure", text, "bun run dev"]]);
  const mended = turn(1, [["repair", `${text}\n\n→ src/port.ts`, "bun run dev"]]);
  expect(recurring(pastOf([mended, again(2)]))).toMatchObject([{ turns: 2, files: "src/port.ts" }]);
  expect(recurring(pastOf([again(1), again(2)]))).toEqual([]);
});

test("of failures that came again the most frequent comes first", () => {
  const mended = (number: number, text: string) =>
    turn(number, [["repair", `${text}\n\n→ src/a.ts`, "bun run dev"]]);
  const [seldom, often] = ["no module shop here", "address already in use"];
  const turns = [mended(1, seldom), mended(2, seldom), ...[3, 4, 5].map((at) => mended(at, often))];
  expect(recurring(pastOf(turns)).map(({ turns: many }) => many)).toEqual([3, 2]);
});
