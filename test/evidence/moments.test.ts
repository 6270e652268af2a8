// Events as moments, tool uses made small, and what of a turn events and its transcript tell together.
import { describe, expect, test } from "bun:test";
import { type Moment, mergeMoments, momentsOfEvent, slimTool } from "../../src/evidence/moment.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";
import { clientEvent } from "../support/client-events.ts";

describe("an event tells", () => {
  const agent = { id: "a7", type: "helper" };
  const told = (event: ClientEvent) => momentsOfEvent(event, (path) => path.replace("/w/", ""));
  const frame = { time: 5 };
  const refused =
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nUse a queue.";
  const command = { toolUseId: "t1", toolName: "Bash", toolInput: { command: "make" } };

  test.each<[string, ClientEvent, object[]]>([
    [
      "a prompt as it was typed, trimmed",
      clientEvent("UserPromptSubmit", { ...frame, prompt: " Fix it \n" }),
      [{ ...frame, what: "prompt", text: "Fix it" }],
    ],
    ["nothing of an empty prompt", clientEvent("UserPromptSubmit", { ...frame, prompt: " " }), []],
    [
      "nothing of a text that is withheld",
      clientEvent("UserPromptSubmit", { ...frame, prompt: "Fix it", withheld: true }),
      [],
    ],
    [
      "what a background task reports in the user's place",
      clientEvent("UserPromptSubmit", {
        ...frame,
        prompt: "<task-notification><summary>It is built.</summary></task-notification>",
      }),
      [{ ...frame, what: "report", text: "It is built." }],
    ],
    [
      "a subagent's report as its own",
      clientEvent("SubagentStop", { ...frame, agent, lastAssistantMessage: "Done." }),
      [{ ...frame, agent: "a7", what: "report", text: "Done." }],
    ],
    [
      "no report of the subagent that compacts",
      clientEvent("SubagentStop", {
        ...frame,
        agent: { id: "acompact-1", type: "" },
        lastAssistantMessage: "Summary",
      }),
      [],
    ],
    [
      "the last words of an answer, as the last",
      clientEvent("Stop", { ...frame, lastAssistantMessage: "Fixed." }),
      [{ ...frame, what: "said", text: "Fixed.", last: true }],
    ],
    [
      "nothing of what the client says in the agent's place",
      clientEvent("Stop", { ...frame, lastAssistantMessage: "No response requested." }),
      [],
    ],
    [
      "a compaction without what the client says around it",
      clientEvent("PostCompact", {
        ...frame,
        compactSummary: "<analysis>hm</analysis>\n<summary>\nWe fixed it.\n</summary>",
      }),
      [{ ...frame, what: "compaction", text: "We fixed it." }],
    ],
    [
      "a refusal with its reason",
      clientEvent("PostToolUseFailure", { ...frame, ...command, error: refused }),
      [{ ...frame, about: "make", toolUseId: "t1", what: "refused", text: "Use a queue." }],
    ],
    [
      "a stop while a tool ran",
      clientEvent("PostToolUseFailure", {
        ...{ ...frame, ...command, error: "Exit code 137", isInterrupt: true },
      }),
      [{ ...frame, about: "make", toolUseId: "t1", what: "interrupted", text: "" }],
    ],
    ["nothing of a session's start", clientEvent("SessionStart", frame), []],
  ])("%s", (_, event, moments) => {
    expect(told(event)).toEqual(moments as never);
  });

  test("a tool that failed with its error, and whose it was", () => {
    const [moment] = told(
      clientEvent("PostToolUseFailure", { ...frame, ...command, agent, error: "Exit code 1" }),
    );
    expect(moment).toMatchObject({ agent: "a7", what: "tool", tool: { error: "Exit code 1" } });
  });
});

describe("a tool use made small", () => {
  test("a change keeps its path and what it touched, not the file", () => {
    const lines = [" function total() {", "-  a", "+  b"];
    const response = { originalFile: "x".repeat(9_000), structuredPatch: [{ oldStart: 1, lines }] };
    const input = { file_path: "/w/a.ts", old_string: "a", new_string: "b" };
    expect(slimTool({ id: "t", name: "Edit", input, response })).toEqual({
      ...{ id: "t", name: "Edit", input: { file_path: "/w/a.ts" }, symbols: ["total"] },
    });
  });

  test("what was read keeps its path alone; a read that failed its error too", () => {
    const input = { file_path: "/w/a.ts", limit: 5 };
    const slim = { id: "t", name: "Read", input: { file_path: "/w/a.ts" } };
    expect(slimTool({ id: "t", name: "Read", input, response: { file: "…" } })).toEqual(slim);
    expect(slimTool({ id: "t", name: "Read", input, error: "gone" })).toEqual({
      ...{ ...slim, error: "gone" },
    });
  });

  test.each([
    ["output", { response: { stdout: "x\n".repeat(20_000), stderr: "last" } }],
    ["an error", { error: `${"x\n".repeat(20_000)}last` }],
  ])("a long %s is shortened, keeps its end, and says how much is left out", (_, came) => {
    const slim = slimTool({ id: "t", name: "Bash", input: { command: "make" }, ...came });
    const text = slim.error ?? (slim.response as { stdout: string }).stdout;
    expect(text.length).toBeLessThanOrEqual(16_000);
    expect(text).toEndWith("last");
    expect(slim.omitted).toBeGreaterThan(20_000);
  });

  test("a short one is whole and says nothing of it; both streams are kept, and the background task", () => {
    const response = { stdout: "out", stderr: "err", backgroundTaskId: "b1" };
    expect(slimTool({ id: "t", name: "Bash", input: { command: "make" }, response })).toEqual({
      ...{ id: "t", name: "Bash", input: { command: "make", description: "" } },
      response: { stdout: "out\nerr", backgroundTaskId: "b1" },
    });
  });

  test("another tool stays as it is", () => {
    const task = { id: "t", name: "Task", input: { prompt: "Look" }, response: { content: "x" } };
    expect(slimTool(task)).toEqual(task);
  });
});

describe("events and the transcript together", () => {
  const said = (time: number, text: string, more: object = {}): Moment => ({
    ...{ time, what: "said", text },
    ...more,
  });
  const tool = (time: number, id: string): Moment => ({
    ...{ time, what: "tool", tool: { id, name: "Bash", input: {}, response: {} } },
  });
  const use = (time: number, toolUseId: string, uuid?: string): Moment => ({
    ...{ time, what: "use", toolUseId },
    ...(uuid !== undefined && { uuid }),
  });

  test("without a transcript events stand in the order of their times", () => {
    expect(mergeMoments([tool(3, "t"), said(1, "a")], undefined)).toEqual([
      said(1, "a"),
      tool(3, "t"),
    ]);
  });

  test("a tool use stands where the transcript has it, once, with its line", () => {
    const written = [said(1, "First."), use(2, "t1", "u2"), use(2, "t1", "u3"), said(4, "Last.")];
    expect(mergeMoments([tool(9, "t1")], written)).toEqual([
      said(1, "First."),
      { ...tool(2, "t1"), uuid: "u2" },
      said(4, "Last."),
    ]);
  });

  test("a tool use that no event told stays out, one that only an event told comes in", () => {
    expect(mergeMoments([tool(5, "late")], [use(2, "left-out"), said(3, "a")])).toEqual([
      said(3, "a"),
      tool(5, "late"),
    ]);
  });

  test("the same words are told once, the longer of them, and known as the last", () => {
    const merged = mergeMoments(
      [said(9, "It is fixed.", { last: true })],
      [said(1, "Now."), said(4, "Well.\n\nIt is  fixed.")],
    );
    expect(merged).toEqual([said(1, "Now."), said(4, "Well.\n\nIt is  fixed.", { last: true })]);
  });

  test("a prompt is taken as it was captured, at its place in the transcript", () => {
    const prompt = (time: number, text: string): Moment => ({ time, what: "prompt", text });
    expect(mergeMoments([prompt(5, "key is [redacted]")], [prompt(1, "key is abc")])).toEqual([
      prompt(1, "key is [redacted]"),
    ]);
  });

  test("refusals are told apart by their tool use", () => {
    const no = (time: number, toolUseId: string): Moment => ({
      ...{ time, what: "refused", text: "No", toolUseId },
    });
    expect(mergeMoments([no(5, "t1"), no(6, "t2")], [no(1, "t1")])).toEqual([
      no(1, "t1"),
      no(6, "t2"),
    ]);
  });
});
