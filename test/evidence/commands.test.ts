// What is told of a command: its failure, its repair, its commits, and where its output stands.
import { describe, expect, test } from "bun:test";
import type { UsedTool } from "../../src/evidence/tools.ts";
import { commandEvidence, relativeTo } from "../../src/evidence/tools.ts";
import type { Evidence } from "../../src/sdk/turn.ts";

const bash = (command: string, response: unknown, error?: string): UsedTool => ({
  ...{ id: "t1", name: "Bash", input: { command }, response },
  ...(error !== undefined && { error }),
});
const passing = (command: string, stdout = "") => bash(command, { stdout });
const failing = (command: string, error = "no") => bash(command, undefined, error);
const told = (tool: UsedTool) => commandEvidence((path) => path, []).add(tool);
const show = (tool: UsedTool) =>
  told(tool).map(({ kind, about, text }): [Evidence["kind"], string | undefined, string] => [
    kind,
    about,
    text,
  ]);

describe("a repair", () => {
  /** What passing tells after a failure; `before` and `between` are the changes made. */
  function repaired(before: string[], between: string[], error = "no") {
    const changes = [...before];
    const evidence = commandEvidence((path) => path, changes);
    evidence.add(failing("make", error));
    changes.push(...between);
    const repairs = () =>
      evidence.add(passing("make")).flatMap(({ kind, text }) => (kind === "repair" ? text : []));
    return [repairs(), repairs()];
  }

  test("names each file changed since the failure once, none from before, and is told once", () => {
    expect(repaired(["old"], ["a", "b", "a"])).toEqual([["no\n\n→ a\nb"], []]);
  });

  test("is none where nothing was changed", () => {
    expect(repaired(["old"], [])).toEqual([[], []]);
  });

  test("of several failures one after the other each is told with what was changed until it was gone", () => {
    const changes: string[] = [];
    const evidence = commandEvidence((path) => path, changes);
    const fails = (error: string, ...then: string[]) => {
      evidence.add(failing("make", error));
      changes.push(...then);
    };
    fails("lint:\nuseCart.tsx:41 has a missing dependency", "useCart.tsx");
    fails("lint:\nuseCart.tsx:44 has a missing dependency", "deps.ts");
    fails("lint:\ntotals.ts:12 assigns a value that is never used", "totals.ts");
    const repairs = evidence.add(passing("make")).filter(({ kind }) => kind === "repair");
    expect(repairs.map(({ text }) => text)).toEqual([
      "lint:\nuseCart.tsx:44 has a missing dependency\n\n→ deps.ts",
      "lint:\ntotals.ts:12 assigns a value that is never used\n\n→ totals.ts",
    ]);
  });

  test("names twenty files, and its failure in short", () => {
    const many = Array.from({ length: 30 }, (_, i) => `f${i}`);
    const [[text = ""] = []] = repaired([], many, "x".repeat(5_000));
    expect(text).toEndWith(`→ ${many.slice(0, 20).join("\n")}`);
    expect(text.length).toBeLessThan(1_000);
  });

  test("of two hundred and one failures the oldest is forgotten, no other", () => {
    const changes: string[] = [];
    const evidence = commandEvidence((path) => path, changes);
    for (let i = 0; i <= 200; i++) evidence.add(failing(`run${i}`));
    changes.push("a");
    const kinds = (command: string) => evidence.add(passing(command)).map(({ kind }) => kind);
    expect([kinds("run0"), kinds("run1")]).toEqual([["passed"], ["repair", "passed"]]);
  });
});

describe("a commit", () => {
  const line = 'git commit -m "Add it"';
  const reported = (subject: string) => `[main abc1234] ${subject}`;

  test.each<[string, UsedTool, Array<[Evidence["kind"], string | undefined, string]>]>([
    [
      "that git does not report is told where the command passed",
      passing(line),
      [
        ["commit", undefined, "Add it"],
        ["passed", 'git commit -m "…"', ""],
      ],
    ],
    ["is not told where the command failed", failing(line), [["failure", line, "no"]]],
    [
      "that was made before a later part failed is told",
      failing(`${line} && make`, reported("Add it")),
      [
        ["commit", "abc1234 (main)", "Add it"],
        ["failure", `${line} && make`, reported("Add it")],
      ],
    ],
    [
      "in a pipe is not told unless git reports it",
      passing(`${line} | cat`),
      [["ran", `${line} | cat`, ""]],
    ],
    ["in the background is not told", bash(line, { backgroundTaskId: "b1" }), [["ran", line, ""]]],
  ])("%s", (_, tool, expected) => {
    expect(show(tool)).toEqual(expected);
  });

  test.each<[string, string, string[]]>([
    ["in a scratch folder", "mkdir -p /tmp/x && cd /tmp/x && git init && {}", []],
    ["in a folder below it", "cd /tmp/x && mkdir y; cd y && {}", []],
    ["in a folder that git is given", "git -C /elsewhere commit -m 'Add it'", []],
    ["in a folder by its variable", 'D="/tmp/x"; mkdir $D; cd $D && {}', []],
    ["in a folder for a while", 'cd "$(mktemp -d)" && git init && {}', []],
    ["at the root", "cd /app && {}", ["Add it"]],
    ["inside", "cd /app/sub && {}", ["Add it"]],
    ["back from elsewhere", "cd /tmp/x && make && cd - && {}", ["Add it"]],
    ["after a subshell elsewhere", "(cd /tmp/x && make) && {}", ["Add it"]],
    ["before the line moves on", "{} && cd /tmp/x && make", ["Add it"]],
    ["in a folder nobody can tell", "cd ~/x && cd $HOME/app && {}", ["Add it"]],
    ["where the turn changed a file", "cd /worktree && {}", ["Add it"]],
    ["here and elsewhere", "cd /app && {} && cd /tmp/x && git commit --amend", ["Add it"]],
  ])("made %s is told where it is the project's: %s", (_, template, expected) => {
    const evidence = commandEvidence(relativeTo("/app"), ["/worktree/a.ts"]);
    const [made, tag] = [line, "git tag v1.0.0"].map((own) =>
      evidence.add(passing(template.replace("{}", own))).map(({ kind, text }) => [kind, text]),
    );
    expect(made).toEqual([...expected.map((text) => ["commit", text]), ["passed", ""]]);
    if (template.includes("{}"))
      expect(tag?.flatMap(([kind, text]) => (kind === "published" ? text : []))).toEqual(
        expected.map(() => "v1.0.0"),
      );
  });

  test("has the whole message where it is its own, and what git says where it is another's", () => {
    const long = 'git commit -m "Add it" -m "Because."';
    const both = `${reported("Merge other")}\n${reported("Add it")}`;
    const commits = (output: string) =>
      told(passing(long, output)).flatMap(({ kind, text }) => (kind === "commit" ? text : []));
    expect(commits(both)).toEqual(["Merge other", "Add it\n\nBecause."]);
    expect(commits(reported("Add it"))).toEqual(["Add it\n\nBecause."]);
  });
});

test.each<[string, unknown, string]>([
  ["both streams", { stdout: "out", stderr: "err" }, "out\nerr"],
  ["a result", { result: "text" }, "text"],
  ["content blocks", { content: [{ type: "text", text: "text" }] }, "text"],
  ["what a search found", { results: ["one", {}, "two"] }, "one\ntwo"],
  ["a text", "text", "text"],
])("a tool's output is %s", (_, response, text) => {
  expect(told({ id: "t1", name: "mcp__x", input: {}, response })).toMatchObject([
    { kind: "passed", text },
  ]);
});

test("what is told elsewhere is told here only where it failed", () => {
  const read = { id: "t1", name: "Read", input: { file_path: "a.ts" }, response: "text" };
  expect(told(read)).toEqual([]);
  expect(told({ ...read, error: "no" })).toEqual([
    { kind: "failure", text: "no", about: "Read a.ts" },
  ]);
});
