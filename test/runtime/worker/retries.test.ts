// What the worker tries again and parks, also after a crash and with a journal that fails.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { workerDefaults } from "../../../src/runtime/worker/worker.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import type { ObservationResult } from "../../../src/sdk/work.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { quiet, until } from "../../support/fake-clock.ts";
import { fakeHooks, memoryStorage } from "../../support/fake-hooks.ts";
import {
  clock,
  closeRoom,
  crash,
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
  useHooks,
  useJournal,
  worker,
} from "./worker-room.ts";

beforeEach(openRoom);
afterEach(closeRoom);

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
    newWorker({ retryDelaysMs: [] });
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
    newWorker();
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
    newWorker();
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
    newWorker();
    worker.start();
    await until(() => hooks.inputs("settled").length === 4, "the second telling");
    await drained();
    expect(hooks.inputs("settled").slice(2)).toEqual(hooks.inputs("settled").slice(0, 2));
    await crash();
    newWorker();
    worker.start();
    await drained();
    expect(hooks.inputs("settled")).toHaveLength(4);
  });

  test("with another storage in force the piece in doubt is parked and can be retried into it", async () => {
    hooks.respond({ observe: () => new Promise(() => undefined) });
    await hand(toolEvent("a"), clientEvent("Stop"));
    await until(() => hooks.inputs("observe").length === 1, "the strategy");
    await crash();
    useHooks(fakeHooks({ ...storage.responders, observe: observeAll }, "other-storage"));
    newWorker();
    worker.start();
    await drained();
    expect(journal.status().parked).toMatchObject([
      { kind: "observe", reason: expect.stringContaining("other-storage is in use now") },
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
      newWorker();
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
    useHooks(fakeHooks({ ...storage.responders, observe: observeAll }, "other-storage"));
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
    useHooks(fakeHooks({ ...storage.responders, observe: observeAll }));
    newWorker();
    worker.start();
    await drained();
    expect(old.inputs("storage.put")).toHaveLength(0);
    expect(hooks.inputs("storage.put").filter(({ records }) => records.observations)).toEqual([]);
    expect(journal.status().parked).toMatchObject([
      {
        kind: "observe",
        reason: expect.stringMatching(/in other-storage, and storage is in use/),
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
    useHooks(fakeHooks({ ...storage.responders, observe: observeAll }, "other-storage"));
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
  useJournal({
    ...sound,
    releaseLeases: flaky(sound.releaseLeases),
    writePlan: flaky(sound.writePlan),
  });
  newWorker();
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
