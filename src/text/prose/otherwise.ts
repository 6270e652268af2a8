// Whether a newer statement takes the place of an older one: the same subject, with another name or number, or turned round. Pure.
import { linesOf } from "../languages.ts";
import { overlap } from "./plain.ts";

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

/** Any of these words, parted by bars; or the expression itself where it stands between strokes. */
function anyOf(words = ""): RegExp {
  const source = /^\/(.*)\/$/.exec(words)?.[1];
  return new RegExp(source ?? `(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, "giu");
}

const affirming = new Map(linesOf("affirms"));
/** By language what turns a statement round, and what only says that it always holds. */
const polarities = linesOf("denies").map(([language, [denies]]) => ({
  denies: anyOf(denies),
  affirms: anyOf(affirming.get(language)?.[0]),
}));
/** What turns a denial round again: `never … without asking`. */
const without = anyOf("without|ohne|sans|sin|sem|senza|без");
/** `cents, not floats` denies the floats only: languages whose verbs are denied by the same word alone are left out. */
const contrast = /(?<=\S+ \S+ \S+ \S+), (?:not|nicht|pas) [^,;]*/giu;

/** True when one says that something is to be, and the other that it is not. */
export function isReversed(newer: string, older: string): boolean {
  if (denied(newer) === denied(older)) return false;
  return overlap(bare(newer), bare(older)) > subject;
}

/** True for a statement that something is not so, or not to be done. */
export function denied(text: string): boolean {
  const own = text.replace(contrast, "");
  const isDenied = polarities.some(({ denies }) => own.match(denies) !== null);
  return isDenied && text.match(without) === null;
}

function bare(text: string): string {
  return polarities.reduce(
    (left, { denies, affirms }) => left.replace(denies, " ").replace(affirms, " "),
    text,
  );
}
