// Whose fault a failed call was, how often it is said, how long calls took, and what an answer must not change.
import { describe, expect, test } from "bun:test";
import { eventObjection, jsonObjection } from "../../../src/runtime/hooks/check-answer.ts";
import { blame, createReport, lateness } from "../../../src/runtime/hooks/invoke.ts";
import { createTiming } from "../../../src/runtime/hooks/subscription.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { clientEvent } from "../../support/client-events.ts";
import { memoryLog } from "../../support/hooks.ts";

describe("an error is blamed", () => {
  test("on plugin and hook, with its cause", () => {
    const cause = new Error("boom");
    const error = blame(cause, "mine", "Stop");
    expect(error).toMatchObject({ code: "plugin_failed", plugin: "mine", hook: "Stop", cause });
    expect(error.message).toStartWith("plugin mine failed in Stop: boom");
  });

  test("once: one that names a plugin keeps it; any other keeps its code, fix and patience", () => {
    const rate = new MemoirError("provider_rate", "slow down", { retryAfterMs: 5, fix: "Wait." });
    const blamed = blame(rate, "mine", "complete");
    expect(blamed).toMatchObject({
      ...{ code: "provider_rate", plugin: "mine", hook: "complete", fix: "Wait.", retryAfterMs: 5 },
    });
    expect(blame(blamed, "other", "observe")).toBe(blamed);
    expect(lateness("mine", "Stop", 50, "a.ts:3").message).toBe(
      "plugin mine did not answer Stop within 50 ms (a.ts:3)",
    );
  });

  test("in one line a minute for each plugin, hook and code; the next says how many were left out", () => {
    const log = memoryLog();
    let now = 0;
    const report = createReport(log, () => now);
    const error = (plugin: string) => blame(new Error("boom"), plugin, "Stop");
    for (const plugin of ["mine", "mine", "other", "mine"]) report(error(plugin));
    expect(log.lines).toHaveLength(2);
    now = 59_999;
    report(error("mine"));
    now = 60_000;
    report(error("mine"));
    report(error("mine"));
    expect(log.lines).toHaveLength(3);
    expect(JSON.stringify(log.lines[2])).toContain('"suppressed":3');
  });
});

describe("times of calls", () => {
  test("none before the first; failures are counted among the calls", () => {
    const timing = createTiming();
    expect(timing.percentile(0.5)).toBeNull();
    timing.record(5, true);
    timing.record(1, false);
    expect([timing.calls, timing.failures]).toEqual([2, 1]);
    expect([timing.percentile(0.5), timing.percentile(0.99)]).toEqual([1, 5]);
  });

  test("are those of the last 128 calls", () => {
    const timing = createTiming();
    for (let ms = 1; ms <= 1_000; ms++) timing.record(ms, false);
    expect([timing.calls, timing.percentile(0), timing.percentile(1)]).toEqual([1_000, 873, 1_000]);
    expect(timing.percentile(0.5)).toBe(936);
  });
});

describe("a capture plugin's answer", () => {
  const event = clientEvent("PostToolUse", { toolName: "Bash", toolUseId: "t1" });
  test.each<[string, object, string | undefined]>([
    ["may say another thing", { ...event, toolInput: { a: 1 }, extra: { b: 2 } }, undefined],
    ["may drop the event with a reason", { drop: "excluded" }, undefined],
    ["may not drop it without words", { drop: true }, "its `drop` is no reason in words"],
    ["may be no other event", { ...event, id: "x" }, "is not the event it was given (id)"],
    ["may be no other tool use", { ...event, toolUseId: "t2" }, "(toolUseId)"],
    ["may move to no other time", { ...event, time: 1 }, "(time)"],
    ["keeps the form of its kind", { ...event, toolName: 3 }, "no PostToolUse event (toolName)"],
    ["names a whole project", { ...event, project: { id: "x" } }, "no PostToolUse event (project"],
    ["is JSON", { ...event, extra: { n: 1n } }, "cannot be written as JSON"],
  ])("%s", (_, answer, objection) => {
    const said = eventObjection(event, answer);
    if (objection === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(objection);
  });

  test("that goes in a circle is no JSON", () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(jsonObjection(circle)).toContain("cannot be written as JSON");
    expect(jsonObjection({ a: [undefined, null] })).toBeUndefined();
  });
});
