// Waiting for the worker, its end, and what it keeps how long.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
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
  newWorker,
  observeAll,
  openRoom,
  storage,
  worker,
} from "./worker-room.ts";

beforeEach(openRoom);
afterEach(closeRoom);

describe("drain", () => {
  test("does not wait for what an open prompt gathers, unless it is to be flushed", async () => {
    await hand(clientEvent("UserPromptSubmit"), toolEvent("a"));
    await drained();
    expect(storage.observations).toHaveLength(0);
    await drained({ flush: true });
    expect(storage.observations).toHaveLength(1);
  });

  test("is false when the time is up, and concerns its own scope", async () => {
    hooks.respond({ observe: () => new Promise(() => undefined) });
    await hand(toolEvent("a"), clientEvent("Stop"));
    const project = { id: "elsewhere", name: "elsewhere", root: "/elsewhere" };
    await hand(clientEvent("UserPromptSubmit", { session: "s2", project }));
    await drained({ project: "elsewhere" });
    await drained({ session: "s2" });
    await drained({ session: "unknown" });
    const all = worker.drain({ timeoutMs: 500 });
    const own = worker.drain({ project: "github.com/acme/shop", timeoutMs: 500 });
    await quiet();
    clock.advance(500);
    expect(await all).toBe(false);
    expect(await own).toBe(false);
  });

  test("waits for who is told of what was stored, also of a session that has nothing else to do", async () => {
    const { promise: told, resolve: end } = Promise.withResolvers<void>();
    const steps: string[] = [];
    hooks.respond({
      stored: async ({ summaries }) => {
        if (!summaries.some(({ scope }) => scope === "session")) return;
        steps.push("begun");
        await told;
        steps.push("kept");
      },
    });
    await hand(
      clientEvent("UserPromptSubmit"),
      clientEvent("Stop"),
      clientEvent("SessionEnd", { reason: "logout" }),
    );
    await until(() => steps.length > 0 && journal.unfinished().length === 0);
    const waiting = drained().then(() => steps.push("drained"));
    await quiet();
    end();
    await waiting;
    expect(steps).toEqual(["begun", "kept", "drained"]);
  });

  test("is true at once when there is nothing", async () => {
    await drained();
  });
});

describe("waitFor", () => {
  test("observes that tool use alone and at once; the rest goes on gathering", async () => {
    await hand(clientEvent("UserPromptSubmit"), toolEvent("a"), toolEvent("b"));
    expect(await worker.waitFor("b", 1_000)).toMatchObject({ toolUseId: "b", outcome: "stored" });
    expect(hooks.inputs("observe")).toMatchObject([{ waiting: true, toolUses: [{ id: "b" }] }]);
    await hand(clientEvent("Stop"));
    await drained();
    expect(hooks.inputs("observe")[1]).toMatchObject({ waiting: false, toolUses: [{ id: "a" }] });
    expect(hooks.inputs("settled")).toHaveLength(2);
  });

  test("may begin before the event is there, and may come after its end", async () => {
    const waited = worker.waitFor("early", 1_000);
    await hand(clientEvent("UserPromptSubmit"), toolEvent("early"));
    expect(await waited).toMatchObject({ outcome: "stored", observations: ["o1"] });
    await drained();
    // What is left is the alarm of the silent session.
    expect(clock.pending()).toBe(1);
    expect(await worker.waitFor("early", 1_000)).toEqual(await waited);
  });

  test("two may wait for one; both give up when the time is up", async () => {
    const both = [worker.waitFor("never", 50), worker.waitFor("never", 60)];
    await quiet();
    clock.advance(60);
    expect(await Promise.all(both)).toEqual([undefined, undefined]);
    expect(clock.pending()).toBe(0);
  });

  test("ends when the tool use ended without the worker", async () => {
    const waited = worker.waitFor("dropped", 1_000);
    await quiet();
    const settled = {
      session: "s1",
      toolUseId: "dropped",
      outcome: "skipped" as const,
      reason: "skip list",
      observations: [],
    };
    worker.settled(settled);
    expect(await waited).toEqual(settled);
  });

  test("goes before what is already planned in its session", async () => {
    const held = Promise.withResolvers<ObservationResult>();
    hooks.respond({ observe: (batch) => (batch.waiting ? observeAll(batch) : held.promise) });
    hooks.respond({ summarize: () => ({}) });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await until(() => hooks.inputs("observe").length === 1, "the running piece");
    await hand(clientEvent("UserPromptSubmit"), toolEvent("b"));
    const waited = worker.waitFor("b", 1_000);
    held.resolve({ observations: [] });
    await waited;
    // Not the first prompt's summary, which was planned before, nor the new prompt.
    expect(hooks.inputs("summarize")).toHaveLength(0);
    expect(storage.prompts).toHaveLength(0);
    await drained();
    expect(storage.prompts).toHaveLength(1);
  });
});

describe("stop", () => {
  test("waits for what runs, begins nothing new, and the next start goes on", async () => {
    const held = Promise.withResolvers<ObservationResult>();
    hooks.respond({ observe: () => held.promise });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await until(() => hooks.inputs("observe").length === 1, "the strategy");
    let stopped = false;
    const stopping = worker.stop().then(() => {
      stopped = true;
    });
    await quiet();
    expect(stopped).toBe(false);
    held.resolve({ observations: [draft({ toolUseIds: ["a"] })] });
    await stopping;
    expect(storage.observations).toHaveLength(1);
    expect(storage.summaries).toHaveLength(0);
    expect(await worker.drain({ timeoutMs: 10 })).toBe(false);
    newWorker();
    worker.start();
    await drained();
    expect(storage.summaries).toHaveLength(1);
  });

  test("gives up after 5 s", async () => {
    hooks.respond({ observe: () => new Promise(() => undefined) });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await until(() => hooks.inputs("observe").length === 1, "the strategy");
    const stopping = worker.stop();
    await quiet();
    clock.advance(5_000);
    await stopping;
  });
});

describe("retention", () => {
  test("deletes old events of finished work, keeps parked ones, sessions and counters", async () => {
    const day = 24 * 60 * 60_000;
    await worker.stop();
    newWorker({ retryDelaysMs: [] });
    worker.start();
    await hand(clientEvent("UserPromptSubmit"), toolEvent("done"), clientEvent("Stop"));
    await drained();
    hooks.respond({ observe: () => Promise.reject(new Error("broken")) });
    await hand(toolEvent("parked"), clientEvent("Stop", { lastAssistantMessage: "" }));
    await drained();
    expect(journal.status().parkedWork).toBe(1);
    const counters = { ...journal.status().counters };

    clock.advance(6 * day);
    expect(await journal.prune(7 * day)).toBe(0);
    clock.advance(2 * day);
    expect(await journal.prune(7 * day)).toBeGreaterThan(0);
    expect(journal.toolUse("done")).toBeUndefined();
    expect(journal.toolUse("parked")?.settled?.outcome).toBe("parked");
    expect(journal.session("s1")?.prompts).toBe(1);
    expect(journal.status().counters).toMatchObject(counters);

    hooks.respond({ observe: observeAll });
    expect(worker.retryParked()).toBe(1);
    await drained();
    expect(journal.toolUse("parked")?.settled?.outcome).toBe("stored");
  });

  test("keeps what is not finished, however old", async () => {
    await hand(clientEvent("UserPromptSubmit"), toolEvent("open"));
    await drained();
    clock.advance(5 * 60_000);
    await journal.prune(1);
    expect(journal.toolUse("open")).toBeDefined();
  });
});
