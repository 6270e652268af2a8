// What a reload of config and plugins does to events under way, and to plugins.
import { describe, expect, test } from "bun:test";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import type { AnyPlugin } from "../../src/sdk/plugin.ts";
import { clientEvent } from "../support/client-events.ts";
import { promptEvent } from "../support/hooks.ts";
import { sessionStart, testRuntimes } from "./test-runtimes.ts";

const { start, config, home } = testRuntimes();

describe("reload", () => {
  const options = v.looseObject({ word: v.optional(v.string(), "none") });
  const say = {
    config: options,
    hooks: { UserPromptSubmit: (_event, ctx) => ({ context: ctx.config.word }) },
  } satisfies Partial<AnyPlugin>;
  const word = (text: string) => config({ plugins: { "context-relevant": { word: text } } });

  test("puts a new config in force, for the runtime's stable hooks too", async () => {
    await word("one");
    const { runtime } = await start({ "context-relevant": say });
    const { hooks } = runtime;
    expect((await runtime.handle(promptEvent())).reply).toEqual({ context: "one" });
    await word("two");
    await runtime.reload();
    expect((await runtime.handle(promptEvent())).reply).toEqual({ context: "two" });
    expect(await hooks.sequence("UserPromptSubmit", promptEvent())).toMatchObject([
      { result: { context: "two" } },
    ]);
  });

  test("watches the file of a plugin that a reload brings", async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "memoir-elsewhere-")));
    const file = join(folder, "late.ts");
    const write = (version: number) =>
      writeFile(
        file,
        `export default { name: "late", description: "d", sdk: 1, hooks: { Stop: () => ({ systemMessage: "v${version}" }) } };`,
      );
    try {
      await write(1);
      const { runtime } = await start();
      const heard = Promise.withResolvers<unknown>();
      // No look comes by itself: what is heard, the system noticed in a place that is watched.
      const times = { quietMs: 5, lookMs: 3_600_000 };
      const answers = () => runtime.hooks.sequence("Stop", clientEvent("Stop"));
      const watch = await runtime.watchPlugins(async () => heard.resolve(await answers()), times);
      await config({ listeners: [file] });
      await runtime.reload();
      await write(2);
      // What hears of a change hears of it once it is in force.
      expect(await heard.promise).toMatchObject([{ result: { systemMessage: "v2" } }]);
      await watch.stop();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test("an event under way finishes on the plugins it began with; they stop afterwards", async () => {
    const life: string[] = [];
    let arrived: () => void = () => {};
    let go: () => void = () => {};
    const inside = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let stopped: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    await word("one");
    const { runtime } = await start({
      "capture-privacy": {
        hooks: {
          capture: async () => {
            arrived();
            await gate;
          },
        },
      },
      "context-relevant": {
        ...say,
        hooks: {
          UserPromptSubmit: (_event, ctx) => {
            life.push(`reply ${ctx.config.word}`);
            return { context: ctx.config.word };
          },
        },
        start: (ctx) => {
          life.push(`start ${ctx.config.word}`);
          return ctx.config.word;
        },
        stop: (state) => {
          life.push(`stop ${state}`);
          stopped();
        },
      },
    });
    const under = runtime.handle(promptEvent());
    await inside;
    await word("two");
    await runtime.reload();
    expect(life).toEqual(["start one", "start two"]);
    go();
    expect((await under).reply).toEqual({ context: "one" });
    await over;
    expect(life).toEqual(["start one", "start two", "reply one", "stop one"]);
    await runtime.stop();
    expect(life.slice(4)).toEqual(["stop two"]);
  });

  test("leaves plugins alone whose options did not change", async () => {
    const life: string[] = [];
    let stopped: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    await word("one");
    const { runtime } = await start({
      "context-relevant": { ...say, stop: () => stopped() },
      none: { start: () => void life.push("start"), stop: () => void life.push("stop") },
    });
    await word("two");
    await runtime.reload();
    await over;
    expect(life).toEqual(["start"]);
    await runtime.stop();
    expect(life).toEqual(["start", "stop"]);
  });

  test("two at once wait for one another; whatever was started is stopped", async () => {
    const life: string[] = [];
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    await word("one");
    const { runtime } = await start({
      "context-relevant": {
        ...say,
        start: async (ctx) => {
          life.push(`start ${ctx.config.word}`);
          if (ctx.config.word === "two") await gate;
        },
        stop: (_state, ctx) => void life.push(`stop ${ctx.config.word}`),
      },
    });
    await word("two");
    const both = Promise.all([runtime.reload(), runtime.reload()]);
    // Long enough for the second to read the config, if it did not wait.
    for (let n = 0; n < 5; n++) await readFile(join(home(), "config.json"));
    open();
    await both;
    await runtime.stop();
    expect(life).toEqual(["start one", "start two", "stop one", "stop two"]);
  });

  test("under traffic loses nothing and answers everything", async () => {
    await word("w0");
    const { runtime, events } = await start({ "context-relevant": say });
    const answers: Array<string | undefined> = [];
    const traffic = (async () => {
      for (let n = 0; n < 300; n++) {
        const { reply } = await runtime.handle(promptEvent({ key: `k${n}` }));
        answers.push(reply.context);
        if (n % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let n = 1; n <= 5; n++) {
      await word(`w${n}`);
      await Promise.all([runtime.reload(), runtime.reload()]);
    }
    await traffic;
    expect(events).toHaveLength(300);
    expect(answers.every((answer) => /^w\d$/.test(answer ?? ""))).toBe(true);
    expect((await runtime.handle(promptEvent())).reply.context).toBe("w5");
  });

  test("a file that is not valid JSON changes nothing, is shown and said; a restart goes on with the last one that could be read", async () => {
    await word("one");
    const { runtime } = await start({ "context-relevant": say });
    await config('{ "plugins": ');
    await runtime.reload();
    expect((await runtime.handle(promptEvent())).reply).toEqual({ context: "one" });
    const { config: shown } = await runtime.status();
    expect(shown).toMatchObject({ broken: true, path: join(home(), "config.json") });
    expect(shown.problems.map(({ text }) => text)).toEqual([
      "line 1, column 14: the file ends where a value is wanted",
    ]);

    const { runtime: fresh } = await start({ "context-relevant": say });
    expect((await fresh.handle(promptEvent())).reply).toEqual({ context: "one" });
    const { reply } = await fresh.handle({ ...sessionStart, time: Date.now() });
    expect(reply.systemMessage).toContain("line 1, column 14");
    expect(reply.systemMessage).toContain("The previous settings stay in effect");
    await word("three");
    await fresh.reload();
    expect((await fresh.status()).config).toMatchObject({ broken: false, problems: [] });
  });
});
