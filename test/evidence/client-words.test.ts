// What the client writes where a user or a tool would speak, in the words it has used over its versions.
import { describe, expect, test } from "bun:test";
import {
  compactionText,
  isInterruption,
  notificationText,
  saysHadBegun,
  verdictOf,
} from "../../src/evidence/moment.ts";

const refused =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
const stop = "STOP what you are doing and wait for the user to tell you how to proceed.";
const note =
  "\n\nNote: The user's next message may contain a correction or preference. Pay close attention — if they explain what went wrong, save it.";

describe("a failed tool result", () => {
  test.each([
    [
      "with a reason",
      `${refused} To tell you how to proceed, the user said:\nuse npm ci`,
      { kind: "refused", reason: "use npm ci" },
    ],
    [
      "with a reason of several lines and the client's note",
      `${refused} To tell you how to proceed, the user said:\nno.\n\n- never here${note}`,
      { kind: "refused", reason: "no.\n\n- never here" },
    ],
    [
      "whose reason quotes the client",
      `${refused} To tell you how to proceed, the user said:\nit said "the user said:\n" twice`,
      { kind: "refused", reason: 'it said "the user said:\n" twice' },
    ],
    ["without one", `${refused} ${stop}`, { kind: "refused", reason: "" }],
    [
      "not now",
      `The user doesn't want to take this action right now. ${stop}`,
      { kind: "refused", reason: "" },
    ],
    [
      "of a subagent",
      "Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). The user said:\nonly src/",
      { kind: "refused", reason: "only src/" },
    ],
    [
      "of a plan",
      "The agent proposed a plan that was rejected by the user. The user chose to stay in plan mode rather than proceed with implementation.\n\nRejected plan:\n# Rewrite",
      { kind: "refused", reason: "" },
    ],
    [
      "of a dialog that was left to say more",
      `${refused} To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n    This means they may have additional information.\n    Questions asked:\n- "Which store?"\n  Answer: SQLite\n  User notes: one file\n- "When?"\n  (No answer provided)`,
      {
        kind: "refused",
        reason: "",
        answers: [
          { question: "Which store?", answer: "SQLite", note: "one file" },
          { question: "When?", answer: "", note: "" },
        ],
      },
    ],
    [
      "of a tool that never ran",
      "[Tool call skipped: the turn was stopped before this call ran.]",
      { kind: "skipped" },
    ],
    ["stopped by Esc", "[Request interrupted by user for tool use]\nhalf", { kind: "interrupted" }],
    ["that failed by itself", "Exit code 1\nthe user said: no", undefined],
    ["that prints a refusal later", `12: ${refused}`, undefined],
  ] as const)("%s", (_, text, wanted) => {
    expect(verdictOf(text)).toEqual(wanted as ReturnType<typeof verdictOf>);
  });
});

test.each([
  ["stopped by Esc while it ran", { toolDenialKind: "user-rejected" }, stop, "interrupted"],
  [
    "refused in its dialog",
    { toolDenialKind: "user-rejected", toolDenialBeforeRun: true },
    stop,
    "refused",
  ],
  [
    "refused with a reason",
    { toolDenialKind: "user-rejected" },
    "To tell you how to proceed, the user said:\nuse npm ci",
    "refused",
  ],
  ["of an earlier client", {}, stop, "refused"],
] as const)("a tool use that bears the words of a refusal: %s", (_, line, rest, kind) => {
  expect(verdictOf(`${refused} ${rest}`, undefined, saysHadBegun(line))?.kind).toBe(kind);
});

test("a plan that is turned down without a word is only proposed: the client says so of an accepted one, too", () => {
  const tool = { name: "ExitPlanMode", input: { plan: "# Count vouchers" } };
  const said = (rest: string) => verdictOf(`${refused} ${rest}`, tool);
  expect(said(stop)).toEqual({ kind: "proposed", plan: "# Count vouchers" });
  expect(said("To tell you how to proceed, the user said:\nno floats")?.kind).toBe("refused");
  expect(verdictOf(`${refused} ${stop}`, { ...tool, name: "Edit" })?.kind).toBe("refused");
});

test("an interruption is told from a prompt that mentions one", () => {
  expect(isInterruption("[Request interrupted by user]")).toBe(true);
  expect(isInterruption("[Request interrupted by user for tool use]")).toBe(true);
  expect(isInterruption("Why [Request interrupted by user]?")).toBe(false);
});

test("a notification gives its result, else its summary", () => {
  const of = (body: string) =>
    `<task-notification>\n<task-id>b1</task-id>${body}</task-notification>`;
  expect(notificationText(of("<summary>Done</summary><result>12 files</result>"))).toBe("12 files");
  expect(notificationText(of("<summary>Command exited 0</summary>"))).toBe("Command exited 0");
  expect(notificationText("<agent-notification><summary>cut off")).toBe("cut off");
  expect(notificationText("Explain <task-notification>")).toBeUndefined();
});

test("a compaction's summary stands without what the client says around it", () => {
  const frame =
    "This session is being continued from a previous conversation that ran out of context.";
  expect(
    compactionText(
      `${frame} The conversation is summarized below:\nAnalysis: one\n\nPlease continue the conversation from where we left it off without asking.`,
    ),
  ).toBe("Analysis: one");
  expect(
    compactionText(
      `${frame} The summary below covers the earlier portion of the conversation.\n\nPrimary request: two`,
    ),
  ).toBe("Primary request: two");
  expect(
    compactionText(
      `${frame} The summary below covers the earlier portion of the conversation.\n\n<system-reminder>\n<tools-used-before-summary>Read</tools-used-before-summary>\n</system-reminder>\nSummary:\n1. Request: four\n\nIf you need specific details from before compaction (like exact code snippets), read it.`,
    ),
  ).toBe("1. Request: four");
  expect(
    compactionText("<analysis>\nAloud.\n</analysis>\n\n<summary>\n1. Request: five\n</summary>"),
  ).toBe("1. Request: five");
  expect(compactionText("<summary>\nthree\n</summary>")).toBe("three");
});
