// The runner that takes the first answer, and plugins that wrap it.
import { describe, expect, test } from "bun:test";
import { createHooks } from "../../../src/runtime/hooks/hooks.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import type { AnyPlugin } from "../../../src/sdk/plugin.ts";
import {
  completion,
  fakePlugin,
  hooksOf,
  memoryLog,
  never,
  request,
  runningPlugin,
} from "../../support/hooks.ts";

describe("first", () => {
  const answers = (name: string, text: string) =>
    fakePlugin(name, { hooks: { complete: () => completion(text) } });
  const fails = (name: string) =>
    fakePlugin(name, {
      hooks: {
        complete: () => {
          throw new Error(`${name} is down`);
        },
      },
    });
  const silent = fakePlugin("silent", { hooks: { complete: () => undefined } });

  test.each<[string, AnyPlugin[], string | undefined, string | undefined]>([
    ["nobody subscribed", [], undefined, undefined],
    ["nobody answered", [silent], undefined, undefined],
    ["the first answer wins", [silent, answers("a", "1"), answers("b", "2")], "a", "1"],
    ["an error passes on to the next", [fails("x"), answers("b", "2")], "b", "2"],
    [
      "a late one passes on to the next",
      [
        fakePlugin("late", { hooks: { complete: { handler: never, deadlineMs: 3 } } }),
        answers("b", "2"),
      ],
      "b",
      "2",
    ],
  ])("%s", async (_, plugins, plugin, text) => {
    const answer = await hooksOf(plugins).first("complete", request);
    expect(answer?.plugin).toBe(plugin as never);
    expect(answer?.result.text).toBe(text as never);
  });

  test("rejects with the last error when nobody answered", async () => {
    const error = await hooksOf([fails("x"), fails("y"), silent])
      .first("complete", request)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(MemoirError);
    expect(error).toMatchObject({ code: "plugin_failed", plugin: "y", hook: "complete" });
    expect((error as Error).message).toBe("plugin y failed in complete: y is down");
  });

  test("a wrapper works before, after and instead", async () => {
    const seen: unknown[] = [];
    const inner = fakePlugin("inner", {
      hooks: {
        complete: (input) => {
          seen.push(input.purpose);
          return completion("inner");
        },
      },
    });
    const wrap = fakePlugin("wrap", {
      hooks: {
        complete: async (input, ctx) => {
          const answer = await ctx.next({ ...input, purpose: "changed" });
          return answer && { ...answer, text: `<${answer.text}>` };
        },
      },
    });
    const veto = fakePlugin("veto", { hooks: { complete: () => completion("no") } });
    const wrapped = await hooksOf([wrap, inner]).first("complete", request);
    expect(wrapped).toMatchObject({ plugin: "wrap", result: { text: "<inner>" } });
    expect(seen).toEqual(["changed"]);
    expect((await hooksOf([veto, inner]).first("complete", request))?.plugin).toBe("veto");
    expect(seen).toHaveLength(1);
  });

  test.each<[string, AnyPlugin["hooks"]]>([
    [
      "answers nothing",
      {
        complete: async (_input, ctx) => {
          await ctx.next();
        },
      },
    ],
    ["passes the answer on", { complete: (_input, ctx) => ctx.next() }],
    [
      "fails afterwards",
      {
        complete: async (_input, ctx) => {
          await ctx.next();
          throw new Error("no");
        },
      },
    ],
    [
      "fails without waiting for it",
      {
        complete: (_input, ctx) => {
          void ctx.next();
          throw new Error("no");
        },
      },
    ],
  ])("a wrapper that %s leaves the inner answer, made once", async (_, hooks) => {
    let calls = 0;
    const inner = fakePlugin("inner", {
      hooks: {
        complete: async () => {
          calls++;
          return completion("inner");
        },
      },
    });
    const answer = await hooksOf([fakePlugin("wrap", { hooks }), inner]).first("complete", request);
    expect(answer).toMatchObject({ plugin: "inner", result: { text: "inner" } });
    expect(calls).toBe(1);
  });

  test("an inner failure that a wrapper does not wait for ends nothing", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    const wrap = fakePlugin("wrap", {
      hooks: {
        complete: (_input, ctx) => {
          void ctx.next();
          return completion("own");
        },
      },
    });
    const answer = await hooksOf([wrap, fails("x")]).first("complete", request);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(answer).toMatchObject({ plugin: "wrap" });
    expect(unhandled).toEqual([]);
  });

  test("a wrapper sees the inner error and may answer instead", async () => {
    const rescue = fakePlugin("rescue", {
      hooks: {
        complete: (_input, ctx) => ctx.next().catch((error: Error) => completion(error.message)),
      },
    });
    const answer = await hooksOf([rescue, fails("x")]).first("complete", request);
    expect(answer).toMatchObject({
      plugin: "rescue",
      result: { text: "plugin x failed in complete: x is down" },
    });
  });

  test("an inner error is not the wrapper's fault", async () => {
    const log = memoryLog();
    const hooks = hooksOf(
      [fakePlugin("wrap", { hooks: { complete: (_input, ctx) => ctx.next() } }), fails("x")],
      log,
    );
    const error = await hooks.first("complete", request).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ plugin: "x" });
    expect(hooks.subscriptions().map(({ plugin, failures }) => [plugin, failures])).toEqual([
      ["wrap", 0],
      ["x", 1],
    ]);
    expect(hooks.subscriptions()[0]?.lastError).toBeUndefined();
    expect(log.lines).toHaveLength(1);
  });

  test("time spent in next is not the wrapper's", async () => {
    const slow = fakePlugin("slow", {
      hooks: {
        complete: {
          deadlineMs: 5_000,
          handler: () =>
            new Promise((resolve) => setTimeout(() => resolve(completion("slow")), 25)),
        },
      },
    });
    const wrap = fakePlugin("wrap", {
      hooks: { complete: { deadlineMs: 10, handler: (_input, ctx) => ctx.next() } },
    });
    expect(await hooksOf([wrap, slow]).first("complete", request)).toMatchObject({
      plugin: "slow",
    });
  });

  test("what a wrapper spends after next is its own again", async () => {
    const inner = fakePlugin("inner", { hooks: { complete: () => completion("inner") } });
    const wrap = fakePlugin("wrap", {
      hooks: {
        complete: {
          deadlineMs: 5,
          handler: async (_input, ctx) => {
            await ctx.next();
            return never();
          },
        },
      },
    });
    const log = memoryLog();
    expect(await hooksOf([wrap, inner], log).first("complete", request)).toMatchObject({
      plugin: "inner",
    });
    expect(log.lines.map(({ fields }) => (fields.error as MemoirError).code)).toEqual([
      "plugin_deadline",
    ]);
  });

  test("nor is it counted as the wrapper's", async () => {
    let clock = 0;
    const slow = fakePlugin("slow", {
      hooks: {
        complete: () => {
          clock += 100;
          return completion("slow");
        },
      },
    });
    const wrap = fakePlugin("wrap", {
      hooks: {
        complete: async (_input, ctx) => {
          clock += 1;
          return ctx.next();
        },
      },
    });
    const plugins = [runningPlugin(wrap), runningPlugin(slow)];
    const hooks = createHooks(plugins, { log: memoryLog(), elapsed: () => clock });
    await hooks.first("complete", request);
    expect(hooks.subscriptions().map(({ p50 }) => p50)).toEqual([1, 100]);
  });

  test("a wrapper that is late cannot start the inner work a second time", async () => {
    let calls = 0;
    let again: Promise<unknown> | undefined;
    const inner = fakePlugin("inner", {
      hooks: {
        complete: () => {
          calls++;
          return completion("inner");
        },
      },
    });
    const late = fakePlugin("late", {
      hooks: {
        complete: {
          deadlineMs: 3,
          handler: async (_input, ctx) => {
            await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
            again = ctx.next().catch((error: unknown) => error);
            return undefined;
          },
        },
      },
    });
    expect(await hooksOf([late, inner]).first("complete", request)).toMatchObject({
      plugin: "inner",
    });
    expect(await again).toMatchObject({ code: "plugin_deadline" });
    expect(calls).toBe(1);
  });
});
