// What the libraries of the two APIs throw, as memoir's errors.
import { expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { failureOf as anthropicFailure } from "../../../plugins/provider-anthropic/complete.ts";
import { failureOf } from "../../../plugins/provider-openai-compatible/complete.ts";

const ctx = {
  ...{ plugin: "mine", now: () => 0 },
  config: { baseURL: "http://127.0.0.1:9/v1", model: "large", timeoutSeconds: 9 },
};
const openai = (
  status: number | undefined,
  error: object | undefined,
  message?: string,
  headers: Record<string, string> = {},
) =>
  failureOf(
    new OpenAI.APIError(status as undefined, error, message, new Headers(headers) as never),
    {
      ...{ ctx: ctx as never, key: undefined, timedOut: false },
    },
  );

test("the API's status, words, code and wish are taken; the status is told once", () => {
  const error = openai(429, { message: "slow down" }, undefined, { "retry-after": "9" });
  expect([error.code, error.retryAfterMs]).toEqual(["provider_rate", 9_000]);
  expect(error.message).toEndWith("(status 429: slow down).");
  expect(openai(429, { message: "No.", code: "insufficient_quota" }).code).toBe("provider_quota");
  expect(openai(429, { message: "No.", type: "insufficient_quota" }).code).toBe("provider_quota");
});

test("an answer without a body says its status alone, and a stream's error is trouble of the server's", () => {
  expect(openai(503, undefined, undefined).message).toEndWith("(status 503).");
  expect(openai(undefined, { message: "broke" }).code).toBe("provider_overloaded");
});

test.each([
  ["rate_limit_error", "provider_rate"],
  ["overloaded_error", "provider_overloaded"],
])("%s in the middle of a stream is %s", (type, code) => {
  const body = { type: "error", error: { type, message: "later" } };
  const error = new Anthropic.APIError(undefined, body, "later", undefined, type as never);
  expect(anthropicFailure(error, { ctx: ctx as never, key: "k", timedOut: false }).code).toBe(
    code as never,
  );
});
