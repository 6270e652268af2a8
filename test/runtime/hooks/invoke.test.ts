// One call of one handler, seen from all sides: what comes of its answer, when its time is up, whose time counts, and what is let go afterwards.
import { describe, expect, test } from "bun:test";
import { type CallTools, invoke, type Next, standStill } from "../../../src/runtime/hooks/hooks.ts";
import type { Subscription } from "../../../src/runtime/hooks/subscription.ts";
import { createTiming } from "../../../src/runtime/hooks/subscription.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { never } from "../../support/hooks.ts";

type Handler = (input: never, ctx: never) => unknown;
interface Ctx {
  signal: AbortSignal;
  next: Next;
  [standStill]: (work: () => Promise<void>) => Promise<void>;
}

/** A call of this handler in `Stop` of the plugin `mine`, by a clock that only the test moves. */
function call(handler: (input: unknown, ctx: Ctx) => unknown, more: Partial<Subscription> = {}) {
  const clock = { now: 100 };
  const reports: MemoirError[] = [];
  const ends: unknown[] = [];
  const timing = createTiming();
  const subscription = {
    ...{ plugin: "mine", hook: "Stop", part: "Stop", kind: "sequence", order: "normal" },
    ...{ deadlineMs: 10_000, standby: false, guard: undefined, wants: undefined, timing },
    ...{ context: { state: 7 }, lastError: undefined, handler: handler as Handler },
    ...more,
  } as unknown as Subscription;
  const guard = {
    begin: () => (end: unknown) => {
      ends.push(end);
    },
  } as unknown as Subscription["guard"];
  const run = (tools: Partial<CallTools> = {}, next?: Next, guarded = false) =>
    invoke(
      guarded ? Object.assign(subscription, { guard }) : subscription,
      { id: "event" },
      { report: (error) => reports.push(error), elapsed: () => clock.now, ...tools },
      next,
    );
  return { run, clock, reports, ends, timing, subscription };
}

describe("an answer", () => {
  test("at once is there at once, one that is promised later; nothing said is nothing", async () => {
    const answer = { context: "x" };
    const own = call((input) => ({ ...answer, input }));
    expect(own.run()).toEqual({ context: "x", input: { id: "event" } });
    expect(await call(async () => answer).run()).toBe(answer);
    expect([call(() => undefined).run(), call(() => null).run()]).toEqual([undefined, undefined]);
    expect(await call(async () => null).run()).toBeUndefined();
  });

  test.each<[string, unknown, Partial<CallTools>, string]>([
    ["a word", "yes", {}, "it answered a string where an object is wanted"],
    ["a number", 0, {}, "it answered a number where an object is wanted"],
    ["false", false, {}, "it answered a boolean where an object is wanted"],
    ["what the asker objects to", {}, { check: () => "it is empty" }, "it is empty"],
    [
      "what cannot be looked at",
      {},
      {
        check: () => {
          throw new Error("a getter");
        },
      },
      "it answered with something that cannot be read",
    ],
  ])("that is %s is the plugin's failure, told with its place", async (_, answer, tools, why) => {
    const at = call(() => answer, { place: "mine.ts:3" });
    const expected = {
      ...{ code: "plugin_failed", plugin: "mine", hook: "Stop" },
      message: `plugin mine failed in Stop: ${why} (mine.ts:3)`,
    };
    expect(() => at.run(tools)).toThrow(expect.objectContaining(expected));
    const later = call(async () => answer);
    await expect(later.run(tools) as Promise<unknown>).rejects.toMatchObject({
      ...{ ...expected, message: `plugin mine failed in Stop: ${why}` },
    });
    expect([at.reports.length, at.timing.failures, later.timing.failures]).toEqual([1, 1, 1]);
    expect(at.subscription.lastError).toBe(expected.message);
  });

  test("is asked of the asker only where there is one", () => {
    const asked: unknown[] = [];
    const check = (answer: object) => {
      asked.push(answer);
      return undefined;
    };
    call(() => undefined).run({ check });
    call(() => ({ a: 1 })).run({ check });
    expect(asked).toEqual([{ a: 1 }]);
  });
});

describe("a failure", () => {
  const boom = () => {
    throw new Error("boom");
  };

  test("is blamed, counted and reported once, at once or later", async () => {
    for (const handler of [boom, async () => boom()]) {
      const { run, reports, timing, subscription, ends } = call(handler);
      const failing = new Promise((resolve) => resolve(run({}, undefined, true)));
      await expect(failing).rejects.toMatchObject({ code: "plugin_failed", plugin: "mine" });
      expect(reports).toHaveLength(1);
      expect([timing.calls, timing.failures]).toEqual([1, 1]);
      expect(subscription.lastError).toContain("plugin mine failed in Stop: boom");
      expect(ends).toMatchObject([{ own: true, error: { code: "plugin_failed" } }]);
    }
  });

  test("of another plugin that it asked is not its own", () => {
    const other = new MemoirError("plugin_failed", "other failed", { plugin: "other" });
    const { run, reports, timing, subscription, ends } = call(() => {
      throw other;
    });
    expect(() => run({}, undefined, true)).toThrow("other failed");
    expect([timing.calls, timing.failures, subscription.lastError]).toEqual([1, 0, undefined]);
    expect(ends).toMatchObject([{ own: false }]);
    expect(reports).toEqual([other]);
  });

  test.each(["record_not_found", "session_ambiguous", "usage"] as const)(
    "that says %s is an answer: no fault, no report",
    (code) => {
      const { run, reports, timing, subscription } = call(() => {
        throw new MemoirError(code, "no");
      });
      expect(() => run()).toThrow("no");
      expect([reports, timing.failures, subscription.lastError]).toEqual([[], 0, undefined]);
    },
  );

  test("keeps the code, fix and patience of an error of memoir's, and any other as its cause", () => {
    const rate = new MemoirError("provider_rate", "slow down", { retryAfterMs: 5, fix: "Wait." });
    for (const [thrown, blamed] of [
      [rate, { code: "provider_rate", message: "slow down", fix: "Wait.", retryAfterMs: 5 }],
      [new Error("boom"), { code: "plugin_failed", cause: new Error("boom") }],
    ] as const)
      expect(() =>
        call(() => {
          throw thrown;
        }).run(),
      ).toThrow(expect.objectContaining({ ...blamed, plugin: "mine", hook: "Stop" }));
  });

  test("is none where it worked, which the guard is told too", () => {
    const { run, ends, timing } = call(() => ({}));
    run({}, undefined, true);
    expect([ends, timing.calls, timing.failures]).toEqual([[{ worked: true }], 1, 0]);
  });
});

describe("its time", () => {
  test("that is up ends the wait, with the place, and aborts what listens", async () => {
    let signal: AbortSignal | undefined;
    const { run, timing } = call(
      (_, ctx) => {
        signal = ctx.signal;
        return never();
      },
      { deadlineMs: 5, place: "mine.ts:9" },
    );
    const late = {
      ...{ code: "plugin_deadline", plugin: "mine", hook: "Stop" },
      message: "plugin mine did not answer Stop within 5 ms (mine.ts:9)",
    };
    await expect(run() as Promise<unknown>).rejects.toMatchObject(late);
    expect(signal?.reason).toMatchObject(late);
    expect(timing.failures).toBe(1);
  });

  test("that is up aborts a signal that is asked for only then, and lets nothing more be asked", async () => {
    let context: Ctx | undefined;
    const { run } = call(
      (_, ctx) => {
        context = ctx;
        return never();
      },
      { deadlineMs: 5 },
    );
    const asked: unknown[] = [];
    const next: Next = async (input) => asked.push(input);
    await expect(run({}, next) as Promise<unknown>).rejects.toMatchObject({
      code: "plugin_deadline",
    });
    expect(context?.signal.aborted).toBe(true);
    await expect(context?.next(undefined)).rejects.toMatchObject({ code: "plugin_deadline" });
    expect(asked).toEqual([]);
  });

  test("does not pass while those behind it work, nor counts for it", async () => {
    const { promise: there, resolve: arrive } = Promise.withResolvers<unknown>();
    const { run, clock, timing } = call(
      async (_, { next }) => {
        clock.now += 2;
        const rest = await next(undefined);
        clock.now += 3;
        return rest as object;
      },
      { deadlineMs: 20 },
    );
    const running = run({}, () => there) as Promise<unknown>;
    await Bun.sleep(40);
    clock.now += 1_000;
    arrive({ context: "from behind" });
    expect(await running).toEqual({ context: "from behind" });
    expect(timing.percentile(1)).toBe(5);
  });

  test("goes on once they are done", async () => {
    const { run } = call(
      async (_, { next }) => {
        await next(undefined);
        return never();
      },
      { deadlineMs: 5 },
    );
    await expect(run({}, async () => ({})) as Promise<unknown>).rejects.toMatchObject({
      code: "plugin_deadline",
    });
  });

  test("stands still for what is not the handler's to answer for, where somebody guards it", async () => {
    const { promise: there, resolve: arrive } = Promise.withResolvers<void>();
    const guarded = call(
      async (_, ctx) => {
        await ctx[standStill](() => there);
        return {};
      },
      { deadlineMs: 10 },
    );
    const running = guarded.run({}, undefined, true) as Promise<unknown>;
    await Bun.sleep(25);
    arrive();
    expect(await running).toEqual({});
    let has: boolean | undefined;
    call((_, ctx) => {
      has = standStill in ctx || "next" in ctx;
      return {};
    }).run();
    expect(has).toBe(false);
  });
});

describe("what is behind it", () => {
  test("is given the input as it is, or as it was changed", async () => {
    const given: unknown[] = [];
    const next: Next = async (input) => {
      given.push(input);
      return {};
    };
    await call((_, ctx) => ctx.next(undefined)).run({}, next);
    await call((_, ctx) => ctx.next({ id: "changed" })).run({}, next);
    await call((_, ctx) => ctx.next(null)).run({}, next);
    expect(given).toEqual([{ id: "event" }, { id: "changed" }, null]);
  });

  test("may fail unheard where nobody waits for it", async () => {
    const { run } = call((_, ctx) => {
      void ctx.next(undefined);
      return { context: "mine" };
    });
    expect(run({}, () => Promise.reject(new Error("unheard")))).toEqual({ context: "mine" });
    await new Promise(setImmediate);
  });
});

describe("a stop of everything", () => {
  test("ends a call before and while it waits, with its own reason", async () => {
    const reason = new MemoirError("provider_connection", "the server stops");
    const before = call(never).run({ signal: AbortSignal.abort(reason) });
    await expect(before as Promise<unknown>).rejects.toMatchObject({ code: "provider_connection" });
    const stopping = new AbortController();
    const running = call(never).run({ signal: stopping.signal }) as Promise<unknown>;
    stopping.abort(reason);
    await expect(running).rejects.toMatchObject({ message: "the server stops" });
  });

  test("is listened to by nobody once the call is over", async () => {
    const { signal } = new AbortController();
    let listening = 0;
    const [add, remove] = [
      signal.addEventListener.bind(signal),
      signal.removeEventListener.bind(signal),
    ];
    Object.assign(signal, {
      addEventListener: (...args: Parameters<typeof add>) => {
        listening++;
        add(...args);
      },
      removeEventListener: (...args: Parameters<typeof remove>) => {
        listening--;
        remove(...args);
      },
    });
    await call(async () => ({})).run({ signal });
    await expect(call(async () => "no").run({ signal }) as Promise<unknown>).rejects.toThrow();
    expect(listening).toBe(0);
  });
});
