// What every call of a handler has: a deadline, a context, figures, blame.
import { describe, expect, test } from "bun:test";
import { createHooks } from "../../../src/runtime/hooks/hooks.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { fakePlugin, hooksOf, memoryLog, promptEvent, runningPlugin } from "../../support/hooks.ts";

describe("calls", () => {
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

  test("times are those of the last 128 calls, none before the first", async () => {
    let clock = 0;
    const plugin = fakePlugin("a", {
      hooks: {
        UserPromptSubmit: ({ prompt }) => {
          clock += Number(prompt);
        },
      },
    });
    const hooks = createHooks([runningPlugin(plugin)], { log: memoryLog(), elapsed: () => clock });
    expect(hooks.subscriptions()[0]).toMatchObject({ calls: 0, p50: null, p99: null });
    for (let ms = 1; ms <= 1_000; ms++)
      await hooks.sequence("UserPromptSubmit", promptEvent({ prompt: String(ms) }));
    expect(hooks.subscriptions()[0]).toMatchObject({ calls: 1_000, p50: 936, p99: 999 });
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

  test.each(["record_not_found", "session_ambiguous", "usage"] as const)(
    "%s says that the question was wrong: no failure, and no line in the log",
    async (code) => {
      const log = memoryLog();
      const plugin = fakePlugin("a", {
        hooks: {
          "storage.get": () => {
            throw new MemoirError(code, "no");
          },
        },
      });
      const hooks = hooksOf([plugin], log);
      await expect(hooks.first("storage.get", { ids: ["o1"] })).rejects.toMatchObject({ code });
      expect(hooks.subscriptions()[0]).toMatchObject({ calls: 1, failures: 0 });
      expect(log.lines).toEqual([]);
    },
  );

  test("a signal that is asked for when the time is up is aborted already, with the reason", async () => {
    const seen = Promise.withResolvers<AbortSignal>();
    const handler = async (_: unknown, ctx: { signal: AbortSignal }) => {
      await Bun.sleep(20);
      seen.resolve(ctx.signal);
    };
    const hooks = hooksOf([
      fakePlugin("a", { hooks: { UserPromptSubmit: { deadlineMs: 2, handler } } }),
    ]);
    expect(await hooks.sequence("UserPromptSubmit", promptEvent())).toEqual([]);
    expect((await seen.promise).reason).toMatchObject({ code: "plugin_deadline", plugin: "a" });
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
