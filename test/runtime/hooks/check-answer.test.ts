// Answers of the wrong form from plugins that are not built in: the plugin's fault, and nobody else's trouble.
import { describe, expect, test } from "bun:test";
import { captureEvent } from "../../../src/runtime/events/event-way.ts";
import { answerObjection } from "../../../src/runtime/hooks/hook-table.ts";
import { createHooks } from "../../../src/runtime/hooks/hooks.ts";
import type { Guard } from "../../../src/runtime/isolation/oversight.ts";
import type { HookName } from "../../../src/sdk/hooks.ts";
import { clientEvent, sampleSessionEvents } from "../../../src/testing/index.ts";
import { fakePlugin, memoryLog, runningPlugin, toolEvent } from "../../support/hooks.ts";

const event = toolEvent();
const circle: Record<string, unknown> = {};
circle.self = circle;

const put = { key: "k", records: { observations: [{}, {}] } };
const completion = {
  text: "t",
  model: "m",
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
  stopReason: "end",
};
const usage = (input: number) => ({ ...completion, usage: { ...completion.usage, input } });

describe("what is refused", () => {
  test.each<[HookName, unknown, object, RegExp]>([
    ["capture", event, { nonsense: true }, /not the event it was given \(id\)/],
    ["capture", event, [event], /not the event/],
    ["capture", event, { ...event, toolUseId: "t2" }, /\(toolUseId\)/],
    ["capture", event, { ...event, name: "Stop" }, /\(name\)/],
    ["capture", event, { ...event, time: 1 }, /\(time\)/],
    ["capture", event, { ...event, cwd: 5 }, /no PostToolUse event \(cwd\)/],
    ["capture", event, { ...event, project: "shop" }, /\(project\)/],
    ["capture", event, { ...event, toolName: { a: 1 } }, /\(toolName\)/],
    ["capture", event, { ...event, toolInput: circle }, /written as JSON/],
    ["capture", event, { ...event, toolInput: { n: 5n } }, /written as JSON/],
    ["capture", event, { drop: true }, /must be a string/],
    ["capture", clientEvent("UserPromptSubmit", { id: "i" }), { drop: null }, /must be a string/],
    ["UserPromptSubmit", {}, { context: 5 }, /\(context\)/],
    ["PostToolUse", event, { context: "x", records: 5 }, /\(records\)/],
    ["PostToolUse", event, { records: [{ a: 1 }] }, /\(records\.0\)/],
    ["PostToolUse", event, { updatedToolOutput: { n: 5n } }, /written as JSON/],
    ["extract", {}, { result: 5 }, /does not fit extract \(batch\)/],
    ["extract", {}, { batch: {}, result: { observations: "none" } }, /\(result\.observations\)/],
    ["complete", {}, { text: "t" }, /\(model\)/],
    ["complete", {}, usage(Number.NaN), /\(usage\.input\)/],
    ["complete", {}, usage(-1), /\(usage\.input\)/],
    ["storage.put", put, {}, /\(written\)/],
    ["storage.put", put, { written: true, observations: [], summaries: [] }, /0 ids for 2 obs/],
    [
      "storage.put",
      put,
      { written: true, observations: ["a", 2], summaries: [] },
      /\(observations/,
    ],
    ["storage.search", {}, { hits: 1 }, /does not fit storage\.search/],
    ["storage.search", {}, [null], /\(0\)/],
    ["storage.get", {}, [{ kind: "note", record: {} }], /\(0\.kind\)/],
    ["storage.observations", {}, [{ id: "o1" }], /\(0\./],
    ["storage.stats", {}, { sessions: 1 }, /does not fit storage\.stats/],
  ])("%s %#", (hook, input, answer, expected) => {
    expect(answerObjection(hook, input, answer)).toMatch(expected);
  });
});

describe("what is taken", () => {
  test("every event of a session, as it is, with a note, and without what may be left out", () => {
    for (const one of sampleSessionEvents()) {
      const { transcriptPath: _path, ...less } = one;
      for (const answer of [one, { ...one }, { ...less, extra: { note: 1 } }, { drop: "routine" }])
        expect(answerObjection("capture", one, answer)).toBeUndefined();
    }
  });

  test.each<[HookName, unknown, object]>([
    ["UserPromptSubmit", {}, {}],
    ["UserPromptSubmit", {}, { context: null, records: null }],
    ["PostToolUse", event, { updatedToolOutput: "short" }],
    ["complete", {}, completion],
    ["storage.put", put, { written: true, observations: ["a", "b"], summaries: [] }],
    ["storage.put", put, { written: false, observations: ["a"], summaries: [] }],
    ["storage.search", {}, []],
    ["stored", {}, { whatever: 1 }],
  ])("%s %#", (hook, input, answer) => {
    expect(answerObjection(hook, input, answer)).toBeUndefined();
  });
});

describe("whose fault it is", () => {
  function watched(answer: () => object, hook: HookName) {
    const faults: string[] = [];
    const guard: Guard = {
      refuses: () => undefined,
      begin: () => (end) => {
        if ("error" in end) faults.push(end.error.message);
      },
    };
    const plugin = fakePlugin("theirs", { hooks: { [hook]: answer } });
    return {
      faults,
      hooks: createHooks([{ ...runningPlugin(plugin), guard }], { log: memoryLog() }),
    };
  }

  test("a redactor that answers nonsense counts as failed, and the text is withheld", async () => {
    const { faults, hooks } = watched(() => ({ nonsense: true }), "capture");
    const captured = await captureEvent(toolEvent(), hooks, false);
    expect(captured).toMatchObject({
      failed: ["theirs"],
      event: { withheld: true, toolInput: {}, toolResponse: {} },
    });
    expect(faults).toEqual([expect.stringContaining("plugin theirs failed in capture")]);
  });

  test("an answer that throws when it is read is told like any other", async () => {
    const { faults, hooks } = watched(
      () => ({
        get context(): string {
          throw new Error("mine");
        },
      }),
      "PostToolUse",
    );
    expect(await hooks.sequence("PostToolUse", toolEvent())).toEqual([]);
    expect(faults).toEqual([expect.stringContaining("cannot be read")]);
  });

  test("a storage without ids has not stored", async () => {
    const { hooks } = watched(
      () => ({ written: true, observations: [], summaries: [] }),
      "storage.put",
    );
    await expect(hooks.first("storage.put", put as never)).rejects.toThrow(
      "0 ids for 2 observations",
    );
  });
});
