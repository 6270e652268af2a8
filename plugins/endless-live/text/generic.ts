// Shortens output that nothing is known of: of prose the beginning stays, of a log head, tail and every line that tells of trouble.
import { shortenAnswer } from "./answer.ts";
import { shortenLog } from "./log.ts";
import type { Shorten } from "./shortened.ts";

/** Left alone up to the policy's `genericOver`; prose (an issue, a page of help) up to `answerCharacters`. */
export const shortenGeneric: Shorten = (text, policy, origin) => {
  if (text.length <= policy.genericOver) return undefined;
  if (isProse(text)) return shortenAnswer(text, policy, origin);
  return shortenLog(text, policy, { how: "kept head, tail and trouble" });
};

/** Whether most lines are sentences, headings or points of a list. Such text is read for what it says in the middle too. */
function isProse(text: string): boolean {
  const filled = text.split("\n", 300).filter((line) => line.trim() !== "");
  const told = filled.filter(
    (line) =>
      /^\s*(?:[-*•]|\d+[.)]|#{1,6}|>)\s+\S+\s+\S/.test(line) ||
      /^\s*(?:[A-Z"'`*_][\w"'`*_-]*|[a-z]+)(?:,?\s[\w"'`*_(][^\s]*){4,}.*[.!?:;,`)]$/.test(line),
  );
  return told.length > filled.length / 2;
}
