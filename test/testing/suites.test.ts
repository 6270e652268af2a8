// The suites catch what they are for: each promise has a plugin that breaks it, and fails it with a readable error.
import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { type AnyPlugin, type Slot, slotNames } from "../../src/sdk/plugin.ts";
import { type Subject, suites } from "../../src/testing/index.ts";
import { brokenHubs } from "./broken-hubs.ts";
import { brokenPlugins } from "./broken-plugins.ts";
import { brokenStorages } from "./broken-storages.ts";
import hasty from "./faulty-after-kill.ts";

const afterKill = "has what it answered after a kill, whole, and nothing by halves";
const broken: Record<Slot, Record<string, AnyPlugin>> = {
  ...brokenPlugins,
  hub: brokenHubs,
  storage: { ...brokenStorages, [afterKill]: hasty },
};
/** Promises that are advice: breaking one is a warning. */
const advice = /^is quick|^sums up a prompt/;

const table = slotNames.flatMap((slot) =>
  suites[slot].map(({ name, run }) => [slot, name, run] as const),
);

test("each promise has somebody who breaks it", () => {
  for (const slot of slotNames)
    expect(Object.keys(broken[slot]).sort()).toEqual(suites[slot].map(({ name }) => name).sort());
});

/** What a suite is given beside the broken plugin; its server answers nothing, for the plugin asks nothing. */
const beside: Partial<Record<Slot, Partial<Subject>>> = {
  provider: {
    provider: async () => ({ config: {}, answer: () => {}, stop: async () => {} }),
  },
  storage: { source: resolve(import.meta.dir, "faulty-after-kill.ts") },
};

test.each(table)(
  "%s: %s",
  async (slot, name, run) => {
    const plugin = broken[slot][name];
    if (!plugin) throw new Error("nobody breaks it");
    const outcome = await run({ plugin, ...beside[slot] }).catch((error: unknown) => error);
    if (advice.test(name)) {
      expect((outcome as { warnings: string[] }).warnings.length).toBeGreaterThan(0);
      return;
    }
    expect(outcome).toBeInstanceOf(Error);
    expect((outcome as Error).message.length).toBeGreaterThan(10);
  },
  180_000,
);
