// A gap of a text, a diff or a source tells the names in it that stand nowhere in what is shown, so that an agent knows what is to be had behind it.
import { expect, test } from "bun:test";
import { decide } from "../../../plugins/endless-live/index.ts";
import { createSeen } from "../../../plugins/endless-live/seen.ts";
import { defaultPolicy } from "./cases.ts";

const use = (tool: string, input: object, response: unknown) => ({
  ...{ id: "t1", tool, input: { ...input }, response, recall: "memoir recall t1" },
});
const after = (arrived: ReturnType<typeof use>) =>
  decide(arrived, createSeen().of("s1", undefined), defaultPolicy)?.after ?? "";
const bash = (command: string, stdout: string) =>
  after(use("Bash", { command }, { stdout, stderr: "", interrupted: false }));
const many = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");
const times = (text: string, part: string) => text.split(part).length - 1;

const hunk = (body: string, name = "a.go") =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1,9 +1,99 @@ func roundTotal() {\n${body}`;
const rows = many(200, (at) => `+\t\tcase ${at}: go on with the other one`);

test("of a diff's hunk: what it defines before what it only uses, and nothing that is shown", () => {
  const body = `+func taxOfParcel() {\n${rows}\n+\t\tlabelPrinter.run(roundTotal)\n+}`;
  const short = bash(
    "git diff HEAD",
    `${hunk(body)}\n${hunk(rows, "b.go")}\n${hunk("+x", "c.go")}`,
  );
  expect(short).toContain("… lines 5–207: taxOfParcel labelPrinter\n");
  expect(times(short, "taxOfParcel")).toBe(1);
  expect(short).not.toContain(": roundTotal");
});

test("as many as a tenth of what is left out, the outermost first", () => {
  const deep = many(300, (at) => `+\t\t\tvalueOfDeep_${at}x = 1`);
  const short = bash(
    "git diff HEAD",
    `${hunk(`${deep}\n+func outerMost() {`)}\n${hunk("+x", "b")}\n${hunk("+x", "c")}`,
  );
  const told = /: (valueOf.*)/.exec(short)?.[1] ?? "";
  expect(told).toEndWith(" outerMost");
  expect(told.length).toBeLessThanOrEqual(500);
  expect(told.split(" ").length).toBeGreaterThan(10);
});

const prose = (named: string) =>
  [
    ...Array.from({ length: 60 }, (_, at) => `Paragraph ${at} says at length what is to be done.`),
    `Here ${named} is what counts.`,
    ...Array.from({ length: 200 }, (_, at) => `And ${at} more are said to those who read them.`),
  ].join("\n\n");

test("of an answer, a text that is read, and a long string in JSON", () => {
  const named = "keepOriginals and session_state, plainly";
  const page = prose(named).replace(named, "the usual");
  const without = after(use("WebFetch", { url: "x" }, { result: page }));
  expect(without).toMatch(/^… lines \d+–\d+$/m);
  // A paragraph of names stays; beside others that have as many it is told by them.
  const others = many(40, (at) => `With howMany${"abcdefghij"[at % 10]}Of_${at} it goes on so.\n`);
  const fetched = after(use("WebFetch", { url: "x" }, { result: `${others}\n${prose(named)}` }));
  expect(fetched).toContain("session_state");
  const strings = {
    body: `${"It is said at length. ".repeat(40)} ${named} ${"And so. ".repeat(99)}`,
  };
  const json = bash("gh pr view 7 --json body", JSON.stringify({ ...strings, more: prose("x") }));
  expect(json).toMatch(/characters: keepOriginals session_state\)/);
});

test("no words of prose, no short ones, and none of a log", () => {
  const log = many(400, (at) => `row ${at}: keepOriginals did as it was told in the hall`);
  const short = bash("./run", log);
  expect(short).toContain(", like: row");
  expect(short).not.toMatch(/^… lines [\d–]+: /m);
  const body = many(200, (at) => `+  it is Told, un-told, ${at}_${at} and aB of the warehouses`);
  const diff = bash("git diff HEAD", `${hunk(body)}\n${hunk("+x", "b")}\n${hunk("+x", "c")}`);
  expect(diff).toMatch(/^… lines 5–204$/m);
});
