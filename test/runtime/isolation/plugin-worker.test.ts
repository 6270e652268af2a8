// A plugin in a worker sees what one in the server sees: context, errors, order of handlers, config, start and stop.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoirPaths } from "../../../src/home/paths.ts";
import { createHooks } from "../../../src/runtime/hooks/hooks.ts";
import { type Instance, startInstance } from "../../../src/runtime/plugins/instance.ts";
import { loadPlugin } from "../../../src/runtime/plugins/load-plugin.ts";
import { publishSdk } from "../../../src/runtime/plugins/sdk-module.ts";
import type { Hooks } from "../../../src/runtime/ports.ts";
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
const running: Instance[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-worker-"));
  await publishSdk(memoirPaths(home));
});
afterEach(async () => {
  for (const { stop } of running.splice(0)) await stop();
});
afterAll(() => rm(home, { recursive: true, force: true }));

let serial = 0;
/** Starts a plugin from the text of its object, in a worker; `others` come after it. */
async function worker(
  body: string,
  more: {
    before?: string;
    options?: object;
    others?: AnyPlugin[];
    now?: () => number;
    startMs?: number;
  } = {},
) {
  const name = `plugin-${++serial}`;
  const path = join(home, `${name}.ts`);
  const text = `${more.before ?? ""}\nexport default { name: "${name}", description: "d", sdk: 1, ${body} };\n`;
  await writeFile(path, text);
  const log = memoryLog();
  let hooks: Hooks | undefined;
  const loaded = await loadPlugin(path, {}, { home, userHome: home });
  const tools = { home, log, now: more.now ?? Date.now, hooks: () => hooks };
  const instance = await startInstance(loaded, { ...more.options }, tools, {
    startMs: more.startMs ?? 2_000,
    stopMs: 2_000,
  });
  running.push(instance);
  const { plugin, context, state } = instance;
  const own = { plugin, fills: {}, context, state };
  hooks = createHooks([own, ...(more.others ?? []).map((one) => runningPlugin(one))], { log });
  return { name, path, hooks, log, instance, loaded };
}
const say = async (hooks: Hooks) =>
  (await hooks.sequence("UserPromptSubmit", promptEvent())).map(({ result }) => result.context);
const saying = (code: string) => `hooks: { async UserPromptSubmit(input, ctx) { ${code} } }`;

test("options are judged by their values each time, though the plugin's answers are kept", async () => {
  const { loaded, log } = await worker(
    `config: v.strictObject({ n: v.number() }), hooks: { Stop() {} }`,
    { before: 'import * as v from "valibot";', options: { n: 1 } },
  );
  const tools = { home, log, now: Date.now, hooks: () => undefined };
  await expect(startInstance(loaded, { n: "many" }, tools)).rejects.toThrow(
    'n: must be a number, but is "many"',
  );
  running.push(await startInstance(loaded, { n: 2 }, tools));
  expect(running.at(-1)?.context.config).toEqual({ n: 2 });
});

describe("what a handler is given", () => {
  test("its name, config, home, clock and state", async () => {
    const { hooks, name } = await worker(
      `config: v.strictObject({ greeting: v.optional(v.string(), "hi"), n: v.number() }),
       start: (ctx) => ({ started: ctx.config.greeting, times: 0 }),
       ${saying("ctx.state.times++; return { context: JSON.stringify([ctx.plugin, ctx.config, ctx.home, Math.abs(ctx.now() - 5_000) < 2_000, ctx.state]) };")}`,
      { before: 'import * as v from "valibot";', options: { n: 2 }, now: () => 5_000 },
    );
    const seen = (times: number) =>
      JSON.stringify([name, { greeting: "hi", n: 2 }, home, true, { started: "hi", times }]);
    expect(await say(hooks)).toEqual([seen(1)]);
    expect(await say(hooks)).toEqual([seen(2)]);
  });

  test("an input that is read-only at its top, and its own copy below", async () => {
    const { hooks, log } = await worker(
      // Not late on a busy machine: what it throws is looked at.
      "hooks: { PostToolUse: { deadlineMs: 60_000, async handler(input) { input.toolInput.mine = 1; input.toolName = 'Mine'; } } }",
    );
    const event = toolEvent();
    await hooks.sequence("PostToolUse", event);
    expect(event).toEqual(toolEvent());
    expect(String(log.lines.at(-1)?.fields.error)).toMatch(/readonly|read only/i);
  });

  test("a log under its name", async () => {
    const { hooks, log } = await worker(
      saying(
        "ctx.log.warn('careful', { at: 1, error: new Error('inner'), f: 1 }); console.log('printed', { a: 1 });",
      ),
    );
    await say(hooks);
    expect(log.lines).toEqual([
      { level: "warn", message: "careful", fields: { at: 1, error: "inner", f: 1 } },
      { level: "info", message: 'printed {"a":1}', fields: {} },
    ]);
  });

  test("a signal that tells of its deadline", async () => {
    const { hooks, log } = await worker(
      `hooks: { Stop() {}, UserPromptSubmit: { deadlineMs: 100, handler: (_, ctx) => new Promise((go) => ctx.signal.addEventListener("abort", () => { ctx.log.info(ctx.signal.reason.code); go(); })) } }`,
    );
    // So that the worker is there when the time begins to run.
    await hooks.sequence("Stop", { ...promptEvent(), name: "Stop" } as never);
    expect(await say(hooks)).toEqual([]);
    while (!log.lines.some(({ message }) => message === "plugin_deadline")) await Bun.sleep(1);
    expect(log.lines.map(({ fields }) => String(fields.error)).join()).toMatch(
      /did not answer UserPromptSubmit within 100 ms \(\S+plugin-\d+\.ts:2\)/,
    );
  });
});

describe("what a handler asks", () => {
  const search = (answer: () => never | unknown[]) =>
    fakePlugin("store", { hooks: { "storage.search": answer as never } });

  test("storage and a model, with their answers and their errors", async () => {
    const complete = () => {
      throw new MemoirError("provider_rate", "slow down", { retryAfterMs: 7 });
    };
    const { hooks } = await worker(
      saying(
        "const found = await ctx.storage.search({ text: 'x' }); try { await ctx.complete({}); } catch (e) { return { context: JSON.stringify([found, e instanceof MemoirError, e.code, e.plugin, e.retryAfterMs, e.message]) }; }",
      ),
      {
        before: 'import { MemoirError } from "memoir/sdk";',
        others: [search(() => [{ id: "o1" }]), fakePlugin("model", { hooks: { complete } })],
      },
    );
    expect(await say(hooks)).toEqual([
      JSON.stringify([[{ id: "o1" }], true, "provider_rate", "model", 7, "slow down"]),
    ]);
  });

  test("an error that is let pass stays with who made it", async () => {
    const broken = search(() => {
      throw new Error("disk");
    });
    const { hooks, log } = await worker(saying("await ctx.storage.search({});"), {
      others: [broken],
    });
    await say(hooks);
    expect(hooks.subscriptions().find(({ hook }) => hook === "UserPromptSubmit")).toMatchObject({
      failures: 0,
    });
    expect(log.lines.at(-1)?.fields.error).toMatchObject({
      plugin: "store",
      hook: "storage.search",
    });
  });

  test("the rest of a hook, changed or not, and its errors", async () => {
    const echo = fakePlugin("store", {
      hooks: { "storage.search": (query) => [{ id: query.text }] as never },
    });
    const wrap = (code: string) =>
      `hooks: { "storage.search": { order: "pre", async handler(query, ctx) { ${code} } } }`;
    const asked = async (code: string, others = [echo]) =>
      (
        await (
          await worker(wrap(code), { others })
        ).hooks.first("storage.search", { text: "a" } as never)
      )?.result as unknown;
    expect(await asked("return [...(await ctx.next()), { id: 'mine' }];")).toEqual([
      { id: "a" },
      { id: "mine" },
    ]);
    expect(await asked("return ctx.next({ ...query, text: 'b' });")).toEqual([{ id: "b" }]);
    expect(await asked("")).toEqual([{ id: "a" }]);
    const failing = search(() => {
      throw new Error("disk");
    });
    expect(
      await asked("try { await ctx.next(); } catch (e) { return [{ id: e.message }]; }", [failing]),
    ).toEqual([{ id: "plugin store failed in storage.search: disk" }]);
  });

  test("many things at once, without one waiting for another", async () => {
    const { hooks } = await worker(
      saying(
        "const all = await Promise.all(Array.from({ length: 50 }, (_, at) => ctx.storage.search({ text: String(at) }))); return { context: all.flat().map(({ id }) => id).join() };",
      ),
      {
        others: [
          fakePlugin("store", {
            hooks: { "storage.search": (query) => [{ id: query.text }] as never },
          }),
        ],
      },
    );
    const expected = Array.from({ length: 50 }, (_, at) => at).join();
    const all = await Promise.all(Array.from({ length: 20 }, () => say(hooks)));
    expect(all).toEqual(Array.from({ length: 20 }, () => [expected]));
  });

  test("an error of another copy of the SDK is one of memoir's, by its name and a code that is known", async () => {
    const thrown = async (name: string, code: string) => {
      const { hooks } = await worker(
        saying(`throw Object.assign(new Error("slow"), { name: "${name}", code: "${code}" });`),
      );
      await say(hooks);
      return hooks.subscriptions()[0]?.lastError ?? "";
    };
    expect(await thrown("MemoirError", "provider_rate")).toBe("slow");
    for (const [name = "", code = ""] of [
      ["MemoirError", "no_such"],
      ["Error", "provider_rate"],
    ])
      expect(await thrown(name, code)).toMatch(
        /failed in UserPromptSubmit: slow \(\S+\.ts:2:\d+\)/,
      );
  });

  test("nothing that is not offered", async () => {
    const { hooks, log } = await worker(
      saying("await ctx.storage.search.call(null, {}); ctx.storage.nothing();"),
      {
        others: [search(() => [])],
      },
    );
    await say(hooks);
    expect(String(log.lines.at(-1)?.fields.error)).toContain("ctx.storage.nothing");
  });
});

describe("its life", () => {
  test("a worker that ended begins anew with the next call, and starts again", async () => {
    const { hooks, log } = await worker(
      `start: (ctx) => { ctx.log.info("start"); return { n: 0 }; },
       ${saying("if (ctx.state.n++ === 1) process.exit(1); return { context: String(ctx.state.n) };")}`,
    );
    expect([await say(hooks), await say(hooks), await say(hooks)]).toEqual([["1"], [], ["1"]]);
    expect(log.lines.filter(({ message }) => message === "start")).toHaveLength(2);
  });

  test("one that is stuck in a loop is ended, and the next call is answered", async () => {
    const { hooks, log } = await worker(
      `hooks: { Stop: { deadlineMs: 20, handler() { for (;;); } }, UserPromptSubmit: { deadlineMs: 30_000, handler: () => ({ context: "well" }) } }`,
    );
    expect(await say(hooks)).toEqual(["well"]);
    await hooks.sequence("Stop", { ...promptEvent(), name: "Stop" } as never);
    await say(hooks);
    expect(await say(hooks)).toEqual(["well"]);
    expect(
      log.lines.find(({ message }) => message === "a plugin's worker ended")?.fields,
    ).toMatchObject({
      why: expect.stringContaining("stuck"),
      during: expect.stringContaining("Stop"),
    });
  });

  test("a call whose time is up before the worker is there is never made", async () => {
    const { hooks, log } = await worker(
      `hooks: { Stop: { deadlineMs: 1, handler(_, ctx) { ctx.log.info("made"); } }, UserPromptSubmit: { deadlineMs: 30_000, handler: () => ({ context: "well" }) } }`,
    );
    await hooks.sequence("Stop", { ...promptEvent(), name: "Stop" } as never);
    expect(await say(hooks)).toEqual(["well"]);
    expect(log.lines.map(({ message }) => message)).not.toContain("made");
  });

  test("all calls of a worker that ended fail at once", async () => {
    const { hooks } = await worker(
      "hooks: { UserPromptSubmit: { deadlineMs: 60_000, handler: () => new Promise(() => {}) }, Stop: () => process.exit(1) }",
    );
    const waiting = say(hooks);
    await hooks.sequence("Stop", { ...promptEvent(), name: "Stop" } as never);
    expect(await waiting).toEqual([]);
    expect(hooks.subscriptions().map(({ lastError }) => lastError)).toEqual([
      expect.stringContaining("failed in UserPromptSubmit: it ended its worker with exit(1)"),
      expect.stringContaining("failed in Stop: it ended its worker with exit(1)"),
    ]);
  });

  test("a start that throws is told with its place; one that hangs is ended", async () => {
    await expect(worker('start() { throw new Error("no luck"); }, hooks: {}')).rejects.toThrow(
      /did not start: no luck \(\S+plugin-\d+\.ts:2:\d+\)/,
    );
    await expect(worker("start() { for (;;); }, hooks: {}", { startMs: 150 })).rejects.toThrow(
      "did not start within 150 ms",
    );
  });

  test("stop is called with the state, once; nothing is called after it", async () => {
    const mark = join(home, "stopped.txt");
    const { instance, hooks } = await worker(
      `start: () => "open", stop: (state) => appendFileSync(${JSON.stringify(mark)}, state + ";"), ${saying("return { context: 'x' };")}`,
      { before: 'import { appendFileSync } from "node:fs";' },
    );
    await say(hooks);
    await instance.stop();
    await instance.stop();
    expect(await readFile(mark, "utf8")).toBe("open;");
    expect(await say(hooks)).toEqual([]);
  });

  test("options that its own schema refuses are told as in the server, and keep it from starting", async () => {
    const config = "config: v.strictObject({ greeting: v.optional(v.string()) }), hooks: {}";
    const before = 'import * as v from "valibot";';
    const started = worker(config, { before, options: { greting: "x" } });
    await expect(started).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining('.greting: unknown key; did you mean "plugins.'),
    });
  });

  test("a deadline by config is the one in force", async () => {
    const { hooks } = await worker(
      "config: v.strictObject({ ms: v.optional(v.number(), 5) }), hooks: { Stop: { deadlineMs: (config) => config.ms, handler() {} } }",
      { before: 'import * as v from "valibot";', options: { ms: 77 } },
    );
    expect(hooks.subscriptions()).toMatchObject([{ hook: "Stop", deadlineMs: 77 }]);
  });
});

test("a call that is under way when the plugin is stopped ends then, not at its deadline", async () => {
  const { hooks, instance } = await worker(
    `hooks: { async complete(input, ctx) { await new Promise(() => undefined); } }`,
  );
  const call = hooks.first("complete", { purpose: "test", messages: [] } as never);
  const failed = call.catch((error: MemoirError) => error.message);
  await Bun.sleep(50);
  await instance.stop();
  expect(await failed).toContain("failed in complete: it has been stopped");
});
