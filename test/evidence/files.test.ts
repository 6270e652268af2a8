// Files of a turn: which were read, which changed, by which name, and how many are kept.
import { describe, expect, test } from "bun:test";
import type { UsedTool } from "../../src/evidence/tools.ts";
import {
  aboutTool,
  createFiles,
  filesLimit,
  relativeTo,
  symbolsLimit,
} from "../../src/evidence/tools.ts";

const tool = (name: string, input: unknown, more: Partial<UsedTool> = {}): UsedTool => ({
  ...{ id: "t1", name, input, response: {} },
  ...more,
});
const read = (path: string) => tool("Read", { file_path: path });
const edit = (path: string, more: Partial<UsedTool> = {}) =>
  tool("Edit", { file_path: path }, more);

function listed(...tools: UsedTool[]) {
  const files = createFiles((path) => path);
  for (const one of tools) files.add(one);
  return { ...files.list(), changes: files.changes };
}

describe("files", () => {
  test.each<[string, UsedTool[], string]>([
    ["changed ones come first", [read("a"), edit("b")], "b! a"],
    ["one that was read and changed is changed, once", [read("a"), edit("a"), read("a")], "a!"],
    ["a notebook has its own field", [tool("NotebookEdit", { notebook_path: "n" })], "n!"],
    [
      "the response names what the input does not",
      [tool("Edit", {}, { response: { filePath: "r" } })],
      "r!",
    ],
    ["what failed touched nothing", [edit("a", { error: "no" })], ""],
    [
      "the client's own are none of the project's",
      [
        edit("/home/ada/.claude/plans/a-plan.md"),
        edit("C:\\Users\\ada\\.claude\\plans\\a-plan.md"),
        edit("/home/ada/.claude/projects/-app/memory/MEMORY.md"),
        edit("/cfg/projects/-app/memory/MEMORY.md"),
        read("/home/ada/.claude/projects/-app/5f2c-9a/tool-results/t1.txt"),
        edit("/home/ada/.claude/skills/plan/SKILL.md"),
        edit("docs/.claude/plans/kept.md"),
        edit("/app/projects/memory/a.md"),
      ],
      "/home/ada/.claude/skills/plan/SKILL.md! docs/.claude/plans/kept.md! /app/projects/memory/a.md!",
    ],
    ["other tools touch nothing", [tool("Bash", { file_path: "a" })], ""],
  ])("%s", (_, tools, expected) => {
    const { files } = listed(...tools);
    expect(files.map(({ path, changed }) => (changed ? `${path}!` : path)).join(" ")).toBe(
      expected,
    );
  });

  test("each change is counted, in order", () => {
    expect(listed(edit("a"), edit("b"), read("c"), edit("a")).changes).toEqual(["a", "b", "a"]);
  });

  test("of too many the first are kept, and the others counted", () => {
    const all = Array.from({ length: filesLimit + 2 }, (_, i) => read(`${i}`));
    const { files, leftOut } = listed(...all);
    expect([files.length, leftOut, listed(read("a")).leftOut]).toEqual([filesLimit, 2, 0]);
  });

  test("have the symbols of all their changes, each once, no more than the limit", () => {
    const symbols = Array.from({ length: symbolsLimit }, (_, i) => `s${i}`);
    const { files } = listed(
      edit("a", { symbols: ["s0"] }),
      edit("a", { symbols: [...symbols, "more"] }),
    );
    expect(files[0]?.symbols).toEqual(symbols);
  });
});

test.each([
  ["/app", "/app/src/a.ts", "src/a.ts"],
  ["/app/", "/app/a.ts", "a.ts"],
  ["/app", "/application/a.ts", "/application/a.ts"],
  ["C:\\app", "C:\\app\\src\\a.ts", "src/a.ts"],
  ["C:\\app", "/c/app/src/a.ts", "src/a.ts"],
  ["C:\\app", "c:\\App\\src\\a.ts", "src/a.ts"],
  ["", "/a.ts", "/a.ts"],
])("below %p %p is %p", (root, path, expected) => {
  expect(relativeTo(root)(path)).toBe(expected);
});

test.each<[string, unknown, string]>([
  ["PowerShell", { command: " dir " }, "dir"],
  ["Read", { file_path: "/app/a.ts" }, "Read a.ts"],
  ["Grep", { pattern: "x", path: "/app/src" }, "Grep src"],
  ["WebFetch", { url: "https://a.example" }, "WebFetch: https://a.example"],
  ["AskUserQuestion", { questions: [{ question: "Which?" }] }, "AskUserQuestion: Which?"],
  ["mcp__x", { id: 7, name: "n", deep: {} }, "mcp__x id=7 name=n"],
])("%s is told in a line", (name, input, expected) => {
  expect(aboutTool(tool(name, input), relativeTo("/app"))).toBe(expected);
});
