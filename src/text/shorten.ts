// Shortens a text at the end of a line or sentence, with "…" where something is missing, and says how much that is.
import { head as headOf } from "./text.ts";

/** A text and how many characters of it were left out (0: it is whole). */
interface Shortened {
  text: string;
  leftOut: number;
}

/** What stands in a text for characters that were left out when it came in. */
export function omissionMark(characters: number): string {
  return `[memoir left out ${characters} characters here]`;
}

const omissions = /\[memoir left out (\d{1,12}) characters here\]/g;

const gap = "\n…\n";
const sentenceEnd = /[.!?。！？…:;]["'”’)\]*_`]*\s+$/;

/** Beginning and end in at most `most` characters; of a `log` more of the end. Never half a surrogate pair. */
export function shorten(whole: string, most: number, log = false): Shortened {
  const text = whole.trim();
  if (text.length <= most) return { text, leftOut: 0 };
  const room = Math.max(0, most - gap.length);
  const first = beginning(text, Math.floor(room * (log ? 0.3 : 0.7)));
  const last = ending(text.slice(first.length), room - first.length);
  const between = text.slice(first.length, text.length - last.length);
  return {
    text: `${first.trimEnd()}${gap}${last.trimStart()}`,
    leftOut: between.length + omitted(between),
  };
}

/** What a text says that it lacks. */
function omitted(text: string): number {
  return [...text.matchAll(omissions)].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** How far from the limit a good place to cut may be, as a share of it. */
const slack = 0.25;

function beginning(text: string, most: number): string {
  const kept = headOf(text, most);
  const least = Math.floor(most * (1 - slack));
  const line = kept.lastIndexOf("\n");
  if (line >= least) return kept.slice(0, line + 1);
  for (let at = kept.length; at > least; at--)
    if (isSpace(kept, at - 1) && sentenceEnd.test(kept.slice(Math.max(0, at - 12), at)))
      return kept.slice(0, at);
  for (let at = kept.length; at > Math.max(least, kept.length - 60); at--)
    if (isSpace(kept, at - 1)) return kept.slice(0, at);
  return kept;
}

function ending(text: string, most: number): string {
  let start = Math.max(0, text.length - most);
  const code = text.charCodeAt(start);
  if (start > 0 && code >= 0xdc00 && code <= 0xdfff) start++;
  const latest = start + Math.floor(most * slack);
  const line = text.indexOf("\n", start);
  if (line >= 0 && line < latest) return text.slice(line + 1);
  for (let at = start; at < latest; at++)
    if (isSpace(text, at) && sentenceEnd.test(text.slice(Math.max(0, at - 12), at + 1)))
      return text.slice(at + 1);
  for (let at = start; at < Math.min(latest, start + 60); at++)
    if (isSpace(text, at)) return text.slice(at + 1);
  return text.slice(start);
}

function isSpace(text: string, at: number): boolean {
  const character = text.charAt(at);
  return character !== "" && character.trim() === "";
}
