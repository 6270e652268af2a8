// Commands that a project is worked with: which count, in which order they are run, and what is of the moment alone.
import { describe, expect, test } from "bun:test";
import { commandsIn, workflowsOf } from "../../../plugins/memory-files/find-items.ts";
import type { Evidence, NewTurn } from "../../../src/sdk/turn.ts";

let number = 0;
/** A turn in which these command lines passed; `!` in front: failed, `@`: a subagent's. */
function turn(session: string, ...lines: string[]): NewTurn {
  number++;
  const pieces = lines.map(
    (line): Evidence => ({
      kind: line.startsWith("!") ? "failure" : "passed",
      about: line.replace(/^[!@]/, ""),
      text: "",
      ...(line.startsWith("@") && { agent: "a7" }),
    }),
  );
  return {
    ...{ session, client: "c", project: "p", promptNumber: number, startedAt: number },
    ...{ time: number, end: "closed", pieces, files: [] },
  };
}
const found = (...turns: NewTurn[]) =>
  workflowsOf(turns).map(({ command, turns: of, sessions, after }) =>
    [
      `${command} ${of}/${sessions}`,
      ...(after.length > 0 ? [`after ${after.join(", ")}`] : []),
    ].join(" "),
  );

describe("a command counts", () => {
  test("in two sessions, or in three turns of one", () => {
    expect(found(turn("s1", "make"), turn("s2", "make"))).toEqual(["make 2/2"]);
    expect(found(turn("s1", "make"), turn("s1", "make"))).toEqual([]);
    expect(found(turn("s1", "make"), turn("s1", "make"), turn("s1", "make"))).toEqual(["make 3/1"]);
    expect(found(turn("s1", "make", "make", "make"))).toEqual([]);
  });

  test("where it passed once it was repaired", () => {
    const repaired = turn("s1", "make");
    const pieces = repaired.pieces.map((piece) => ({ ...piece, kind: "repair" as const }));
    expect(found({ ...repaired, pieces }, turn("s2", "make"))).toEqual(["make 2/2"]);
  });

  test("as nothing that runs before itself", () => {
    expect(found(turn("s1", "make"), turn("s2", "make", "make"))).toEqual(["make 2/2"]);
  });

  test("where it passed, and the main agent ran it", () => {
    expect(found(turn("s1", "!make"), turn("s2", "make"))).toEqual([]);
    expect(found(turn("s1", "@make"), turn("s2", "make"))).toEqual([]);
  });
});

test("those of more sessions come first, each after what ran before it where it passed last", () => {
  const turns = [
    turn("s1", "bun install", "bun run build"),
    turn("s2", "bun run build", "bun install", "bun run build"),
    turn("s3", "bun install", "bun run lint", "bun run build && make deploy"),
    turn("s4", "make deploy"),
    turn("s5", "bun install"),
  ];
  expect(found(...turns)).toEqual([
    "bun install 4/4",
    "bun run build 3/3 after bun install",
    "make deploy 2/2",
  ]);
});

test.each([
  ["cd packages/a && bun test", ["bun test"]],
  ["NODE_ENV=test  bun   run check", ["NODE_ENV=test bun run check"]],
  ["timeout 60 make", ["make"]],
  ["bun test 2>&1 | tail -5", ["bun test"]],
  ["bun test > /tmp/out 2>&1", ["bun test"]],
  ["make build; echo $?", ["make build"]],
  ["git push && make deploy", ["make deploy"]],
  ["bun test -t cart", []],
  ["pytest --filter cart", []],
  ["python - <<E\nprint(1)\nE", []],
  ["make <<< yes", []],
  ["/bin/ls -la", []],
  ["curl https://a.example", []],
  ["bun /tmp/try.ts", []],
  [`make ${"x".repeat(120)}`, []],
])("%j is %j", (line, commands) => {
  expect(commandsIn(line)).toEqual(commands);
});
