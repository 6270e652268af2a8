// One field of a summary as readable prose: a few whole sentences, none said twice.
import { overlap, plainLine, startCapital } from "../../src/sdk/index.ts";

/** Joins texts into at most `limit` sentences and about `characters` characters; "" when there is nothing to say. */
export function proseField(texts: readonly string[], limit = 3, characters = 480): string {
  const kept: string[] = [];
  let length = 0;
  for (const text of texts) {
    const sentence = asSentence(text);
    if (sentence === "" || sentence.length > characters) continue;
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

const done: Record<string, string> = {
  Add: "Added",
  Change: "Changed",
  Remove: "Removed",
  Fix: "Fixed",
  Update: "Updated",
  Move: "Moved",
  Create: "Created",
  Implement: "Implemented",
  Improve: "Improved",
  Refactor: "Refactored",
  Rename: "Renamed",
  Replace: "Replaced",
  Wire: "Wired",
  Enable: "Enabled",
  Resolve: "Resolved",
  Extract: "Extracted",
  Use: "Used",
  Support: "Supported",
  Make: "Made",
  Introduce: "Introduced",
};

/** A title in the imperative told as done: "Add retry" gives "Added retry". */
export function asDone(title: string): string {
  const [first = "", ...rest] = title.split(" ");
  return [done[first] ?? first, ...rest].join(" ");
}
