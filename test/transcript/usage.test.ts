import { expect, test } from "bun:test";
import { parseEntry } from "../../src/transcript/parse-entry.ts";
import { createUsageCounter } from "../../src/transcript/usage.ts";

function assistant(id: string | undefined, model: string, output: number) {
  const usage = { input_tokens: 10, output_tokens: output, cache_read_input_tokens: 100 };
  const text = JSON.stringify({ type: "assistant", message: { id, model, content: [], usage } });
  const content = new TextEncoder().encode(text);
  const entry = parseEntry({ content, number: 1, offset: 0, complete: true, tooLong: 0 });
  if (!entry || entry.kind === "broken") throw new Error("no entry");
  return entry;
}

test("a message split over entries counts once, with its last output count", () => {
  const counter = createUsageCounter();
  counter.add(assistant("m1", "big", 1));
  counter.add(assistant("m1", "big", 40));
  counter.add(assistant("m1", "big", 40));
  counter.add(assistant("m2", "small", 5));
  counter.add(assistant(undefined, "small", 2));
  expect(counter.messages()).toBe(3);
  expect(counter.total()).toEqual({ input: 30, output: 47, cacheRead: 300, cacheWrite: 0 });
  expect(counter.byModel().get("small")).toEqual({
    input: 20,
    output: 7,
    cacheRead: 200,
    cacheWrite: 0,
  });
});
