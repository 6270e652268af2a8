// Whether a newer statement takes the place of an older one: the same subject, with another name or number, or turned round. Pure.
import { overlap } from "./meaning.ts";
import { isReversed } from "./polarity.ts";

/** So much of the shorter statement's words in the other: both are about one thing. */
const subject = 0.5;
const token = /[\p{L}\p{N}][\p{L}\p{N}_.+#/-]*/gu;
const name = /\p{N}|\p{L}[_./]\p{L}|\p{L}\p{Lu}/u;

/**
 * True where each names something that the other does not, and the rest is the same: `SQLite` for `Redis`, `7 minutes` for
 * `10`; and where one says `never` what the other says is always done.
 */
export function saysOtherwise(newer: string, older: string): boolean {
  if (isReversed(newer, older)) return true;
  if (overlap(newer, older) <= subject) return false;
  const [one, other] = [namesIn(newer), namesIn(older)];
  return [...one].some((word) => !other.has(word)) && [...other].some((word) => !one.has(word));
}

/** Words with a digit, a mark or a capital inside, and capitalised ones that do not begin the sentence. In lower case. */
function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const { 0: word, index } of text.matchAll(token)) {
    const plain = word.replace(/[.+#/-]+$/, "");
    const begins = index === 0 || /[.!?。！？]\s*$/u.test(text.slice(0, index));
    if (name.test(plain) || (!begins && /^\p{Lu}/u.test(plain) && plain.length > 1))
      names.add(plain.toLowerCase());
  }
  return names;
}
