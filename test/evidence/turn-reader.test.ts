// One line of a transcript at a time: what becomes of it, and of which turn.
import { expect, test } from "bun:test";
import { createTurnReader } from "../../src/evidence/from-transcript.ts";
import type { Moment, PromptMark } from "../../src/evidence/moment.ts";
import {
  entriesOf,
  said,
  type TranscriptScript,
  transcriptScript,
  used,
} from "../support/transcript-lines.ts";

const second = (n: number) => Date.UTC(2026, 2, 1, 10, 0, n);
const go: PromptMark = { number: 1, text: "Go", time: second(1) };

/** A reader of a session that begins with "Go". */
async function read(write: (script: TranscriptScript) => void, marks = [go]) {
  const script = transcriptScript();
  script.user("Go");
  write(script);
  const reader = createTurnReader(marks, (path) => path);
  for (const entry of await entriesOf(script.text())) reader.add(entry);
  return reader;
}
const queue = (script: TranscriptScript, operation: string, content?: string) =>
  script.line({ type: "queue-operation", operation, ...(content && { content }) });
const stop = (script: TranscriptScript) =>
  script.user([said("[Request interrupted by user for tool use]")]);
const told = "<memoir-context>told by memory</memoir-context>";
const bash = (id: string, command: string) => used(id, "Bash", { command });

type Case = [
  name: string,
  write: (script: TranscriptScript) => void,
  after: Array<Record<string, unknown>>,
];

const cases: Case[] = [
  [
    "a line without a time has that of the line before",
    (script) => script.assistant("m", [said("Hi")], undefined, { timestamp: undefined }),
    [{ what: "said", time: second(1) }],
  ],
  [
    "a command of the client that no hook told of is left out",
    (script) => script.user("<command-name>/review</command-name><command-args>it</command-args>"),
    [],
  ],
  [
    "the client's own words for a task or a hook are nobody's, queued or not",
    (script) => {
      queue(script, "enqueue", '{"task_id":"b1","task_type":"local_bash"}');
      script.user('{"task_id":"b1","task_type":"local_bash"}');
      script.user("Operation stopped by hook: Another session is active");
      script.user("UserPromptSubmit operation blocked by hook:\nno secrets");
    },
    [],
  ],
  [
    "what was taken back to be edited is left out, all of it",
    (script) => {
      for (const text of ["one", "two"]) queue(script, "enqueue", text);
      queue(script, "popAll");
    },
    [],
  ],
  [
    "of two that wait the agent takes the first: only the second is taken back",
    (script) => {
      for (const text of ["one", "two"]) queue(script, "enqueue", text);
      queue(script, "dequeue");
      queue(script, "popAll");
    },
    [{ what: "typed", text: "one" }],
  ],
  [
    "an interruption is of the tool that was begun last, and of none when it is told again",
    (script) => {
      script.assistant("m", [bash("t1", "ls"), bash("t2", "make")]);
      stop(script);
      stop(script);
    },
    [
      { what: "use", toolUseId: "t1", uuid: "u2" },
      { what: "use", toolUseId: "t2", uuid: "u2" },
      { what: "interrupted", text: "", about: "make", toolUseId: "t2" },
      { what: "interrupted", text: "", about: undefined, toolUseId: undefined },
    ],
  ],
  [
    "a refusal names its tool use, and is told without what memory gave",
    (script) => {
      script.assistant("m", [bash("t1", "ls")]);
      const content = `The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n${told}no`;
      script.user([{ type: "tool_result", tool_use_id: "t1", is_error: true, content }]);
    },
    [{ what: "use" }, { what: "refused", text: "no", about: "ls", toolUseId: "t1" }],
  ],
  [
    "a plan turned down without a word is what the agent said, whatever became of it",
    (script) => {
      script.assistant("m", [used("t1", "ExitPlanMode", { plan: "# Count vouchers" })]);
      const content =
        "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing and wait for the user to tell you how to proceed.";
      script.user([{ type: "tool_result", tool_use_id: "t1", is_error: true, content }]);
      stop(script);
    },
    [{ what: "use" }, { what: "said", text: "# Count vouchers" }],
  ],
  [
    "words bear their message and request",
    (script) => script.assistant("m", [said("Hi")], undefined, { requestId: "r1" }),
    [{ what: "said", text: "Hi", messageId: "m", requestId: "r1", uuid: "u2" }],
  ],
  [
    "empty words are none",
    (script) => script.assistant("m", [said(" \n"), said("Hi")]),
    [{ what: "said", text: "Hi" }],
  ],
  [
    "words of the client in the agent's place are none",
    (script) => {
      const message = { id: "m", model: "<synthetic>", content: [said("No response requested.")] };
      script.line({ type: "assistant", message });
    },
    [],
  ],
  [
    "a command that the user ran is told with what it printed, one without an output is not",
    (script) => {
      script.user("<bash-input>ls src; false</bash-input>");
      script.user("<bash-stdout>cart.ts</bash-stdout><bash-stderr>no\n</bash-stderr>");
      script.user("<bash-input>ls</bash-input>");
      script.assistant("m", [said("I see.")]);
      script.user("<bash-stdout>late</bash-stdout>");
    },
    [
      { what: "ran", text: "cart.ts\nno", about: "ls src; false" },
      { what: "said", text: "I see." },
    ],
  ],
  [
    "what memory gave is not told as the agent's own, a report's or a summary's",
    (script) => {
      script.assistant("m", [said(`${told}Hi`)]);
      script.user(`<task-notification><summary>${told}Done</summary></task-notification>`);
      script.user(`${told}So far.`, { isCompactSummary: true });
      script.user(told, { isCompactSummary: true });
    },
    [
      { what: "said", text: "Hi" },
      { what: "report", text: "Done" },
      { what: "compaction", text: "So far." },
    ],
  ],
];

test.each(cases)("%s", async (_, write, after) => {
  const moments = (await read(write)).moments().get(1)?.slice(1) ?? [];
  // What a case does not name may be anything; what it calls undefined is absent.
  expect(moments).toEqual(after.map((one, at) => ({ ...moments[at], ...one }) as Moment));
});

test("what waits is asked for until its own line is met, ahead of the end too", async () => {
  const reader = await read((script) => {
    queue(script, "enqueue", "and the docs");
    queue(script, "dequeue");
  });
  expect(reader.queues()).toBe(true);
  const later = transcriptScript();
  later.user("and the docs");
  for (const entry of await entriesOf(later.text())) reader.ahead(entry);
  expect(reader.queues()).toBe(false);
  expect(reader.moments().get(1)).toMatchObject([{ what: "prompt" }]);
});

test("a prompt without a line begins at its very time, and ends before the next that has one", async () => {
  const marks = [
    go,
    { number: 2, text: "Lost", time: second(3) },
    { number: 3, text: "Next", time: second(4) },
    { number: 4, text: "Never", time: second(90) },
  ];
  const reader = await read((script) => {
    script.assistant("m1", [said("Of one.")]);
    script.assistant("m2", [said("Of two.")]);
    script.user("Next");
    script.assistant("m3", [said("Of three.")]);
  }, marks);
  const turns = [...reader.moments()].map(([number, moments]) => [number, moments.length]);
  expect(turns).toEqual([
    [1, 2],
    [2, 1],
    [3, 2],
  ]);
  expect([0, 1, 2, 3, 4].map(reader.met)).toEqual([false, true, false, true, false]);
});

test("a mark without a text has no line to be met", async () => {
  const nothing = { number: 0, text: "", time: second(2) };
  const reader = await read((script) => script.user("typed at that moment"), [nothing, go]);
  expect(reader.moments().get(1)).toMatchObject([{ what: "prompt" }, { what: "typed" }]);
});

test("what came before any prompt begins with the plan that no hook told of, not with an older session's", async () => {
  const plan = "Implement the following plan:\n\n# Cents";
  const nothing = { number: 0, text: "", time: second(3) };
  const numbered = async (first: string, mark: PromptMark) => {
    const script = transcriptScript();
    script.user(first);
    script.assistant("m1", [said("Thinking.")]);
    script.assistant("m2", [said("Done.")]);
    const reader = createTurnReader([mark], (path) => path);
    for (const entry of await entriesOf(script.text())) reader.add(entry);
    return reader
      .moments()
      .get(0)
      ?.map((moment) => ("text" in moment ? moment.text : ""));
  };
  expect(await numbered(plan, nothing)).toEqual([plan, "Thinking.", "Done."]);
  expect(await numbered("Go", nothing)).toEqual(["Done."]);
  const later = { ...nothing, time: second(3) + 61 * 60_000 };
  expect(await numbered(plan, later)).toBeUndefined();
});
