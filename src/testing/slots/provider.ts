// What a provider plugin promises: a whole answer with its tokens, failures by their codes, an end when it is asked for, and no key in any text.
import assert from "node:assert/strict";
import type { MemoirError } from "../../sdk/errors.ts";
import type { Completion, CompletionRequest } from "../../sdk/provider.ts";
import { textsOf } from "../checks.ts";
import {
  type ProviderScript,
  providerSecret,
  type Room,
  type SuiteCase,
  skip,
  suiteCase,
} from "../room.ts";
import type { TestHost } from "../test-host.ts";

/** A small request, as a strategy makes it. */
export const sampleCompletion: CompletionRequest = {
  system: "You take notes.",
  messages: [
    { role: "user", content: "one", cache: true },
    { role: "assistant", content: "two" },
    { role: "user", content: "three" },
  ],
  maxTokens: 50,
  schema: { type: "object", properties: { a: { type: "string" } } },
  purpose: "observe",
  session: "session-1",
};

const noServer =
  "it takes a stand-in for the API; the plugin's own test gives one: `runSuite(plugin, { provider })`";

/** A host on the author's server, which answers by `script`. */
async function hostOn(room: Room, script: ProviderScript): Promise<TestHost> {
  if (!room.provider) skip(noServer);
  const server = await room.provider(room.home);
  room.onEnd(() => server.stop());
  server.answer(script);
  return room.open({ config: { ...room.config, ...server.config } });
}

/** The error that a call ends with, checked for what holds of every one. */
async function failureOf(host: TestHost, options?: { signal: AbortSignal }): Promise<MemoirError> {
  const given = await host.call("complete", sampleCompletion, options).then(
    (completion) => ({ completion }),
    (error: MemoirError) => ({ error }),
  );
  assert.ok("error" in given, `it answered where it had to fail: ${JSON.stringify(given)}`);
  const { error } = given;
  assert.match(
    String(error.code),
    /^provider_/,
    `${error.message}: throw a MemoirError with a provider_ code`,
  );
  assertNoKey([error.message, error.fix, String(error.cause ?? "")], "an error");
  assertNoKey(textsOf(host.lines), "the log");
  return error;
}

function assertNoKey(texts: readonly string[], where: string): void {
  for (const text of texts)
    assert.ok(!text.includes(providerSecret), `the key stands in ${where}: it must stand nowhere`);
}

export const providerCases: readonly SuiteCase[] = [
  suiteCase("answers `complete`, or says with a provider_ code that it cannot", async (room) => {
    assert.ok(room.plugin.hooks.complete, "a provider has a `complete` hook");
    const host = await room.open();
    const stop = AbortSignal.timeout(2_000);
    const end = await host.call("complete", sampleCompletion, { signal: stop }).then(
      (completion) => completion && assertCompletion(completion),
      (error: MemoirError) => error,
    );
    if (end instanceof Error && !stop.aborted)
      assert.match(
        String((end as MemoirError).code),
        /^provider_/,
        `${end.message}: use a provider_ code`,
      );
  }),

  suiteCase("gives text, model, tokens and the reason of the end", async (room) => {
    const host = await hostOn(room, "text");
    const completion = await host.call("complete", sampleCompletion);
    assert.ok(completion, "it gave no answer");
    assertCompletion(completion);
    assert.equal(completion.text, "Hello from the test.");
    assert.ok(
      completion.usage.input > 0,
      "the tokens of the request are counted: budgets rest on it",
    );
    assert.ok(completion.usage.output > 0, "the tokens of the answer are counted");
  }),

  suiteCase("tells a wrong key from other failures", async (room) => {
    const error = await failureOf(await hostOn(room, "wrong-key"));
    assert.ok(
      ["provider_auth", "provider_permission", "provider_key"].includes(error.code),
      `a refused key is ${error.code}; provider_auth leads the user to the key`,
    );
    assert.equal(error.retryAfterMs, undefined, "a wrong key is not tried again");
  }),

  suiteCase("asks to be tried again later when it is rate-limited", async (room) => {
    const error = await failureOf(await hostOn(room, "rate-limited"));
    assert.equal(error.code, "provider_rate");
    assert.ok((error.retryAfterMs ?? -1) >= 0, "`retryAfterMs` says when another try is worth it");
  }),

  suiteCase("tells an answer that cannot be read", async (room) => {
    await failureOf(await hostOn(room, "broken"));
  }),

  suiteCase("ends when it is told to", async (room) => {
    const host = await hostOn(room, "hanging");
    const controller = new AbortController();
    const begun = performance.now();
    setTimeout(() => controller.abort(new Error("the test ends the call")), 50);
    await assert.rejects(host.call("complete", sampleCompletion, { signal: controller.signal }));
    const took = performance.now() - begun;
    if (took > 1_000) room.warn(`it took ${took.toFixed(0)} ms to end after \`ctx.signal\` did`);
  }),

  suiteCase("tells a server that is away", async (room) => {
    if (!room.provider) skip(noServer);
    const server = await room.provider(room.home);
    await server.stop();
    await failureOf(await room.open({ config: { ...room.config, ...server.config } }));
  }),
];

function assertCompletion({ text, model, usage, stopReason }: Completion): void {
  assert.equal(typeof text, "string", "`text` is a text");
  assert.ok(typeof model === "string" && model !== "", "`model` names who answered");
  for (const kind of ["input", "output", "cacheRead", "cacheWrite"] as const)
    assert.ok(
      Number.isInteger(usage?.[kind]) && usage[kind] >= 0,
      `usage.${kind} is a whole number, 0 where the provider does not tell`,
    );
  assert.ok(
    ["end", "max_tokens", "refusal", "other"].includes(stopReason),
    `stopReason "${stopReason}" is none of end, max_tokens, refusal, other`,
  );
}
