// When what a session gathers is planned.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { workerDefaults } from "../../../src/runtime/worker/worker.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { quiet, until } from "../../support/fake-clock.ts";
import {
  clock,
  closeRoom,
  drained,
  hand,
  hooks,
  journal,
  openRoom,
  storage,
  worker,
} from "./worker-room.ts";

beforeEach(openRoom);
afterEach(closeRoom);

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

test("of a long turn that is read nothing is observed before its end, however slowly it is read", async () => {
  const recovered = { modelFree: true };
  const uses = Array.from({ length: workerDefaults.maxToolUses + 1 }, (_, at) => ({
    ...toolEvent(`use-${at}`),
    recovered,
  }));
  const observed = () => hooks.calls.filter(({ name }) => name === "observe").length;
  await hand(clientEvent("UserPromptSubmit", { recovered }), ...uses);
  await until(() => hooks.calls.some(({ name }) => name === "storage.put"));
  await quiet();
  expect(observed()).toBe(0);
  await hand(clientEvent("Stop", { lastAssistantMessage: "Done.", recovered }));
  await drained();
  expect(observed()).toBe(2);
});

test("nothing is stored before its plan is on disk", async () => {
  let reach: () => void = () => {};
  const disk = new Promise<void>((resolve) => {
    reach = resolve;
  });
  journal.plansOnDisk = () => disk;
  await hand(clientEvent("UserPromptSubmit", { prompt: "Why does login fail?" }));
  await quiet();
  const stored = () => hooks.calls.some(({ name }) => name === "storage.put");
  expect(stored()).toBe(false);
  reach();
  await until(stored);
});
