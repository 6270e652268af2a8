// What an API answered instead of an answer: which error it is, what it says, when to come back.

import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import * as v from "valibot";
import {
  KeyEnvSchema,
  malformedAnswer,
  parseRetryAfter,
  providerError,
  providerTimeout,
  providerUnreachable,
  timeoutOption,
  unanswered,
} from "../../src/provider/api.ts";
import { readKey, readKeys } from "../../src/provider/keys.ts";
import { MemoirError } from "../../src/sdk/errors.ts";
import { inFolder } from "../support/in-folder.ts";

const now = Date.UTC(2026, 10, 21);
const failure = (part: Partial<Parameters<typeof providerError>[0]>) =>
  providerError({ provider: "mine", model: "large", status: 400, now, ...part });

test.each<[number, string, string, string]>([
  [400, "", "provider_request", "did not understand the request"],
  [301, "", "provider_request", "leads to another address, which is not followed"],
  [399, "", "provider_request", "leads to another address, which is not followed"],
  [299, "", "provider_request", "did not understand the request"],
  [401, "", "provider_auth", "did not accept the key"],
  [402, "", "provider_quota", "has no credit left for this key"],
  [403, "", "provider_permission", "does not let this key do that"],
  [404, "", "provider_model", "does not know the model or the address"],
  [408, "", "provider_timeout", "took too long"],
  [413, "", "provider_too_large", "does not take a request this large"],
  [429, "", "provider_rate", "asks for fewer calls"],
  [500, "", "provider_overloaded", "has trouble of its own"],
  [529, "", "provider_overloaded", "has trouble of its own"],
  [429, "insufficient_quota", "provider_quota", "has no credit left"],
  [400, "Your credit balance is too low", "provider_quota", "has no credit left"],
  [400, "check your billing", "provider_quota", "has no credit left"],
  [429, "You exceeded your current quota", "provider_quota", "has no credit left"],
  [403, "spending limit reached", "provider_quota", "has no credit left"],
  [400, "prompt is too long: 9 tokens", "provider_context", "cannot take a prompt as long"],
  [413, "context_length_exceeded", "provider_context", "cannot take a prompt as long"],
  [400, "the maximum context is 9", "provider_context", "cannot take a prompt as long"],
  [400, "too many input tokens", "provider_context", "cannot take a prompt as long"],
  [400, "it exceeds the model's limit", "provider_context", "cannot take a prompt as long"],
  [500, "context window", "provider_overloaded", "has trouble of its own"],
])("%p %p is %s: it %s", (status, message, code, says) => {
  const error = failure({ status, message });
  expect(error.code).toBe(code as MemoirError["code"]);
  expect(error.message).toStartWith(`mine (large) ${says}`);
  expect(error.message).toEndWith(message === "" ? `(status ${status}).` : `: ${message}).`);
});

test("the API's own word counts as its explanation does", () => {
  expect(failure({ type: "insufficient_quota", message: "No." }).code).toBe("provider_quota");
  expect(failure({ type: "odd_error", message: null }).message).toEndWith(
    "(status 400: odd_error).",
  );
});

test("what it explains is one line, cut, and holds no key", () => {
  const key = "plain-word-key";
  const said = failure({
    message: `Bad\n key ${key}, or sk-ant-api03-${"a".repeat(40)}.`,
    key,
  }).message;
  expect(said).toContain("(status 400: Bad key [key], or [redacted");
  expect(said).not.toContain("aaaa");
  expect(failure({ message: "long ".repeat(100) }).message.length).toBeLessThan(280);
});

test("the fix names the provider", () => {
  expect(failure({ status: 401 }).fix).toContain("mine");
  expect(failure({ status: 401 }).fix).not.toContain("<name>");
});

test.each<[number, string | null, number | undefined]>([
  [429, "7", 7_000],
  [429, null, 0],
  [529, "7", 7_000],
  [529, null, 0],
  [408, "7", 7_000],
  [400, "7", undefined],
  [401, "7", undefined],
])("%p with retry-after %p is tried again after %p", (status, retryAfter, ms) => {
  expect(failure({ status, retryAfter }).retryAfterMs).toBe(ms as number);
});

test.each<[string | null | undefined, number | undefined]>([
  ["1.5", 1_500],
  ["0", 0],
  ["-3", 0],
  ["Sat, 21 Nov 2026 00:00:30 GMT", 30_000],
  ["Fri, 20 Nov 2026 00:00:00 GMT", 0],
  ["soon", undefined],
  [" ", undefined],
  ["", undefined],
  [null, undefined],
  [undefined, undefined],
])("retry-after %p is %p ms", (value, ms) => {
  expect(parseRetryAfter(value, now)).toBe(ms as number);
});

test("what brought no answer may be tried again at once, and says why", () => {
  const cause = new Error("reset");
  const errors = [
    providerTimeout("mine", 90_400),
    providerUnreachable("mine", "localhost:9", cause),
    malformedAnswer("mine", "it ends in the middle", cause),
  ];
  expect(
    errors.map(({ code, message, retryAfterMs, cause }) => [code, message, retryAfterMs, cause]),
  ).toEqual([
    ["provider_timeout", "mine did not answer within 90 s.", 0, undefined],
    [
      "provider_connection",
      "The connection of mine to localhost:9 could not be made or broke.",
      0,
      cause,
    ],
    [
      "provider_answer",
      "The answer of mine is no complete answer: it ends in the middle.",
      0,
      cause,
    ],
  ]);
  for (const { fix } of errors) expect(fix.length).toBeGreaterThan(10);
});

describe("what a library throws", () => {
  class APIConnectionError extends Error {}
  class APIConnectionTimeoutError extends APIConnectionError {}
  class APIUserAbortError extends Error {}
  const library = { APIConnectionError, APIConnectionTimeoutError, APIUserAbortError };
  const config = { baseURL: "https://models.test:8443/v1/x?secret=1", timeoutSeconds: 9 };
  const told = (error: unknown, timedOut = false) =>
    unanswered(error, { plugin: "mine", config, timedOut }, library);

  test("is told by its class, and as a timeout once the time ran out", () => {
    const own = new MemoirError("provider_rate", "slow down");
    expect(told(own, true)).toBe(own);
    expect(told(new Error("odd"))).toBeUndefined();
    expect(told(new Error("odd"), true)?.message).toBe("mine did not answer within 9 s.");
    expect(told(new APIConnectionTimeoutError())?.code).toBe("provider_timeout");
    expect(told(new APIConnectionError())?.message).toContain(" to models.test:8443 could");
    const abort = told(new APIUserAbortError());
    expect([abort?.code, abort?.message, abort?.retryAfterMs]).toEqual([
      "provider_connection",
      "The call to mine was given up.",
      0,
    ]);
  });
});

describe("keys", () => {
  const withKeys = (text: string | undefined, work: (home: string) => Promise<void>) =>
    inFolder(async (home) => {
      if (text !== undefined) await writeFile(join(home, "keys.json"), text);
      await work(home);
    });

  test("are stored by provider, trimmed; an empty one and a missing file are none", () =>
    withKeys('{"mine": " k1 ", "other": "  "}', async (home) => {
      expect(await readKey("mine", home, undefined)).toBe("k1");
      expect(await readKey("other", home, undefined)).toBeUndefined();
      expect(await readKey("third", home, undefined)).toBeUndefined();
      expect(await readKeys(join(home, "nowhere"))).toEqual({});
    }));

  test("of the environment come first, where the variable is named and not empty", () =>
    withKeys('{"mine": "stored"}', async (home) => {
      const name = "MEMOIR_TEST_ONLY_KEY";
      try {
        process.env[name] = " from outside ";
        expect(await readKey("mine", home, name)).toBe("from outside");
        expect(await readKey("mine", home, undefined)).toBe("stored");
        process.env[name] = " ";
        expect(await readKey("mine", home, name)).toBe("stored");
      } finally {
        delete process.env[name];
      }
    }));

  test.each(["[]", '["a"]', '{"mine": 5}', "{torn secret-word", '"text"', "null"])(
    "of a file that holds %p are refused without a word of it",
    (text) =>
      withKeys(text, async (home) => {
        const error = await readKeys(home).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(MemoirError);
        const { code, message } = error as MemoirError;
        expect([code, message]).toEqual([
          "keys_unreadable",
          "The file of the providers' keys is not a JSON object.",
        ]);
      }),
  );

  test("of a file that cannot be read are refused as well", () =>
    inFolder(async (home) => {
      await writeFile(join(home, "file"), "");
      expect(readKeys(join(home, "file"))).rejects.toThrow("cannot be read");
    }));
});

test.each<[string, boolean]>([
  ["OPENAI_API_KEY", true],
  ["my_token", true],
  ["_Secret1", true],
  ["PATH", false],
  ["1_KEY", false],
  ["A-KEY", false],
  ["KEY=1", false],
  ["", false],
])("%p may be named as a key's variable: %p", (name, may) => {
  expect(v.is(KeyEnvSchema, name)).toBe(may);
});

test("a call may take from 1 to 110 seconds", () => {
  const option = timeoutOption(90);
  expect(v.parse(option, undefined)).toBe(90);
  expect([0.9, 1, 110, 110.1].map((seconds) => v.is(option, seconds))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
