// Hooks that run twice: one event counts, one answer is given, and the person hears of it once.
import { expect, test } from "bun:test";
import { parseClaudeCode } from "../../../src/clients/normal/payload.ts";
import { createDuplicates } from "../../../src/runtime/journal/seen-before.ts";

const common = { session_id: "s1", cwd: "/w", transcript_path: "/w/t.jsonl" };
let deliveries = 0;
const event = (name: string, more: object = {}) =>
  parseClaudeCode(
    { ...common, hook_event_name: name, ...more },
    { id: `d${deliveries++}`, time: deliveries },
  );

const twice: Array<[name: string, fields: object]> = [
  ["SessionStart", { source: "startup" }],
  ["UserPromptSubmit", { prompt: "ok", prompt_id: "p1" }],
  ["UserPromptSubmit", { prompt: "ok" }],
  ["PostToolUse", { tool_name: "Bash", tool_use_id: "t1", tool_input: {}, tool_response: "x" }],
  ["Stop", { last_assistant_message: "Done.", prompt_id: "p1" }],
  ["SessionEnd", { reason: "other" }],
];
test.each(twice)("%s by two duplicates is one", (name, fields) => {
  let now = 0;
  const duplicates = createDuplicates(() => now);
  expect(duplicates.isSecond(event(name, fields))).toBe(false);
  now = 300;
  expect(duplicates.isSecond(event(name, fields))).toBe(true);
});

test("what comes later, says something else or is the same delivery again is no second copy", () => {
  let now = 0;
  const duplicates = createDuplicates(() => now);
  const prompt = event("UserPromptSubmit", { prompt: "ok", prompt_id: "p1" });
  expect(duplicates.isSecond(prompt)).toBe(false);
  expect(duplicates.isSecond(prompt)).toBe(false);
  expect(duplicates.isSecond(event("UserPromptSubmit", { prompt: "ok", prompt_id: "p2" }))).toBe(
    false,
  );
  expect(duplicates.isSecond(event("Stop", { last_assistant_message: "a" }))).toBe(false);
  expect(duplicates.isSecond(event("Stop", { last_assistant_message: "b" }))).toBe(false);
  now = 10_000;
  expect(duplicates.isSecond(event("Stop", { last_assistant_message: "a" }))).toBe(false);
});

test("an answer with the same words to another prompt is no second copy, however fast it comes", () => {
  const duplicates = createDuplicates(() => 0);
  const said = () => duplicates.isSecond(event("Stop", { last_assistant_message: "Done." }));
  const typed = (prompt: string) => duplicates.isSecond(event("UserPromptSubmit", { prompt }));
  expect([typed("go on"), typed("go on"), said(), said()]).toEqual([false, true, false, true]);
  expect([typed("and now?"), said(), said()]).toEqual([false, false, true]);
  // The same words typed again after an answer are a prompt of their own.
  expect([typed("and now?"), typed("and now?"), said()]).toEqual([false, true, false]);
  // What another session does makes no difference.
  const other = { session_id: "s2", prompt: "x" };
  expect(duplicates.isSecond(event("UserPromptSubmit", other))).toBe(false);
  expect(said()).toBe(true);
});

test("a session's start is one, also where the first prompt comes between its deliveries", () => {
  const duplicates = createDuplicates(() => 0);
  const start = () => duplicates.isSecond(event("SessionStart", { source: "startup" }));
  expect(start()).toBe(false);
  expect(duplicates.isSecond(event("UserPromptSubmit", { prompt: "go" }))).toBe(false);
  expect(start()).toBe(true);
});

test("it is said once in a session", () => {
  const duplicates = createDuplicates(() => 0);
  expect(duplicates.notice(event("SessionStart", { source: "startup" }))).toContain(
    "memoir install",
  );
  expect(duplicates.notice(event("UserPromptSubmit", { prompt: "x" }))).toBeUndefined();
});

test("a dropped event is new once, until so many others were dropped", () => {
  const duplicates = createDuplicates(() => 0);
  const [first, ...others] = Array.from({ length: 2_001 }, (_, at) =>
    event("UserPromptSubmit", { prompt: "x", prompt_id: `p${at}` }),
  );
  if (!first) throw new Error("no event");
  expect([duplicates.isNewDrop(first), duplicates.isNewDrop(first)]).toEqual([true, false]);
  expect(others.every(duplicates.isNewDrop)).toBe(true);
  expect(duplicates.isNewDrop(first)).toBe(true);
});
