// Whether a line of the transcript is a prompt that was captured, whatever capturing made of its text.
import { expect, test } from "bun:test";
import { isLineOf, type PromptMark } from "../../src/evidence/moment.ts";

const at = 1_000_000;
const mark: PromptMark = { number: 1, text: "fix the login page", time: at };
const named = { ...mark, promptId: "p1" };
const secret = "fix the login page, its key is abc";
const second = 1_000;
const minute = 60 * second;

test.each([
  ["the client's id, whatever the text", named, { text: "x", promptId: "p1" }, true],
  ["another id, whatever the text", named, { text: mark.text, time: at, promptId: "p2" }, false],
  ["the same moment", mark, { text: "other words", time: at }, true],
  [
    "the text of before, typed while the agent worked",
    mark,
    { text: mark.text, time: at - 50 * minute },
    true,
  ],
  ["the same text on another day", mark, { text: mark.text, time: at + 61 * minute }, false],
  ["most of its words, as the hook ran", mark, { text: secret, time: at + 4 * second }, true],
  ["most of its words, minutes later", mark, { text: secret, time: at + 2 * minute }, false],
  [
    "half of its words, as the hook ran",
    mark,
    { text: "fix the cart now", time: at + second },
    true,
  ],
  ["no word of it, as the hook ran", mark, { text: "go on", time: at + second }, false],
  [
    "a command whose slash capturing took off",
    { ...mark, text: "acme:plan" },
    { text: "/acme:plan", time: at + second },
    true,
  ],
  ["a line without a time, by its text", mark, { text: "fix  the login\npage" }, true],
])("%s", (_, captured, line, expected) => {
  expect(isLineOf(captured, { promptId: undefined, ...line })).toBe(expected);
});
