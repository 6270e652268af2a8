// One field of a summary as readable prose: a few whole sentences, none said twice.
import {
  isBalanced,
  isImperative,
  overlap,
  plainLine,
  startCapital,
} from "../../src/text/index.ts";

/** Joins texts into at most `limit` sentences and about `characters` characters; "" when there is nothing to say. */
export function proseField(texts: readonly string[], limit = 3, characters = 480): string {
  const kept: string[] = [];
  let length = 0;
  for (const text of texts) {
    const sentence = asSentence(text);
    if (sentence === "" || sentence.length > characters || !isBalanced(sentence)) continue;
    if (kept.length >= limit || length + sentence.length > characters) break;
    if (kept.some((other) => overlap(other, sentence) > 0.7)) continue;
    kept.push(sentence);
    length += sentence.length + 1;
  }
  return kept.join(" ");
}

/** The text as one sentence: upper-case start where it is a word, and a full stop. */
export function asSentence(text: string): string {
  const plain = plainLine(text).replace(/[\s,;:]+$/, "");
  if (plain === "") return "";
  const first = startCapital(plain);
  return /[.!?。！？]["')\]]*$/.test(first) ? first : `${first}.`;
}

/** `a, b and 3 more`. */
export function someOf(list: readonly string[], limit: number): string {
  if (list.length <= limit) {
    return list.length < 2 ? (list[0] ?? "") : `${list.slice(0, -1).join(", ")} and ${list.at(-1)}`;
  }
  return `${list.slice(0, limit).join(", ")} and ${list.length - limit} more`;
}

const irregular: Record<string, string> = {
  Build: "Built",
  Get: "Got",
  Keep: "Kept",
  Make: "Made",
  Put: "Put",
  Rebuild: "Rebuilt",
  Rewrite: "Rewrote",
  Run: "Ran",
  Send: "Sent",
  Set: "Set",
  Split: "Split",
  Write: "Wrote",
};

/** A title in the imperative told as done: "Add retry" gives "Added retry". Other titles stay. */
export function asDone(title: string): string {
  const [first = "", ...rest] = title.split(" ");
  if (!isImperative(title) || !/^[A-Z][a-z]+$/.test(first)) return title;
  return [irregular[first] ?? pastOf(first), ...rest].join(" ");
}

function pastOf(verb: string): string {
  if (verb.endsWith("e")) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  return /^[^aeiou]*[aeiou](?:b|d|g|m|n|p|t)$/i.test(verb) &&
    verb.length < 6 &&
    !/^(?:Add|Edit)$/.test(verb)
    ? `${verb}${verb.slice(-1)}ed`
    : `${verb}ed`;
}
