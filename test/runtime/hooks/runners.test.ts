// The four runners: order, filters, deadlines, isolation, wrapping.
import { describe, expect, test } from "bun:test";
import { createHooks } from "../../../src/runtime/hooks/hooks.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import type { HookOrder } from "../../../src/sdk/handlers.ts";
import type { AnyPlugin } from "../../../src/sdk/plugin.ts";
import type { CompletionRequest } from "../../../src/sdk/provider.ts";
import {
  fakePlugin,
  hooksOf,
  memoryLog,
  promptEvent,
  runningPlugin,
  toolEvent,
} from "../../support/hooks.ts";

const never = () => new Promise<never>(() => {});
const request: CompletionRequest = {
  system: "",
  messages: [],
  maxTokens: 1,
  purpose: "test",
  session: "s",
};
const completion = (text: string) => ({
  text,
  model: "m",
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  stopReason: "end" as const,
});

describe("order", () => {
  const named = (name: string, order?: HookOrder) =>
    fakePlugin(name, {
      hooks: {
        Stop: { handler: () => ({ systemMessage: name }), ...(order ? { order } : {}) },
      },
    });
  const stop = { ...promptEvent(), name: "Stop" as const, stopHookActive: false };

  test.each([
    ["as given", [named("a"), named("b"), named("c")], "abc"],
    ["pre before normal before post", [named("a", "post"), named("b"), named("c", "pre")], "cba"],
    [
      "stable inside each",
      [named("a", "post"), named("b", "pre"), named("c", "post"), named("d", "pre")],
      "bdac",
    ],
  ])("%s", async (_, plugins, expected) => {
    const answers = await hooksOf(plugins).sequence("Stop", stop);
    expect(answers.map(({ result }) => result.systemMessage).join("")).toBe(expected);
    expect(answers.map(({ plugin }) => plugin).join("")).toBe(expected);
  });

  test("a slot's own order beats the order of the plugins", async () => {
    const start = { ...promptEvent(), name: "SessionStart" as const, source: "startup" };
    const say = (name: string) =>
      fakePlugin(name, {
        slot: ["capture", "context-injection"],
        hooks: { SessionStart: () => ({ context: name }) },
      });
    const hooks = createHooks(
      [
        runningPlugin(
          fakePlugin("listener", { hooks: { SessionStart: () => ({ context: "listener" }) } }),
        ),
        runningPlugin(say("second"), { capture: 0, "context-injection": 1 }),
        runningPlugin(say("first"), { "context-injection": 0 }),
      ],
      { log: memoryLog() },
    );
    const answers = await hooks.sequence("SessionStart", start);
    expect(answers.map(({ plugin }) => plugin)).toEqual(["first", "second", "listener"]);
  });
});

describe("in force", () => {
  const both = fakePlugin("both", {
    slot: ["observation", "summarization"],
    hooks: { observe: () => ({ observations: [] }), summarize: () => ({}), settled: () => {} },
  });
  test.each([
    ["only the slots it fills", both, { observation: 0 }, ["observe", "settled"]],
    ["none of them", both, {}, ["settled"]],
    [
      "a listener joins any hook",
      fakePlugin("l", { hooks: { observe: () => undefined } }),
      {},
      ["observe"],
    ],
  ])("%s", (_, plugin, fills, expected) => {
    const hooks = createHooks([runningPlugin(plugin, fills)], { log: memoryLog() });
    expect(hooks.subscriptions().map(({ hook }) => hook)).toEqual(expected as never);
  });
});

describe("reduce", () => {
  const prompt = (change: (text: string) => string) => (event: ClientEvent) =>
    event.name === "UserPromptSubmit" ? { ...event, prompt: change(event.prompt) } : undefined;

  test("each transforms the value for the next; no result leaves it", async () => {
    const { value, failed } = await hooksOf([
      fakePlugin("a", { hooks: { capture: prompt((text) => `${text}1`) } }),
      fakePlugin("b", { hooks: { capture: () => undefined } }),
      fakePlugin("c", { hooks: { capture: async (event) => prompt((text) => `${text}2`)(event) } }),
    ]).reduce("capture", promptEvent());
    expect(value).toMatchObject({ prompt: "hello12" });
    expect(failed).toEqual([]);
  });

  test("a failed one is named and the value passes it unchanged", async () => {
    const log = memoryLog();
    const { value, failed } = await hooksOf(
      [
        fakePlugin("throws", {
          hooks: {
            capture: () => {
              throw new Error("no");
            },
          },
        }),
        fakePlugin("late", { hooks: { capture: { handler: never, deadlineMs: 3 } } }),
        fakePlugin("silly", { hooks: { capture: (() => "text") as never } }),
        fakePlugin("ok", { hooks: { capture: prompt((text) => `${text}!`) } }),
      ],
      log,
    ).reduce("capture", promptEvent());
    expect(value).toMatchObject({ prompt: "hello!" });
    expect(failed).toEqual(["throws", "late", "silly"]);
    expect(log.lines.map(({ fields }) => (fields.error as MemoirError).code)).toEqual([
      "plugin_failed",
      "plugin_deadline",
      "plugin_failed",
    ]);
  });

  test("a drop ends it and says by whom", async () => {
    let called = false;
    const outcome = await hooksOf([
      fakePlugin("gate", { hooks: { capture: () => ({ drop: "not wanted" }) } }),
      fakePlugin("after", {
        hooks: {
          capture: () => {
            called = true;
          },
        },
      }),
    ]).reduce("capture", toolEvent());
    expect(outcome).toEqual({ value: { drop: "not wanted" }, failed: [], by: "gate" });
    expect(called).toBe(false);
  });

  test("a handler cannot change what others are given", async () => {
    const given = promptEvent();
    const { value, failed } = await hooksOf([
      fakePlugin("rude", {
        hooks: {
          capture: (event) => {
            Object.assign(event, { prompt: "changed" });
          },
        },
      }),
    ]).reduce("capture", given);
    expect(failed).toEqual(["rude"]);
    expect(value).toMatchObject({ prompt: "hello" });
  });

  test("a filter sees what the handlers before made", async () => {
    const { value } = await hooksOf([
      fakePlugin("a", {
        hooks: {
          capture: (event) => ({ ...event, project: { id: "p1", name: "shop", root: "/" } }),
        },
      }),
      fakePlugin("b", {
        hooks: {
          capture: { filter: { project: ["shop"] }, handler: prompt((text) => text.toUpperCase()) },
        },
      }),
    ]).reduce("capture", promptEvent());
    expect(value).toMatchObject({ prompt: "HELLO" });
  });
});

describe("sequence and parallel", () => {
  test("a failed handler gives no answer and harms nobody", async () => {
    const hooks = hooksOf([
      fakePlugin("a", { hooks: { UserPromptSubmit: () => Promise.reject(new Error("no")) } }),
      fakePlugin("b", { hooks: { UserPromptSubmit: () => null as never } }),
      fakePlugin("c", { hooks: { UserPromptSubmit: async () => ({ context: "c" }) } }),
    ]);
    expect(await hooks.sequence("UserPromptSubmit", promptEvent())).toEqual([
      { plugin: "c", result: { context: "c" } },
    ]);
  });

  test("parallel runs all at once and never rejects", async () => {
    const order: string[] = [];
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const notice = { session: "s", toolUseId: "t", outcome: "stored" as const, observations: [] };
    await hooksOf([
      fakePlugin("waits", {
        hooks: {
          settled: async () => {
            await gate;
            order.push("waits");
          },
        },
      }),
      fakePlugin("throws", {
        hooks: {
          settled: () => {
            throw new Error("no");
          },
        },
      }),
      fakePlugin("opens", {
        hooks: {
          settled: () => {
            order.push("opens");
            open();
          },
        },
      }),
    ]).parallel("settled", notice);
    expect(order).toEqual(["opens", "waits"]);
  });

  test("an uninterested handler is not called", async () => {
    const hooks = hooksOf([
      fakePlugin("a", {
        hooks: { PostToolUse: { filter: { tool: ["Edit"] }, handler: () => ({ context: "a" }) } },
      }),
    ]);
    expect(await hooks.sequence("PostToolUse", toolEvent())).toEqual([]);
    expect(hooks.subscriptions()[0]?.calls).toBe(0);
  });
});

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

describe("calls", () => {
  test("the signal is aborted when the deadline has passed", async () => {
    let reason: unknown;
    await hooksOf([
      fakePlugin("late", {
        hooks: {
          settled: {
            deadlineMs: 3,
            handler: (_input, ctx) =>
              new Promise<void>(() => {
                ctx.signal.addEventListener("abort", () => {
                  reason = ctx.signal.reason;
                });
              }),
          },
        },
      }),
    ]).parallel("settled", { session: "s", toolUseId: "t", outcome: "stored", observations: [] });
    expect(reason).toMatchObject({ code: "plugin_deadline", plugin: "late", hook: "settled" });
  });

  test("a context can be taken apart and carries the plugin's state", async () => {
    const plugin = fakePlugin("a", {
      hooks: {
        UserPromptSubmit: (_event, { state, signal, plugin }) => ({
          context: `${state}${signal.aborted}${plugin}`,
        }),
      },
    });
    const hooks = createHooks([{ ...runningPlugin(plugin), state: 7 }], { log: memoryLog() });
    expect(await hooks.sequence("UserPromptSubmit", promptEvent())).toEqual([
      { plugin: "a", result: { context: "7falsea" } },
    ]);
  });

  test("calls, failures, last error and times are counted", async () => {
    let clock = 0;
    const plugin = fakePlugin("a", {
      hooks: {
        UserPromptSubmit: (event) => {
          clock += event.prompt.length;
          if (event.prompt === "bad") throw new Error("no");
        },
      },
    });
    const hooks = createHooks([runningPlugin(plugin)], { log: memoryLog(), elapsed: () => clock });
    for (const prompt of ["four", "bad", "seven!!"])
      await hooks.sequence("UserPromptSubmit", promptEvent({ prompt }));
    expect(hooks.subscriptions()[0]).toMatchObject({
      calls: 3,
      failures: 1,
      p50: 4,
      p99: 7,
      deadlineMs: 1_500,
      order: "normal",
      kind: "sequence",
      lastError: "plugin a failed in UserPromptSubmit: no",
    });
  });

  test("equal failures are logged once a minute, with the number of those between", async () => {
    let now = 0;
    const log = memoryLog();
    const plugin = fakePlugin("a", {
      hooks: {
        UserPromptSubmit: () => {
          throw new Error("no");
        },
      },
    });
    const hooks = createHooks([runningPlugin(plugin)], { log, now: () => now });
    for (const at of [0, 1, 2, 60_000]) {
      now = at;
      await hooks.sequence("UserPromptSubmit", promptEvent());
    }
    expect(log.lines.map(({ fields }) => fields.suppressed)).toEqual([undefined, 2]);
  });

  test("a MemoirError keeps its code and fix, and gets a name to blame", async () => {
    const plugin = fakePlugin("a", {
      hooks: {
        complete: () => {
          throw new MemoirError("provider_none", "nothing set");
        },
      },
    });
    const error = await hooksOf([plugin])
      .first("complete", request)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: "provider_none",
      message: "nothing set",
      plugin: "a",
      hook: "complete",
    });
  });

  test("idle waits for calls and holders", async () => {
    let finish: (value: undefined) => void = () => {};
    const hooks = hooksOf([
      fakePlugin("a", {
        hooks: {
          UserPromptSubmit: () =>
            new Promise<undefined>((resolve) => {
              finish = resolve;
            }),
        },
      }),
    ]);
    const release = hooks.hold();
    const call = hooks.sequence("UserPromptSubmit", promptEvent());
    let idle = false;
    const waiting = hooks.idle().then(() => {
      idle = true;
    });
    finish(undefined);
    await call;
    expect(idle).toBe(false);
    release();
    release();
    await waiting;
    expect(idle).toBe(true);
    await hooks.idle();
  });
});
