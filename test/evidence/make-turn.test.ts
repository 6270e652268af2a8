// Turns made of moments: what becomes of words, dialogs, reports and lists.
import { expect, test } from "bun:test";
import { makeTurn } from "../../src/evidence/make-turn.ts";
import { relativeTo } from "../../src/evidence/tools.ts";
import { clock, edit, frame, lines, run, tool, turn, word } from "./made-turn.ts";

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

test("lines of one message are one piece", () => {
  const made = turn(
    word("said", "First line.", { messageId: "m" }),
    word("said", "Second line.", { messageId: "m" }),
  );
  expect(lines(made)).toEqual(["closing: First line.\nSecond line."]);
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
    "choice: Which store? (SQLite | Postgres): SQLite",
    "typed: Which store? (SQLite | Postgres): one file only",
    "choice: When?: after the release",
  ]);
});

test("a session that carries out a plan has the plan as accepted in its prompt's place", () => {
  const note =
    "If you need specific details from before exiting plan mode, read the full transcript at: /t.jsonl";
  const prompt = `Implement the following plan:\n\n# Plan: Cents\n\n1. Count\n\n\n${note}`;
  expect(lines(turn(word("prompt", prompt), word("said", "Done.")))).toEqual([
    "plan: # Plan: Cents\n\n1. Count",
    "closing: Done.",
  ]);
});

test("what was typed to a plan at its acceptance is the person's own word", () => {
  const prompt =
    "Implement the following plan:\n\n# Cents\n\nUser feedback on this plan: No floats";
  expect(lines(turn(word("prompt", prompt)))).toEqual(["plan: # Cents", "typed: No floats"]);
});

test("a prompt that was stopped and sent again as it was is told once, with how often", () => {
  const made = turn(
    word("prompt", "Go"),
    word("interrupted"),
    word("typed", "Go"),
    word("said", "Ok"),
  );
  expect(lines(made)).toEqual(["prompt: Go", "interrupted", "closing: Ok"]);
  expect(made.pieces[0]?.times).toBe(2);
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
