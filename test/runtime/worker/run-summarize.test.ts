// What a summary is made from, and what of its answer is stored.
import { expect, test } from "bun:test";
import { runSummarizePrompt, runSummarizeSession } from "../../../src/runtime/worker/summary.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import type { Responders } from "../../support/fake-hooks.ts";
import {
  sampleObservation,
  samplePrompt,
  sampleSummary,
  sampleTurn,
} from "../../support/sample-records.ts";
import { journaled, runContext, shop } from "./run-context.ts";

const own = { session: "s1", project: shop.id };
const summary = { request: "Fix it", filesRead: [], filesEdited: [] };
const answered = (result: object): Responders => ({ summarize: () => result });
const observations = [3, 2, 1].map((promptNumber) => ({
  ...sampleObservation({ ...own, promptNumber }),
  id: `o${promptNumber}`,
}));

test("a prompt's summary sees the observations of its prompt, its tool uses and its last words", async () => {
  const { context, hooks } = runContext({
    work: {
      events: journaled(
        clientEvent("Stop", { lastAssistantMessage: "First." }),
        clientEvent("Stop", { lastAssistantMessage: "Last." }),
      ),
    },
    journal: {
      prompt: () => journaled(clientEvent("UserPromptSubmit", { prompt: "Fix it", time: 20 }))[0],
      toolEvents: () => journaled(toolEvent("a"), clientEvent("Stop")),
    },
    hooks: { ...answered({}), "storage.observations": () => observations },
  });
  await runSummarizePrompt(context);
  const [input] = hooks.inputs("summarize");
  expect(input).toMatchObject({
    ...{ key: "k1", scope: "prompt", lastAssistantMessage: "Last.", summaries: [] },
    prompts: [{ ...own, client: "claude-code", promptNumber: 2, text: "Fix it", time: 20 }],
    toolUses: [{ id: "a" }],
    observations: [{ id: "o2" }],
  });
  expect(input?.observations).toHaveLength(1);
  expect(input?.toolUses).toHaveLength(1);
});

test.each<[string, boolean, object]>([
  ["a summary", true, { summary }],
  ["a title alone", true, { title: "Fix" }],
  ["a subtitle alone", true, { subtitle: "Of the login" }],
  ["nothing", false, {}],
])("of a prompt that is answered with %s is stored: %p", async (_, isStored, answer) => {
  const { context, hooks } = runContext({ hooks: answered(answer) });
  const { notice } = await runSummarizePrompt(context);
  expect([hooks.inputs("storage.put").length, notice !== undefined]).toEqual([
    isStored ? 1 : 0,
    isStored,
  ]);
});

test("a prompt's summary is of the time of its Stop, without one of the session's last event", async () => {
  for (const [events, time] of [
    [journaled(clientEvent("Stop", { time: 55 }), toolEvent("a", { time: 60 })), 55],
    [[], 90],
  ] as const) {
    const { context, storage } = runContext({
      work: { events: [...events] },
      hooks: answered({ summary, title: "Fix" }),
    });
    await runSummarizePrompt(context);
    expect(storage.summaries).toMatchObject([{ scope: "prompt", promptNumber: 2, time }]);
    expect(storage.sessions.get("s1")).toMatchObject({ title: "Fix", status: "active" });
  }
});

test("a session's summary sees all of its own, oldest first, and the summaries of its prompts only", async () => {
  const others = [
    { ...observations[0], id: "o8", session: "s1-longer" },
    { ...observations[0], id: "o9", client: "another" },
  ] as typeof observations;
  const { context, hooks } = runContext({
    journal: {
      lastStop: () => journaled(clientEvent("Stop", { lastAssistantMessage: "Last." }))[0],
    },
    hooks: {
      ...answered({}),
      "storage.observations": () => [...others, ...observations],
      "storage.summaries": () => [
        { ...sampleSummary({ ...own, scope: "session" }), id: "s2" },
        { ...sampleSummary({ ...own, scope: "prompt" }), id: "s1" },
      ],
      "storage.prompts": () => [{ ...samplePrompt(own), id: "p1" }],
      "storage.turns": () => [{ ...sampleTurn(own), id: "t1" }],
    },
  });
  await runSummarizeSession(context);
  const [input] = hooks.inputs("summarize");
  expect(input?.observations.map(({ id }) => id)).toEqual(["o1", "o2", "o3"]);
  expect(input?.summaries.map(({ id }) => id)).toEqual(["s1"]);
  expect(input?.prompts).toStrictEqual([samplePrompt(own)]);
  expect(input?.turns).toStrictEqual([sampleTurn(own)]);
  expect(input?.lastAssistantMessage).toBe("Last.");
});

test("a session's records are asked for in pages of 200, newest first, 2000 at most", async () => {
  const page = (count: number) => Array.from({ length: count }, () => observations[0] as never);
  for (const [counts, offsets] of [
    [
      [200, 199],
      [0, 200],
    ],
    [
      [200, 200, 0],
      [0, 200, 400],
    ],
    [Array(20).fill(200), Array.from({ length: 10 }, (_, at) => at * 200)],
  ] as const) {
    const left = [...counts];
    const { context, hooks } = runContext({
      hooks: { ...answered({}), "storage.observations": () => page(left.shift() ?? 0) },
    });
    await runSummarizeSession(context);
    const asked = hooks.inputs("storage.observations");
    expect(asked.map(({ offset }) => offset)).toEqual([...offsets]);
    expect(asked[0]).toMatchObject({ session: "s1", order: "newest", limit: 200 });
  }
});

test.each<[string, Parameters<typeof runContext>[0], object]>([
  ["that the client ended", { session: { endedAt: 80 } }, { endedAt: 80 }],
  ["that went silent, at its last event", {}, { endedAt: 90 }],
  [
    "with its client's reason, the last one given",
    {
      work: {
        events: journaled(
          clientEvent("SessionEnd", { reason: "clear" }),
          clientEvent("SessionEnd", { reason: "logout" }),
        ),
      },
    },
    { endedAt: 90, endReason: "logout" },
  ],
])("a session is over %s", async (_, given, wanted) => {
  const { context, storage } = runContext({ ...given, hooks: answered({ summary, title: "Fix" }) });
  await runSummarizeSession(context);
  expect(storage.sessions.get("s1")).toMatchObject({ status: "ended", title: "Fix", ...wanted });
  const { endedAt: time } = storage.sessions.get("s1") ?? {};
  expect(storage.summaries).toMatchObject([{ scope: "session", promptNumber: 2, time }]);
});
