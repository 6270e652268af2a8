// Which work is done again for what storage lost, from the events that the journal still holds.
import { describe, expect, test } from "bun:test";
import { type StoredSession, worksAgain } from "../../../src/runtime/events/transcripts.ts";
import type { PastEvent } from "../../../src/runtime/journal/events.ts";

const none: StoredSession = {
  ...{ prompts: new Set(), turns: new Set(), summaries: new Set(), observed: new Set() },
  ...{ observations: new Set(), isKnown: false, isSummed: false },
};
const all = (...numbers: number[]): StoredSession => ({
  ...{ prompts: new Set(numbers), turns: new Set(numbers), summaries: new Set(numbers) },
  ...{ observed: new Set(numbers), observations: new Set(["o1"]), isKnown: true, isSummed: true },
});
const event = (seq: number, name: string, part: Partial<PastEvent> = {}) =>
  ({
    ...{ seq, key: `k${seq}`, name, promptNumber: 1, time: seq, receivedAt: seq, spoken: false },
    ...{ outcome: "stored", observations: [], isWhole: true, isAgain: false, bytes: 1 },
    ...part,
  }) as unknown as PastEvent;
const prompt = event(1, "UserPromptSubmit", { spoken: true });
const tool = event(2, "PostToolUse", { toolUseId: "t1", observations: ["o1"] });
const stop = event(3, "Stop", { spoken: true });
const end = event(4, "SessionEnd", { outcome: "handled" as never });
const done = [prompt, tool, stop, end];

const again = (events: PastEvent[], stored: StoredSession, wasSummed = true) =>
  worksAgain(events, stored, { stamp: "now", wasSummed }).map(
    ({ kind, promptNumber, seqs }) => `${kind} ${promptNumber} [${seqs}]`,
  );

describe("is made again", () => {
  test("all of a prompt, and the session's own summary", () => {
    expect(again(done, none)).toEqual([
      ...["prompt 1 [1]", "turn 1 []", "observe 1 [2,3]", "summarize-prompt 1 [3]"],
      "summarize-session 1 [4]",
    ]);
  });
  test("nothing of what storage has", () => {
    expect(again(done, all(1))).toEqual([]);
  });
  test.each<[string, Partial<StoredSession>, string[]]>([
    ["a prompt", { prompts: new Set() }, ["prompt 1 [1]"]],
    ["a turn", { turns: new Set() }, ["turn 1 []"]],
    ["a prompt's summary", { summaries: new Set() }, ["summarize-prompt 1 [3]"]],
    ["what was observed", { observations: new Set() }, ["observe 1 [2,3]"]],
    ["the session's summary", { isSummed: false }, ["summarize-session 1 [4]"]],
    ["a session with its title", { isKnown: false }, ["prompt 1 [1]", "summarize-session 1 [4]"]],
  ])("%s alone", (_, lost, works) => {
    expect(again(done, { ...all(1), ...lost })).toEqual(works);
  });
  test("one prompt after the other", () => {
    const second = { promptNumber: 2 };
    const later = [event(5, "UserPromptSubmit", second), event(6, "Stop", second)];
    expect(again([...later, prompt, stop], { ...none, isKnown: true }, false)).toEqual([
      ...["prompt 1 [1]", "turn 1 []", "summarize-prompt 1 [3]", "prompt 2 [5]", "turn 2 []"],
    ]);
  });
});

describe("is not made again", () => {
  test.each<[string, PastEvent[], StoredSession]>([
    [
      "a prompt with an event that waits",
      [...done.slice(0, 3), event(5, "PostToolUse", { outcome: null })],
      none,
    ],
    [
      "one with an event that was set aside",
      [...done.slice(0, 3), event(5, "Stop", { outcome: "parked" })],
      none,
    ],
    [
      "what its payload is gone of",
      done.slice(0, 3).map((one) => ({ ...one, isWhole: false })),
      none,
    ],
    [
      "a tool use that nothing was stored of",
      [event(2, "PostToolUse", { toolUseId: "t1", outcome: "skipped", observations: ["o9"] })],
      none,
    ],
    ["one of which no observation was made", [event(2, "PostToolUse", { toolUseId: "t1" })], none],
    [
      "one of which an observation is there still",
      [event(2, "PostToolUse", { toolUseId: "t1", observations: ["o9", "o1"] })],
      { ...none, observations: new Set(["o1"]) },
    ],
    ["what is no tool use", [event(2, "SubagentStop", { observations: ["o9"] })], none],
    ["a summary of what nobody said", [event(3, "Stop")], none],
  ])("%s", (_, events, stored) => {
    expect(again(events, stored, false)).toEqual([]);
  });
  test("the summary of a session that had none, unless its end was put here to be made again", () => {
    const lost = { ...all(1), isSummed: false };
    expect(again(done, lost, false)).toEqual([]);
    const put = { ...end, isAgain: true };
    expect(again([...done.slice(0, 3), put], lost, false)).toEqual(["summarize-session 1 [4]"]);
    expect(again([prompt, tool, { ...stop, isAgain: true }], lost, false)).toEqual([]);
  });
});

test("what was put here to be made again is observed where nothing of its prompt is", () => {
  const put = event(2, "PostToolUse", {
    toolUseId: "t1",
    isAgain: true,
    outcome: "handled" as never,
  });
  expect(again([put], none, false)).toEqual(["observe 1 [2]"]);
  expect(again([put], { ...none, observed: new Set([1]) }, false)).toEqual([]);
});

test("its keys are others than those of the first time, and the same when it is asked again", () => {
  const keys = (stamp: string) =>
    worksAgain(done, none, { stamp, wasSummed: true }).map(({ key }) => key);
  expect(new Set([...keys("one"), ...keys("two")]).size).toBe(10);
  expect(keys("one")).toEqual(keys("one"));
  for (const key of keys("one")) expect(key).toStartWith("one:");
  const other = worksAgain([{ ...prompt, key: "else" }], none, { stamp: "one", wasSummed: false });
  expect(keys("one")).not.toContain(other.find(({ kind }) => kind === "turn")?.key as string);
});
