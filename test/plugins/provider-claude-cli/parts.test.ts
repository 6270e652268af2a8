// The parts of the claude-cli provider: turns that are waited for, what a client's words mean, and how it is run once.
import { describe, expect, test } from "bun:test";
import {
  clientEnvironment,
  completionOf,
  runClient,
} from "../../../plugins/provider-claude-cli/complete.ts";
import { createTurns } from "../../../plugins/provider-claude-cli/turns.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("turns", () => {
  /** Work that is entered and ended by hand. */
  function room(places: number) {
    const turns = createTurns(places);
    const begun: string[] = [];
    const gates = new Map<string, PromiseWithResolvers<void>>();
    const enter = (name: string, signal = new AbortController().signal) =>
      turns.take(signal, async () => {
        begun.push(name);
        const gate = Promise.withResolvers<void>();
        gates.set(name, gate);
        await gate.promise;
        return name;
      });
    return { begun, enter, end: (name: string) => gates.get(name)?.resolve(), gates };
  }

  test("come in the order in which they were asked for, also after one that failed", async () => {
    const { begun, enter, end, gates } = room(1);
    const [one, two, three] = ["one", "two", "three"].map((name) => enter(name));
    await settle();
    gates.get("one")?.reject(new Error("gone"));
    await expect(one as Promise<string>).rejects.toThrow("gone");
    await settle();
    expect(begun).toEqual(["one", "two"]);
    end("two");
    expect(await two).toBe("two");
    await settle();
    end("three");
    expect(await three).toBe("three");
    const four = enter("four");
    await settle();
    end("four");
    expect(await four).toBe("four");
    expect(begun).toEqual(["one", "two", "three", "four"]);
  });
});

describe("what the client said", () => {
  const usage = { input_tokens: 1, output_tokens: 2 };
  const line = (more: object) =>
    JSON.stringify({ type: "result", is_error: false, result: "hello", usage, ...more });
  const of = (stdout: string, key?: string) =>
    completionOf(
      { stdout, stderr: "" },
      { plugin: "claude-cli", model: "haiku", now: 1_000_000, key },
    );
  const failure = (more: object): MemoirError => {
    try {
      of(line({ is_error: true, ...more }));
    } catch (error) {
      if (error instanceof MemoirError) return error;
    }
    throw new Error("no failure");
  };

  test("a limit that is over by now is no wait", () => {
    const past = failure({ result: "Claude AI usage limit reached|100000000" });
    const ahead = { ...past, now: 0 };
    expect([past.code, ahead.retryAfterMs]).toEqual(["provider_rate", 99_999_000_000]);
    const run = {
      stdout: line({ is_error: true, result: "usage limit reached|100000000" }),
      stderr: "",
    };
    const later = { plugin: "claude-cli", model: "haiku", now: 200_000_000_000, key: undefined };
    expect(() => completionOf(run, later)).toThrow(expect.objectContaining({ retryAfterMs: 0 }));
  });
  test("a key that is refused is a login that is missing", () => {
    const { code, fix } = failure({ result: "API Error: Unauthorized", api_error_status: 401 });
    expect([code, fix]).toEqual(["provider_auth", expect.stringContaining("log in")]);
  });
  test("an API's failure is told without the client's own words before it", () => {
    const { code, message } = failure({ result: "API Error: It is busy", api_error_status: 529 });
    expect(code).toBe("provider_overloaded");
    expect(message).toContain("(status 529: It is busy)");
  });
  test.each(["Connection refused", "The network is down"])("%s: there is no connection", (said) => {
    const error = failure({ result: said });
    expect([error.code, error.retryAfterMs]).toEqual(["provider_connection", 0]);
  });
});

test("thinking has room beside the answer", () => {
  const env = clientEnvironment({ PATH: "/bin", SECRET: "s" }, {}, undefined, 500);
  expect(env).toMatchObject({ PATH: "/bin", CLAUDE_CODE_MAX_OUTPUT_TOKENS: "4500" });
  expect(env.SECRET).toBeUndefined();
});

describe("one run", () => {
  const run = (script: string, part: { signal?: AbortSignal; input?: string } = {}) =>
    runClient({
      ...{ command: "/bin/sh", args: ["-c", script], env: { PATH: "/usr/bin:/bin" }, cwd: "/" },
      ...{ input: "", signal: new AbortController().signal, ...part },
    });
  test("that was given up before does not begin; one that is given up is killed", async () => {
    const before = { signal: AbortSignal.abort(new Error("before")) };
    await expect((async () => run("exit 0", before))()).rejects.toThrow("before");
    const stopping = new AbortController();
    const going = run("exec sleep 600", { signal: stopping.signal });
    stopping.abort(new Error("enough"));
    await expect(going).rejects.toThrow("enough");
  });
  test("without an end to what it prints is killed, and nobody listens to its signal any more", async () => {
    const stopping = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = stopping.signal;
    Object.assign(stopping.signal, {
      addEventListener(...given: Parameters<typeof addEventListener>) {
        listeners++;
        addEventListener.apply(stopping.signal, given);
      },
      removeEventListener(...given: Parameters<typeof removeEventListener>) {
        listeners--;
        removeEventListener.apply(stopping.signal, given);
      },
    });
    const { stdout } = await run("exec yes memoir", { signal: stopping.signal });
    expect(stdout.length).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(listeners).toBe(0);
  });
});
