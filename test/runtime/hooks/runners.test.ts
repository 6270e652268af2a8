// The four runners: who is asked in which order, what of a failure others notice, and what each call leaves behind.
import { describe, expect, test } from "bun:test";
import { createHooks, type HeldHooks } from "../../../src/runtime/hooks/hooks.ts";
import { type ErrorCode, MemoirError } from "../../../src/sdk/errors.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import type { AnyPlugin } from "../../../src/sdk/plugin.ts";
import {
  completion,
  hooksOf,
  memoryLog,
  never,
  on,
  promptEvent,
  request,
  runningPlugin,
  toolEvent,
} from "../../support/hooks.ts";

const no = (): never => {
  throw new Error("no");
};
const codes = (log: ReturnType<typeof memoryLog>) =>
  log.lines.map(({ fields }) => (fields.error as MemoirError).code);

describe("sequence and parallel", () => {
  test("a failed handler gives no answer and harms nobody", async () => {
    const hooks = hooksOf([
      on("UserPromptSubmit", "a", () => Promise.reject(new Error("no"))),
      on("UserPromptSubmit", "b", () => null as never),
      on("UserPromptSubmit", "c", async () => ({ context: "c" })),
    ]);
    expect(await hooks.sequence("UserPromptSubmit", promptEvent())).toEqual([
      { plugin: "c", result: { context: "c" } },
    ]);
  });

  test("one after the other they have the time of the slowest, not the sum", async () => {
    const log = memoryLog();
    const plugins = [
      on("PostToolUse", "slow", never, { deadlineMs: 30 }),
      on("PostToolUse", "late", never, { deadlineMs: 40 }),
      on("PostToolUse", "quick", () => ({ context: "quick" }), { deadlineMs: 5 }),
    ];
    expect(await hooksOf(plugins, log).sequence("PostToolUse", toolEvent())).toEqual([
      { plugin: "quick", result: { context: "quick" } },
    ]);
    const said = log.lines.map(({ fields }) => (fields.error as MemoirError).message);
    expect(said).toEqual([
      "plugin slow did not answer PostToolUse within 30 ms",
      expect.stringMatching(
        /^plugin late .* in the \d+ ms that the plugins before it left of 40 ms$/,
      ),
    ]);
  });

  test("parallel runs all at once and never rejects", async () => {
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const hooks = hooksOf([
      on("settled", "waits", () => gate.promise.then(() => void order.push("waits"))),
      on("settled", "throws", no),
      on("settled", "opens", () => {
        order.push("opens");
        gate.resolve();
      }),
    ]);
    const outcome = "stored" as const;
    await hooks.parallel("settled", { session: "s", toolUseId: "t", outcome, observations: [] });
    expect(order).toEqual(["opens", "waits"]);
  });

  test("an uninterested handler is not called", async () => {
    const filter = { tool: ["Edit"] };
    const hooks = hooksOf([on("PostToolUse", "a", () => ({ context: "a" }), { filter })]);
    expect(await hooks.sequence("PostToolUse", toolEvent())).toEqual([]);
    expect(hooks.subscriptions()[0]?.calls).toBe(0);
  });
});

describe("reduce", () => {
  const prompt = (change: (text: string) => string) => (event: ClientEvent) =>
    event.name === "UserPromptSubmit" ? { ...event, prompt: change(event.prompt) } : undefined;
  const captured = (plugins: AnyPlugin[], event: ClientEvent = promptEvent(), log = memoryLog()) =>
    hooksOf(plugins, log).reduce("capture", event);

  test("each transforms the value for the next; no result leaves it", async () => {
    const { value, failed } = await captured([
      on(
        "capture",
        "a",
        prompt((text) => `${text}1`),
      ),
      on("capture", "b", () => undefined),
      on("capture", "c", async (event) => prompt((text) => `${text}2`)(event)),
    ]);
    expect([value, failed]).toMatchObject([{ prompt: "hello12" }, []]);
  });

  test("a failed one is named and the value passes it unchanged", async () => {
    const log = memoryLog();
    const plugins = [
      on("capture", "throws", no),
      on("capture", "late", never, { deadlineMs: 3 }),
      on("capture", "silly", (() => "text") as never),
      on(
        "capture",
        "ok",
        prompt((text) => `${text}!`),
      ),
    ];
    const { value, failed } = await captured(plugins, promptEvent(), log);
    expect(value).toMatchObject({ prompt: "hello!" });
    expect(failed).toEqual(["throws", "late", "silly"]);
    expect(codes(log)).toEqual(["plugin_failed", "plugin_deadline", "plugin_failed"]);
  });

  test("a drop ends it and says by whom", async () => {
    let called = false;
    const outcome = await captured(
      [
        on("capture", "gate", () => ({ drop: "not wanted" })),
        on("capture", "after", () => {
          called = true;
        }),
      ],
      toolEvent(),
    );
    expect(outcome).toEqual({ value: { drop: "not wanted" }, failed: [], by: "gate" });
    expect(called).toBe(false);
  });

  test("a handler cannot change what others are given", async () => {
    const rude = on("capture", "rude", (event) => void Object.assign(event, { prompt: "changed" }));
    const copies = on("capture", "copies", (event) => ({ ...event }));
    for (const before of [[], [copies]]) {
      const { value, failed } = await captured([...before, rude]);
      expect([value, failed]).toMatchObject([{ prompt: "hello" }, ["rude"]]);
    }
  });

  test("a filter sees what the handlers before made", async () => {
    const project = { id: "p1", name: "shop", root: "/" };
    const filter = { project: ["shop"] };
    const { value } = await captured([
      on("capture", "a", (event) => ({ ...event, project })),
      on(
        "capture",
        "b",
        prompt((text) => text.toUpperCase()),
        { filter },
      ),
    ]);
    expect(value).toMatchObject({ prompt: "HELLO" });
  });
});

describe("first", () => {
  const answers = (name: string) => on("complete", name, () => completion(name));
  const fails = (name: string) =>
    on("complete", name, () => {
      throw new Error(`${name} is down`);
    });
  const silent = on("complete", "silent", () => undefined);
  const passesOn = on("complete", "wrap", (_, ctx) => ctx.next());

  test.each<[string, AnyPlugin[], string | undefined]>([
    ["nobody subscribed", [], undefined],
    ["nobody answered", [silent], undefined],
    ["the first answer wins", [silent, answers("a"), answers("b")], "a"],
    ["an error passes on to the next", [fails("x"), answers("b")], "b"],
    [
      "a late one passes on to the next",
      [on("complete", "late", never, { deadlineMs: 3 }), answers("b")],
      "b",
    ],
  ])("%s", async (_, plugins, plugin) => {
    const answer = await hooksOf(plugins).first("complete", request);
    expect([answer?.plugin, answer?.result.text]).toEqual([plugin, plugin]);
  });

  test("rejects with the last error when nobody answered", async () => {
    const asking = hooksOf([fails("x"), fails("y"), silent]).first("complete", request);
    await expect(asking).rejects.toMatchObject({
      ...{ code: "plugin_failed", plugin: "y", hook: "complete" },
      message: "plugin y failed in complete: y is down",
    });
  });

  test("a wrapper works before, after and instead", async () => {
    const seen: unknown[] = [];
    const inner = on("complete", "inner", (input) => {
      seen.push(input.purpose);
      return completion("inner");
    });
    const wrap = on("complete", "wrap", async (input, ctx) => {
      const answer = await ctx.next({ ...input, purpose: "changed" });
      return answer && { ...answer, text: `<${answer.text}>` };
    });
    const wrapped = await hooksOf([wrap, inner]).first("complete", request);
    expect(wrapped).toMatchObject({ plugin: "wrap", result: { text: "<inner>" } });
    const vetoed = await hooksOf([answers("veto"), inner]).first("complete", request);
    expect(vetoed?.plugin).toBe("veto");
    expect(seen).toEqual(["changed"]);
  });

  test.each<[string, AnyPlugin]>([
    ["answers nothing", on("complete", "wrap", async (_, ctx) => void (await ctx.next()))],
    ["passes the answer on", passesOn],
    [
      "fails afterwards",
      on("complete", "wrap", async (_, ctx) => {
        await ctx.next();
        return no();
      }),
    ],
    [
      "fails without waiting for it",
      on("complete", "wrap", (_, ctx) => {
        void ctx.next();
        return no();
      }),
    ],
    [
      "is late",
      on(
        "complete",
        "wrap",
        async (_, ctx) => {
          await ctx.next();
          return never();
        },
        { deadlineMs: 5 },
      ),
    ],
  ])("a wrapper that %s leaves the inner answer, made once", async (_, wrap) => {
    let calls = 0;
    const inner = on("complete", "inner", async () => {
      calls++;
      return completion("inner");
    });
    const answer = await hooksOf([wrap, inner]).first("complete", request);
    expect(answer).toMatchObject({ plugin: "inner", result: { text: "inner" } });
    expect(calls).toBe(1);
  });

  test("an inner failure that a wrapper does not wait for ends nothing", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    const wrap = on("complete", "wrap", (_, ctx) => {
      void ctx.next();
      return completion("own");
    });
    const answer = await hooksOf([wrap, fails("x")]).first("complete", request);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect([answer?.plugin, unhandled]).toEqual(["wrap", []]);
  });

  test("a wrapper sees the inner error and may answer instead; passed on, it is not the wrapper's fault", async () => {
    const rescue = on("complete", "rescue", (_, ctx) =>
      ctx.next().catch((error: Error) => completion(error.message)),
    );
    const answer = await hooksOf([rescue, fails("x")]).first("complete", request);
    expect(answer?.result.text).toBe("plugin x failed in complete: x is down");
    const log = memoryLog();
    const hooks = hooksOf([passesOn, fails("x")], log);
    await expect(hooks.first("complete", request)).rejects.toMatchObject({ plugin: "x" });
    expect(
      hooks.subscriptions().map(({ plugin, failures, lastError }) => [plugin, failures, lastError]),
    ).toEqual([
      ["wrap", 0, undefined],
      ["x", 1, "plugin x failed in complete: x is down"],
    ]);
    expect(log.lines).toHaveLength(1);
  });

  test("time spent in next is not the wrapper's, neither for its deadline nor in its figures", async () => {
    let clock = 0;
    const slow = on("complete", "slow", async () => {
      await Bun.sleep(25);
      clock += 100;
      return completion("slow");
    });
    const wrap = on(
      "complete",
      "wrap",
      async (_, ctx) => {
        clock += 1;
        await undefined;
        return ctx.next();
      },
      { deadlineMs: 10 },
    );
    const hooks = createHooks([runningPlugin(wrap), runningPlugin(slow)], {
      log: memoryLog(),
      elapsed: () => clock,
    });
    expect(await hooks.first("complete", request)).toMatchObject({ plugin: "slow" });
    expect(hooks.subscriptions()).toMatchObject([
      { p50: 1, failures: 0 },
      { p50: 100, failures: 0 },
    ]);
  });

  test("a wrapper that is late cannot start the inner work a second time", async () => {
    let again: Promise<unknown> | undefined;
    const late = on(
      "complete",
      "late",
      async (_, ctx) => {
        await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
        again = ctx.next().catch((error: unknown) => error);
        return undefined;
      },
      { deadlineMs: 3 },
    );
    const hooks = hooksOf([late, answers("inner")]);
    expect((await hooks.first("complete", request))?.plugin).toBe("inner");
    expect(await again).toMatchObject({ code: "plugin_deadline" });
    expect(hooks.subscriptions()[1]?.calls).toBe(1);
  });
});

describe("what the asker of a first answer may say", () => {
  const says = (name: string) => on("complete", name, () => completion(name));
  const refuses = (name: string, retryAfterMs?: number) =>
    on("complete", name, () => {
      const more = retryAfterMs === undefined ? {} : { retryAfterMs };
      throw new MemoirError("provider_rate", name, more);
    });
  const retryOf = (error: unknown) => (error as MemoirError).retryAfterMs;

  test("skip passes a plugin over; when all are, nobody answered", async () => {
    const hooks = hooksOf([says("a"), says("b")]);
    const skip = (plugin: string) => plugin === "a";
    expect((await hooks.first("complete", request, { skip }))?.plugin).toBe("b");
    expect(await hooks.first("complete", request, { skip: () => true })).toBeUndefined();
  });

  test("failed hears of each failure, with its retry time kept", async () => {
    const heard: unknown[] = [];
    const failed = (plugin: string, error: unknown) => heard.push(`${plugin} ${retryOf(error)}`);
    await hooksOf([refuses("a", 7), refuses("b"), says("c")]).first("complete", request, {
      failed,
    });
    expect(heard).toEqual(["a 7", "b undefined"]);
  });

  test("stopAt ends the search, also below a plugin that wraps the others", async () => {
    const wrapper = on("complete", "wrapper", (_, ctx) => ctx.next());
    const stopAt = (error: unknown) => retryOf(error) !== undefined;
    for (const before of [[], [wrapper]]) {
      const asking = hooksOf([...before, refuses("a", 7), says("b")]);
      const stopped = asking.first("complete", request, { stopAt });
      await expect(stopped).rejects.toMatchObject({ plugin: "a" });
    }
    const found = await hooksOf([refuses("a"), says("b")]).first("complete", request, { stopAt });
    expect(found?.plugin).toBe("b");
  });

  test("the signal ends a call before and while it waits, and the plugin hears the reason", async () => {
    let heard: unknown;
    const hangs = on("complete", "hangs", (_, ctx) => {
      ctx.signal.addEventListener("abort", () => {
        heard = ctx.signal.reason;
      });
      return never();
    });
    const ending = new AbortController();
    const ask = () => hooksOf([hangs]).first("complete", request, { signal: ending.signal });
    const waiting = ask();
    ending.abort(new MemoirError("provider_connection", "over"));
    await expect(waiting).rejects.toMatchObject({ message: "over", plugin: "hangs" });
    expect(heard).toMatchObject({ message: "over" });
    await expect(ask()).rejects.toMatchObject({ message: "over" });
  });
});

describe("every call", () => {
  const asked = (hooks: HeldHooks, prompt = "hello") =>
    hooks.sequence("UserPromptSubmit", promptEvent({ prompt }));

  test("has a context that can be taken apart, with the plugin's state", async () => {
    const plugin = on("UserPromptSubmit", "a", (_, { state, signal, plugin: name }) => ({
      context: `${state}${signal.aborted}${name}`,
    }));
    const hooks = createHooks([{ ...runningPlugin(plugin), state: 7 }], { log: memoryLog() });
    expect(await asked(hooks)).toEqual([{ plugin: "a", result: { context: "7falsea" } }]);
  });

  test("is counted, with failures, the last error and the times of the last 128", async () => {
    let clock = 0;
    const plugin = on("UserPromptSubmit", "a", ({ prompt }) => {
      clock += prompt === "bad" ? 3 : Number(prompt);
      if (prompt === "bad") no();
    });
    const hooks = createHooks([runningPlugin(plugin)], { log: memoryLog(), elapsed: () => clock });
    expect(hooks.subscriptions()[0]).toMatchObject({ calls: 0, p50: null, p99: null });
    for (const prompt of ["4", "bad", "7"]) await asked(hooks, prompt);
    expect(hooks.subscriptions()[0]).toMatchObject({
      ...{ calls: 3, failures: 1, p50: 4, p99: 7 },
      ...{ deadlineMs: 1_500, order: "normal", kind: "sequence" },
      lastError: "plugin a failed in UserPromptSubmit: no",
    });
    for (let ms = 1; ms <= 1_000; ms++) await asked(hooks, String(ms));
    expect(hooks.subscriptions()[0]).toMatchObject({ calls: 1_003, p50: 936, p99: 999 });
  });

  test("that fails as one before did is logged once a minute, with the number of those between", async () => {
    let now = 0;
    const log = memoryLog();
    const plugin = on("UserPromptSubmit", "a", no);
    const hooks = createHooks([runningPlugin(plugin)], { log, now: () => now });
    for (const at of [0, 1, 2, 60_000]) {
      now = at;
      await asked(hooks);
    }
    expect(log.lines.map(({ fields }) => fields.suppressed)).toEqual([undefined, 2]);
  });

  test.each<ErrorCode>(["record_not_found", "session_ambiguous", "usage"])(
    "that is answered with %s was asked the wrong thing: no failure, no line in the log",
    async (code) => {
      const log = memoryLog();
      const plugin = on("storage.get", "a", () => {
        throw new MemoirError(code, "no");
      });
      const hooks = hooksOf([plugin], log);
      await expect(hooks.first("storage.get", { ids: ["o1"] })).rejects.toMatchObject({ code });
      expect(hooks.subscriptions()[0]).toMatchObject({ calls: 1, failures: 0 });
      expect(log.lines).toEqual([]);
    },
  );

  test("that asks for its signal when the time is up finds it aborted, with the reason", async () => {
    const seen = Promise.withResolvers<AbortSignal>();
    const slow = async (_: unknown, ctx: { signal: AbortSignal }) => {
      await Bun.sleep(20);
      seen.resolve(ctx.signal);
    };
    expect(await asked(hooksOf([on("UserPromptSubmit", "a", slow, { deadlineMs: 2 })]))).toEqual(
      [],
    );
    expect((await seen.promise).reason).toMatchObject({ code: "plugin_deadline", plugin: "a" });
  });

  test("is waited for by who wants idle plugins, like every holder", async () => {
    const gate = Promise.withResolvers<undefined>();
    const hooks = hooksOf([on("UserPromptSubmit", "a", () => gate.promise)]);
    const release = hooks.keepBusy();
    const call = asked(hooks);
    let idle = false;
    const waiting = hooks.idle().then(() => {
      idle = true;
    });
    gate.resolve(undefined);
    await call;
    expect(idle).toBe(false);
    release();
    release();
    await waiting;
    expect(idle).toBe(true);
    await hooks.idle();
  });
});
