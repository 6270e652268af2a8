// One tool use told alone, for somebody who waits on it.
import { expect, test } from "bun:test";
import { describeUse } from "../../../plugins/observation-heuristic/index.ts";
import type { Evidence, NewTurn } from "../../../src/sdk/turn.ts";
import type { ToolUse } from "../../../src/sdk/work.ts";
import { pathsFrom } from "../../../src/text/paths.ts";
import { sampleTurn } from "../../support/sample-records.ts";

const root = "/w/shop";
const use = (name: string, input: object, part: Partial<ToolUse> = {}): ToolUse => ({
  ...{ id: "t1", name, input, response: {}, time: 7, cwd: root },
  ...part,
});
const bash = (input: object, part: Partial<ToolUse> = {}) =>
  use("Bash", { command: "bun test", ...input }, part);
const pieces: Evidence[] = [
  { kind: "prompt", text: "Fix it" },
  { kind: "passed", text: "3 pass", about: "bun test", toolUseId: "t1" },
];
const described = (one: ToolUse, part: Partial<NewTurn> = {}) =>
  describeUse(one, {
    turn: sampleTurn({ promptNumber: 4, pieces, ...part }),
    prompt: "Fix it",
    paths: pathsFrom(root),
  });

test.each<[string, ToolUse, string, string[]]>([
  [
    "a command by the last line that it printed",
    bash({}, { response: { stdout: "one\n\n 3 pass \n\n" } }),
    "bun test",
    ["`bun test` printed last: 3 pass"],
  ],
  [
    "a command by its description",
    bash({ description: "Run  the tests" }, { response: "ok" }),
    "Run the tests",
    ["`bun test` printed last: ok"],
  ],
  [
    "a failure by the line that tells of it",
    bash({}, { error: "Exit code 1\nError: no total in /w/shop/a.ts" }),
    "bun test",
    ["`bun test` failed: Error: no total in a.ts"],
  ],
  [
    "the failure of a tool without a command",
    use("Grep", { description: "Look" }, { error: "Error: bad pattern" }),
    "Look",
    ["`Grep` failed: Error: bad pattern"],
  ],
  [
    "a change by its file",
    use("Edit", { file_path: "/w/shop/src/a.ts" }),
    "Edit src/a.ts",
    ["Changed src/a.ts with Edit"],
  ],
  [
    "a new file as made",
    use("Write", { file_path: "/w/shop/src/a.ts" }, { response: { type: "create" } }),
    "Write src/a.ts",
    ["Made src/a.ts with Write"],
  ],
])("%s", (_, one, title, facts) => {
  const { title: shown, facts: told, narrative } = described(one) ?? {};
  expect([shown, told, narrative]).toEqual([title, facts, facts.join(" ")]);
});

test.each<[string, ToolUse]>([
  ["a look", use("Read", { file_path: "/w/shop/a.ts" }, { response: "text" })],
  ["a command that printed nothing", bash({}, { response: { stdout: " \n" } })],
  ["a tool that nothing is known of", use("Mystery", {}, { response: "text" })],
])("%s tells nothing", (_, one) => {
  expect(described(one)).toBeUndefined();
});

test("a change is told by the names that changed, where they are known", () => {
  const files = [{ path: "src/a.ts", changed: true, symbols: ["total", "count"] }];
  const edited = use("Edit", { file_path: "/w/shop/src/a.ts", description: "Count once" });
  expect(described(edited, { files })?.facts).toEqual(["src/a.ts changed: total, count"]);
  expect(described(edited)?.subtitle).toBe("Count once");
  expect(described(use("Edit", { file_path: "/w/shop/src/a.ts" }))?.subtitle).toBe("a.ts");
});

test("it rests on its own piece and the prompt, and is of its kind, its files and its agent", () => {
  const agent = { id: "a1", type: "Explore" };
  const ran = described(bash({}, { response: "ok", agent }));
  expect([ran?.type, ran?.agent, ran?.subtitle, ran?.time, ran?.toolUseIds]).toEqual([
    "discovery",
    agent,
    "",
    7,
    ["t1"],
  ]);
  expect(ran?.evidence).toEqual([
    { turn: 4, piece: 0 },
    { turn: 4, piece: 1 },
  ]);
  const [edited, made] = [{}, { response: { type: "create" } }].map((part) =>
    described(use("Write", { file_path: "/w/shop/src/a.ts" }, { id: "t2", ...part })),
  );
  expect([edited?.type, made?.type]).toEqual(["change", "feature"]);
  expect([edited?.filesModified, edited?.filesRead]).toEqual([["src/a.ts"], []]);
  expect(edited?.evidence).toEqual([{ turn: 4, piece: 0 }]);
  expect("agent" in (edited ?? {})).toBe(false);
});

test("long commands, lines and titles are cut", () => {
  const long = described(bash({ command: "x ".repeat(200) }, { response: "y ".repeat(300) }));
  expect(long?.title.length).toBeLessThanOrEqual(90);
  expect(long?.facts[0]?.length).toBeLessThanOrEqual(120 + 200 + 20);
});
