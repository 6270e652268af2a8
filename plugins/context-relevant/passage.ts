// What a found record says to a prompt: the passage with what stands around it, and how its turn was closed. Pure.
import type { SearchResult, Turn } from "../../src/sdk/index.ts";
import { oneLine, shorten } from "../../src/text/index.ts";

/** Of a record's room, what its turn's closing message takes. */
const closingShare = 0.5;
/** Characters before and behind a passage that are read at least. */
const leastAround = 100;

/** A record's words for a prompt. */
export interface Passage {
  text: string;
  /** How its turn was closed, where the passage does not stand there. */
  closing?: string;
}

/** The passage of a turn in about `room` characters, or what the result itself shows. */
export function passageOf(result: SearchResult, turn: Turn | undefined, room: number): Passage {
  const excerpt = result.excerpt ?? "";
  if (!turn) {
    const said = [result.title, result.subtitle, excerpt].filter((text) => text !== "");
    const texts = said.filter(
      (text, at) => !said.slice(at + 1).some((other) => other.includes(text)),
    );
    return { text: oneLine(texts.join(" — ")) };
  }
  const piece = turn.pieces[result.piece ?? -1];
  const source = [piece?.text, piece?.about].find((text) => text?.includes(excerpt)) ?? excerpt;
  const closing = turn.pieces.find(({ kind }) => kind === "closing")?.text ?? "";
  const told = piece?.kind === "closing" ? "" : shorten(closing, room * closingShare).text;
  const around = Math.max(leastAround, Math.floor((room - told.length - excerpt.length) / 2));
  const text = oneLine(widen(source, source.indexOf(excerpt), excerpt.length, around));
  return told === "" ? { text } : { text, closing: oneLine(told) };
}

/** The stretch with whole sentences or lines on both sides, as far as they are near. */
function widen(text: string, start: number, length: number, around: number): string {
  const end = start + length;
  const before = text.slice(Math.max(0, start - around), start);
  const after = text.slice(end, end + around);
  const from = start > around ? before.search(/(?<=[.!?。！？]\s|\n)/) : 0;
  const to = end + around < text.length ? lastEnd(after) : after.length;
  const begin = from < 0 ? start : start - before.length + from;
  const stop = end + to;
  return `${begin > 0 ? "… " : ""}${text.slice(begin, stop)}${stop < text.length ? " …" : ""}`;
}

function lastEnd(text: string): number {
  const ends = [...text.matchAll(/[.!?](?=\s)|[。！？]|\n/g)];
  const last = ends.at(-1);
  return last ? last.index + last[0].length : 0;
}
