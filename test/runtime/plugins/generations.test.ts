// What a server's plugins come to while it runs: a start that failed is made again.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startGenerations } from "../../../src/runtime/plugins/generations.ts";
import { defaultSlots } from "../../../src/runtime/plugins/registry.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { slotNames } from "../../../src/sdk/plugin.ts";
import { fakePlugin, memoryLog, slotHooks } from "../../support/hooks.ts";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-generations-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** All slots with stand-ins; `startStorage` is what the storage does at its n-th start. */
async function begin(startStorage: (n: number) => unknown, startAgainMs = [0]) {
  let storageStarts = 0;
  const starts: string[] = [];
  const builtins = Object.fromEntries(
    slotNames.flatMap((slot) =>
      defaultSlots[slot].map((name) => [
        name,
        async () => ({
          default: fakePlugin(name, {
            slot,
            hooks: slotHooks(slot),
            start: () => {
              if (slot !== "storage") return void starts.push(name);
              storageStarts += 1;
              return startStorage(storageStarts);
            },
          }),
        }),
      ]),
    ),
  );
  const generations = await startGenerations({
    home,
    userHome: home,
    log: memoryLog(),
    now: () => 0,
    builtins,
    startAgainMs,
  });
  const stateOf = (name: string) =>
    generations.current().registry.infos.find((info) => info.name === name)?.state;
  return { generations, starts, stateOf, storageStarts: () => storageStarts };
}

test("a storage that could not start is started again until it can, and nothing else is", async () => {
  const started = Promise.withResolvers<void>();
  const { generations, starts, stateOf } = await begin((n) => {
    if (n < 3) throw new Error("database or disk is full");
    started.resolve();
  });
  expect(stateOf("sqlite")).toBe("failed");
  await started.promise;
  await generations.stop();
  expect(stateOf("sqlite")).toBe("running");
  expect(new Set(starts).size).toBe(starts.length);
});

test("nor is one given up whose file nobody may read: modes are put right without a word to the server", async () => {
  const started = Promise.withResolvers<void>();
  const { generations, stateOf } = await begin((n) => {
    if (n < 3) throw new MemoirError("file_unusable", "The database cannot be opened.");
    started.resolve();
  });
  expect(stateOf("sqlite")).toBe("failed");
  await started.promise;
  await generations.stop();
  expect(stateOf("sqlite")).toBe("running");
});

test("what only a person can put right is not tried again", async () => {
  const damaged = new MemoirError("storage_damaged", "The database is damaged");
  const { generations, stateOf, storageStarts } = await begin(() => {
    throw damaged;
  });
  expect(generations.current().registry.mayStartLater).toBe(false);
  await generations.reload();
  expect(storageStarts()).toBe(2);
  expect(stateOf("sqlite")).toBe("failed");
  await generations.stop();
});

test("after a stop nothing is started", async () => {
  const { generations, storageStarts } = await begin(() => {
    throw new Error("no disk");
  });
  await generations.stop();
  const starts = storageStarts();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(storageStarts()).toBe(starts);
});

test("a plugin that two generations share ends after the calls of the earlier one", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const happened: string[] = [];
  const slow = fakePlugin("slow", {
    hooks: {
      async stored() {
        asked.resolve();
        await answer.promise;
        happened.push("answered");
      },
    },
    stop: () => void happened.push("stopped"),
  });
  await writeConfig({ listeners: ["slow"] });
  const generations = await startGenerations({
    home,
    userHome: home,
    log: memoryLog(),
    now: () => 0,
    builtins: { slow: async () => ({ default: slow }) },
  });
  const told = generations.hooks.parallel("stored", {
    session: "s",
    project: "p",
    observations: [],
    summaries: [],
  });
  await asked.promise;
  await writeConfig({ listeners: ["slow"], log: { level: "debug" } });
  await generations.reload();
  await writeConfig({});
  await generations.reload();
  answer.resolve();
  await told;
  await generations.stop();
  expect(happened).toEqual(["answered", "stopped"]);
});

function writeConfig(config: object): Promise<void> {
  return writeFile(join(home, "config.json"), JSON.stringify(config));
}

test("a config that breaks while it is in force is not in effect, and says what is wrong", async () => {
  const { generations } = await begin(() => undefined);
  await writeFile(join(home, "config.json"), "{");
  await generations.reload();
  const { file } = generations.current();
  expect(file.broken).toBe(true);
  expect(file.problems.length).toBeGreaterThan(0);
  await generations.stop();
});
