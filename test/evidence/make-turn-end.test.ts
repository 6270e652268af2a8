// How a turn ends: stopped, closed, open, or by what answers a late report.
import { describe, expect, test } from "bun:test";
import type { Moment } from "../../src/evidence/moment.ts";
import type { NewTurn } from "../../src/sdk/turn.ts";
import { edit, lines, run, tool, turn, word } from "./made-turn.ts";

test("what answers a late report of something in the background does not close the turn", () => {
  const came = "The cart counts each voucher once now, and the receipt shows it.";
  const made = turn(
    word("prompt", "Fix it"),
    word("said", came),
    word("report", "Background command finished"),
    word("said", "That was only the old run."),
    word("report", "Another one finished"),
    word("said", "So was this."),
  );
  expect(lines(made)).toEqual([
    "prompt: Fix it",
    `closing: ${came}`,
    "report: Background command finished",
    "said: That was only the old run.",
    "report: Another one finished",
    "said: So was this.",
  ]);
  expect(made.end).toBe("closed");
  const waited = turn(
    word("prompt", "Fix it"),
    word("said", "Still compiling, let me wait."),
    word("report", "Build finished"),
    word("said", came),
  );
  expect(lines(waited).at(-1)).toBe(`closing: ${came}`);
});

describe("what the user stopped is not done", () => {
  test("Esc in a running tool", () => {
    const made = turn(
      word("prompt", "Rename and migrate"),
      word("said", "Now the migration."),
      word("interrupted", "", { about: "npm run migrate", toolUseId: "t1" }),
      word("interrupted"),
    );
    expect(lines(made)).toEqual([
      "prompt: Rename and migrate",
      "said: Now the migration.",
      "interrupted: npm run migrate",
    ]);
    expect(made.end).toBe("interrupted");
  });

  test("Esc while it spoke", () => {
    const made = turn(word("prompt", "Go"), word("said", "I will"), word("interrupted"));
    expect([lines(made), made.end]).toEqual([
      ["prompt: Go", "said: I will", "interrupted"],
      "interrupted",
    ]);
  });

  test("a refusal with its reason; the client's further words for it are not told again", () => {
    const made = turn(
      word("prompt", "Clean up"),
      word("refused", "use npm ci", { about: "rm -rf node_modules", toolUseId: "t1" }),
      word("interrupted"),
    );
    expect(lines(made)).toEqual(["prompt: Clean up", "refusal: rm -rf node_modules: use npm ci"]);
    expect(made.end).toBe("interrupted");
  });

  test("one Esc: each tool once, as what became of it", () => {
    const made = turn(
      word("interrupted", "", { about: "npm run migrate", toolUseId: "t1" }),
      word("interrupted", "", { about: "rm -rf dist", toolUseId: "t2" }),
      word("refused", "", { about: "rm -rf dist", toolUseId: "t2" }),
      word("interrupted"),
    );
    expect(lines(made)).toEqual(["interrupted: npm run migrate", "refusal: rm -rf dist"]);
  });

  test("a turn goes on after a refusal", () => {
    const made = turn(
      word("refused", "the other file", { about: "Edit a.ts" }),
      edit("b.ts"),
      word("said", "Done in b.ts."),
    );
    expect([made.end, made.pieces.at(-1)?.kind]).toEqual(["closed", "closing"]);
  });

  test("without a last word it is open", () => {
    expect(turn(word("prompt", "Go"), word("said", "First"), edit("a.ts")).end).toBe("open");
  });
});

test.each<[string, () => Moment[], NewTurn["end"]]>([
  [
    "a subagent that goes on",
    () => [word("said", "Done."), { ...run("ls"), agent: "a1" }],
    "closed",
  ],
  ["a look at something", () => [word("said", "Done."), tool("Read", { file_path: "/a" })], "open"],
  ["a change", () => [word("said", "Done."), edit("a.ts")], "open"],
  [
    "a compaction after a stop",
    () => [word("interrupted"), word("compaction", "Sum")],
    "interrupted",
  ],
  ["a stop of a subagent", () => [edit("a.ts"), word("interrupted", "", { agent: "a1" })], "open"],
  ["a refusal", () => [word("refused", "no", { toolUseId: "t" })], "interrupted"],
  ["words after a refusal", () => [word("refused", "no"), word("said", "Well.")], "closed"],
])("after %s a turn ends as it should", (_, moments, end) => {
  expect(turn(word("prompt", "Go"), ...moments()).end).toBe(end);
});

test("an answer to a late report closes the turn only where it says much more than what it came to before", () => {
  const closing = (first: string, last: string) => {
    const { pieces } = turn(word("said", first), word("report", "It ended"), word("said", last));
    return pieces.find(({ kind }) => kind === "closing")?.text;
  };
  expect(closing("x".repeat(30), "y".repeat(10))).toBe("x".repeat(30));
  expect(closing("x".repeat(29), "y".repeat(10))).toBe("y".repeat(10));
});

test("of one stop that is told several times each tool is told once, a refusal with its last reason", () => {
  const stops = (...moments: Moment[]) => lines(turn(word("prompt", "Go"), ...moments)).slice(1);
  expect(stops(word("interrupted"), word("interrupted"))).toEqual(["interrupted"]);
  expect(
    stops(
      word("interrupted", "", { about: "a", toolUseId: "t1" }),
      word("interrupted", "", { about: "a", toolUseId: "t1" }),
      word("interrupted", "", { about: "b", toolUseId: "t2" }),
      word("interrupted"),
    ),
  ).toEqual(["interrupted: a", "interrupted: b"]);
  expect(
    stops(word("refused", "no", { toolUseId: "t1" }), word("refused", "nor", { toolUseId: "t1" })),
  ).toEqual(["refusal: nor"]);
});

test("a look between what it came to and a late report makes the answer to that report its last word", () => {
  const long = "It came to this, and to that, and to much more than anybody would say in one word.";
  const read = () => tool("Read", { file_path: "/app/a.ts" });
  const closing = (...moments: Moment[]) =>
    turn(word("prompt", "Go"), ...moments).pieces.find(({ kind }) => kind === "closing")?.text;
  const late = () => word("report", "A task is over");
  expect(closing(word("said", long), late(), word("said", "Noted."))).toBe(long);
  expect(closing(word("said", long), read(), late(), word("said", "Noted."))).toBe("Noted.");
  expect(closing(word("said", long), late(), read(), word("said", "Noted."))).toBe(long);
});
