// Turns made of moments: what becomes of dialogs, stops, commands and lists, and how much of a huge turn is kept.
import { describe, expect, test } from "bun:test";
import { type Moment, makeTurn, relativeTo, type UsedTool } from "../../src/evidence/index.ts";
import { filesLimit } from "../../src/evidence/limits.ts";
import type { Evidence, NewTurn } from "../../src/sdk/turn.ts";

let clock = 0;
const at = () => {
  clock += 1_000;
  return clock;
};
const word = (
  what: "prompt" | "typed" | "said" | "refused" | "interrupted" | "compaction" | "report",
  text = "",
  more: Partial<Extract<Moment, { text: string }>> = {},
): Moment => ({ time: at(), what, text, ...more });
const tool = (name: string, input: unknown, more: Partial<UsedTool> = {}): Moment => ({
  time: at(),
  what: "tool",
  tool: {
    id: `t${clock}`,
    name,
    input,
    ...(more.error === undefined && { response: {} }),
    ...more,
  },
});
const run = (command: string, stdout = "", more: Partial<UsedTool> = {}) =>
  tool(
    "Bash",
    { command, description: "As described" },
    { response: { stdout, stderr: "" }, ...more },
  );
const failing = (command: string, error: string) => tool("Bash", { command }, { error });
const edit = (path: string) => tool("Edit", { file_path: `/app/${path}` });

const frame = { session: "s", client: "c", project: "p", promptNumber: 1, startedAt: 0 };
function turn(...moments: Moment[]): NewTurn {
  const made = makeTurn(frame, moments, relativeTo("/app/"));
  if (!made) throw new Error("no turn was made");
  return made;
}
const lines = ({ pieces }: NewTurn) =>
  pieces.map(({ kind, about, text }: Evidence) =>
    [kind, about, text].filter((part) => part !== undefined && part !== "").join(": "),
  );

test("nothing makes no turn", () => {
  expect(makeTurn(frame, [], relativeTo(""))).toBeUndefined();
});

test("a turn without tools has its words, and the last of them close it", () => {
  const made = turn(
    word("prompt", "Why?"),
    word("said", "Let me think."),
    word("said", "Because."),
  );
  expect(lines(made)).toEqual(["prompt: Why?", "said: Let me think.", "closing: Because."]);
  expect(made.end).toBe("closed");
});

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

test("lines of one message are one piece", () => {
  const made = turn(
    word("said", "First line.", { messageId: "m" }),
    word("said", "Second line.", { messageId: "m" }),
  );
  expect(lines(made)).toEqual(["closing: First line.\nSecond line."]);
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

test("choices have the question and what else was on offer", () => {
  const questions = [
    { question: "Which store?", options: [{ label: "SQLite" }, { label: "Postgres" }] },
    { question: "When?", options: [] },
  ];
  const response = {
    questions,
    answers: { "Which store?": "SQLite", "When?": "after the release" },
    annotations: { "Which store?": { notes: "one file only" } },
  };
  expect(lines(turn(tool("AskUserQuestion", { questions }, { response })))).toEqual([
    "choice: Which store? (SQLite | Postgres): SQLite\none file only",
    "choice: When?: after the release",
  ]);
});

test("a plan is kept as it was accepted", () => {
  const edited = "Approved.\n\n## Approved Plan (edited by user):\n# Two steps";
  expect(
    lines(
      turn(
        tool("ExitPlanMode", { plan: "# One" }, { response: { plan: "# One" } }),
        tool("ExitPlanMode", {}, { response: edited }),
        tool("ExitPlanMode", { plan: "# Three" }),
        tool("ExitPlanMode", { plan: "# No" }, { error: "no" }),
      ),
    ),
  ).toEqual([
    "plan: # One",
    "plan: # Two steps",
    "plan: # Three",
    "failure: ExitPlanMode: # No: no",
  ]);
});

test("a subagent's task and report; the same report by its own event is one", () => {
  const made = turn(
    tool(
      "Task",
      { description: "Find uses", prompt: "Look for load()." },
      { response: { content: [{ type: "text", text: "In a.ts." }] } },
    ),
    word("report", "In a.ts.", { agent: "x1" }),
    word("report", "Nothing else.", { agent: "x2" }),
  );
  expect(lines(made)).toEqual([
    "task: Find uses: Look for load().",
    "report: Find uses: In a.ts.",
    "report: Nothing else.",
  ]);
});

test("the list of things to do as it stood last, in both forms", () => {
  const todos = (...states: string[]) => ({
    todos: states.map((status, n) => ({ content: `Step ${n}`, status })),
  });
  const whole = turn(
    tool("TodoWrite", todos("in_progress", "pending")),
    tool("TodoWrite", todos("completed", "in_progress")),
  );
  expect(lines(whole)).toEqual(["todo: - [x] Step 0\n- [ ] Step 1"]);
  const single = turn(
    tool("TaskCreate", { subject: "Write" }, { response: { task: { id: "1" } } }),
    tool("TaskCreate", { subject: "Test" }, { response: { task: { id: "2" } } }),
    tool("TaskUpdate", { taskId: "1", status: "completed" }),
  );
  expect(lines(single)).toEqual(["todo: - [x] Write\n- [ ] Test"]);
});

describe("commands", () => {
  test("what failed, what was changed, what then passed", () => {
    const made = turn(
      failing("npm test", "Exit code 1\nexpected 90, received 80"),
      edit("src/cart.ts"),
      edit("src/cart.ts"),
      run("cd /app && npm test", "3 pass"),
    );
    expect(lines(made)).toEqual([
      "failure: npm test: Exit code 1\nexpected 90, received 80",
      "repair: cd /app && npm test: Exit code 1\nexpected 90, received 80\n\n→ src/cart.ts",
      "passed: cd /app && npm test: 3 pass",
    ]);
    expect(made.pieces.at(-1)?.described).toBe("As described");
    expect(made.files).toEqual([{ path: "src/cart.ts", changed: true }]);
  });

  test("passing again without a change repairs nothing", () => {
    const made = turn(failing("npm test", "flaky"), run("npm test"));
    expect(made.pieces.map(({ kind }) => kind)).toEqual(["failure", "passed"]);
  });

  test("a repair is told once: passing again later repairs nothing", () => {
    const made = turn(
      failing("npm test", "expected 90"),
      edit("a.ts"),
      run("npm test", "1"),
      edit("b.ts"),
      run("npm test && echo", "2"),
      run("npm test", "3"),
    );
    expect(made.pieces.filter(({ kind }) => kind === "repair")).toHaveLength(1);
  });

  test("what goes on in the background passed nothing and committed nothing yet", () => {
    const response = { stdout: "", backgroundTaskId: "b1" };
    const made = turn(run("git commit -m Later", "", { response }));
    expect(lines(made)).toEqual(["ran: git commit -m Later"]);
  });

  test("a failure behind a pipe is not called a pass", () => {
    expect(lines(turn(run("npm test | tail -1", "1 fail")))).toEqual([
      "ran: npm test | tail -1: 1 fail",
    ]);
  });

  test("repeats are told once, where they ran last", () => {
    const made = turn(run("npm test", "1"), run("ls"), run("npm test", "2"));
    expect(made.pieces.map(({ about, text, times }) => [about, text, times])).toEqual([
      ["ls", "", undefined],
      ["npm test", "2", 2],
    ]);
  });

  test("a commit has subject and body, and its id where git tells it", () => {
    const made = turn(
      run(
        'git commit -m "Fix the cart" -m "The voucher was taken twice."',
        "[main 1a2b3c4] Fix the cart\n 1 file changed",
      ),
      run("git commit -q -m 'Quiet'"),
      failing("git commit -m 'Never'", "hook failed"),
      run("git commit --amend --no-edit | cat", "[main 5d6e7f8] Quiet"),
    );
    expect(lines(made).filter((line) => line.startsWith("commit"))).toEqual([
      "commit: 1a2b3c4 (main): Fix the cart\n\nThe voucher was taken twice.",
      "commit: Quiet",
      "commit: 5d6e7f8 (main): Quiet",
    ]);
  });
});

test("files: read, changed, with what was touched; changed ones first", () => {
  const patch = [{ oldStart: 1, lines: [" function total() {", "-  a", "+  b"] }];
  const made = turn(
    tool("Read", { file_path: "/app/a.ts" }),
    tool("Read", { file_path: "/etc/hosts" }),
    tool("Edit", { file_path: "/app/b.ts" }, { response: { structuredPatch: patch } }),
    tool("Edit", { file_path: "/app/c.ts" }, { error: "not found" }),
  );
  expect(made.files).toEqual([
    { path: "b.ts", changed: true, symbols: ["total"] },
    { path: "a.ts", changed: false },
    { path: "/etc/hosts", changed: false },
  ]);
});

describe("bounds", () => {
  const bytes = (made: NewTurn) => JSON.stringify(made).length;

  test("a prompt of 5 MB and a closing message of 200 KB are shortened, and say so", () => {
    const log = "error: something failed here\n".repeat(180_000);
    const made = turn(
      word("prompt", `Why does this fail?\n${log}What do I do?`),
      word("said", "A sentence. ".repeat(17_000)),
    );
    const [prompt, closing] = made.pieces;
    expect(prompt?.text.startsWith("Why does this fail?")).toBe(true);
    expect(prompt?.text.endsWith("What do I do?")).toBe(true);
    for (const piece of [prompt, closing]) {
      expect(piece?.text).toContain("…");
      expect(piece?.shortened).toBeGreaterThan(100_000);
    }
    expect(bytes(made)).toBeLessThan(200_000);
  });

  test("of 10,000 refusals the first and the last stay, and the others are counted", () => {
    const refusals = Array.from({ length: 10_000 }, (_, n) => [
      word("said", `Try ${n}`),
      word("refused", `No, number ${n}`, { about: "x ".repeat(3_000) }),
    ]).flat();
    const made = turn(word("prompt", "Go"), ...refusals);
    const kept = made.pieces.filter(({ kind }) => kind === "refusal");
    expect(made.pieces[0]?.text).toBe("Go");
    expect([kept[0]?.text, kept.at(-1)?.text]).toEqual(["No, number 0", "No, number 9999"]);
    expect((made.leftOut?.refusal ?? 0) + kept.length).toBe(10_000);
    expect(bytes(made)).toBeLessThan(900_000);
  });

  test("a turn that is too large gives up commands before words", () => {
    const moments = Array.from({ length: 400 }, (_, n) => [
      word("said", `${n} `.repeat(1_000)),
      run(`command ${n} ${"x".repeat(900)}`, "y".repeat(300)),
    ]).flat();
    const made = turn(word("prompt", "Go"), ...moments, word("said", "Done."));
    expect(made.pieces.at(-1)).toMatchObject({ kind: "closing", text: "Done." });
    expect(made.leftOut?.passed).toBeGreaterThan(300);
    expect(bytes(made)).toBeLessThan(500_000);
  });

  test("binary text and odd shapes are no reason to fail", () => {
    const made = turn(
      word("prompt", "\u0000\ud800 binary"),
      tool("Bash", null, { response: 7 }),
      tool("Edit", { file_path: 3 }, { response: [null] }),
      tool("AskUserQuestion", { questions: "x" }, { response: { answers: [1] } }),
      tool("TodoWrite", { todos: {} }),
      tool("Task", "x", { response: { content: [{ image: 1 }] } }),
      tool(
        "mcp__db__query",
        { sql: "select 1", rows: [1] },
        { response: [{ type: "text", text: "1" }] },
      ),
    );
    expect(lines(made)).toContain("passed: mcp__db__query sql=select 1: 1");
  });
});

test("a piece says when, by whom and from which line it came, and which tool use it is of", () => {
  const origin = { agent: "a1", uuid: "u1", requestId: "r1" };
  const used = { ...run("git commit -m 'Cart: count once'", "[main 4f86d02] x"), ...origin };
  const { pieces } = turn(
    word("prompt", "Go", { uuid: "u0" }),
    word("report", "It counts.", { ...origin, about: "the cart", toolUseId: "t9", omitted: 7 }),
    used,
  );
  const [prompt, report, commit] = pieces;
  expect(prompt).toEqual({ kind: "prompt", text: "Go", time: expect.any(Number), uuid: "u0" });
  expect(report).toEqual({
    ...{ kind: "report", text: "It counts.", time: expect.any(Number), ...origin },
    ...{ about: "the cart", toolUseId: "t9", shortened: 7 },
  });
  const id = used.what === "tool" ? used.tool.id : "";
  expect([commit?.kind, commit?.toolUseId, commit?.agent, commit?.time]).toEqual([
    "commit",
    id,
    "a1",
    used.time,
  ]);
});

test("a turn begins with its prompt, wherever that was told, and ends with what came last", () => {
  const early = word("said", "Before.");
  const made = turn(early, word("prompt", "Go"), word("said", "After."));
  expect(lines(made)).toEqual(["prompt: Go", "said: Before.", "closing: After."]);
  expect([made.startedAt - early.time, made.time - early.time]).toEqual([1_000, 2_000]);
  const late = makeTurn(
    { ...frame, startedAt: clock + 9_000 },
    [word("said", "x")],
    relativeTo(""),
  );
  expect([late?.startedAt, late?.time]).toEqual([clock + 8_000, clock + 8_000]);
});

test("one file too many is counted, and a turn that lost nothing says nothing of it", () => {
  const edits = (count: number) => Array.from({ length: count }, (_, i) => edit(`f${i}.ts`));
  const kept = turn(...edits(2)).files.length;
  expect(kept).toBe(2);
  expect(turn(...edits(filesLimit)).leftOut).toBeUndefined();
  const made = turn(...edits(filesLimit + 1));
  expect([made.files.length, made.leftOut]).toEqual([filesLimit, { files: 1 }]);
  expect(lines(turn(edit("a.ts")))).toEqual([]);
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

test("lines of two messages are two pieces, and what was said by none is its own", () => {
  const said = (...ids: Array<string | undefined>) =>
    turn(...ids.map((messageId) => word("said", "x", messageId ? { messageId } : {}))).pieces
      .length;
  expect([said("m", "n"), said(undefined, undefined), said("m", "m", "m")]).toEqual([2, 2, 1]);
  const parted = turn(
    word("said", "x", { messageId: "m" }),
    edit("a.ts"),
    word("said", "y", { messageId: "m" }),
  );
  expect(lines(parted)).toEqual(["said: x", "closing: y"]);
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

test("a turn in which only files were touched is one; without a prompt it began when it is said to", () => {
  const made = turn(edit("a.ts"));
  expect([made.startedAt, made.time, made.end]).toEqual([0, clock, "open"]);
  expect(made.files).toMatchObject([{ path: "a.ts", changed: true }]);
  expect(made.leftOut).toBeUndefined();
});

test("the same report in other spaces is one, another is two; only what was logged says how much it lost", () => {
  const made = turn(
    word("report", "All is well"),
    word("report", " All is well\n"),
    word("report", "Not quite"),
    run("make", "x", { omitted: 7 }),
    tool("Task", { description: "Look", prompt: "Look at it" }, { omitted: 5 }),
  );
  expect(made.pieces.filter(({ kind }) => kind === "report")).toHaveLength(2);
  expect(made.pieces.map(({ kind, shortened }) => [kind, shortened]).filter(([, n]) => n)).toEqual([
    ["passed", 7],
  ]);
});
