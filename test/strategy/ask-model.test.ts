// One question to a model: what is sent, what is sent again when the answer is of no use, and what it took.
import { expect, test } from "bun:test";
import type { MemoirError } from "../../src/sdk/errors.ts";
import { askModel, type Question, requireWhole } from "../../src/strategy/messages.ts";
import type { RawAnswer } from "../../src/strategy/raw-answer.ts";
import { keptLog } from "../support/kept-log.ts";
import { type Line, scriptedModel } from "../support/scripted-model.ts";

const request: Question<object>["request"] = {
  ...{ system: "Take notes.", maxTokens: 50, purpose: "observe", session: "s" },
  messages: [{ role: "user", content: "What?" }],
};

function asking(...lines: Line[]) {
  const model = scriptedModel(...lines);
  const ask = () =>
    askModel(
      { complete: model.complete, log: keptLog() } as unknown as Parameters<typeof askModel>[0],
      {
        request,
        again: "Answer in tags.",
        read: (text) => ({ observations: [], problem: text }) as unknown as RawAnswer,
        judge: ({ problem }) => (problem?.startsWith("good") ? { problem } : `it says ${problem}`),
      },
    );
  return { ask, requests: model.requests };
}

test("one of no use is asked for once more: with what was said, the reason, and how to answer", async () => {
  const { ask, requests } = asking("  bad  ", "good");
  expect(await ask()).toEqual({
    ...{ answer: { problem: "good" }, model: "scripted-1", tokens: 220, requests: 2 },
  });
  expect(requests[1]).toEqual({
    ...request,
    messages: [
      ...request.messages,
      { role: "assistant", content: "bad" },
      {
        role: "user",
        content: "It says   bad  . Answer in tags.",
      },
    ],
  });
});

test("of a long answer its beginning is said again, of none a mark in no language", async () => {
  const said = async (line: string) => {
    const { ask, requests } = asking(line, "good");
    await ask();
    return requests[1]?.messages[1]?.content;
  };
  expect(await said("x".repeat(7_000))).toHaveLength(6_000);
  expect(await said(" \n")).toBe("…");
});

test("a second one of no use is refused with the reason; no third is asked for", async () => {
  const { ask, requests } = asking("bad");
  const error = (await ask().catch((thrown: unknown) => thrown)) as MemoirError;
  expect([error.code, error.message]).toEqual([
    "provider_answer",
    "The model scripted-1 gave no readable answer: it says bad.",
  ]);
  expect(error.fix).toContain("the next strategy took over");
  expect(requests).toHaveLength(2);
});

test.each<[Line, string, string]>([
  [{ text: "good", stop: "refusal" }, "provider_refused", "The model m refused to answer."],
  [
    { text: "good", stop: "max_tokens" },
    "provider_cut",
    "The answer of m was cut at the token limit.",
  ],
  [" \n ", "provider_answer", "The model m answered nothing."],
])("%p is no whole answer: %s", async (line, code, message) => {
  const completion = { ...(await scriptedModel(line).complete(request)), model: "m" };
  expect(() => requireWhole(completion)).toThrow(expect.objectContaining({ code, message }));
});
