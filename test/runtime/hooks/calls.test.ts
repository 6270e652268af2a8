// What every call of a handler has: a deadline, a context, figures, blame.
import { describe, expect, test } from "bun:test";
import { createHooks } from "../../../src/runtime/hooks/hooks.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import {
  fakePlugin,
  hooksOf,
  memoryLog,
  promptEvent,
  request,
  runningPlugin,
} from "../../support/hooks.ts";

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

  test("an answer to who asked the wrong thing is no failure, and no line in the log", async () => {
    const log = memoryLog();
    const plugin = fakePlugin("store", {
      slot: "storage",
      hooks: {
        "storage.sessions": () => {
          throw new MemoirError("session_ambiguous", 'Several sessions begin with "0".');
        },
      },
    });
    const hooks = createHooks([{ ...runningPlugin(plugin), fills: { storage: 0 } }], { log });
    await expect(hooks.first("storage.sessions", {})).rejects.toMatchObject({
      code: "session_ambiguous",
      plugin: "store",
    });
    expect(hooks.subscriptions()[0]).toMatchObject({ calls: 1, failures: 0 });
    expect(hooks.subscriptions()[0]?.lastError).toBeUndefined();
    expect(log.lines).toEqual([]);
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
