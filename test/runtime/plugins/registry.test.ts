// The life of plugins: start order, failures, fallbacks, stop order, what a reload keeps.
import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { parseConfig } from "../../../src/runtime/config/config.ts";
import {
  defaultSlots,
  type Registry,
  type RegistryOptions,
  startRegistry,
} from "../../../src/runtime/plugins/registry.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import type { AnyPlugin, Slot } from "../../../src/sdk/plugin.ts";
import { slotNames } from "../../../src/sdk/plugin.ts";
import { fakePlugin, memoryLog, slotHooks } from "../../support/hooks.ts";

/** A world of plugins that write down what happens to them. */
function world(special: Record<string, Partial<AnyPlugin>> = {}) {
  const events: string[] = [];
  const plugin = (name: string, slot?: Slot): AnyPlugin => {
    const { start, stop, hooks, ...rest } = special[name] ?? {};
    const own = (rest.slot ?? slot) as Slot | undefined;
    return fakePlugin(name, {
      ...(own ? { slot: own } : {}),
      ...rest,
      hooks: { ...(own ? slotHooks(own) : {}), ...hooks },
      start: async (ctx) => {
        events.push(`start ${name}`);
        return start?.(ctx);
      },
      stop: async (state, ctx) => {
        events.push(`stop ${name}`);
        await stop?.(state, ctx);
      },
    });
  };
  const entries = slotNames.flatMap((slot) =>
    defaultSlots[slot].map((name): [string, Slot] => [name, slot]),
  );
  const all: Array<[string, Slot | undefined]> = [
    ...entries,
    ...Object.keys(special)
      .filter((name) => !entries.some(([known]) => known === name))
      .map((name): [string, undefined] => [name, undefined]),
  ];
  const builtins = Object.fromEntries(
    all.map(([name, slot]) => [name, async () => ({ default: plugin(name, slot) })]),
  );
  const log = memoryLog();
  const start = (set: object = {}, more: Partial<RegistryOptions> = {}) =>
    startRegistry({
      config: parseConfig("/c", JSON.stringify(set)).config,
      builtins,
      home: "/nowhere",
      userHome: "/nowhere",
      log,
      now: () => 0,
      hooks: () => undefined,
      ...more,
    });
  return { events, start, log };
}
const state = (registry: Registry, name: string) =>
  registry.infos.find((info) => info.name === name);
const names = (registry: Registry) => registry.running.map(({ plugin }) => plugin.name);
const fail = () => {
  throw new Error("no luck");
};
const defaults = Object.values(defaultSlots).flat();

test("plugins start in the order of the slots and stop in reverse, storage last, once", async () => {
  const { events, start } = world();
  const registry = await start();
  expect(names(registry)).toEqual(defaults);
  await registry.stop();
  await registry.stop();
  expect(events).toEqual([
    ...defaults.map((name) => `start ${name}`),
    ...defaults
      .toReversed()
      .filter((name) => name !== "sqlite")
      .map((name) => `stop ${name}`),
    "stop sqlite",
  ]);
});

describe("a plugin that fails", () => {
  const half = { "storage.search": undefined } as unknown as AnyPlugin["hooks"];

  test("what went wrong and what to do are two sentences", async () => {
    const start = () => {
      throw new MemoirError("storage_damaged", "The file is damaged.");
    };
    const registry = await world({ sqlite: { start } }).start();
    const { error } = state(registry, "sqlite") ?? {};
    expect(error).toContain("The file is damaged. Run `memoir doctor`");
  });

  test("in its start is released, reported, and the others go on", async () => {
    const { events, start, log } = world({ "context-handover": { start: fail } });
    const registry = await start();
    expect(names(registry)).toEqual(defaults.filter((name) => name !== "context-handover"));
    expect(state(registry, "context-handover")).toMatchObject({
      state: "failed",
      fills: [],
      error: expect.stringContaining("plugin context-handover did not start: no luck"),
    });
    expect(events).toContain("stop context-handover");
    expect(log.lines.map(({ level }) => level)).toContain("error");
    expect(registry.captureBroken).toBe(false);
    events.length = 0;
    await registry.stop();
    expect(events).not.toContain("stop context-handover");
  });

  test("in its stop is reported, and the rest still stops", async () => {
    const { events, start, log } = world({ "context-handover": { stop: fail } });
    const registry = await start();
    await registry.stop();
    expect(events.slice(-2)).toEqual(["stop capture-project", "stop sqlite"]);
    expect(log.lines.at(-1)).toMatchObject({
      level: "warn",
      fields: { plugin: "context-handover" },
    });
  });

  test("with wrong options is not started", async () => {
    const config = v.strictObject({ maxCharacters: v.optional(v.number(), 6_000) });
    const { events, start } = world({ "context-handover": { config } });
    const registry = await start({ plugins: { "context-handover": { maxCharacter: 1 } } });
    expect(state(registry, "context-handover")?.error).toContain(
      'plugins.context-handover.maxCharacter: unknown key; did you mean "plugins.context-handover.maxCharacters"?',
    );
    expect(events).not.toContain("start context-handover");
  });

  test("that takes no options says so", async () => {
    const registry = await world().start({ plugins: { none: { key: "x" } } });
    expect(state(registry, "none")?.error).toContain("plugins.none.key: unknown key; it has none");
  });

  test("that never gets done starting is given up, and released when it does", async () => {
    let finish: (value: string) => void = () => {};
    let released: unknown;
    let told: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      told = resolve;
    });
    const { start } = world({
      "context-handover": {
        start: () =>
          new Promise<string>((resolve) => {
            finish = resolve;
          }),
        stop: (value) => {
          released = value;
          told();
        },
      },
    });
    const registry = await start({}, { deadlines: { startMs: 5, stopMs: 1_000 } });
    expect(state(registry, "context-handover")?.error).toContain("did not start within 5 ms");
    expect(released).toBeUndefined();
    finish("opened late");
    await over;
    expect(released).toBe("opened late");
  });

  test.each<[string, object, Record<string, Partial<AnyPlugin>>, Slot, string[]]>([
    [
      "the only storage: the built-in one takes over",
      { storage: "mine" },
      { mine: { slot: "storage", start: fail } },
      "storage",
      ["sqlite"],
    ],
    [
      "one of a list: the others stay",
      { observation: ["mine", "heuristic"] },
      { mine: { slot: "observation", start: fail } },
      "observation",
      ["heuristic"],
    ],
    [
      "all of a list: the built-in one",
      { observation: ["mine"] },
      { mine: { slot: "observation", start: fail } },
      "observation",
      ["heuristic"],
    ],
    [
      "the last of a stack: nobody",
      { "context-injection": ["mine"] },
      { mine: { slot: "context-injection", start: fail } },
      "context-injection",
      [],
    ],
    ["the built-in one itself: nobody", {}, { sqlite: { start: fail } }, "storage", []],
    ["a package that is not there", { storage: "not-there" }, {}, "storage", ["sqlite"]],
    [
      "a storage that does half of it",
      { storage: "mine" },
      { mine: { slot: "storage", hooks: half } },
      "storage",
      ["sqlite"],
    ],
    ["a plugin for another slot", { storage: "none" }, {}, "storage", ["sqlite"]],
  ])("%s", async (_, slots, special, slot, expected) => {
    const registry = await world(special).start({ slots });
    expect(
      registry.infos.filter(({ fills }) => fills.includes(slot)).map(({ name }) => name),
    ).toEqual(expected);
    const [failed, ...others] = registry.infos.filter(({ state }) => state === "failed");
    expect(others).toEqual([]);
    const lacksStorage = slot === "storage" && expected.length === 0;
    expect(registry.whyNoStorage).toBe(lacksStorage ? failed?.error : undefined);
  });

  test("as capture plugin makes capture broken", async () => {
    const { start } = world({ "capture-project": { start: fail } });
    expect((await start()).captureBroken).toBe(true);
    expect((await world().start({ slots: { capture: ["...", "./gone.ts"] } })).captureBroken).toBe(
      true,
    );
  });
});

describe("config", () => {
  test("a disabled plugin is shown, not run, and nobody takes its place", async () => {
    const { start, events } = world();
    const registry = await start({
      plugins: { sqlite: { enabled: false }, "capture-privacy": { enabled: false } },
    });
    expect(state(registry, "sqlite")).toMatchObject({ state: "disabled", fills: [] });
    expect(events).not.toContain("start sqlite");
    expect(registry).toMatchObject({ captureBroken: false, whyNoStorage: undefined });
  });

  test("a plugin gets its options, defaults filled in, without `enabled`", async () => {
    let got: unknown;
    const config = v.strictObject({ a: v.optional(v.number(), 1), b: v.optional(v.number(), 2) });
    await world({
      none: {
        config,
        start: (ctx) => {
          got = ctx.config;
        },
      },
    }).start({
      plugins: { none: { enabled: true, a: 5 } },
    });
    expect(got).toEqual({ a: 5, b: 2 });
  });

  test("a name can be taken once", async () => {
    const twin = { name: "one", hooks: {} };
    const registry = await world({ one: {}, two: twin }).start({ listeners: ["one", "two"] });
    expect(registry.infos.filter(({ name }) => name === "one").map(({ state }) => state)).toEqual([
      "running",
      "failed",
    ]);
  });

  test("storage and models cannot be used before everybody has started", async () => {
    const registry = await world({ none: { start: (ctx) => ctx.storage.stats({}) } }).start();
    expect(state(registry, "none")?.error).toContain("used storage or a model in its start");
  });
});

describe("going on from a previous registry", () => {
  test("unchanged plugins keep running, changed ones start anew, removed ones stop", async () => {
    const any = v.looseObject({});
    const { events, start } = world({ none: { config: any }, off: { config: any }, extra: {} });
    const first = await start({
      listeners: ["extra"],
      plugins: { none: { key: 1 }, off: { key: 1 } },
    });
    events.length = 0;
    const second = await start(
      { plugins: { none: { key: 1 }, off: { key: 2 } } },
      { previous: first },
    );
    expect(events).toEqual(["start off"]);
    await first.stop(second);
    expect(events).toEqual(["start off", "stop extra", "stop off"]);
    await second.stop();
    expect(events.filter((event) => event === "stop none")).toHaveLength(1);
  });
});
