// What becomes of a hook's work while a plugin is paused: built-ins stand in, redaction fails closed, storage waits.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoirPaths } from "../../../src/home/paths.ts";
import { parseConfig } from "../../../src/runtime/config/config.ts";
import { createHooks } from "../../../src/runtime/hooks/hooks.ts";
import { type Oversight, openOversight } from "../../../src/runtime/isolation/oversight.ts";
import { type Registry, startRegistry } from "../../../src/runtime/plugins/registry.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import type { AnyPlugin } from "../../../src/sdk/plugin.ts";
import {
  fakePlugin,
  memoryLog,
  promptEvent,
  runningPlugin,
  toolEvent,
} from "../../support/hooks.ts";

let home: string;
let now: number;
let oversight: Oversight;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-oversight-"));
  now = 1_000;
  oversight = await openOversight(memoirPaths(home), memoryLog(), () => now);
});
afterEach(async () => {
  await oversight.close();
  await rm(home, { recursive: true, force: true });
});

const throwing = () => {
  throw new Error("boom");
};
/** Runners over one plugin of the user's, and others after it. */
function hooksOf(mine: AnyPlugin, others: AnyPlugin[] = [], standby = false) {
  const fills = mine.slot ? { [mine.slot as string]: 0 } : {};
  return createHooks(
    [
      { ...runningPlugin(mine, fills), guard: oversight.guard(mine.name) },
      ...others.map((one, at) => ({
        ...runningPlugin(one, one.slot ? { [one.slot as string]: at + 1 } : {}),
        ...(standby && one.slot ? { standby: [one.slot as never] } : {}),
      })),
    ],
    { log: memoryLog(), now: () => now },
  );
}
async function times(count: number, work: () => Promise<unknown>) {
  for (let i = 0; i < count; i++) await work().catch(() => undefined);
}

describe("while a plugin is paused", () => {
  test("it is not called, and those after it are", async () => {
    let calls = 0;
    const handler = () => {
      calls++;
      return throwing();
    };
    const hooks = hooksOf(fakePlugin("mine", { hooks: { UserPromptSubmit: handler } }), [
      fakePlugin("other", { hooks: { UserPromptSubmit: () => ({ context: "here" }) } }),
    ]);
    const ask = () => hooks.sequence("UserPromptSubmit", promptEvent());
    await times(20, ask);
    expect(calls).toBe(5);
    expect((await ask()).map(({ plugin }) => plugin)).toEqual(["other"]);
    now += 60_000;
    await ask();
    expect(calls).toBe(6);
    await times(5, ask);
    expect(calls).toBe(6);
  });

  test("what it should have redacted counts as not redacted", async () => {
    const mine = fakePlugin("mine", { slot: "capture", hooks: { capture: throwing } });
    const hooks = hooksOf(mine);
    await times(5, () => hooks.reduce("capture", toolEvent()));
    const { calls } = hooks.subscriptions()[0] ?? {};
    expect(await hooks.reduce("capture", toolEvent())).toMatchObject({ failed: ["mine"] });
    expect(hooks.subscriptions()[0]?.calls).toBe(calls);
  });

  test("a built-in stands in for it, and only then", async () => {
    const observe = throwing;
    const mine = fakePlugin("mine", { slot: "observation", hooks: { observe } });
    const heuristic = fakePlugin("heuristic", {
      slot: "observation",
      hooks: { observe: () => ({ observations: [] }) },
    });
    const hooks = hooksOf(mine, [heuristic], true);
    const ask = () => hooks.first("observe", { key: "k", toolUses: [] } as never);
    for (let i = 0; i < 5; i++) await expect(ask()).rejects.toThrow("boom");
    expect((await ask())?.plugin).toBe("heuristic");
    now += 60_000;
    await expect(ask()).rejects.toThrow("boom");
    expect((await ask())?.plugin).toBe("heuristic");
  });

  test("work for its storage is told when to come back", async () => {
    const mine = fakePlugin("mine", { slot: "storage", hooks: { "storage.put": throwing } });
    const hooks = hooksOf(mine);
    const put = () => hooks.first("storage.put", { key: "k", records: {} });
    await times(5, put);
    await expect(put()).rejects.toMatchObject({ code: "plugin_paused", retryAfterMs: 60_000 });
    await expect(hooks.first("storage.stats", {})).resolves.toBeUndefined();
  });

  test("its other work goes on", async () => {
    const mine = fakePlugin("mine", {
      hooks: { stored: throwing, UserPromptSubmit: () => ({ context: "here" }) },
    });
    const hooks = hooksOf(mine);
    await times(9, () => hooks.parallel("stored", {} as never));
    expect(await hooks.sequence("UserPromptSubmit", promptEvent())).toHaveLength(1);
    expect(oversight.pauses("mine").map(({ part }) => part)).toEqual(["stored"]);
  });
});

test("what a plugin inside the server throws is told with file and line", async () => {
  const hooks = hooksOf(fakePlugin("mine", { hooks: { UserPromptSubmit: throwing } }));
  await hooks.sequence("UserPromptSubmit", promptEvent());
  expect(hooks.subscriptions()[0]?.lastError).toMatch(
    /plugin mine failed in UserPromptSubmit: boom \(\S+oversight\.test\.ts:\d+:\d+\)/,
  );
});

describe("what counts", () => {
  const pausedAfter = async (handler: () => unknown, count: number) => {
    const hooks = hooksOf(fakePlugin("mine", { hooks: { complete: handler as never } }));
    await times(count, () => hooks.first("complete", {} as never));
    return oversight.pauses("mine").length > 0;
  };

  test("a throw does; what a provider says does not", async () => {
    expect(await pausedAfter(throwing, 5)).toBe(true);
    await oversight.close();
    await rm(memoirPaths(home).pauses);
    oversight = await openOversight(memoirPaths(home), memoryLog(), () => now);
    const limited = () => {
      throw new MemoirError("provider_rate", "slow down");
    };
    expect(await pausedAfter(limited, 50)).toBe(false);
  });

  test("one end of a worker counts once, however many calls it took with it", async () => {
    const cause = new Error("ended");
    const ended = () => {
      throw new MemoirError("plugin_ended", "x", { plugin: "mine", cause });
    };
    expect(await pausedAfter(ended, 50)).toBe(false);
  });

  test("an answer that is refused", async () => {
    const mine = fakePlugin("mine", {
      slot: "observation",
      hooks: { observe: () => ({ nonsense: 1 }) as never },
    });
    const hooks = hooksOf(mine);
    const check = () => "it answered nonsense";
    const ask = () => hooks.first("observe", { toolUses: [] } as never, { check });
    await expect(ask()).rejects.toThrow("plugin mine failed in observe: it answered nonsense");
    await times(4, ask);
    expect(oversight.pauses("mine")).toHaveLength(1);
  });
});

describe("the registry", () => {
  const start = (config: object, previous?: Registry) =>
    startRegistry({
      config: parseConfig("/c", JSON.stringify(config)).config,
      builtins: {
        heuristic: async () => ({
          default: fakePlugin("heuristic", {
            slot: "observation",
            hooks: { observe: () => ({ observations: [] }) },
          }),
        }),
      },
      home,
      userHome: home,
      log: memoryLog(),
      now: () => now,
      hooks: () => undefined,
      oversight,
      ...(previous && { previous }),
    });
  const info = (registry: Registry, name: string) =>
    registry.infos.find((one) => one.name === name);

  test("has the built-in stand by where only the user's plugins fill a slot; built-ins have no guard", async () => {
    await mkdir(join(home, "plugins"));
    await writeFile(
      join(home, "plugins/mine.ts"),
      'export default { name: "mine", description: "", sdk: 1, slot: "observation", hooks: { observe: () => ({ observations: [] }) } };',
    );
    const alone = await start({ slots: { observation: ["./plugins/mine.ts"] } });
    expect(info(alone, "mine")).toMatchObject({ fills: ["observation"], state: "running" });
    expect(info(alone, "heuristic")).toMatchObject({ fills: [], standby: ["observation"] });
    expect(alone.running.map(({ plugin, guard }) => [plugin.name, guard !== undefined])).toEqual([
      ["mine", true],
      ["heuristic", false],
    ]);
    const both = await start({ slots: { observation: ["./plugins/mine.ts", "heuristic"] } }, alone);
    expect(info(both, "heuristic")).toMatchObject({ fills: ["observation"] });
    expect(info(both, "heuristic")?.standby).toBeUndefined();
    await alone.stop(both);
    await both.stop();
  });

  test("shows a pause as long as it lasts", async () => {
    await mkdir(join(home, "plugins"));
    await writeFile(
      join(home, "plugins/mine.ts"),
      'export default { name: "mine", description: "", sdk: 1, hooks: { Stop() {} } };',
    );
    const registry = await start({});
    const end = oversight.guard("mine").begin("Stop", "Stop", {});
    end({ error: new MemoirError("plugin_failed", "boom", { plugin: "mine" }), own: true });
    expect(info(registry, "mine")?.paused).toBeUndefined();
    for (let i = 0; i < 4; i++)
      oversight.guard("mine").begin("Stop", "Stop", {})({
        error: new MemoirError("plugin_failed", "boom", { plugin: "mine" }),
        own: true,
      });
    expect(info(registry, "mine")?.paused).toMatchObject([{ part: "Stop", error: "boom" }]);
    now += 60_000;
    expect(info(registry, "mine")?.paused).toBeUndefined();
    await registry.stop();
  });
});
