// What a source says to a prompt: the passage that was found, what stands around it and what else of the turn has the prompt's words. Pure.
import type { EvidenceKind, SearchResult, Turn } from "../../src/sdk/index.ts";
import { oneLine, shorten } from "../../src/text/index.ts";
import { type TellsOf, worthOf } from "./relevance.ts";

const said: ReadonlySet<EvidenceKind> = new Set(["prompt", "typed", "closing", "commit"]);
/** Of a source's room, what its turn's closing message takes where the passage does not stand there. */
const closingShare = 0.5;
/** What a sentence is worth by its place: at the beginning, behind what was found and before it, and how fast that falls. */
const near = { begin: 0.4, after: 0.5, before: 0.35, fall: 0.75 };
/** Characters of a long text that are looked at, around what was found. */
const readAround = 12_000;
/** Characters between parts, with "…" where they do not follow each other. */
const gapLength = 3;
/** A line, or a sentence; the number of a list's item ends none. */
const sentenceEnd =
  /(?<=[.!?][)"'”’*_`]*)(?<!(?:^|\n)[^\p{L}\p{N}\n]*\d{1,3}\.)\s+|(?<=[。！？])|\n+/u;
/** A part with less says nothing by itself: a mark, a number, a bracket. */
const saying = /\p{L}{2}|\p{Script=Han}|\p{Script=Katakana}/u;
/** A shorter part says nothing without what stands before it: `Perfect!`, `All tests pass.` */
const leastAlone = 24;
/** What a part is worth for the passage that was found in it. */
const foundWorth = 1;

/** What of the turn answers the prompt, in about `room` characters; without a turn what the result itself shows. `tells` weighs a text by the prompt's words. */
export function passageOf(
  { title, subtitle, excerpt = "", piece: at }: SearchResult,
  turn: Turn | undefined,
  room: number,
  tells: TellsOf,
): string {
  if (!turn) {
    const shown = [title, subtitle, excerpt].filter((text) => text !== "");
    const texts = shown.filter(
      (text, at) => !shown.slice(at + 1).some((other) => other.includes(text)),
    );
    return shorten(oneLine(texts.join(" — ")), room).text;
  }
  const piece = turn.pieces[at ?? -1];
  const closing = turn.pieces.find(({ kind }) => kind === "closing")?.text ?? "";
  const source = [piece?.text, piece?.about].find((text) => text?.includes(excerpt));
  // What was derived quotes without marks: its words are found again where they stand.
  if (source === undefined) {
    const whole = piece?.text ?? mostTelling(saidIn(turn), tells);
    return whole === "" ? oneLine(excerpt) : telling(whole, room, tells);
  }
  if (closing === "" || piece?.kind === "closing") return telling(source, room, tells, excerpt);
  const end = telling(closing, room * closingShare, tells);
  return oneLine(`${telling(source, room - end.length, tells, excerpt)} … ${end}`);
}

/** What people and agents said in a turn. */
export function saidIn({ pieces }: Turn): string[] {
  return pieces.flatMap(({ kind, text }) => (said.has(kind) ? text : []));
}

function mostTelling(texts: readonly string[], tells: TellsOf): string {
  const worths = texts.map((text) => worthOf(tells(text)));
  return texts[worths.lastIndexOf(Math.max(...worths))] ?? "";
}

/** What of a text tells most, in its order, "…" where something is missing; the passage that was found in it before all. */
function telling(whole: string, room: number, tells: TellsOf, found = ""): string {
  const from = Math.max(0, whole.indexOf(found) - readAround / 2);
  const text = whole.slice(from, from + readAround);
  const parts = text.split(sentenceEnd).filter((part) => part?.trim());
  const words = parts.map(tells);
  const passage = partsOf(text, parts, found);
  const begin = parts.findIndex((part) => part.length >= leastAlone && saying.test(part));
  // What has the prompt's words; what stands near that belongs to it.
  const anchors = new Set(passage);
  const chosen = new Set<number>();
  const taken = new Set<string>();
  let left = room;
  for (;;) {
    const worths = parts.map((part, at) => {
      if (chosen.has(at) || part.length + gapLength > left || !saying.test(part)) return 0;
      const isShort = part.length < leastAlone && words[at]?.size === 0 && !passage.has(at);
      if (isShort && !anchors.has(at - 1)) return 0;
      const place = Math.max(nearness(at, anchors), at < begin ? 0 : begins(at - begin));
      return worthOf(words[at] ?? new Map(), taken) + place + (passage.has(at) ? foundWorth : 0);
    });
    const most = Math.max(0, ...worths);
    const best = worths.indexOf(most);
    if (most === 0) break;
    chosen.add(best);
    if (worthOf(words[best] ?? new Map(), taken) > 0) anchors.add(best);
    for (const word of words[best]?.keys() ?? []) taken.add(word);
    left -= (parts[best]?.length ?? 0) + gapLength;
  }
  if (chosen.size === 0)
    return oneLine(
      shorten(text.slice(Math.max(0, text.indexOf(parts[[...passage][0] ?? 0] ?? ""))), room).text,
    );
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

/** What stands near what was found belongs to it. */
function nearness(at: number, anchors: ReadonlySet<number>): number {
  let most = 0;
  for (const one of anchors) {
    const base = at > one ? near.after : near.before;
    most = Math.max(most, base * near.fall ** Math.max(0, Math.abs(at - one) - 1));
  }
  return most;
}

/** The beginning says what all of it is about. */
function begins(at: number): number {
  return near.begin * near.fall ** at;
}
