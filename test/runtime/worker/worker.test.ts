// The worker over a real journal, with fake hooks and a fake clock: order, retries, parking, telling once, draining.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { createJournal, type Journal } from "../../../src/runtime/journal/journal.ts";
import { createWorker, type Worker, workerDefaults } from "../../../src/runtime/worker/worker.ts";
import type { WorkerOptions } from "../../../src/runtime/worker/worker-types.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import type { ObservationDraft } from "../../../src/sdk/model.ts";
import type { ObservationBatch, ObservationResult } from "../../../src/sdk/work.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { createFakeClock, type FakeClock, quiet, until } from "../../support/fake-clock.ts";
import { type FakeHooks, fakeHooks, memoryStorage } from "../../support/fake-hooks.ts";
import { type KeptLog, keptLog } from "../../support/kept-log.ts";

let folder: string;
let clock: FakeClock;
let log: KeptLog;
let hooks: FakeHooks;
let storage: ReturnType<typeof memoryStorage>;
let journal: Journal;
let worker: Worker;

/** One observation of all tool uses whose id does not begin with `routine`. */
function observeAll(batch: ObservationBatch): ObservationResult {
  const toolUseIds = batch.toolUses.map(({ id }) => id).filter((id) => !id.startsWith("routine"));
  return { observations: toolUseIds.length === 0 ? [] : [draft({ toolUseIds })] };
}

function draft(fields: Partial<ObservationDraft> = {}): ObservationDraft {
  return {
    type: "discovery",
    title: "Read the login code",
    subtitle: "How login works",
    facts: ["The login reads a.ts."],
    narrative: "It was read.",
    concepts: ["login", "code"],
    filesRead: ["a.ts"],
    filesModified: [],
    toolUseIds: [],
    ...fields,
  };
}

async function openJournal(): Promise<Journal> {
  return await createJournal(join(folder, "journal.db"), {
    now: clock.now,
    log,
    // The clock of these tests stands still: a disk that takes its time would never be waited for.
    open: async (path, options) => ({
      ...(await openDatabase(path, options)),
      flush: () => Promise.resolve(),
    }),
  });
}

function makeWorker(options: Partial<WorkerOptions> = {}): Worker {
  return createWorker({
    journal,
    hooks: () => hooks,
    log,
    now: clock.now,
    timers: clock.timers,
    random: () => 0.5,
    options,
  });
}

/** A process that died: nothing of it goes on, its journal is opened by the next. */
async function crash(): Promise<void> {
  await journal.close();
  journal = await openJournal();
}

async function hand(...events: ClientEvent[]): Promise<void> {
  for (const event of events) await journal.append(event);
  for (const session of new Set(events.map((event) => event.session))) worker.wake(session);
}

async function drained(request: Partial<Parameters<Worker["drain"]>[0]> = {}): Promise<void> {
  expect(await worker.drain({ timeoutMs: 1_000, ...request })).toBe(true);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-worker-"));
  clock = createFakeClock();
  log = keptLog();
  storage = memoryStorage();
  hooks = fakeHooks({
    ...storage.responders,
    observe: observeAll,
    summarize: ({ scope }) => ({
      title: `Title of ${scope}`,
      ...(scope !== "opening" && {
        summary: {
          request: scope,
          filesRead: [],
          filesEdited: [],
        },
      }),
    }),
  });
  journal = await openJournal();
  worker = makeWorker();
  worker.start();
});
afterEach(async () => {
  const stopped = worker.stop();
  clock.advance(5_000);
  await stopped;
  await journal.close();
  await rm(folder, { recursive: true });
});

describe("a tool use that gathers", () => {
  /** Times the session was planned: each planning reads what waits to be planned. */
  function countedPlannings() {
    const counted = { plannings: 0 };
    const { pending } = journal;
    journal.pending = (row) => {
      counted.plannings++;
      return pending(row);
    };
    return counted;
  }

  test("is planned once for all the pieces of its prompt", async () => {
    const counted = countedPlannings();
    await hand(
      clientEvent("UserPromptSubmit"),
      toolEvent("a"),
      clientEvent("Stop", { lastAssistantMessage: "Done." }),
    );
    await drained();
    expect(storage.puts.size).toBeGreaterThan(2);
    expect(counted.plannings).toBe(1);
  });

  test("that comes while a piece runs is planned after its own moment", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hooks.respond({
      summarize: async () => {
        await promise;
        return { title: "A title" };
      },
    });
    const counted = countedPlannings();
    await hand(clientEvent("UserPromptSubmit"));
    await until(() => counted.plannings === 1);
    await journal.append(toolEvent("a"));
    worker.wake("s1", { gathers: true });
    resolve();
    await until(() => !journal.hasOpenWork(1));
    await quiet();
    expect(counted.plannings).toBe(1);
    clock.advance(250);
    await until(() => counted.plannings === 2);
    clock.advance(workerDefaults.quietMs);
    await until(() => storage.observations.length === 1);
  });

  test("is looked up nowhere where the append said whose it is", async () => {
    const asked: string[] = [];
    const { rows } = journal;
    journal.rows = (session) => {
      asked.push(session);
      return rows(session);
    };
    const counted = countedPlannings();
    const { row } = await journal.append(toolEvent("a"));
    worker.wake("s1", { gathers: true, row });
    clock.advance(1_000);
    await until(() => counted.plannings > 0);
    expect(asked).toEqual([]);
  });

  test("is planned with those that follow it, a moment later", async () => {
    const counted = countedPlannings();
    for (const id of ["a", "b", "c"]) {
      await journal.append(toolEvent(id));
      worker.wake("s1", { gathers: true });
      clock.advance(100);
      await quiet();
    }
    expect(counted.plannings).toBe(1);
  });

  test("is planned at once where somebody waits for it", async () => {
    const settled = worker.waitFor("a", 10_000);
    await journal.append(toolEvent("a"));
    worker.wake("s1", { gathers: true });
    expect(await settled).toMatchObject({ toolUseId: "a", outcome: "stored" });
  });

  test("is planned at once by whatever else comes", async () => {
    await journal.append(toolEvent("a"));
    worker.wake("s1", { gathers: true });
    await hand(clientEvent("Stop", { lastAssistantMessage: "Done." }));
    await until(() => hooks.calls.some(({ name }) => name === "observe"));
  });
});

test("nothing is stored before its plan is on disk", async () => {
  let reach: () => void = () => {};
  const disk = new Promise<void>((resolve) => {
    reach = resolve;
  });
  journal.flushed = () => disk;
  await hand(clientEvent("UserPromptSubmit", { prompt: "Why does login fail?" }));
  await quiet();
  const stored = () => hooks.calls.some(({ name }) => name === "storage.put");
  expect(stored()).toBe(false);
  reach();
  await until(stored);
});

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
    worker = makeWorker({ concurrency: 2 });
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

describe("retries", () => {
  const outage = () => {
    throw new Error("the database is away");
  };

  test("come after 1 s, 5 s, 30 s, 2 min and 10 min with the same input; then the piece is parked", async () => {
    hooks.respond({ "storage.put": outage });
    await hand(toolEvent("a"), clientEvent("Stop"));
    const attempts = () => hooks.inputs("storage.put").length;
    await until(() => attempts() === 1, "the first attempt");
    for (const [index, delay] of workerDefaults.retryDelaysMs.entries()) {
      await quiet();
      expect(journal.status()).toMatchObject({ pendingWork: 2, leasedWork: 0 });
      clock.advance(delay - 1);
      await quiet();
      expect(attempts()).toBe(index + 1);
      clock.advance(1);
      await until(() => attempts() === index + 2, `attempt ${index + 2}`);
    }
    await until(() => journal.status().parkedWork === 1, "parking");
    expect(journal.status().parked).toMatchObject([
      { kind: "observe", session: "s1", reason: "the database is away" },
    ]);
    const keys = hooks
      .inputs("storage.put")
      .slice(0, 6)
      .map(({ key }) => key);
    expect(new Set(keys).size).toBe(1);
    expect(hooks.inputs("settled")).toEqual([
      {
        session: "s1",
        toolUseId: "a",
        outcome: "parked",
        reason: "the database is away",
        observations: [],
      },
    ]);
  });

  test("of a parked piece do not block later ones; retryParked brings it back", async () => {
    await worker.stop();
    worker = makeWorker({ retryDelaysMs: [] });
    worker.start();
    const put = storage.responders["storage.put"];
    hooks.respond({ "storage.put": outage });
    await hand(clientEvent("UserPromptSubmit"), toolEvent("a"), clientEvent("UserPromptSubmit"));
    await until(() => journal.status().parkedWork === 3, "three parked pieces");
    hooks.respond({ "storage.put": put });
    await hand(toolEvent("b"), clientEvent("Stop"));
    await drained();
    expect(storage.observations.map(({ toolUseIds }) => toolUseIds)).toEqual([["b"]]);

    expect(worker.retryParked()).toBe(3);
    await drained();
    expect(storage.observations.map(({ toolUseIds }) => toolUseIds)).toEqual([["b"], ["a"]]);
    expect(storage.prompts).toHaveLength(2);
    expect(journal.status()).toMatchObject({ parkedWork: 0, parked: [] });
    // Told once, as parked; the counters follow the truth.
    expect(hooks.inputs("settled").map(({ toolUseId, outcome }) => [toolUseId, outcome])).toEqual([
      ["a", "parked"],
      ["b", "stored"],
    ]);
    expect(journal.status().counters).toMatchObject({ "settled:stored": 2, "settled:parked": 0 });
    expect(journal.unnotified()).toEqual([]);
  });

  test("wait without a timer when a piece runs, and its lease is renewed", async () => {
    const held = Promise.withResolvers<ObservationResult>();
    hooks.respond({ observe: () => held.promise });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await until(() => hooks.inputs("observe").length === 1, "the strategy");
    clock.advance(10 * workerDefaults.leaseMs);
    const [row = 0] = journal.rows("s1");
    expect(journal.lease(row, clock.now() + 1, "storage").state).toBe("later");
    held.resolve({ observations: [draft({ toolUseIds: ["a"] })] });
    await drained();
    expect(hooks.inputs("observe")).toHaveLength(1);
    expect(hooks.inputs("settled")).toMatchObject([{ toolUseId: "a", outcome: "stored" }]);
  });
});

describe("after a crash", () => {
  test("in the middle of a strategy the piece runs again, and each tool use is told once", async () => {
    hooks.respond({ observe: () => new Promise(() => undefined) });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await until(() => hooks.inputs("observe").length === 1, "the strategy");
    await crash();
    hooks.respond({ observe: observeAll });
    worker = makeWorker();
    worker.start();
    await drained();
    expect(storage.observations).toHaveLength(1);
    expect(hooks.inputs("settled")).toHaveLength(1);
  });

  test("between put and finish nothing is doubled", async () => {
    const put = storage.responders["storage.put"];
    let crashed: Promise<void> | undefined;
    hooks.respond({
      "storage.put": async (request) => {
        const result = put(request);
        if (request.records.observations && !crashed) {
          crashed = crash();
          await new Promise(() => undefined);
        }
        return result;
      },
    });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await until(() => crashed !== undefined, "the crash");
    await crashed;
    worker = makeWorker();
    worker.start();
    await drained();
    expect(storage.observations).toHaveLength(1);
    expect(hooks.inputs("settled")).toMatchObject([{ outcome: "stored", observations: ["o1"] }]);
  });

  test("listeners hear of what was stored, not of what a second attempt worded differently", async () => {
    const put = storage.responders["storage.put"];
    let wording = "First wording";
    hooks.respond({
      observe: () => ({ observations: [draft({ title: wording, toolUseIds: ["a"] })] }),
      "storage.get": () =>
        storage.observations.map((record) => ({ kind: "observation" as const, record })),
      "storage.put": (request) => {
        put(request);
        throw new Error("the answer was lost");
      },
    });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await until(() => storage.observations.length === 1, "the first attempt");
    await quiet();
    wording = "Second wording";
    hooks.respond({ "storage.put": put });
    clock.advance(1_000);
    await drained();
    expect(hooks.inputs("stored")[0]?.observations).toMatchObject([
      { id: "o1", title: "First wording" },
    ]);
    expect(hooks.inputs("settled")).toMatchObject([{ outcome: "stored", observations: ["o1"] }]);
  });

  test("between finish and telling, listeners are told by the next process", async () => {
    hooks.respond({ settled: () => new Promise(() => undefined) });
    await hand(toolEvent("a"), toolEvent("routine"), clientEvent("Stop"));
    await until(() => hooks.inputs("settled").length === 2, "the telling");
    await crash();
    hooks.respond({ settled: () => undefined });
    worker = makeWorker();
    worker.start();
    await until(() => hooks.inputs("settled").length === 4, "the second telling");
    await drained();
    expect(hooks.inputs("settled").slice(2)).toEqual(hooks.inputs("settled").slice(0, 2));
    await crash();
    worker = makeWorker();
    worker.start();
    await drained();
    expect(hooks.inputs("settled")).toHaveLength(4);
  });

  test("with another storage in force the piece in doubt is parked and can be retried into it", async () => {
    hooks.respond({ observe: () => new Promise(() => undefined) });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await until(() => hooks.inputs("observe").length === 1, "the strategy");
    await crash();
    hooks = fakeHooks({ ...storage.responders, observe: observeAll }, "other-storage");
    worker = makeWorker();
    worker.start();
    await drained();
    expect(journal.status().parked).toMatchObject([
      { kind: "observe", reason: expect.stringContaining("other-storage is in force now") },
    ]);
    expect(worker.retryParked()).toBe(1);
    await drained();
    expect(storage.observations).toHaveLength(1);
  });

  test("that a piece brings about each time, the piece is parked in the end", async () => {
    hooks.respond({ observe: () => new Promise(() => undefined) });
    await hand(toolEvent("a"), clientEvent("Stop"));
    const attempts = workerDefaults.retryDelaysMs.length + 1;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      await until(() => hooks.inputs("observe").length === attempt, `attempt ${attempt}`);
      await crash();
      worker = makeWorker();
      worker.start();
    }
    await drained();
    expect(hooks.inputs("observe")).toHaveLength(attempts);
    expect(journal.status().parked).toMatchObject([
      { kind: "observe", reason: expect.stringContaining("broken off") },
    ]);
    expect(storage.summaries).toHaveLength(1);
  });

  test("an attempt that failed may be repeated in another storage", async () => {
    hooks.respond({ "storage.put": () => Promise.reject(new Error("away")) });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await until(() => hooks.inputs("storage.put").length === 1, "the first attempt");
    await quiet();
    hooks = fakeHooks({ ...storage.responders, observe: observeAll }, "other-storage");
    clock.advance(1_000);
    await drained();
    expect(storage.observations).toHaveLength(1);
  });

  test("what was put in a storage that came into force meanwhile is not put into the old one after a crash", async () => {
    let observed = () => {};
    hooks.respond({
      observe: async (batch) => {
        await new Promise<void>((go) => {
          observed = go;
        });
        return observeAll(batch);
      },
    });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await until(() => hooks.inputs("observe").length === 1, "the observer's work");
    const old = hooks;
    const other = memoryStorage();
    const hang = () => new Promise<never>(() => undefined);
    // As the runtime's own hooks do, these lead to whoever is in force when they are asked.
    const swapped = fakeHooks({ ...other.responders, "storage.put": hang }, "other-storage");
    Object.assign(hooks, { first: swapped.first, subscriptions: swapped.subscriptions });
    observed();
    await until(() => swapped.inputs("storage.put").length === 1, "the put");
    await crash();
    hooks = fakeHooks({ ...storage.responders, observe: observeAll });
    worker = makeWorker();
    worker.start();
    await drained();
    expect(old.inputs("storage.put")).toHaveLength(0);
    expect(hooks.inputs("storage.put").filter(({ records }) => records.observations)).toEqual([]);
    expect(journal.status().parked).toMatchObject([
      {
        kind: "observe",
        reason: expect.stringMatching(/in other-storage, and storage is in force/),
      },
    ]);
  });

  test("a put that was late is repeated in its own storage only", async () => {
    const late = new MemoirError("plugin_deadline", "late", {
      plugin: "storage",
      hook: "storage.put",
    });
    const fail = () => Promise.reject(late);
    hooks.respond({ "storage.put": fail });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await until(() => hooks.inputs("storage.put").length === 1, "the first attempt");
    await quiet();
    hooks.respond(storage.responders);
    clock.advance(1_000);
    await until(() => storage.observations.length === 1, "the second attempt");
    await drained();
    const puts = hooks.inputs("storage.put").length;
    hooks.respond({ "storage.put": fail });
    await hand(toolEvent("b"), clientEvent("Stop"));
    await until(() => hooks.inputs("storage.put").length > puts, "another first attempt");
    await quiet();
    hooks = fakeHooks({ ...storage.responders, observe: observeAll }, "other-storage");
    clock.advance(1_000);
    await drained();
    expect(storage.observations).toHaveLength(1);
    expect(journal.status().parked[0]?.reason).toContain("may have stored this in storage,");
  });
});

test("a journal that fails for a while is taken up again", async () => {
  await hand(clientEvent("UserPromptSubmit"));
  await drained();
  await worker.stop();
  await journal.append(toolEvent("a"));
  await journal.append(clientEvent("Stop"));
  let failing = true;
  const sound = journal;
  const flaky =
    <Args extends unknown[], Result>(call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      if (failing) throw new Error("the disk is full");
      return call(...args);
    };
  journal = { ...sound, releaseLeases: flaky(sound.releaseLeases), plan: flaky(sound.plan) };
  worker = makeWorker();
  worker.start();
  await quiet();
  clock.advance(15_000);
  await quiet();
  expect(storage.observations).toHaveLength(0);
  failing = false;
  clock.advance(15_000);
  await until(() => storage.observations.length === 1, "the observation");
  failing = true;
  await hand(toolEvent("b"), clientEvent("Stop"));
  await until(() => log.lines.some(({ message }) => message.includes("worked on")), "the failure");
  failing = false;
  clock.advance(15_000);
  await until(() => storage.observations.length === 2, "the second observation");
  await drained();
});

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
    worker = makeWorker();
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
    worker = makeWorker({ retryDelaysMs: [] });
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
