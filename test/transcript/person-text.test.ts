// What a person wrote, told from everything else that a client puts into user lines.
import { expect, test } from "bun:test";
import type { TranscriptEntry } from "../../src/transcript/entry.ts";
import { parseEntry, personText } from "../../src/transcript/parse-entry.ts";

function entry(value: object): TranscriptEntry {
  const frame = { uuid: "u1", timestamp: "2026-01-01T00:00:00Z", sessionId: "s" };
  const content = new TextEncoder().encode(JSON.stringify({ ...frame, ...value }));
  const parsed = parseEntry({ content, number: 1, offset: 0, complete: true, tooLong: 0 });
  if (!parsed || parsed.kind === "broken") throw new Error("no entry");
  return parsed;
}
const user = (content: unknown, more: object = {}) =>
  entry({ type: "user", message: { role: "user", content }, ...more });
const queued = (attachment: unknown) => entry({ type: "attachment", attachment });
const said = (text: string) => ({ kind: "said", text }) as const;
const echo = (name: string, args: string) =>
  `<command-name>${name}</command-name>\n<command-message>${name}</command-message>\n<command-args>${args}</command-args>`;

test.each<[string, TranscriptEntry, ReturnType<typeof personText>]>([
  ["a prompt", user(" Fix it\n"), said("Fix it")],
  [
    "a prompt that its client says is a person's",
    user("Go", { origin: { kind: "human" } }),
    said("Go"),
  ],
  ["words of another agent", user("Go", { origin: { kind: "peer" } }), undefined],
  [
    "what the client goes on with",
    user("Go", { origin: { kind: "auto-continuation" } }),
    undefined,
  ],
  [
    "a plan that the client goes on with",
    user("Implement the following plan:\n\n# Cents", { origin: { kind: "auto-continuation" } }),
    said("Implement the following plan:\n\n# Cents"),
  ],
  [
    "a prompt in blocks",
    user([
      { type: "text", text: "Fix" },
      { type: "text", text: "it" },
    ]),
    said("Fix\nit"),
  ],
  [
    "a prompt with a picture",
    user([{ type: "image" }, { type: "text", text: "See" }]),
    said("See"),
  ],
  [
    "what a client adds is taken out",
    user("<system-reminder>x</system-reminder>Fix it<ide_opened_file>a</ide_opened_file>"),
    said("Fix it"),
  ],
  ["an addition alone", user("<system-reminder>x</system-reminder>"), undefined],
  [
    "a tool's result",
    user([{ type: "tool_result", tool_use_id: "t", content: "Fix it" }]),
    undefined,
  ],
  [
    "a tool's result beside text",
    user([
      { type: "text", text: "x" },
      { type: "tool_result", tool_use_id: "t" },
    ]),
    undefined,
  ],
  ["a compaction's summary", user("Fix it", { isCompactSummary: true }), undefined],
  ["an interruption", user("[Request interrupted by user]"), undefined],
  ["output of a local command", user("<local-command-stdout>ok</local-command-stdout>"), undefined],
  ["a background task's note", user("<task-notification>done</task-notification>"), undefined],
  ["what a hook says to go on", user("Stop hook feedback:\n- [lint.sh]: Run it"), undefined],
  [
    "the same, marked by the client",
    user("Stop hook feedback:\n- [lint.sh]: Run it", { isMeta: true }),
    undefined,
  ],
  ["the same on a line", user("Stop hook feedback: run the lint"), undefined],
  [
    "words about it",
    user("Stop hook feedback is shown twice"),
    said("Stop hook feedback is shown twice"),
  ],
  [
    "a slash command",
    user(echo("/review", "the cart")),
    { kind: "command", text: "/review the cart" },
  ],
  ["one without its slash", user(echo("review", "")), { kind: "command", text: "/review" }],
  ["an echo without a name", user("<command-args>x</command-args>"), undefined],
  ["what a command stands for", user("Review the cart.", { isMeta: true }), { kind: "expansion" }],
  [
    "the caveat before local commands",
    user("Caveat: The messages below were generated", { isMeta: true }),
    undefined,
  ],
  [
    "the caveat of newer clients",
    user("<local-command-caveat>Caveat: x</local-command-caveat>", { isMeta: true }),
    undefined,
  ],
  ["an empty note of the client's", user(" ", { isMeta: true }), undefined],
  [
    "the assistant's words",
    entry({ type: "assistant", message: { role: "assistant", content: "Fix it" } }),
    undefined,
  ],
  [
    "typed while it worked",
    queued({ type: "queued_command", prompt: "And that" }),
    said("And that"),
  ],
  [
    "typed as a prompt",
    queued({ type: "queued_command", prompt: "And that", commandMode: "prompt" }),
    said("And that"),
  ],
  [
    "a queued shell command",
    queued({ type: "queued_command", prompt: "ls", commandMode: "bash" }),
    undefined,
  ],
  [
    "a queued note of a task",
    queued({ type: "queued_command", prompt: "<task-notification>x" }),
    undefined,
  ],
  ["another attachment", queued({ type: "file", prompt: "x" }), undefined],
  ["an attachment without anything", queued(null), undefined],
])("%s", (_, line, wanted) => {
  expect(personText(line)).toEqual(wanted as never);
});

test("what others put in goes before it is judged", () => {
  const clean = (text: string) => text.replace(/MEMORY.*MEMORY/, "");
  expect(personText(user("MEMORY known MEMORY Fix it"), clean)).toEqual(said("Fix it"));
  expect(personText(user("MEMORY known MEMORY"), clean)).toBeUndefined();
});
