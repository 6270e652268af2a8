// Whether two statements say the same, or the opposite. Agreement is in what they are about: a cue that both have is none. Pure.
import type { MemoryItem } from "../../src/sdk/index.ts";
import {
  dropOldest,
  isReversed,
  meaningOf,
  plainLine,
  saysOtherwise,
} from "../../src/text/index.ts";
import { withoutCues } from "./cues.ts";

/** What is compared of an item. */
export type Stated = Pick<MemoryItem, "kind" | "content" | "quote">;

/** So much of the shorter statement's words in the longer one, and so much of the longer one's in the shorter. */
const share = { shorter: 0.6, longer: 0.4 };
/** What the user settles may be worded as either. */
const settled: ReadonlySet<MemoryItem["kind"]> = new Set(["decisions", "preferences"]);

/** True when both say the same; a change of mind does not. */
export function isSameItem(one: Stated, other: Stated): boolean {
  const isAsLong = one.content.length === other.content.length;
  if (isAsLong && one.content.toLowerCase() === other.content.toLowerCase()) return true;
  if (one.kind === "workflows" || one.kind === "projects") return false;
  const alike = one.kind === other.kind || (settled.has(one.kind) && settled.has(other.kind));
  if (!alike || !agrees(one.content, other.content)) return false;
  const [chosen, before] = [choiceOf(one), choiceOf(other)];
  return !chosen || !before || agrees(chosen.answer, before.answer);
}

/** True when a newer item turns an older one round: what was to be is not, or what was put behind is put first. */
export function takesBack(newer: Stated, older: Stated): boolean {
  if (!settled.has(newer.kind) || !settled.has(older.kind)) return false;
  const [now, then] = [preferred(newer.content), preferred(older.content)];
  const isSwapped = now && then && now.first === then.second && now.second === then.first;
  return isSwapped || isReversed(newer.content, older.content);
}

function agrees(one: string, other: string): boolean {
  const [a, b] = [subjectOf(one), subjectOf(other)];
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  // Every item is compared with every other: most are told apart by their lengths.
  if (small.size < large.size * share.longer) return false;
  const shared = small.intersection(large).size;
  const isAlike =
    shared > 1 && shared > small.size * share.shorter && shared >= large.size * share.longer;
  if (!isAlike && (shared === 0 || shared < large.size)) return false;
  const [now, then] = [preferred(one), preferred(other)];
  const isOpposite = now && then && (now.first === then.second || now.second === then.first);
  return !isOpposite && !saysOtherwise(one, other);
}

const mostSubjects = 5_000;
const subjects = new Map<string, ReadonlySet<string>>();

/** What a statement is about; each is looked at once, and compared with all others. */
function subjectOf(text: string): ReadonlySet<string> {
  const known = subjects.get(text) ?? meaningOf(withoutCues(text));
  subjects.set(text, known);
  dropOldest(subjects, mostSubjects);
  return known;
}

/** Between what is wanted and what is not; by language, for each an example is in the tests. */
const over =
  /([\p{L}\p{N}_.-]+),? (?:over|instead of|rather than|not|statt|plutôt que|au lieu de|en lugar de|en vez de) ([\p{L}\p{N}_.-]+)/iu;

/** `tabs over spaces`. */
function preferred(text: string): { first: string; second: string } | undefined {
  const [, first, second] = over.exec(text.toLowerCase()) ?? [];
  return first && second ? { first, second } : undefined;
}

/** The choice that an item holds: an answer, and what was asked; undefined where it holds a statement. */
function choiceOf({ content, quote = "" }: Stated): { answer: string } | undefined {
  const answer = plainLine(quote.split("\n")[0] ?? "");
  return answer === "" || content === answer || !content.endsWith(answer) ? undefined : { answer };
}
