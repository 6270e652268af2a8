// The transcript's size is noted with an event, and never at the event's expense.
import { expect, test } from "bun:test";
import { createTranscriptSize } from "../../../src/runtime/events/event-way.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";

const path = "/home/kim/.claude/projects/p/s1.jsonl";
const noted = (event: ClientEvent, size: () => Promise<number> = async () => 77) =>
  createTranscriptSize(() => 10_000, size)(event);
const fresh = { time: 9_000, transcriptPath: path };

test.each([
  "UserPromptSubmit",
  "PostToolUse",
  "PostToolUseFailure",
  "SubagentStop",
  "Stop",
] as const)(
  "is noted with %s, up to five seconds after it, and again once an answer came",
  async (name) => {
    expect(await noted(clientEvent(name, fresh))).toBe(77);
    expect(await noted(clientEvent(name, { ...fresh, time: 5_000 }))).toBe(77);
    expect(await noted(clientEvent(name, { ...fresh, time: 4_999 }))).toBeUndefined();
    const sizeOf = createTranscriptSize(
      () => 10_000,
      async () => 77,
    );
    for (let n = 0; n < 5; n++) expect(await sizeOf(clientEvent(name, fresh))).toBe(77);
  },
);

test("is noted with tool uses and stops", async () => {
  expect(await noted(toolEvent("t1", fresh))).toBe(77);
  expect(await noted(clientEvent("Stop", fresh))).toBe(77);
  expect(await noted(clientEvent("SubagentStop", fresh))).toBe(77);
});

test("is left out where it would be wrong or is not wanted", async () => {
  expect(await noted(clientEvent("PreToolUse", fresh))).toBeUndefined();
  expect(await noted(toolEvent("t1", { ...fresh, time: 100 }))).toBeUndefined();
  expect(await noted(toolEvent("t1", { time: 9_000 }))).toBeUndefined();
  expect(await noted(toolEvent("t1", { ...fresh, transcriptPath: "/etc/passwd" }))).toBeUndefined();
  expect(await noted(toolEvent("t1", { ...fresh, transcriptBytes: 5 }))).toBeUndefined();
  expect(
    await noted(toolEvent("t1", fresh), () => Promise.reject(new Error("gone"))),
  ).toBeUndefined();
});

test("a file system that hangs is asked twice at most, and nobody waits for it", async () => {
  let asked = 0;
  const sizeOf = createTranscriptSize(
    () => 10_000,
    () => {
      asked++;
      return new Promise(() => {});
    },
  );
  for (let n = 0; n < 5; n++) expect(await sizeOf(toolEvent("t1", fresh))).toBeUndefined();
  expect(asked).toBe(2);
});
