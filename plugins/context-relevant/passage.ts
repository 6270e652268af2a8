// What a source says to a prompt: the passage that was found, what stands around it and what else of the turn has the prompt's words. Pure.
import type { SearchResult, Turn } from "../../src/sdk/index.ts";
import { oneLine } from "../../src/text/index.ts";
import type { TellsOf } from "./words.ts";

/** Of a source's room, what its turn's closing message takes where the passage does not stand there. */
const closingShare = 0.5;
/** What a sentence is worth by its place: at the beginning, behind what was found and before it, and how fast that falls. */
const near = { begin: 0.4, after: 0.5, before: 0.35, fall: 0.75 };
/** Characters of a long text that are looked at, around what was found. */
const read = 12_000;
/** What a word is worth that is told already. */
const again = 0.25;
/** A line, or a sentence; the number of a list's item ends none. */
const sentenceEnd = /(?<=[.!?][)"'”’*_`]*)(?<!(?:^|\n)\s*\d{1,3}\.)\s+|(?<=[。！？])|\n+/u;

/** A source's words for a prompt. */
export interface Passage {
  text: string;
  /** How its turn was closed, where the passage does not stand there. */
  closing?: string;
}

/** The passage in about `room` characters; without a turn what the result itself shows. `tells` weighs a text by the prompt's words. */
export function passageOf(
  result: SearchResult,
  turn: Turn | undefined,
  room: number,
  tells: TellsOf,
): Passage {
  const excerpt = result.excerpt ?? "";
  if (!turn) {
    const said = [result.title, result.subtitle, excerpt].filter((text) => text !== "");
    const texts = said.filter(
      (text, at) => !said.slice(at + 1).some((other) => other.includes(text)),
    );
    return { text: oneLine(texts.join(" — ")) };
  }
  const piece = turn.pieces[result.piece ?? -1];
  const closing = turn.pieces.find(({ kind }) => kind === "closing")?.text ?? "";
  const source = [piece?.text, piece?.about].find((text) => text?.includes(excerpt));
  // What was derived quotes without marks: its words are found again where they stand.
  if (source === undefined) {
    const whole = piece?.text ?? closing;
    return { text: whole === "" ? oneLine(excerpt) : telling(whole, room, tells) };
  }
  if (closing === "" || piece?.kind === "closing")
    return { text: telling(source, room, tells, excerpt) };
  const end = telling(closing, room * closingShare, tells);
  return { text: telling(source, room - end.length, tells, excerpt), closing: end };
}

/** What of a text tells most, in its order, "…" where something is missing; with the passage that was found in it. */
function telling(whole: string, room: number, tells: TellsOf, found = ""): string {
  const from = Math.max(0, whole.indexOf(found) - read / 2);
  const text = whole.slice(from, from + read);
  const parts = text.split(sentenceEnd).filter((part) => part?.trim());
  const words = parts.map(tells);
  const chosen = partsOf(text, parts, found);
  // What has the prompt's words; what stands near that belongs to it.
  const anchors = new Set(chosen);
  const told = new Set([...chosen].flatMap((at) => [...(words[at]?.keys() ?? [])]));
  let left = room - [...chosen].reduce((sum, at) => sum + (parts[at]?.length ?? 0) + 1, 0);
  for (;;) {
    const worths = parts.map((part, at) =>
      chosen.has(at) || part.length + 3 > left
        ? 0
        : worthOf(words[at], told) + nearness(at, anchors),
    );
    const most = Math.max(0, ...worths);
    const best = worths.indexOf(most);
    if (most === 0) break;
    chosen.add(best);
    if (worthOf(words[best], told) > 0) anchors.add(best);
    for (const word of words[best]?.keys() ?? []) told.add(word);
    left -= (parts[best]?.length ?? 0) + 3;
  }
  if (chosen.size === 0) return oneLine(text.slice(0, room));
  return oneLine(
    parts
      .map((part, at) => (chosen.has(at) ? part : chosen.has(at - 1) || at === 0 ? "…" : ""))
      .join(" "),
  );
}

/** Places of the parts that a passage stands in. */
function partsOf(text: string, parts: readonly string[], found: string): Set<number> {
  const places = new Set<number>();
  const start = text.indexOf(found);
  if (found === "" || start < 0) return places;
  let from = 0;
  for (const [at, part] of parts.entries()) {
    from = text.indexOf(part, from);
    if (from + part.length > start && from < start + found.length) places.add(at);
    from += part.length;
  }
  return places;
}

function worthOf(
  words: ReadonlyMap<string, number> | undefined,
  told: ReadonlySet<string>,
): number {
  let worth = 0;
  for (const [word, weight] of words ?? []) worth += told.has(word) ? weight * again : weight;
  return worth;
}

/** What stands near what was found belongs to it; the beginning says what it is about. */
function nearness(at: number, anchors: ReadonlySet<number>): number {
  let most = near.begin * near.fall ** at;
  for (const one of anchors) {
    const base = at > one ? near.after : near.before;
    most = Math.max(most, base * near.fall ** (Math.abs(at - one) - 1));
  }
  return most;
}
