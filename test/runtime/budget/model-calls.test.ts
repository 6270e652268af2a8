// One call to a model at a time: what is reserved for it, what it leaves in the books, and what is said when it fails.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ledger, openLedger } from "../../../src/runtime/budget/ledger.ts";
import { createModelCalls } from "../../../src/runtime/budget/model-calls.ts";
import type { Hooks } from "../../../src/runtime/ports.ts";
import { type ErrorCode, MemoirError } from "../../../src/sdk/errors.ts";
import type { CompletionRequest } from "../../../src/sdk/provider.ts";
import { clientEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";

const prompt = (session: string) => clientEvent("UserPromptSubmit", { session });
type Answering = (name: string) => unknown;

let folder: string;
let ledger: Ledger;
let now: number;
const log = keptLog();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-calls-"));
  now = new Date(2026, 10, 21, 12).getTime();
  ledger = await openLedger(join(folder, "usage.db"), { now: () => now, log });
  log.lines.length = 0;
});
afterEach(async () => {
  ledger.close();
  await rm(folder, { recursive: true });
});

const usage = { input: 100, output: 20, cacheRead: 3, cacheWrite: 4 };
const answer = { text: "ready", model: "claude-x-1", usage, stopReason: "end" };
const request = (more: Partial<CompletionRequest> = {}): CompletionRequest => ({
  ...{ system: "12345678", messages: [{ role: "user", content: "1234" }], maxTokens: 10 },
  ...{ purpose: "observe", session: "s1", ...more },
});

/** Providers in order, asked as the hooks ask them: the first that answers. */
function opened(
  answering: Answering = () => answer,
  {
    names = ["one"],
    limits = { dailyTokens: 100_000, sessionTokens: 50_000 },
    counted = true,
    prices = {},
  } = {},
) {
  const asked: unknown[] = [];
  const hooks = {
    first: async (
      hook: string,
      input: unknown,
      {
        skip,
        failed,
        signal,
      }: {
        skip(name: string): boolean;
        failed(name: string, error: unknown): void;
        signal: AbortSignal;
      },
    ) => {
      for (const plugin of names) {
        if (skip(plugin)) continue;
        asked.push([hook, plugin, input]);
        try {
          const result = await answering(plugin);
          if (signal.aborted) throw signal.reason;
          return { plugin, result };
        } catch (error) {
          failed(plugin, error);
        }
      }
      return undefined;
    },
  } as unknown as Hooks;
  const calls = createModelCalls({
    ...{ ledger: counted ? ledger : undefined, budget: () => ({ ...limits, prices }) },
    ...{ order: () => names, projectOf: (session) => (session === "s1" ? "shop" : undefined) },
    ...{ log, now: () => now },
  });
  const complete = (more: Partial<CompletionRequest> = {}, how = {}) =>
    calls.complete(hooks, "hybrid", request(more), how);
  return { calls, complete, asked };
}
const failing =
  (code: ErrorCode, more = {}) =>
  () => {
    throw new MemoirError(code, `it says ${code}`, more);
  };
const failure = async (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: MemoirError) => error,
  );
const total = () => ledger.report({}).total;

test("a call is asked of the provider, and booked with its usage under its project and purpose", async () => {
  const { complete, asked } = opened(undefined, {
    prices: { "claude-x": { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 } },
  });
  expect(await complete()).toEqual(answer as never);
  expect(asked).toEqual([["complete", "one", request()]]);
  expect(total()).toEqual({
    ...{ calls: 1, failed: 0, ...usage, tokens: 127, cost: 100, unpriced: 0 },
  });
  const { byProject, byModel, byPurpose } = ledger.report({});
  expect([byProject[0]?.key, byModel[0]?.key, byPurpose[0]?.key]).toEqual([
    ...["shop", "claude-x-1", "observe"],
  ]);
});

test("a call's own project counts before its session's; without either it has none", async () => {
  const { complete } = opened();
  await complete({ project: "blog" });
  await complete({ session: "s9" });
  expect(
    ledger
      .report({})
      .byProject.map(({ key }) => key)
      .sort(),
  ).toEqual(["", "blog"]);
});

test("half the bytes of all texts, room for what a provider adds, and the answer's tokens are reserved", async () => {
  const schema = { type: "object" };
  const bytes = 8 + 4 + JSON.stringify(schema).length;
  for (const [more, most] of [
    [{}, Math.ceil(12 / 2) + 500 + 10],
    [{ system: "1234567" }, Math.ceil(11 / 2) + 500 + 10],
    [{ system: "ääää" }, Math.ceil(12 / 2) + 500 + 10],
    [{ schema }, Math.ceil(bytes / 2) + 500 + 10],
  ] as const) {
    const fits = { dailyTokens: most, sessionTokens: 1_000_000 };
    const error = await failure(
      opened(undefined, { limits: { ...fits, dailyTokens: most - 1 } }).complete(more),
    );
    expect(error?.code).toBe("budget_day");
    const during: number[] = [];
    await opened(
      () => {
        during.push(ledger.usedToday());
        throw new MemoirError("provider_auth", "no");
      },
      { limits: fits },
    )
      .complete(more)
      .catch(() => undefined);
    expect([during, ledger.usedToday()]).toEqual([[most], 0]);
  }
});

describe("without a call", () => {
  test("where no provider is set, unless one is asked whatever its state", async () => {
    const { complete, asked } = opened(undefined, { names: [] });
    expect((await failure(complete()))?.code).toBe("provider_none");
    expect((await failure(complete({}, { paused: true })))?.code).toBe("provider_none");
    expect([asked, total().calls]).toEqual([[], 1]);
  });

  test("where calls cannot be counted, and status says so", async () => {
    const { complete, calls, asked } = opened(undefined, { counted: false });
    expect((await failure(complete()))?.code).toBe("budget_unknown");
    expect(asked).toEqual([]);
    expect(calls.status()).toEqual(
      expect.objectContaining({
        inForce: null,
        error: { message: "Calls to a model cannot be counted here.", fix: expect.any(String) },
      }),
    );
    expect(calls.status().budget.usedToday).toBe(0);
  });

  test.each<[string, object, string, string | undefined]>([
    [
      "budget_day",
      { dailyTokens: 100, sessionTokens: 50_000 },
      "today's model budget (100 tokens, budget.dailyTokens)",
      undefined,
    ],
    [
      "budget_session",
      { dailyTokens: 100_000, sessionTokens: 100 },
      "this session's model budget (100 tokens, budget.sessionTokens)",
      "s1",
    ],
  ])(
    "where the budget is used up (%s): said once, to whom it concerns",
    async (code, limits, words, session) => {
      const { complete, calls } = opened(undefined, { limits: limits as never });
      for (let n = 0; n < 2; n++) expect((await failure(complete()))?.code as string).toBe(code);
      expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
        ["warn", "A budget is used up; the heuristic continues without a model."],
      ]);
      if (session !== undefined) expect(calls.notices.take(prompt("another"))).toBeUndefined();
      expect(calls.notices.take(prompt("s1"))).toContain(words);
    },
  );
});

describe("a failure", () => {
  const spentBy = async (code: ErrorCode) => {
    await failure(opened(failing(code)).complete());
    return [total().tokens, total().failed];
  };
  test.each<ErrorCode>([
    "provider_timeout",
    "provider_answer",
    "plugin_deadline",
    "provider_cut",
    "provider_refused",
  ])("of which the provider may have read the prompt (%s) counts the prompt", async (code) => {
    expect(await spentBy(code)).toEqual([506, 1]);
  });
  test.each<ErrorCode>(["provider_auth", "provider_rate", "provider_connection", "plugin_failed"])(
    "before it was read (%s) counts nothing",
    async (code) => {
      expect(await spentBy(code)).toEqual([0, 1]);
    },
  );

  test("of several that is told which is worth another try, then what is more than not set up", async () => {
    const told = async (codes: Record<string, [ErrorCode, object?]>) => {
      const names = Object.keys(codes);
      const answering = (name: string) => failing(...(codes[name] as [ErrorCode, object?]))();
      return (await failure(opened(answering, { names }).complete()))?.code as string;
    };
    expect(await told({ a: ["provider_auth"], b: ["provider_rate", { retryAfterMs: 5 }] })).toBe(
      "provider_rate",
    );
    expect(await told({ a: ["provider_key"], b: ["provider_auth"] })).toBe("provider_auth");
    expect(await told({ a: ["provider_key"], b: ["provider_missing"] })).toBe("provider_key");
    expect(await told({ a: ["provider_auth"], b: ["provider_model"] })).toBe("provider_auth");
  });

  test("that is no error of memoir's is the plugin's", async () => {
    const error = await failure(opened(() => Promise.reject(new RangeError("odd"))).complete());
    expect([error?.code, error?.message]).toEqual(["plugin_failed", "odd"]);
  });

  test("that wants a person is told once a day, one that nobody set up only where it is alone", async () => {
    const told = (of: ReturnType<typeof opened>) => of.calls.notices.take(prompt("s1"));
    const auth = opened(failing("provider_auth", { fix: "Set it." }));
    await failure(auth.complete({}, { paused: true }));
    await failure(auth.complete({}, { paused: true }));
    expect(told(auth)).toBe(
      "memoir: it says provider_auth Observations continue without it. Set it.",
    );
    expect(told(auth)).toBeUndefined();
    now += 24 * 60 * 60_000;
    await failure(auth.complete({}, { paused: true }));
    expect(told(auth)).toBeDefined();
    const two = opened(failing("provider_key"), { names: ["one", "two"] });
    await failure(two.complete());
    expect(told(two)).toBeUndefined();
    const passing = opened(failing("provider_rate"));
    await failure(passing.complete());
    expect(told(passing)).toBeUndefined();
    const alone = opened(failing("provider_key"));
    await failure(alone.complete());
    expect(told(alone)).toBeDefined();
  });

  test("pauses a provider; it is not asked again before config changes, unless somebody wants to know", async () => {
    const one = opened(failing("provider_auth"), { names: ["one"] });
    await failure(one.complete());
    expect((await failure(one.complete()))?.code as string).toBe("provider_paused");
    expect(one.asked).toHaveLength(1);
    expect([one.calls.status().inForce, one.calls.status().providers[0]?.state]).toEqual([
      null,
      "paused",
    ]);
    await failure(one.complete({}, { paused: true }));
    expect(one.asked).toHaveLength(2);
    one.calls.reset();
    expect([one.calls.status().inForce, one.calls.status().providers[0]?.state]).toEqual([
      "one",
      "untried",
    ]);
    await failure(one.complete());
    expect(one.asked).toHaveLength(3);
  });

  test("by our own stop is nobody's fault, and its work is taken up later", async () => {
    const one = opened(() => {
      one.calls.stop();
      return answer;
    });
    const error = await failure(one.complete());
    expect([error?.code as string, error?.retryAfterMs]).toEqual(["provider_connection", 0]);
    expect(one.calls.status().providers[0]?.state).toBe("untried");
  });
});

test("status names the provider in force, the limits, the day and what it took", async () => {
  const { calls, complete } = opened(
    (name) => (name === "one" ? failing("provider_auth")() : answer),
    { names: ["one", "two"] },
  );
  await complete();
  expect(calls.status()).toEqual({
    providers: [
      expect.objectContaining({ name: "one", state: "paused" }),
      expect.objectContaining({ name: "two", state: "works", model: "claude-x-1" }),
    ],
    inForce: "two",
    budget: { dailyTokens: 100_000, sessionTokens: 50_000, day: "2026-11-21", usedToday: 127 },
  });
});
