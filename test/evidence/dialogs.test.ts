// Questions, plans, tasks and lists of things to do, each in every form in which clients tell them.
import { describe, expect, test } from "bun:test";
import { choices, plan, readTodos, subagent, type UsedTool } from "../../src/evidence/tools.ts";

const tool = (name: string, input: unknown, response?: unknown, error?: string): UsedTool => ({
  ...{ id: "t1", name, input, response },
  ...(error !== undefined && { error }),
});
const asked = (input: unknown, response: unknown, error?: string) =>
  choices(tool("AskUserQuestion", input, response, error));
const planned = (input: unknown, response: unknown, error?: string) =>
  plan(tool("ExitPlanMode", input, response, error));

describe("choices", () => {
  const questions = [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }];
  const answers = { "Which?": "A" };
  const chosen = { kind: "choice" as const, text: "A", about: "Which? (A | B)" };

  test.each([
    ["knows what was on offer by the response", {}, { questions, answers }, [chosen]],
    ["knows what was on offer by the input", { questions }, { answers }, [chosen]],
    ["is the whole response of an older client", {}, "A", [{ kind: "choice", text: "A" }]],
    [
      "names all that were chosen",
      {},
      { answers: { "Which?": ["A", "B"] } },
      [{ kind: "choice" as const, text: "A, B", about: "Which?" }],
    ],
    [
      "has the note behind the answer",
      { questions },
      { answers, annotations: { "Which?": { notes: "for now" } } },
      [chosen, { ...chosen, kind: "typed" as const, text: "for now" }],
    ],
    [
      "is the person's own word where it was typed",
      { questions },
      { answers: { "Which?": "neither, C" } },
      [{ ...chosen, kind: "typed" as const, text: "neither, C" }],
    ],
    [
      "is split where one was picked and more was typed",
      { questions },
      { answers: { "Which?": "B, and C later" } },
      [
        { ...chosen, text: "B" },
        { ...chosen, kind: "typed" as const, text: "and C later" },
      ],
    ],
    [
      "is a note alone where nothing was picked",
      { questions },
      { answers: { "Which?": "(notes only)" }, annotations: { "Which?": { notes: "ask Ada" } } },
      [{ ...chosen, kind: "typed" as const, text: "ask Ada" }],
    ],
    [
      "is what was written instead of answers",
      { questions },
      { answers: {}, response: "Let us talk first" },
      [{ kind: "typed" as const, text: "Let us talk first", about: "Which?" }],
    ],
  ])("%s", (_, input, response, expected) => {
    expect(asked(input, response)).toEqual(expected as ReturnType<typeof choices>);
  });

  test("a question that failed was not answered", () => {
    expect(asked({ questions }, { answers }, "rejected")).toEqual([]);
  });
});

describe("a plan", () => {
  test.each([
    ["as the user edited it", { plan: "draft" }, { plan: "edited" }, "edited"],
    [
      "below its heading",
      { plan: "draft" },
      "Saved.\n## Approved Plan (edited):\nedited",
      "edited",
    ],
    ["as it was proposed where no other is told", { plan: "draft" }, {}, "draft"],
  ])("is told %s", (_, input, response, text) => {
    expect(planned(input, response)).toEqual([{ kind: "plan", text }]);
  });

  test("that waits for a team's lead is not the user's", () => {
    expect(planned({ plan: "draft" }, { plan: "draft", awaitingLeaderApproval: true })).toEqual([]);
  });

  test("that was refused or is empty is none", () => {
    expect(planned({ plan: "draft" }, {}, "rejected")).toEqual([]);
    expect(planned({ plan: " " }, {})).toEqual([]);
  });
});

describe("a subagent", () => {
  const input = { description: "Look", prompt: "Look for it" };
  const task = { kind: "task" as const, text: "Look for it", about: "Look" };
  const report = { kind: "report" as const, text: "Found", about: "Look" };

  test.each([
    ["with content blocks", { content: [{ type: "text", text: " Found " }] }],
    ["with blocks alone", [{ type: "text", text: "Found" }]],
    ["with a text", "Found"],
  ])("answers %s", (_, response) => {
    expect(subagent(tool("Agent", input, response))).toEqual([task, report]);
  });

  test("that failed has its task and no report", () => {
    expect(subagent(tool("Task", input, "half", "stopped"))).toEqual([task]);
  });
});

describe("things to do", () => {
  const create = (id: string | undefined, subject: string) =>
    tool("TaskCreate", { subject }, id === undefined ? {} : { task: { id } });
  const update = (taskId: string, status: string) => tool("TaskUpdate", { taskId, status });
  const written = (content: string) =>
    tool("TodoWrite", { todos: [{ content, status: "completed" }, { content: "" }] });

  test.each<[string, UsedTool[], string]>([
    ["a list takes the place of the one before", [written("a"), written("b")], "- [x] b"],
    [
      "a list that failed changes nothing",
      [written("a"), { ...written("b"), error: "no" }],
      "- [x] a",
    ],
    [
      "a task is found by the id it was given",
      [create("7", "a"), update("7", "completed")],
      "- [x] a",
    ],
    [
      "a task without an id is found by its number",
      [create(undefined, "a"), update("1", "completed")],
      "- [x] a",
    ],
    [
      "an older client's name of the id is read",
      [create("7", "a"), tool("TaskUpdate", { task_id: "7", status: "completed" })],
      "- [x] a",
    ],
    [
      "a deleted task is gone",
      [create("1", "a"), create("2", "b"), update("1", "deleted")],
      "- [ ] b",
    ],
    [
      "an update without a status leaves it done",
      [create("7", "a"), update("7", "completed"), update("7", "")],
      "- [x] a",
    ],
  ])("%s", (_, tools, text) => {
    const todos = readTodos();
    for (const [at, one] of tools.entries()) todos.add(one, at);
    expect(todos.piece()?.text).toBe(text);
  });

  test("were changed when a tool of theirs was used last", () => {
    const todos = readTodos();
    todos.add(create("7", "a"), 1);
    todos.add(tool("Bash", {}), 2);
    expect(todos.piece()?.time).toBe(1);
    expect(readTodos().piece()).toBeUndefined();
  });
});
