// Which results of a request may leave it, how old they are and what stands in front of them.
import { expect, test } from "bun:test";
import { oldResultsIn } from "../../../plugins/endless-gateway/candidates.ts";
import type { Message } from "../../../plugins/endless-gateway/messages.ts";

const use = (id: string, name = "Read"): Message => ({
  role: "assistant",
  content: [{ type: "tool_use", id, name, input: {} }],
});
const result = (id: string, length = 1_000): Message => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content: "x".repeat(length) }],
});
const answer: Message = { role: "assistant", content: "Done." };
const all = () => true;

test.each<[string, Message[], string[]]>([
  ["each of its own use", [use("a"), result("a"), use("b"), result("b"), answer], ["a", "b"]],
  ["none behind the last answer", [use("a"), result("a"), use("b"), result("b")], ["a"]],
  ["none that is short", [use("a"), result("a", 399), use("b"), result("b", 400), answer], ["b"]],
  ["none without its use", [result("a"), use("b"), result("b"), answer], ["b"]],
  [
    "none whose id two uses have: nobody knows which of them is meant",
    [use("a"), result("a"), use("a"), result("a"), use("b"), result("b"), answer],
    ["b"],
  ],
])("%s", (_, messages, ids) => {
  expect(oldResultsIn({}, messages, all).candidates.map(({ id }) => id)).toEqual(ids);
});

test("only of tools that are wanted, with the answers since and the tokens in front", () => {
  const messages = [use("a"), result("a"), use("b", "Bash"), result("b"), answer];
  const { candidates, contextTokens } = oldResultsIn(
    { system: "s".repeat(4_000) },
    messages,
    (tool) => tool === "Bash",
  );
  expect(candidates).toMatchObject([{ id: "b", tool: "Bash", age: 1, saves: 225 }]);
  expect(candidates[0]?.at).toBeGreaterThan(1_250);
  expect(contextTokens - (candidates[0]?.at ?? 0)).toBeGreaterThan(250);
});

const thinking = { type: "thinking", thinking: "hm", signature: "s" };
const beside = (id: string, input: object, more: object = {}): Message => ({
  role: "assistant",
  content: [thinking, { type: "tool_use", id, name: "Write", input, ...more }],
});
const plain = (id: string, input: object): Message => ({
  role: "assistant",
  content: [{ type: "tool_use", id, name: "Write", input }],
});
const prompt: Message = { role: "user", content: "And now?" };
const large = { content: "x".repeat(2_000) };
const small = (id: string) => result(id, 3);
const failed = (id: string): Message => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content: "no", is_error: true }],
});

test.each<[string, Message[], string[]]>([
  [
    "large ones of turns that ended",
    [beside("a", large), small("a"), answer, prompt, beside("b", large), small("b"), answer],
    ["input a"],
  ],
  ["none of the first prompt's own turn", [prompt, beside("a", large), small("a"), answer], []],
  [
    "none that was cleared before it was sent, without thinking",
    [plain("c", large), small("c"), answer, prompt, answer],
    [],
  ],
  ["none that is small", [beside("a", { a: 1 }), small("a"), answer, prompt, answer], []],
  ["none that failed", [beside("a", large), failed("a"), answer, prompt, answer], []],
  ["none without a result", [beside("a", large), answer, prompt, answer], []],
  ["none that is signed", [beside("a", large, { signature: "s" }), small("a"), prompt, answer], []],
  [
    "none that is cleared",
    [beside("a", { _cleared: true, message: "m".repeat(2_000) }), small("a"), prompt, answer],
    [],
  ],
])("inputs beside thinking: %s", (_, messages, ids) => {
  expect(oldResultsIn({}, messages, all, true).candidates.map(({ id }) => id)).toEqual(ids);
  expect(oldResultsIn({}, messages, all).candidates).toEqual([]);
});
