// What the worker makes of sessions, in order, and what it does with strategies that misbehave.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { workerDefaults } from "../../../src/runtime/worker/worker.ts";
import type { ObservationDraft } from "../../../src/sdk/model.ts";
import type { ObservationResult } from "../../../src/sdk/work.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { quiet, until } from "../../support/fake-clock.ts";
import {
  clock,
  closeRoom,
  draft,
  drained,
  hand,
  hooks,
  journal,
  log,
  newWorker,
  observeAll,
  openRoom,
  storage,
  worker,
} from "./worker-room.ts";

beforeEach(openRoom);
afterEach(closeRoom);

describe("a session", () => {
  test("becomes records, in order", async () => {
    await hand(
      clientEvent("SessionStart"),
      clientEvent("UserPromptSubmit", { prompt: "Why does login fail?" }),
      toolEvent("a"),
      toolEvent("routine1"),
      clientEvent("Stop", { lastAssistantMessage: "It was the cookie." }),
      clientEvent("SessionEnd"),
    );
    await drained();
    expect(
      hooks.calls.map(({ name }) => name).filter((name) => !/settled|stored|extract/.test(name)),
    ).toEqual([
      "summarize",
      "storage.put",
      "storage.turns",
      "observe",
      "storage.put",
      "storage.turns",
      "storage.observations",
      "summarize",
      "storage.put",
      "storage.turns",
      "storage.prompts",
      "storage.observations",
      "storage.summaries",
      "summarize",
      "storage.put",
    ]);
    expect(storage.prompts).toMatchObject([{ promptNumber: 1, text: "Why does login fail?" }]);
    expect(storage.observations).toMatchObject([
      {
        session: "s1",
        client: "claude-code",
        project: "github.com/acme/shop",
        branch: "main",
        promptNumber: 1,
        toolUseIds: ["a"],
        provenance: { strategy: "fake", model: null },
        discoveryTokens: null,
      },
    ]);
    expect(storage.summaries.map(({ scope, promptNumber }) => [scope, promptNumber])).toEqual([
      ["prompt", 1],
      ["session", 1],
    ]);
    expect(storage.sessions.get("s1")).toMatchObject({
      title: "Title of session",
      status: "ended",
      prompts: 1,
      endedAt: journal.session("s1")?.endedAt ?? 0,
    });
    expect(journal.status()).toMatchObject({ pendingEvents: 0, pendingWork: 0, parkedWork: 0 });
  });

  test("gives strategies what they were promised", async () => {
    const agent = { id: "sub1", type: "Explore" };
    const prompt = clientEvent("UserPromptSubmit", { prompt: "Look" });
    const used = toolEvent("a", { durationMs: 5 });
    const failed = clientEvent("PostToolUseFailure", { toolUseId: "f", isInterrupt: true });
    await hand(
      prompt,
      used,
      failed,
      toolEvent("b", { agent }),
      clientEvent("SubagentStop", { agent, lastAssistantMessage: "Found it." }),
      clientEvent("Stop", { lastAssistantMessage: "All done." }),
    );
    await drained();
    const [batch] = hooks.inputs("observe");
    expect(batch).toMatchObject({
      session: { id: "s1", client: "claude-code", project: { id: "github.com/acme/shop" } },
      prompt: { number: 1, text: "Look" },
      toolUses: [
        { id: "a", durationMs: 5, response: { ok: true } },
        { id: "f", error: "no such file", interrupted: true, time: failed.time },
        { id: "b", agent },
      ],
      lastAssistantMessage: "All done.",
      agentMessages: [{ agent, text: "Found it." }],
      waiting: false,
    });
    expect(batch?.toolUses[1]).not.toHaveProperty("response");
    const [, summary] = hooks.inputs("summarize");
    expect(summary).toMatchObject({
      scope: "prompt",
      prompts: [{ promptNumber: 1, text: "Look", time: prompt.time }],
      lastAssistantMessage: "All done.",
    });
    expect(summary?.toolUses.map(({ id }) => id)).toEqual(["a", "f", "b"]);
    expect(summary?.observations.map(({ id }) => id)).toEqual(["o1"]);
  });

  test("resumed goes on counting and is active again until it ends", async () => {
    await hand(clientEvent("UserPromptSubmit"), clientEvent("Stop"), clientEvent("SessionEnd"));
    await drained();
    expect(storage.sessions.get("s1")).toMatchObject({ status: "ended" });
    await hand(clientEvent("SessionStart", { source: "resume" }), clientEvent("UserPromptSubmit"));
    await drained();
    expect(storage.sessions.get("s1")).toMatchObject({
      status: "active",
      endedAt: null,
      prompts: 2,
    });
    await hand(clientEvent("Stop"), clientEvent("SessionEnd"));
    await drained();
    expect(storage.sessions.get("s1")).toMatchObject({ status: "ended", prompts: 2 });
    expect(storage.summaries.filter(({ scope }) => scope === "session")).toHaveLength(2);
  });

  test("without an end is observed when quiet and summarized when silent, with no timer left after", async () => {
    await hand(clientEvent("UserPromptSubmit"), toolEvent("a"));
    await drained();
    expect(hooks.inputs("observe")).toHaveLength(0);
    clock.advance(workerDefaults.quietMs);
    await until(() => storage.observations.length === 1, "the quiet prompt's observation");
    expect(storage.summaries).toHaveLength(0);
    clock.advance(workerDefaults.idleMs);
    await until(() => storage.summaries.length === 1, "the silent session's summary");
    await drained();
    expect(storage.sessions.get("s1")).toMatchObject({ status: "ended" });
    expect(storage.sessions.get("s1")?.endReason).toBeUndefined();
    expect(clock.pending()).toBe(0);
  });

  test("ends by the reason that its client gives; a transcript knows none", async () => {
    const end = (session: string, more: object) =>
      hand(
        clientEvent("UserPromptSubmit", { session }),
        clientEvent("SessionEnd", { session, reason: "logout", ...more }),
      );
    await end("told", {});
    await end("read", { recovered: { modelFree: false } });
    await drained();
    expect(storage.sessions.get("told")).toMatchObject({ status: "ended", endReason: "logout" });
    expect(storage.sessions.get("read")).toMatchObject({ status: "ended" });
    expect(storage.sessions.get("read")?.endReason).toBeUndefined();
  });

  test("takes up what comes after its end, and summarizes again", async () => {
    await hand(
      clientEvent("UserPromptSubmit", { time: 100 }),
      clientEvent("Stop", { time: 200 }),
      clientEvent("SessionEnd", { time: 300 }),
    );
    await drained();
    await hand(toolEvent("late", { time: 150 }));
    await drained();
    expect(storage.observations).toHaveLength(0);
    clock.advance(5_000);
    await until(() => storage.observations.length === 1, "the straggler's observation");
    await drained();
    expect(storage.observations[0]).toMatchObject({ promptNumber: 1 });
    expect(storage.sessions.get("s1")).toMatchObject({ status: "ended", endedAt: 300 });
    expect(storage.summaries.filter(({ scope }) => scope === "session")).toHaveLength(2);
  });

  test("is asked for a title once; a prompt's summary sees that prompt only, the session's all", async () => {
    await hand(clientEvent("UserPromptSubmit"), toolEvent("a"), clientEvent("Stop"));
    await hand(clientEvent("UserPromptSubmit"), toolEvent("b"), clientEvent("Stop"));
    const other = { client: "other-client" };
    await hand(
      clientEvent("UserPromptSubmit", other),
      toolEvent("c", other),
      clientEvent("Stop", other),
    );
    await hand(clientEvent("SessionEnd"));
    await drained();
    const own = hooks.inputs("summarize").filter(({ session }) => session.client === "claude-code");
    const seen = own.map(({ scope, prompts, observations, summaries }) => [
      scope,
      prompts.map(({ promptNumber }) => promptNumber),
      observations.map(({ toolUseIds }) => toolUseIds.join()),
      summaries.length,
    ]);
    expect(seen).toEqual([
      ["opening", [1], [], 0],
      ["prompt", [1], ["a"], 0],
      ["prompt", [2], ["b"], 0],
      ["session", [1, 2], ["a", "b"], 2],
    ]);
  });

  test("of many prompts is summarized whole", async () => {
    hooks.respond({ observe: undefined as never });
    for (let number = 0; number < 230; number++)
      await journal.append(clientEvent("UserPromptSubmit"));
    await hand(clientEvent("SessionEnd"));
    await drained();
    const summary = hooks.inputs("summarize").find(({ scope }) => scope === "session");
    expect(summary?.prompts.map(({ promptNumber }) => promptNumber)).toEqual(
      Array.from({ length: 230 }, (_, index) => index + 1),
    );
  });

  test("does not wait for another one", async () => {
    const held = Promise.withResolvers<ObservationResult>();
    hooks.respond({
      observe: (batch) => (batch.session.id === "slow" ? held.promise : observeAll(batch)),
    });
    const slow = { session: "slow" };
    await hand(
      clientEvent("UserPromptSubmit", slow),
      toolEvent("s", slow),
      clientEvent("Stop", slow),
      clientEvent("UserPromptSubmit"),
      toolEvent("q"),
      clientEvent("Stop"),
    );
    await drained({ session: "s1" });
    expect(storage.observations.map(({ session }) => session)).toEqual(["s1"]);
    held.resolve({ observations: [] });
    await drained();
  });

  test("of many that are waited for is looked up anew only when the one that was busy is done", async () => {
    let lookups = 0;
    const { unfinished } = journal;
    journal.unfinished = () => {
      lookups++;
      return unfinished();
    };
    const sessions = Array.from({ length: 20 }, (_, at) => ({ session: `s${at}` }));
    await hand(...sessions.map((one) => clientEvent("UserPromptSubmit", one)));
    await drained();
    expect(storage.prompts).toHaveLength(20);
    expect(lookups).toBeLessThan(10);
  });

  test("has at most `concurrency` others beside it", async () => {
    await worker.stop();
    newWorker({ concurrency: 2 });
    worker.start();
    let busy = 0;
    let most = 0;
    hooks.respond({
      observe: async (batch) => {
        most = Math.max(most, ++busy);
        await quiet();
        busy--;
        return observeAll(batch);
      },
    });
    const sessions = ["s1", "s2", "s3", "s4", "s5"].map((session) => ({ session }));
    await hand(
      ...sessions.flatMap((at) => [toolEvent(`t${at.session}`, at), clientEvent("Stop", at)]),
    );
    await drained();
    expect(hooks.inputs("observe")).toHaveLength(5);
    expect(most).toBe(2);
  });
});

describe("a strategy that misbehaves", () => {
  test("and answers an invalid draft loses that draft only", async () => {
    hooks.respond({
      observe: () => ({
        observations: [
          draft({ toolUseIds: ["a", "stranger"] }),
          { title: 7, toolUseIds: ["b"] } as unknown as ObservationDraft,
        ],
        skipped: { c: "only looked" },
      }),
    });
    await hand(toolEvent("a"), toolEvent("b"), toolEvent("c"), clientEvent("Stop"));
    await drained();
    expect(storage.observations.map(({ toolUseIds }) => toolUseIds)).toEqual([["a"]]);
    expect(hooks.inputs("settled")).toEqual([
      { session: "s1", toolUseId: "a", outcome: "stored", observations: ["o1"] },
      {
        session: "s1",
        toolUseId: "b",
        outcome: "skipped",
        reason: "invalid observation",
        observations: [],
      },
      {
        session: "s1",
        toolUseId: "c",
        outcome: "skipped",
        reason: "only looked",
        observations: [],
      },
    ]);
    expect(log.lines.filter(({ message }) => message.includes("schema"))).toHaveLength(1);
    expect(journal.status().counters).toMatchObject({
      "settled:stored": 1,
      "settled:skipped": 2,
      "skip:only looked": 1,
    });
  });

  test("and is not there leaves all tool uses skipped", async () => {
    hooks.respond({ observe: () => undefined });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await drained();
    expect(hooks.inputs("settled")).toMatchObject([
      { toolUseId: "a", outcome: "skipped", reason: "no strategy answered" },
    ]);
  });

  test("and answers no list is tried again", async () => {
    let asked = 0;
    hooks.respond({
      observe: (batch) =>
        ++asked === 1 ? (42 as unknown as ObservationResult) : observeAll(batch),
    });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await until(() => asked === 1, "the first attempt");
    await quiet();
    clock.advance(1_000);
    await drained();
    expect(storage.observations).toHaveLength(1);
  });

  test("an extractor's nonsense is not taken", async () => {
    hooks.respond({ extract: () => "nonsense" as never });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await drained();
    expect(storage.observations).toHaveLength(1);
  });

  test("an extractor's change is", async () => {
    hooks.respond({
      extract: ({ batch }) => ({
        batch,
        result: { observations: [draft({ title: "Better", toolUseIds: ["a"] })], model: "m1" },
      }),
    });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await drained();
    expect(storage.observations).toMatchObject([
      { title: "Better", provenance: { strategy: "fake", model: "m1" } },
    ]);
  });

  test("a title that fails does not hold the prompt up", async () => {
    hooks.respond({
      summarize: () => {
        throw new Error("no model");
      },
    });
    await hand(clientEvent("UserPromptSubmit"));
    await drained();
    expect(storage.prompts).toHaveLength(1);
    expect(storage.sessions.get("s1")).not.toHaveProperty("title");
  });
});
