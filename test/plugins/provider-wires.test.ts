// The two API providers, with their real libraries, against servers that speak the wire protocols and misbehave.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import anthropic from "../../plugins/provider-anthropic/index.ts";
import openai from "../../plugins/provider-openai-compatible/index.ts";
import { createHooks } from "../../src/runtime/hooks/hooks.ts";
import type { PluginContext } from "../../src/sdk/context.ts";
import { MemoirError } from "../../src/sdk/errors.ts";
import type { AnyPlugin } from "../../src/sdk/plugin.ts";
import type { Completion, CompletionRequest } from "../../src/sdk/provider.ts";
import { memoryLog } from "../support/hooks.ts";
import {
  answered,
  type Fault,
  type ModelServer,
  startModelServer,
} from "../support/model-server.ts";

const key = "sk-ant-api03-Zm9vYmFyYmF6cXV4c2VjcmV0a2V5MTIzNDU2Nzg5MA";
let home: string;
let server: ModelServer;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-provider-"));
  await writeFile(
    join(home, "keys.json"),
    JSON.stringify({ anthropic: key, "openai-compatible": key }),
  );
  server = startModelServer();
});
afterEach(() => server.requests.splice(0));
afterAll(async () => {
  await server.stop();
  await rm(home, { recursive: true });
});

const request: CompletionRequest = {
  system: "You take notes.",
  messages: [
    { role: "user", content: "one", cache: true },
    { role: "assistant", content: "two" },
    { role: "user", content: "three" },
  ],
  maxTokens: 50,
  schema: { type: "object", properties: { a: { type: "string" } } },
  purpose: "observe",
  session: "s",
};

/** Asks a provider as the runtime does, and gives its answer or what it rejects with. */
async function ask(
  plugin: AnyPlugin,
  options: object = {},
  how: { home?: string; signal?: AbortSignal } = {},
): Promise<Completion | MemoirError> {
  const baseURL = plugin.name === "anthropic" ? server.url : `${server.url}/v1`;
  const schema = plugin.config ?? v.strictObject({});
  const config = v.parse(schema, { baseURL, timeoutSeconds: 20, ...options });
  const context = {
    plugin: plugin.name,
    config,
    home: how.home ?? home,
    now: () => Date.UTC(2026, 10, 21),
  } as PluginContext;
  const hooks = createHooks([{ plugin, fills: { provider: 0 }, context, state: undefined }], {
    log: memoryLog(),
  });
  try {
    const answer = await hooks.first(
      "complete",
      request,
      how.signal ? { signal: how.signal } : undefined,
    );
    if (!answer) throw new Error("nobody answered");
    return answer.result;
  } catch (error) {
    if (error instanceof MemoirError) return error;
    throw error;
  }
}

const both: Array<[string, AnyPlugin, object]> = [
  ["anthropic", anthropic, {}],
  ["openai-compatible, streamed", openai, { stream: true }],
  ["openai-compatible, whole", openai, { stream: false }],
];

/** Fault, code, whether it is worth another try (and after how many ms), what the user reads. */
const rows: Array<[string, Fault, string, number | undefined, RegExp]> = [
  [
    "400",
    { status: 400, type: "invalid_request_error", message: "messages: odd" },
    "provider_request",
    undefined,
    /did not understand the request \(status 400: .*messages: odd\)/,
  ],
  [
    "400, context too long",
    {
      status: 400,
      type: "invalid_request_error",
      message: "prompt is too long: 250000 tokens > 200000 maximum",
    },
    "provider_context",
    undefined,
    /cannot take a prompt as long as this one/,
  ],
  [
    "400, no credit",
    {
      status: 400,
      type: "invalid_request_error",
      message: "Your credit balance is too low to access the API.",
    },
    "provider_quota",
    undefined,
    /has no credit left/,
  ],
  [
    "401, quoting the key",
    { status: 401, type: "authentication_error", message: `invalid key ${key}` },
    "provider_auth",
    undefined,
    /did not accept the key \(status 401: .*invalid key \[key\]\)/,
  ],
  [
    "403",
    { status: 403, type: "permission_error", message: "not for you" },
    "provider_permission",
    undefined,
    /does not let this key do that/,
  ],
  [
    "404",
    { status: 404, type: "not_found_error", message: "model: nope" },
    "provider_model",
    undefined,
    /does not know the model or the address/,
  ],
  [
    "413",
    { status: 413, type: "request_too_large", message: "too large" },
    "provider_too_large",
    undefined,
    /does not take a request this large/,
  ],
  [
    "429 with retry-after",
    {
      status: 429,
      type: "rate_limit_error",
      message: "slow down",
      headers: { "retry-after": "7" },
    },
    "provider_rate",
    7_000,
    /asks for fewer calls/,
  ],
  [
    "429 with a date",
    {
      status: 429,
      type: "rate_limit_error",
      message: "slow down",
      headers: { "retry-after": "Sat, 21 Nov 2026 00:00:30 GMT" },
    },
    "provider_rate",
    30_000,
    /asks for fewer calls/,
  ],
  ["429 alone", { status: 429 }, "provider_rate", 0, /asks for fewer calls/],
  [
    "429, out of quota",
    { status: 429, type: "insufficient_quota", message: "You exceeded your current quota" },
    "provider_quota",
    undefined,
    /has no credit left/,
  ],
  ["500", { status: 500 }, "provider_overloaded", 0, /has trouble of its own \(status 500/],
  [
    "529",
    { status: 529, type: "overloaded_error", message: "Overloaded" },
    "provider_overloaded",
    0,
    /status 529/,
  ],
  ["hang", "hang", "provider_timeout", 0, /did not answer within 1 s/],
  ["hang in the middle", "hang-midway", "provider_timeout", 0, /did not answer within 1 s/],
  ["half a body", "half", "provider_answer", 0, /no complete answer/],
  ["an answer without an end", "no-stop", "provider_answer", 0, /no complete answer/],
  ["a page of a proxy", "html", "provider_answer", 0, /no complete answer/],
  ["other JSON", "other-json", "provider_answer", 0, /no complete answer/],
  ["a redirect", "redirect", "provider_request", undefined, /leads to another address/],
];

describe.each(both)("%s", (_name, plugin, options) => {
  test("gives text, usage and stop reason", async () => {
    server.script("ok");
    const cacheWrite = plugin === anthropic ? answered.cacheWrite : 0;
    expect(await ask(plugin, options)).toEqual({
      text: "hello",
      model: plugin === anthropic ? "claude-haiku-5-5" : "gpt-4.1-mini",
      usage: { ...answered, cacheWrite },
      stopReason: "end",
    });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ["refusal", "refusal"],
    ["cut", "max_tokens"],
  ] as const)("tells a %s as such, with what it took", async (fault, stopReason) => {
    server.script(fault);
    expect(await ask(plugin, options)).toMatchObject({ stopReason, usage: { output: 20 } });
  });

  test.each(rows)("%s", async (_fault, fault, code, retryAfterMs, words) => {
    server.script(fault);
    const error = await ask(plugin, {
      ...options,
      ...(code === "provider_timeout" && { timeoutSeconds: 1 }),
    });
    expect(error).toMatchObject({ code, plugin: plugin.name, retryAfterMs });
    const { message, fix } = error as MemoirError;
    expect(message).toMatch(words);
    expect(fix.length).toBeGreaterThan(20);
    expect(JSON.stringify([message, fix])).not.toContain(key);
    // Trying again is the worker's business.
    expect(server.requests).toHaveLength(1);
  });

  test("a connection that breaks in the middle", async () => {
    server.script("reset");
    const error = await ask(plugin, options);
    expect(["provider_answer", "provider_connection"]).toContain((error as MemoirError).code);
    expect(error).toMatchObject({ retryAfterMs: 0 });
  });

  test("nobody there", async () => {
    const error = await ask(plugin, { ...options, baseURL: "http://127.0.0.1:1/v1" });
    expect(error).toMatchObject({ code: "provider_connection", retryAfterMs: 0 });
    expect((error as MemoirError).message).toContain("127.0.0.1:1");
  });

  test("given up, the call ends at once", async () => {
    server.script("hang");
    const ending = new AbortController();
    const answer = ask(plugin, { ...options, timeoutSeconds: 60 }, { signal: ending.signal });
    while (server.requests.length === 0) await Bun.sleep(5);
    ending.abort(new MemoirError("provider_connection", "over", { retryAfterMs: 0 }));
    expect(await answer).toMatchObject({ message: "over" });
    // Nor does the model go on writing what nobody reads.
    while (server.requests[0]?.signal.aborted === false) await Bun.sleep(5);
  });
});

test("an error in the middle of a stream is the provider's trouble", async () => {
  server.script("overloaded-midway");
  expect(await ask(anthropic)).toMatchObject({ code: "provider_overloaded", retryAfterMs: 0 });
});

test("without a key nothing is sent", async () => {
  const nowhere = await mkdtemp(join(tmpdir(), "memoir-provider-"));
  const error = await ask(anthropic, {}, { home: nowhere });
  expect(error).toMatchObject({ code: "provider_key", retryAfterMs: undefined });
  expect((error as MemoirError).fix).toContain("memoir provider key anthropic");
  expect(server.requests).toHaveLength(0);
  await rm(nowhere, { recursive: true });
});

test("the key in the environment is used only when config names it", async () => {
  const nowhere = await mkdtemp(join(tmpdir(), "memoir-provider-"));
  const before = { ...process.env };
  Object.assign(process.env, {
    ANTHROPIC_API_KEY: "from-environment",
    ANTHROPIC_AUTH_TOKEN: "token-from-environment",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
    OPENAI_API_KEY: "from-environment",
    OPENAI_BASE_URL: "http://127.0.0.1:1",
    OPENAI_ORG_ID: "org-from-environment",
  });
  try {
    server.script("ok");
    expect(await ask(anthropic, {}, { home: nowhere })).toMatchObject({ code: "provider_key" });
    expect(await ask(anthropic, { keyEnv: "ANTHROPIC_API_KEY" }, { home: nowhere })).toMatchObject({
      text: "hello",
    });
    expect(await ask(openai, {}, { home: nowhere })).toMatchObject({ text: "hello" });
    const [first, second] = server.requests;
    expect(first?.headers.get("authorization")).toBe("Bearer from-environment");
    expect(second?.headers.get("authorization")).toBe("Bearer none");
    expect(second?.headers.get("openai-organization")).toBeNull();
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    await rm(nowhere, { recursive: true });
  }
});

test("anthropic marks the stable prefix, asks for structure, and does not pay for thinking", async () => {
  server.script("ok");
  await ask(anthropic);
  const cache_control = { type: "ephemeral" };
  expect(server.requests[0]?.body).toEqual({
    model: "claude-haiku-5-5",
    max_tokens: 50,
    stream: true,
    thinking: { type: "disabled" },
    system: [{ type: "text", text: "You take notes.", cache_control }],
    messages: [
      { role: "user", content: [{ type: "text", text: "one", cache_control }] },
      { role: "assistant", content: "two" },
      { role: "user", content: "three" },
    ],
    output_config: { format: { type: "json_schema", schema: request.schema } },
  });
});

test.each([
  ["claude-haiku-5-5", { type: "disabled" }],
  ["claude-sonnet-5", { type: "disabled" }],
  ["claude-opus-5", undefined],
])("anthropic switches thinking off where a model lets it: %s", async (model, thinking) => {
  server.script("ok");
  await ask(anthropic, { model });
  const body = { thinking: undefined, ...(server.requests[0]?.body as object) };
  expect(body).toMatchObject({ model, thinking });
});

test("openai-compatible uses the fields that the server knows", async () => {
  server.script("ok");
  await ask(openai, { model: "llama", structuredOutput: false });
  expect(server.requests[0]?.path).toBe("/v1/chat/completions");
  expect(server.requests[0]?.body).toEqual({
    model: "llama",
    max_tokens: 50,
    stream: false,
    messages: [{ role: "system", content: "You take notes." }, ...request.messages].map(
      ({ role, content }) => ({ role, content }),
    ),
  });
  await ask(openai);
  expect(server.requests[1]?.body.response_format).toMatchObject({ type: "json_schema" });
  await ask(openai, { stream: true });
  const counted = { stream: true, stream_options: { include_usage: true } };
  expect(server.requests[2]?.body).toMatchObject(counted);
});
