// What observing is asked, how each tool use ends, and what is stored.
import { expect, test } from "bun:test";
import { runObserve } from "../../../src/runtime/worker/observation.ts";
import type { HookName } from "../../../src/sdk/hooks.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { hooksOf, on } from "../../support/hooks.ts";
import { journaled, runContext } from "./run-context.ts";
import { draft } from "./worker-room.ts";

const events = journaled(toolEvent("a"), toolEvent("b"), clientEvent("Stop"));

test("a batch holds the prompt, its tool uses, the last words and each subagent's", async () => {
  const agent = { id: "a1", type: "Explore" };
  const { context, hooks } = runContext({
    work: {
      waiting: true,
      events: journaled(
        toolEvent("a"),
        clientEvent("Stop", { lastAssistantMessage: "First." }),
        clientEvent("SubagentStop", { agent, lastAssistantMessage: "Found." }),
        clientEvent("SubagentStop", { agent }),
        clientEvent("Stop", { lastAssistantMessage: "Last." }),
      ),
    },
    journal: {
      prompt: () => journaled(clientEvent("UserPromptSubmit", { prompt: "Look" }))[0],
    },
    hooks: { observe: () => ({ observations: [] }) },
  });
  await runObserve(context);
  const [batch] = hooks.inputs("observe");
  expect(batch).toMatchObject({
    ...{ key: "k1", waiting: true, prompt: { number: 2, text: "Look" } },
    ...{ lastAssistantMessage: "Last.", agentMessages: [{ agent, text: "Found." }] },
  });
  expect(batch?.agentMessages).toHaveLength(1);
  expect(batch?.toolUses.map(({ id }) => id)).toEqual(["a"]);
});

test("of what was read from a transcript, it is read no further than its message can go on", async () => {
  const asked: Array<number | undefined> = [];
  const { context } = runContext({
    work: {
      events: journaled(
        toolEvent("a", { transcriptBytes: 70, recovered: { modelFree: true } }),
        toolEvent("b", { transcriptBytes: 30, recovered: { modelFree: true } }),
      ),
    },
    hooks: { observe: () => ({ observations: [] }) },
    readContexts: async (_, end) => {
      asked.push(end);
      return { contexts: new Map(), tokens: new Map() };
    },
  });
  await runObserve(context);
  expect(asked).toEqual([70 + 64 * 1024]);
});

test("the transcript is read as far as the newest event tells; what it says joins its own tool use", async () => {
  const asked: Array<number | undefined> = [];
  const { context, hooks, storage } = runContext({
    work: {
      events: journaled(
        toolEvent("a", { transcriptBytes: 30 }),
        toolEvent("b", { transcriptBytes: 70 }),
        toolEvent("c", { transcriptBytes: 50 }),
      ),
    },
    hooks: { observe: () => ({ observations: [draft({ toolUseIds: ["b"] })] }) },
    readContexts: async (_, bytes) => {
      asked.push(bytes);
      return {
        contexts: new Map([["b", { before: "Why b" }]]),
        tokens: new Map([["b", 40]]),
      } as never;
    },
  });
  await runObserve(context);
  // A hook's client may write a little later what a transcript's own line has before it.
  expect(asked).toEqual([70 + 1024 * 1024]);
  expect(hooks.inputs("observe")[0]?.toolUses.map(({ context: around }) => around)).toEqual([
    undefined,
    { before: "Why b" } as never,
    undefined,
  ]);
  expect(storage.observations).toMatchObject([{ discoveryTokens: 40 }]);
});

test("a draft that is left out counts as a failure of who gave it, with the rule; the others are taken", async () => {
  const { context, storage, log } = runContext({ work: { events: timed } });
  const fake = context.hooks;
  const real = hooksOf([
    on("observe", "loud", () => ({
      observations: [draft({ type: "Feature", toolUseIds: ["a"] }), draft({ toolUseIds: ["b"] })],
    })),
  ]);
  const first = (name: HookName, ...rest: [never, never]) =>
    (name === "observe" ? real : fake).first(name, ...rest);
  context.hooks = { ...fake, first: first as typeof fake.first };
  await runObserve(context);
  expect(storage.observations).toHaveLength(1);
  expect(real.subscriptions("observe")).toMatchObject([
    {
      failures: 1,
      lastError:
        "1 of its observations did not fit and were left out: type: must be lower-case letters and hyphens",
    },
  ]);
  expect(log.lines).toHaveLength(1);
});

const stored = { outcome: "stored", observations: ["o1"] };
const skipped = (reason: string) => ({ outcome: "skipped", reason });
test.each<[string, object | undefined, object[]]>([
  ["nobody answers", undefined, [skipped("no strategy answered"), skipped("no strategy answered")]],
  [
    "it is in one observation",
    { observations: [draft({ toolUseIds: ["a"] })] },
    [stored, skipped("routine")],
  ],
  [
    "it is left out with a reason",
    { observations: [draft({ toolUseIds: ["a"] })], skipped: { b: "a repeat" } },
    [stored, skipped("a repeat")],
  ],
  [
    "nothing is worth it",
    { observations: [], skipped: { a: "seen" } },
    [skipped("seen"), skipped("routine")],
  ],
  [
    "its observation is invalid",
    { observations: [draft({ title: "", toolUseIds: ["a"] })], skipped: { a: "other" } },
    [skipped("invalid observation"), skipped("routine")],
  ],
  [
    "it is in two observations",
    { observations: [draft({ toolUseIds: ["a", "b"] }), draft({ toolUseIds: ["b"] })] },
    [stored, { outcome: "stored", observations: ["o1", "o2"] }],
  ],
])("how a tool use ends where %s", async (_, answer, wanted) => {
  const { context, storage } = runContext({
    work: { events },
    hooks: { observe: () => answer as never },
  });
  const { outcomes } = await runObserve(context);
  expect([...outcomes]).toEqual(wanted.map((outcome, at) => [at + 1, outcome]) as never);
  expect(storage.puts.size).toBe(wanted.includes(stored) ? 1 : 0);
});

test("an observation is of who answered, with the model and tokens that were told", async () => {
  const observations = [draft({ toolUseIds: ["a"] })];
  const { context, storage } = runContext({
    work: { events },
    hooks: { observe: () => ({ observations, model: "large", observerTokens: 12 }) },
  });
  await runObserve(context);
  expect(storage.observations).toMatchObject([
    { promptNumber: 2, observerTokens: 12, provenance: { strategy: "fake", model: "large" } },
  ]);
});

const timed = journaled(
  toolEvent("a", { time: 10 }),
  toolEvent("b", { time: 20 }),
  toolEvent("c", { time: 30 }),
);
const evidence = [{ turn: 2, piece: 7 }];
test.each<[string, object, object]>([
  ["its own time", { time: 7 }, { time: 7 }],
  ["the time of its last tool use", { toolUseIds: ["b", "a"] }, { time: 20 }],
  ["the batch's time where it names no tool use", { toolUseIds: [] }, { time: 30 }],
  ["no tool use of another batch", { toolUseIds: ["a", "x"] }, { toolUseIds: ["a"] }],
  ["its own evidence", { toolUseIds: ["a"], evidence }, { evidence }],
  ["the tokens that it says", { discoveryTokens: 500 }, { discoveryTokens: 500 }],
  ["its branch", {}, { branch: "main", session: "s1", project: "github.com/acme/shop" }],
])("an observation has %s", async (_, fields, wanted) => {
  const { context, storage } = runContext({
    work: { events: timed },
    journal: { prompt: () => journaled(clientEvent("UserPromptSubmit", { prompt: "Look" }))[0] },
    hooks: { observe: () => ({ observations: [draft({ toolUseIds: ["a"], ...fields })] }) },
  });
  await runObserve(context);
  expect(storage.observations).toMatchObject([wanted]);
});

test("what a batch took is shared over its observations by their length; without a total each keeps its own", async () => {
  const texts = ["12345", "1", ""].map((narrative) =>
    draft({ title: "t", subtitle: "", facts: [], narrative, toolUseIds: ["a"], observerTokens: 5 }),
  );
  const tokens = async (observerTokens?: number) => {
    const { context, storage } = runContext({
      work: { events: timed },
      hooks: {
        observe: () => ({
          observations: texts,
          ...(observerTokens !== undefined && { observerTokens }),
        }),
      },
    });
    await runObserve(context);
    return storage.observations.map((one) => one.observerTokens);
  };
  expect(await tokens(90)).toEqual([60, 20, 10]);
  expect(await tokens()).toEqual([5, 5, 5]);
});

test("of a draft that breaks the schema the log names the places, and no text", async () => {
  const wrong = draft({ title: "", facts: [1], toolUseIds: ["a", "x"] } as never);
  const { context, storage, log } = runContext({
    work: { events: timed },
    hooks: {
      observe: () => ({ observations: [wrong, null, draft({ toolUseIds: ["b"] })] }) as never,
    },
  });
  await runObserve(context);
  expect(storage.observations).toHaveLength(1);
  expect(log.lines.map(({ fields }) => fields?.at)).toEqual([
    "title: is empty, facts.0: must be a string",
    "draft: must be an object",
  ]);
});
