// The runtime as a whole: what its worker is given, its status, its end, its home.
import { expect, test } from "bun:test";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Worker } from "../../src/runtime/worker/worker.ts";
import type { WorkerDeps } from "../../src/runtime/worker/worker-types.ts";
import { fakeJournal, testRuntimes } from "./test-runtimes.ts";

const { start, config, home } = testRuntimes();

test("the worker is given config's numbers in the units that it counts in", async () => {
  await config({
    worker: {
      ...{ concurrency: 3, idleMinutes: 5, retrySeconds: [1, 30] },
    },
    journal: { keepDays: 2 },
  });
  let given: WorkerDeps["options"];
  await start(
    {},
    {
      createWorker: (deps: WorkerDeps) => {
        given = deps.options;
        return { start() {}, async stop() {} } as unknown as Worker;
      },
    },
  );
  expect(given).toEqual({
    ...{ concurrency: 3, idleMs: 300_000 },
    ...{ retryDelaysMs: [1_000, 30_000], keepMs: 2 * 24 * 3_600_000 },
  });
});

test("status asks everybody and survives who cannot answer", async () => {
  await config({
    plugins: { gone: { x: 1 }, none: { enabled: false } },
    listeners: ["./nowhere.ts"],
  });
  const journal = fakeJournal({
    status: () => {
      throw new Error("locked");
    },
  });
  const { runtime } = await start(
    {
      sqlite: {
        hooks: {
          "storage.stats": () => {
            throw new Error("no disk");
          },
        },
      },
      spare: { slot: "provider" },
    },
    { createJournal: async () => journal },
  );
  const status = await runtime.status();
  expect(status).toMatchObject({
    home: home(),
    uptimeMs: 0,
    textWithheld: false,
    journal: { error: "locked" },
    storage: { error: "plugin sqlite failed in storage.stats: no disk" },
  });
  const states = Object.fromEntries(status.plugins.map(({ name, state }) => [name, state]));
  expect(states).toMatchObject({
    sqlite: "running",
    none: "disabled",
    spare: "disabled",
    "./nowhere.ts": "failed",
  });
  expect(status.config.problems.map(({ path }) => path)).toEqual(["plugins.gone"]);
});

test("stop ends worker, plugins and journal in this order, once", async () => {
  const { runtime, notes } = await start({
    off: {
      stop: () => {
        notes.push("stop plugin");
      },
    },
  });
  await Promise.all([runtime.stop(), runtime.stop()]);
  expect(notes).toEqual(["start worker", "stop worker", "stop plugin", "close journal"]);
});

test("the home is its owner's, and offers the SDK to plugins", async () => {
  await start();
  for (const folder of ["", "logs", "spool", "plugins", "node_modules"])
    expect((await stat(join(home(), folder))).mode & 0o777).toBe(0o700);
  expect(await readFile(join(home(), "node_modules/memoir/sdk.js"), "utf8")).toContain(
    " as definePlugin };",
  );
});
