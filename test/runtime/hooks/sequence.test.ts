// The runners that ask everybody: one after the other, and all at once.
import { describe, expect, test } from "bun:test";
import { fakePlugin, hooksOf, promptEvent, toolEvent } from "../../support/hooks.ts";

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
