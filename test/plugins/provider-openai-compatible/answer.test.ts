// What a chat completions server answers, whole or in pieces: what is taken of it, what is estimated, what is no answer. And what is asked.
import { expect, test } from "bun:test";
import {
  complete,
  completionOf,
  gather,
} from "../../../plugins/provider-openai-compatible/complete.ts";
import type { CompletionRequest } from "../../../src/sdk/provider.ts";
import { estimateTokens } from "../../../src/text/text.ts";
import { inFolder } from "../../support/in-folder.ts";

const request: CompletionRequest = {
  system: "You take notes.",
  messages: [
    { role: "user", content: "one" },
    { role: "user", content: "two" },
  ],
  maxTokens: 5,
  purpose: "observe",
  session: "s",
};
const choice = (message: object, finish_reason: string | null = "stop") => ({
  choices: [{ finish_reason, message }],
});
const of = (answer: object) => completionOf("mine", answer, request);

async function* chunks(...all: object[]) {
  yield* all as never[];
}
const piece = (delta: object | undefined, finish_reason?: string | null, more: object = {}) => ({
  choices: [{ ...(delta && { delta }), ...(finish_reason !== undefined && { finish_reason }) }],
  ...more,
});

test("a stream that breaks off, an answer without a choice and one of another form are none", async () => {
  const broken = (await gather(chunks(piece({ content: "half" })))) as object;
  expect(() => of(broken)).toThrow("it ends in the middle");
  for (const wrong of [{}, { choices: [] }, { choices: [{ message: {} }] }])
    expect(() => of(wrong)).toThrow("it is no chat completion");
});

test("why it ended is said in our words, and a refusal is one however it came", () => {
  const reason = (finish: string, message: object = { content: "x" }) =>
    of(choice(message, finish)).stopReason;
  expect(["stop", "length", "content_filter", "tool_calls"].map((one) => reason(one))).toEqual([
    "end",
    "max_tokens",
    "refusal",
    "other",
  ]);
  expect(reason("stop", { content: null, refusal: "No." })).toBe("refusal");
  expect(of(choice({ refusal: null })).text).toBe("");
});

test("cached tokens are part of the prompt's, and never make it negative; counts that are missing are estimated", () => {
  const counts = (usage?: object | null) => of({ ...choice({ content: "abc" }), usage }).usage;
  const cached = (cached_tokens: number | null) => ({
    ...{ prompt_tokens: 10, completion_tokens: 4 },
    prompt_tokens_details: { cached_tokens },
  });
  expect(counts(cached(6))).toEqual({ input: 4, output: 4, cacheRead: 6, cacheWrite: 0 });
  expect(counts(cached(12))).toMatchObject({ input: 0, cacheRead: 12 });
  expect(counts(cached(null))).toMatchObject({ input: 10, cacheRead: 0 });
  expect(counts({ prompt_tokens: 7 })).toMatchObject({ input: 7, output: 0 });
  for (const none of [null, undefined])
    expect(counts(none)).toEqual({
      ...{ input: estimateTokens("You take notes.\none\ntwo"), output: estimateTokens("abc") },
      ...{ cacheRead: 0, cacheWrite: 0 },
    });
});

test("OpenAI itself is asked with a key only; nothing is sent without one", () =>
  inFolder(async (home) => {
    const config = {
      ...{ model: "m", baseURL: "https://api.openai.com/v1", timeoutSeconds: 1 },
      ...{ stream: false, structuredOutput: true },
    };
    const ctx = { config, home, plugin: "mine", signal: AbortSignal.abort(), now: () => 0 };
    await expect(complete(request, ctx as never)).rejects.toMatchObject({
      ...{ code: "provider_key", message: "No key is stored for mine." },
      fix: "Run `memoir provider key mine`, or name a local server in `plugins.mine.baseURL`.",
    });
  }));
