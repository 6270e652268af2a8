// Transcript lines become moments of the turn they belong to; what clients write in a user's place is never the user's.
import { describe, expect, test } from "bun:test";
import { createTurnReader } from "../../src/evidence/from-transcript.ts";
import {
  type Moment,
  mergeMoments,
  momentsOfEvent,
  type PromptMark,
  scrubMoments,
} from "../../src/evidence/moment.ts";
import { relativeTo } from "../../src/evidence/tools.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";
import { clientEvent, toolEvent } from "../support/client-events.ts";
import {
  entriesOf,
  said,
  type TranscriptScript,
  transcriptScript,
  used,
} from "../support/transcript-lines.ts";

const second = (n: number) => Date.UTC(2026, 2, 1, 10, 0, n);
const relative = relativeTo("/home/kim/shop");

async function read(script: TranscriptScript, marks: PromptMark[], cut?: number) {
  const reader = createTurnReader(marks, relative);
  for (const entry of await entriesOf(script.text().slice(0, cut))) reader.add(entry);
  return reader;
}
const told = (events: readonly ClientEvent[]) =>
  events.flatMap((event) => momentsOfEvent(event, relative));
const show = (moments: readonly Moment[] = []) =>
  moments.map((one) =>
    one.what === "tool" || one.what === "use"
      ? one.what
      : [one.what, one.about, one.text].filter(Boolean).join(": "),
  );
const mark = (number: number, text: string, time: number, promptId?: string): PromptMark => ({
  number,
  text,
  time,
  ...(promptId !== undefined && { promptId }),
});

describe("a turn's lines", () => {
  test("go from its prompt to the next", async () => {
    const script = transcriptScript();
    script.user("First question");
    script.assistant("m1", [said("Looking."), used("t1")]);
    script.result("t1", "found");
    script.assistant("m2", [said("It is here.")]);
    script.user("Second question");
    script.assistant("m3", [said("And there.")]);
    const reader = await read(script, [
      mark(1, "First question", second(1)),
      mark(2, "Second question", second(5)),
    ]);
    expect(show(reader.moments().get(1))).toEqual([
      "prompt: First question",
      "said: Looking.",
      "use",
      "said: It is here.",
    ]);
    expect(show(reader.moments().get(2))).toEqual(["prompt: Second question", "said: And there."]);
    expect([reader.met(2), reader.met(3)]).toEqual([true, false]);
  });

  test("are found by prompt id, by text long after, by likeness at once, and by time without a line", async () => {
    const script = transcriptScript();
    script.user("Told by id", { promptId: "p1" });
    script.assistant("m1", [said("One.")]);
    script.user("Told   by text");
    script.assistant("m2", [said("Two.")]);
    script.user("My key is abc123, use the key");
    script.assistant("m3", [said("Three.")]);
    script.assistant("m4", [said("Four.")]);
    const reader = await read(script, [
      mark(1, "something else", second(90), "p1"),
      mark(2, "Told by text", second(1_800)),
      mark(3, "My key is [redacted], use the key", second(6)),
      mark(4, "of which no line is there", second(6) + 500),
    ]);
    const turns = [...reader.moments()].map(([n, moments]) => [n, show(moments).at(-1)]);
    expect(turns).toEqual([
      [1, "said: One."],
      [2, "said: Two."],
      [3, "said: Three."],
      [4, "said: Four."],
    ]);
  });

  test("of a file whose times go back belong where they stand", async () => {
    const script = transcriptScript();
    script.assistant("m0", [said("Before.")], undefined, { timestamp: "2026-03-01T12:00:00Z" });
    script.user("One");
    script.assistant("m1", [said("Answer one.")]);
    script.user("Two");
    script.assistant("m2", [said("Answer two.")]);
    const reader = await read(script, [
      mark(0, "", Number.NEGATIVE_INFINITY),
      mark(1, "One", second(2)),
      mark(2, "Two", second(4)),
    ]);
    expect([0, 1, 2].map((n) => show(reader.moments().get(n)).at(-1))).toEqual([
      "said: Before.",
      "said: Answer one.",
      "said: Answer two.",
    ]);
  });

  test("before any known prompt belong to nobody", async () => {
    const script = transcriptScript();
    script.user("Of an earlier session");
    script.assistant("m1", [said("Copied.")]);
    script.user("Mine");
    const reader = await read(script, [mark(1, "Mine", second(3))]);
    expect(show(reader.moments().get(1))).toEqual(["prompt: Mine"]);
  });

  test("cut in the middle of a line are all that is whole", async () => {
    const script = transcriptScript();
    script.user("Go");
    script.assistant("m1", [said("Whole.")]);
    script.assistant("m2", [said("Torn.")]);
    const reader = await read(script, [mark(1, "Go", second(1))], -20);
    expect(show(reader.moments().get(1))).toEqual(["prompt: Go", "said: Whole."]);
  });
});

test("the user's words are told from everything else in their place", async () => {
  const script = transcriptScript();
  const said0 = "The tool use was rejected. To tell you how to proceed, the user said:\n";
  const refused = `The user doesn't want to proceed with this tool use. ${said0}`;
  script.user("Go");
  script.user("<local-command-stdout>secret of a command</local-command-stdout>");
  script.user("Base directory for this skill: /x", { isMeta: true });
  script.user([said("<system-reminder>do not mention</system-reminder>")]);
  script.user("<memoir-context>told by memory</memoir-context>");
  script.assistant("m1", [used("t1", "Bash", { command: "npm install" })]);
  script.user([
    { type: "tool_result", tool_use_id: "t1", is_error: true, content: `${refused}use npm ci` },
    said("and not in this folder"),
    said("<system-reminder>hidden</system-reminder>"),
  ]);
  script.line({
    type: "attachment",
    attachment: { type: "queued_command", prompt: "also the docs", commandMode: "prompt" },
  });
  script.assistant("m2", [used("t2", "Edit", { file_path: "/home/kim/shop/a.ts" })]);
  script.user([said("[Request interrupted by user for tool use]")]);
  script.user(
    "This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\nWe did one thing.",
    { isCompactSummary: true },
  );
  script.user("<task-notification><summary>Agent ended</summary></task-notification>");
  script.assistant("m3", [said("API Error: 500")], undefined, { isApiErrorMessage: true });
  script.assistant("m4", [said("A subagent's own words")], undefined, { isSidechain: true });
  const reader = await read(script, [mark(1, "Go", second(1))]);
  expect(show(reader.moments().get(1)).filter((line) => line !== "use")).toEqual([
    "prompt: Go",
    "refused: npm install: use npm ci",
    "typed: and not in this folder",
    "typed: also the docs",
    "interrupted: Edit a.ts",
    "compaction: We did one thing.",
    "report: Agent ended",
  ]);
});

test("what was typed while the agent worked is kept, also where the client only queued it; once", async () => {
  const script = transcriptScript();
  const queue = (operation: string, content?: string) =>
    script.line({ type: "queue-operation", operation, ...(content !== undefined && { content }) });
  script.user("Go");
  queue("enqueue", "could we have a rule for it?");
  queue("dequeue");
  queue("enqueue", "/exit");
  queue("enqueue", "<task-notification><summary>x</summary></task-notification>");
  queue("remove");
  queue("remove");
  queue("enqueue", "and the docs");
  queue("remove");
  script.line({
    type: "attachment",
    attachment: { type: "queued_command", prompt: "and the docs", commandMode: "prompt" },
  });
  queue("enqueue", "never mind");
  queue("popAll");
  script.assistant("m1", [said("Both.")]);
  const reader = await read(script, [mark(1, "Go", second(1))]);
  expect(show(reader.moments().get(1))).toEqual([
    "prompt: Go",
    "typed: could we have a rule for it?",
    "typed: and the docs",
    "said: Both.",
  ]);
});

test.each([
  ["whose line is there", 4],
  ["whose line is not written yet", 3],
])("a queued prompt %s is no part of the turn before", async (_, lines) => {
  const script = transcriptScript();
  script.user("Plan it");
  script.assistant("m1", [said("Three steps.")]);
  script.line({ type: "queue-operation", operation: "enqueue", content: "Begin" });
  script.user("Begin");
  const cut = script.text().split("\n").slice(0, lines).join("\n").length + 1;
  const marks = [mark(1, "Plan it", second(1)), mark(2, "Begin", second(4))];
  const reader = await read(script, marks, cut);
  expect(show(reader.moments().get(1))).toEqual(["prompt: Plan it", "said: Three steps."]);
});

describe("events and transcript together", () => {
  const times = (n: number) => ({ time: second(n) });
  const events = [
    clientEvent("UserPromptSubmit", { prompt: "Fix [redacted]", ...times(1) }),
    toolEvent("t1", { toolName: "Bash", toolInput: { command: "ls" }, ...times(3) }),
    clientEvent("SubagentStop", {
      agent: { id: "a1" },
      lastAssistantMessage: "Found.",
      ...times(4),
    }),
    clientEvent("PostCompact", { compactSummary: "<summary>So far.</summary>", ...times(5) }),
    clientEvent("Stop", { lastAssistantMessage: "All is well.", ...times(6) }),
  ];

  test("without a transcript, events tell", () => {
    expect(show(mergeMoments(told(events), undefined))).toEqual([
      "prompt: Fix [redacted]",
      "tool",
      "report: Found.",
      "compaction: So far.",
      "said: All is well.",
    ]);
  });

  test("each thing is told once; the prompt as it was captured; dropped tool uses by nobody", async () => {
    const script = transcriptScript();
    script.user("Fix secret");
    script.assistant("m1", [said("Looking."), used("t1"), used("dropped")]);
    script.result("t1", "x");
    script.user("So far.", { isCompactSummary: true });
    script.assistant("m2", [said("All is well.")]);
    const reader = await read(script, [mark(1, "Fix secret", second(1))]);
    const merged = mergeMoments(told(events), reader.moments().get(1));
    expect(show(merged)).toEqual([
      "prompt: Fix [redacted]",
      "said: Looking.",
      "tool",
      "compaction: So far.",
      "report: Found.",
      "said: All is well.",
    ]);
    expect(merged.at(-1)).toMatchObject({ last: true, uuid: "u5" });
  });

  test("a refusal that a hook told is one with the transcript's", async () => {
    const error = "The user doesn't want to take this action right now. STOP";
    const script = transcriptScript();
    script.user("Go");
    script.assistant("m1", [used("t1", "Bash", { command: "rm x" })]);
    script.result("t1", error);
    const failure = clientEvent("PostToolUseFailure", {
      ...{ toolUseId: "t1", toolName: "Bash", toolInput: { command: "rm x" } },
      ...{ error, isInterrupt: true, time: second(3) },
    });
    const reader = await read(script, [mark(1, "Go", second(1))]);
    const merged = mergeMoments(told([failure]), reader.moments().get(1));
    expect(show(merged)).toEqual(["prompt: Go", "refused: rm x"]);
  });

  test("withheld events and the client's own summarizing tell nothing, and a notification is no prompt", () => {
    const silent = told([
      clientEvent("SubagentStop", {
        agent: { id: "a66e11ad044878f1d", type: "" },
        lastAssistantMessage: "<summary>So far.</summary>",
      }),
      clientEvent("UserPromptSubmit", { prompt: "x", withheld: true }),
      clientEvent("UserPromptSubmit", {
        prompt: "<task-notification><result>Built.</result></task-notification>",
      }),
    ]);
    expect(show(silent)).toEqual(["report: Built."]);
  });
});

test("a tool that Esc stopped is told as stopped, whatever the client's words for it", async () => {
  const script = transcriptScript();
  const words =
    "The user doesn't want to proceed with this tool use. STOP what you are doing and wait for the user to tell you how to proceed.";
  const stopped = (id: string) => [
    { type: "tool_result", tool_use_id: id, is_error: true, content: words },
  ];
  script.user("Go");
  script.assistant("m1", [used("t1", "Bash", { command: "npm run migrate" })]);
  script.user(stopped("t1"), { toolDenialKind: "user-rejected" });
  script.user([said("[Request interrupted by user for tool use]")]);
  script.assistant("m2", [used("t2", "Bash", { command: "rm -rf dist" })]);
  script.user(stopped("t2"), { toolDenialKind: "user-rejected", toolDenialBeforeRun: true });
  const reader = await read(script, [mark(1, "Go", second(1))]);
  expect(show(reader.moments().get(1))).toEqual([
    "prompt: Go",
    "use",
    "interrupted: npm run migrate",
    "interrupted",
    "use",
    "refused: rm -rf dist",
  ]);
});

describe("scrubbing", () => {
  const moments: Moment[] = [
    { time: 1, what: "said", text: "token abc" },
    { time: 2, what: "refused", text: "private", about: "echo abc" },
    { time: 3, what: "typed", text: "private" },
    { time: 4, what: "interrupted", text: "" },
    { time: 5, what: "use", toolUseId: "t1" },
  ];

  test("every text is scrubbed once, and what is nothing but private is gone", async () => {
    const seen: string[] = [];
    const clean = await scrubMoments(moments, async (texts) => {
      seen.push(...texts);
      return texts.map((text) => text.replace("private", "").replace("abc", "***"));
    });
    expect(seen).toEqual(["token abc", "private", "echo abc"]);
    expect(show(clean)).toEqual(["said: token ***", "refused: echo ***", "interrupted", "use"]);
  });

  test("a giant text is scrubbed by its two ends, and says how much is gone", async () => {
    const longest = 256 * 1024;
    const text = `${"a".repeat(longest)}${"b".repeat(100)}`;
    const seen: string[] = [];
    const clean = await scrubMoments([{ time: 1, what: "said", text }], async (texts) => {
      seen.push(...texts);
      return texts;
    });
    expect(seen).toEqual([expect.stringMatching(/^a+\n…\na+b{100}$/)]);
    expect(seen[0]).toHaveLength(longest + 3);
    expect(clean).toMatchObject([{ omitted: 100 }]);
    const whole = await scrubMoments(moments, async (texts) => texts);
    expect(whole?.some((one) => "omitted" in one)).toBe(false);
  });

  test("where scrubbing fails nothing is given", async () => {
    expect(await scrubMoments(moments, async () => undefined)).toBeUndefined();
    expect(await scrubMoments(moments, async () => ["one"])).toBeUndefined();
  });
});
