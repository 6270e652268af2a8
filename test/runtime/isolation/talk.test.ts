// The small parts of the talk with a worker: calls by number, pings, pace, what may be asked of the host.
import { describe, expect, test } from "bun:test";
import { answerAsk, type CallContext, createCalls } from "../../../src/runtime/isolation/calls.ts";
import {
  createPace,
  createPings,
  createQuota,
} from "../../../src/runtime/isolation/memory-watch.ts";
import type { AskWhat } from "../../../src/runtime/isolation/wire.ts";
import type { PluginContext } from "../../../src/sdk/context.ts";

describe("calls", () => {
  const context = (plugin: string) => ({ plugin }) as PluginContext;
  test("each has a number, its own context and one answer", async () => {
    const calls = createCalls();
    const [first, second] = [calls.open("Stop", context("a")), calls.open("capture", context("b"))];
    expect([first.id, second.id]).toEqual([1, 2]);
    expect(calls.contextOf(2)).toEqual(context("b"));
    expect(calls.waiting().map(({ what }) => what)).toEqual(["Stop", "capture"]);
    calls.settle(2)?.resolve("done");
    expect(await second.answer).toBe("done");
    expect([calls.settle(2), calls.contextOf(2)]).toEqual([undefined, undefined]);
    expect(calls.waiting().map(({ what }) => what)).toEqual(["Stop"]);
  });
  test("all are taken out at once", async () => {
    const calls = createCalls();
    const { answer } = calls.open("Stop", context("a"));
    for (const { reject } of calls.settleAll()) reject(new Error("over"));
    await expect(answer).rejects.toThrow("over");
    expect(calls.waiting()).toEqual([]);
  });
});

describe("pings", () => {
  test("each is answered by its own number; a late or second answer is nobody's", async () => {
    const sent: number[] = [];
    const pings = createPings((id) => void sent.push(id));
    const [first, second] = [pings.ping(1), pings.ping(60_000)];
    pings.pong(2, 77);
    pings.pong(2, 78);
    pings.pong(9, 1);
    expect([await second, await first, sent]).toEqual([77, undefined, [1, 2]]);
    pings.pong(1, 5);
  });
});

describe("pace", () => {
  test("within the limit nobody waits; beyond it, as long as the rate says", async () => {
    let now = 0;
    const pace = createPace(2, 1_000, () => now);
    await pace();
    await pace();
    const begun = performance.now();
    await Promise.all(Array.from({ length: 20 }, pace));
    expect(performance.now() - begun).toBeGreaterThan(15);
    now += 1_000_000;
    let gone = 0;
    const passed = [pace(), pace(), pace()].map((one) => one.then(() => gone++));
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    expect(gone).toBe(2);
    await Promise.all(passed);
  });

  test("a quota is true so often a second, then anew", () => {
    let now = 0;
    const may = createQuota(2, () => now);
    expect([may(), may(), may()]).toEqual([true, true, false]);
    now = 1_000;
    expect(may()).toBe(false);
    now = 1_001;
    expect([may(), may(), may()]).toEqual([true, true, false]);
    now = 2_002;
    expect(may()).toBe(true);
  });
});

describe("what is asked of the host", () => {
  const answering =
    (name: string) =>
    async (...input: unknown[]) => [name, ...input];
  const context = {
    ...{ plugin: "notes", log: { info: answering("log") } },
    complete: answering("complete"),
    storage: { get: answering("get") },
    endless: { keep: answering("keep") },
  } as unknown as PluginContext;
  const ask = (what: string, input: unknown[], ctx: PluginContext | CallContext = context) =>
    answerAsk({ type: "ask", ask: 1, call: 0, what: what as AskWhat, input }, ctx);

  test.each<[string, unknown[]]>([
    ["storage.get", ["get", 1, 2]],
    ["endless.keep", ["keep", 1, 2]],
    ["complete", ["complete", 1, 2]],
  ])("%s, with all that was given", async (what, wanted) => {
    expect(await ask(what, [1, 2])).toEqual(wanted);
  });

  test("the rest of a hook, by the call that has one", async () => {
    const ctx: CallContext = {
      signal: new AbortController().signal,
      next: async (input) => ["rest", input],
    };
    expect(await ask("next", [1, 2], ctx)).toEqual(["rest", 1]);
  });

  test.each(["next", "log.info", "storage.drop", "storage.toString", "plugin", "storage", ""])(
    "not %p",
    async (what) => {
      await expect(ask(what, [])).rejects.toMatchObject({
        code: "plugin_failed",
        message: `there is no ${what} to be asked here`,
      });
    },
  );

  test("nor the rest by a call that has none", async () => {
    await expect(ask("next", [], { signal: new AbortController().signal })).rejects.toThrow("next");
  });
});
