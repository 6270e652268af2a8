// Shortens output that nothing is known of: of prose the beginning stays, of a log head, tail and every line that tells of trouble.
import { shortenAnswer } from "./answer.ts";
import { shortenLog } from "./log.ts";
import type { Shorten } from "./shortened.ts";

/** Left alone up to the policy's `genericOver`; prose (an issue, a page of help) up to `answerCharacters`. */
export const shortenGeneric: Shorten = (text, policy, origin) => {
  if (text.length <= policy.genericOver) return undefined;
  if (isProse(text)) return shortenAnswer(text, policy, origin);
  return shortenLog(text, policy, origin, { how: "kept head, tail and trouble" });
};

/** A heading, a point of a list, or a quoted line with words in it. */
const point = /^\s*(?:[-*•]|\d+[.)]|#{1,6}|>)\s+\S+\s+\S/;

/** Whether most lines are sentences, headings or points of a list. Such text is read for what it says in the middle too. */
function isProse(text: string): boolean {
  const filled = text.split("\n", 300).filter((line) => line.trim() !== "");
  const sentences = filled.filter((line) => point.test(line) || isSentence(line));
  return sentences.length > filled.length / 2;
}

/** Five words or more, begun like a sentence and ended like one. */
function isSentence(line: string): boolean {
  if (!/[.!?:;,`)]$/.test(line.trimEnd())) return false;
  const words = line.slice(0, 300).trim().split(/\s+/);
  const plain = words.filter((word) => /^["'`*_(]?[A-Za-z][A-Za-z'’-]*["'`*_),.;:]*$/.test(word));
  return words.length >= 5 && plain.length > words.length * 0.6;
}
