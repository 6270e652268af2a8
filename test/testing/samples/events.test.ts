// The sample session is one that a client could have told: an author's counts and pairs rest on it.
import { expect, test } from "bun:test";
import { sampleSessionEvents } from "../../../src/testing/samples.ts";

test("each tool use of the sample session is one of its own, told in the order of time", () => {
  const events = sampleSessionEvents();
  const uses = events.flatMap((event) =>
    "toolUseId" in event ? [`${event.name} ${event.toolName} ${event.toolUseId}`] : [],
  );
  expect(uses).toEqual([
    "PreToolUse Bash toolu_1",
    "PostToolUseFailure Bash toolu_1",
    "PostToolUse Read toolu_2",
    "PostToolUse Edit toolu_3",
    "PostToolUse Bash toolu_4",
  ]);
  for (const same of ["id", "key", "time"] as const)
    expect(new Set(events.map((event) => event[same])).size).toBe(10);
  const times = events.map(({ time }) => time);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(sampleSessionEvents()).toEqual(events);
});
