// What redactors may change of an event: everything that was said, in fields known or not, and nothing of what the event is.
import { expect, test } from "bun:test";
import { mapEvent, mapTexts } from "../../src/privacy/redact.ts";
import { clientEvent } from "../support/client-events.ts";

const loud = (value: unknown) => mapTexts(value, (text) => text.toUpperCase());

test("what was said changes, also in fields that nobody knows; what tells the event stays", () => {
  const event = clientEvent("PostToolUse", {
    ...{ session: "s1", toolName: "Bash", toolUseId: "t1", cwd: "/w" },
    ...{ toolInput: { command: "make", list: ["a", { b: "c" }] }, toolResponse: "done" },
    extra: { note: "x" },
  });
  const changed = mapEvent(event, loud);
  expect(changed).toEqual({
    ...event,
    ...{ toolInput: { COMMAND: "MAKE", LIST: ["A", { B: "C" }] }, toolResponse: "DONE" },
    extra: { NOTE: "X" },
  } as never);
});

test.each([
  ["UserPromptSubmit", { prompt: "fix it" }, { prompt: "FIX IT" }],
  ["PostToolUseFailure", { error: "no" }, { error: "NO" }],
  ["Stop", { lastAssistantMessage: "done" }, { lastAssistantMessage: "DONE" }],
  ["PostCompact", { compactSummary: "so far" }, { compactSummary: "SO FAR" }],
] as const)("the words of %s are among what was said", (name, fields, changed) => {
  expect(mapEvent(clientEvent(name, fields), loud)).toMatchObject(changed);
});

test("an event in which nothing changed is the same event", () => {
  const event = clientEvent("UserPromptSubmit", { prompt: "FIX IT" });
  expect(mapEvent(event, (value) => value)).toBe(event);
  expect(mapEvent(event, loud)).toBe(event);
});
