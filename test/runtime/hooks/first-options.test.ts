// What a caller of a `first` hook can ask beyond its input: pass over, hear of failures, stop at one, end the call.
import { expect, test } from "bun:test";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { fakePlugin, hooksOf } from "../../support/hooks.ts";

const request = { system: "", messages: [], maxTokens: 1, purpose: "test", session: "s" };
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
const says = (name: string) =>
  fakePlugin(name, {
    hooks: { complete: () => ({ text: name, model: "m", usage, stopReason: "end" as const }) },
  });
const fails = (name: string, retryAfterMs?: number) =>
  fakePlugin(name, {
    hooks: {
      complete: () => {
        throw new MemoirError(
          "provider_rate",
          name,
          retryAfterMs === undefined ? {} : { retryAfterMs },
        );
      },
    },
  });

test("skip passes a plugin over; when all are, nobody answered", async () => {
  const hooks = hooksOf([says("a"), says("b")]);
  const skip = (plugin: string) => plugin === "a";
  expect((await hooks.first("complete", request, { skip }))?.plugin).toBe("b");
  expect(await hooks.first("complete", request, { skip: () => true })).toBeUndefined();
});

test("failed hears of each failure, with its retry time kept", async () => {
  const heard: unknown[] = [];
  const hooks = hooksOf([fails("a", 7), fails("b"), says("c")]);
  await hooks.first("complete", request, {
    failed: (plugin, error) => heard.push([plugin, (error as MemoirError).retryAfterMs]),
  });
  expect(heard).toEqual([
    ["a", 7],
    ["b", undefined],
  ]);
});

test("stopAt ends the search, also below a plugin that wraps the others", async () => {
  const wrapper = fakePlugin("wrapper", { hooks: { complete: (_input, ctx) => ctx.next() } });
  const stopAt = (error: unknown) => (error as MemoirError).retryAfterMs !== undefined;
  for (const plugins of [
    [fails("a", 7), says("b")],
    [wrapper, fails("a", 7), says("b")],
  ])
    expect(hooksOf(plugins).first("complete", request, { stopAt })).rejects.toMatchObject({
      plugin: "a",
    });
  const found = await hooksOf([fails("a"), says("b")]).first("complete", request, { stopAt });
  expect(found?.plugin).toBe("b");
});

test("the signal ends a call that is under way, and the plugin is told", async () => {
  let told: unknown;
  const hangs = fakePlugin("hangs", {
    hooks: {
      complete: (_input, ctx) =>
        new Promise((_, reject) => {
          ctx.signal.addEventListener("abort", () => {
            told = ctx.signal.reason;
            reject(new Error("late"));
          });
        }),
    },
  });
  const ending = new AbortController();
  const answer = hooksOf([hangs]).first("complete", request, { signal: ending.signal });
  ending.abort(new MemoirError("provider_connection", "over"));
  expect(answer).rejects.toMatchObject({ message: "over", plugin: "hangs" });
  await answer.catch(() => undefined);
  expect(told).toMatchObject({ message: "over" });
  expect(
    hooksOf([hangs]).first("complete", request, { signal: ending.signal }),
  ).rejects.toMatchObject({ message: "over" });
});
