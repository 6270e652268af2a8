// The claude-cli provider, with small programs in the client's place: what it is given, what its answers mean, that it goes away.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import {
  asOneText,
  clientArguments,
  clientEnvironment,
  complete,
  completionOf,
} from "../../plugins/provider-claude-cli/complete.ts";
import { ConfigSchema } from "../../plugins/provider-claude-cli/config.ts";
import plugin from "../../plugins/provider-claude-cli/index.ts";
import { createTurns, type Turns } from "../../plugins/provider-claude-cli/turns.ts";
import type { HandlerContext } from "../../src/sdk/handlers.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-cli-"));
});
afterEach(() => rm(home, { recursive: true }));

const usage = {
  input_tokens: 11,
  output_tokens: 20,
  cache_read_input_tokens: 7,
  cache_creation_input_tokens: 5,
};
const result = (more: object) => ({
  type: "result",
  is_error: false,
  result: "hello",
  stop_reason: "end_turn",
  usage,
  modelUsage: { "claude-haiku-5-5": {} },
  ...more,
});
const said = (more: object) => ({ stdout: `${JSON.stringify(result(more))}\n`, stderr: "" });
const context = { plugin: "claude-cli", model: "haiku", now: 1_000_000, key: undefined };
const request = {
  system: "You take notes.",
  messages: [{ role: "user" as const, content: "one" }],
  maxTokens: 500,
  purpose: "observe",
  session: "s",
};

/** A shell script in the client's place. */
async function program(script: string): Promise<string> {
  const path = join(home, "client");
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

function ask(options: object, signal = new AbortController().signal) {
  const config = v.parse(ConfigSchema, options);
  const state = createTurns(2);
  const ctx = { plugin: "claude-cli", config, home, now: () => 1_000_000, state, signal };
  return complete(request, ctx as HandlerContext<"complete", typeof config, typeof state>);
}

describe("an answer", () => {
  const answer = {
    text: "hello",
    model: "claude-haiku-5-5",
    usage: { input: 11, output: 20, cacheRead: 7, cacheWrite: 5 },
  };
  test("is text, usage and stop reason, also behind a warning", () => {
    expect(completionOf(said({}), context)).toEqual({ ...answer, stopReason: "end" });
    const run = { stdout: `warning: {x\n${said({}).stdout}`, stderr: "" };
    expect(completionOf(run, context)).toEqual({ ...answer, stopReason: "end" });
  });
  test.each<[string, object, string]>([
    ["a refusal", { is_error: true, stop_reason: "refusal" }, "refusal"],
    [
      "a cut",
      { is_error: true, result: "API Error: … exceeded the 777 output token maximum." },
      "max_tokens",
    ],
  ])("%s keeps what it took", (_what, more, stopReason) => {
    expect(completionOf(said(more), context)).toEqual({ ...answer, text: "", stopReason } as never);
  });

  test.each<[string, object, string, number | undefined]>([
    ["not logged in", { result: "Not logged in · Please run /login" }, "provider_auth", undefined],
    ["401", { api_error_status: 401, result: "Invalid API key" }, "provider_auth", undefined],
    ["404", { api_error_status: 404, result: "model: nope" }, "provider_model", undefined],
    ["429", { api_error_status: 429, result: "API Error: slow" }, "provider_rate", 0],
    ["529", { api_error_status: 529, result: "API Error: Overloaded" }, "provider_overloaded", 0],
    ["too long", { terminal_reason: "prompt_too_long" }, "provider_context", undefined],
    [
      "the plan's limit",
      { result: "usage limit reached|1000003600" },
      "provider_rate",
      1_000_002_600_000,
    ],
    [
      "refused",
      { result: "API Error: Connection refused (ECONNREFUSED)" },
      "provider_connection",
      0,
    ],
    ["anything else", { result: "boom" }, "provider_answer", 0],
  ])("%s", (_what, more, code, retryAfterMs) => {
    let error: unknown;
    try {
      completionOf(said({ is_error: true, ...more }), context);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code, retryAfterMs });
  });
});

test("the client is run in a folder of its own, with nothing of the user's, and told by stdin", async () => {
  const command = await program(
    `pwd > ${home}/cwd; env > ${home}/env; echo "$@" > ${home}/args; cat > ${home}/stdin; cp system.txt ${home}/system; echo '${JSON.stringify(result({}))}'`,
  );
  process.env.ANTHROPIC_API_KEY = "not-for-it";
  try {
    expect(await ask({ command })).toMatchObject({ text: "hello", stopReason: "end" });
  } finally {
    delete process.env.ANTHROPIC_API_KEY;
  }
  const read = (name: string) => readFile(join(home, name), "utf8");
  expect(await read("stdin")).toBe("one");
  expect(await read("system")).toBe("You take notes.");
  expect(await read("cwd")).toContain(`${home}/scratch-`);
  expect(await read("env")).toContain("MEMOIR_INTERNAL=1");
  expect(await read("env")).not.toContain("not-for-it");
  expect(await read("args")).not.toContain("notes");
  expect((await readdir(home)).filter((name) => name.startsWith("scratch-"))).toEqual([]);
});

test("it is given no tool, setting, hook, server or history", () => {
  expect(clientArguments("haiku", "/s")).toEqual(
    expect.arrayContaining([
      "--tools=",
      "--setting-sources=",
      '--settings={"disableAllHooks":true}',
      "--strict-mcp-config",
      "--no-session-persistence",
    ]),
  );
  const env = { PATH: "/bin", CLAUDECODE: "1", ANTHROPIC_BASE_URL: "u", CLAUDE_CONFIG_DIR: "/c" };
  const given = clientEnvironment(env, { baseURL: "http://g" }, "key", 100);
  expect(given).toMatchObject({
    PATH: "/bin",
    CLAUDE_CONFIG_DIR: "/c",
    ANTHROPIC_BASE_URL: "http://g",
    ANTHROPIC_API_KEY: "key",
    MEMOIR_INTERNAL: "1",
  });
  expect(given.CLAUDECODE).toBeUndefined();
});

test("a missing program, one that fails and one that hangs", async () => {
  expect(ask({ command: join(home, "nowhere") })).rejects.toMatchObject({
    code: "provider_missing",
    retryAfterMs: undefined,
  });
  const broken = await program("echo oops sk-ant-api03-AAAABBBBCCCCDDDDEEEEFFFF >&2; exit 3");
  const error = await ask({ command: broken }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "provider_answer" });
  expect(String(error)).toContain("oops");
  expect(String(error)).not.toContain("AAAABBBB");
  const hangs = await program(`echo $$ > ${home}/pid; exec sleep 60`);
  expect(await ask({ command: hangs, timeoutSeconds: 3 }).catch((reason) => reason)).toMatchObject({
    code: "provider_timeout",
  });
  const pid = Number(await readFile(join(home, "pid"), "utf8"));
  expect(() => process.kill(pid, 0)).toThrow();
  expect((await readdir(home)).filter((name) => name.startsWith("scratch-"))).toEqual([]);
});

test("no more than so many at a time; who gives up while waiting is gone", async () => {
  const turns = createTurns(1);
  const never = new AbortController();
  const order: string[] = [];
  let finish = () => {};
  const first = turns.take(never.signal, () => new Promise<void>((resolve) => (finish = resolve)));
  const leaving = new AbortController();
  const second = turns.take(leaving.signal, async () => order.push("second"));
  const third = turns.take(never.signal, async () => order.push("third"));
  leaving.abort(new Error("gone"));
  expect(second).rejects.toThrow("gone");
  expect(order).toEqual([]);
  finish();
  await Promise.all([first, third]);
  expect(order).toEqual(["third"]);
});

test("as many at a time as config says", async () => {
  const turns = (await plugin.start?.({ config: { processes: 2 } } as never)) as Turns;
  const { signal } = new AbortController();
  let running = 0;
  const go = Promise.withResolvers<void>();
  const work = async () => {
    running++;
    await go.promise;
  };
  const all = [1, 2, 3].map(() => turns.take(signal, work));
  await Bun.sleep(0);
  expect(running).toBe(2);
  go.resolve();
  await Promise.all(all);
  expect(running).toBe(3);
});

test("a conversation is told in one text", () => {
  expect(asOneText([{ role: "user", content: "only" }])).toBe("only");
  const told = asOneText([
    { role: "user", content: "one" },
    { role: "assistant", content: "two" },
    { role: "user", content: "three" },
  ]);
  expect(told).toContain("### user\n\none\n\n### assistant\n\ntwo\n\n### user\n\nthree");
});

test("a call that is given up ends the client, and its folder goes", async () => {
  const stopping = new AbortController();
  const command = await program(`echo begun > ${home}/begun; exec sleep 600`);
  const asked = ask({ command }, stopping.signal);
  while (!(await Bun.file(join(home, "begun")).exists())) await Bun.sleep(5);
  stopping.abort(new Error("enough"));
  await expect(asked).rejects.toThrow("enough");
  expect((await readdir(home)).filter((name) => name.startsWith("scratch-"))).toEqual([]);
});

test("without a system prompt it has one all the same, which nobody else can read", async () => {
  const command = await program(
    `cp -p system.txt ${home}/system; echo '${JSON.stringify(result({}))}'`,
  );
  const config = v.parse(ConfigSchema, { command });
  const state = createTurns(1);
  const signal = new AbortController().signal;
  const ctx = { plugin: "claude-cli", config, home, now: () => 1_000_000, state, signal };
  await complete(
    { ...request, system: "" },
    ctx as HandlerContext<"complete", typeof config, Turns>,
  );
  expect(await readFile(join(home, "system"), "utf8")).toBe("Answer the request.");
  expect((await stat(join(home, "system"))).mode & 0o777).toBe(0o600);
});
