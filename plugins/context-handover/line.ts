// One line of the note: what it says can be written long or short, and is never cut inside a sentence where one ends near.
import { asData, asQuoted, oneLine, toBmp } from "../../src/text/index.ts";
import { fitted, linesOf } from "./quotation.ts";

/** Parts of the note, in the order they are read. */
export const sectionNames = [
  "pinned",
  "own",
  "now",
  "open",
  "decided",
  "refused",
  "build",
  "repairs",
  "files",
  "earlier",
  "notes",
] as const;
/** A part of the note. */
export type SectionName = (typeof sectionNames)[number];

/** Something said, and how it is shown. */
export interface Saying {
  text: string;
  /** Before it, on the same line. */
  label?: string;
  /** `user`: in quotation marks; `quote`: as a block quotation where it has several lines; `plain`: as it is. */
  as: "user" | "quote" | "plain";
}

/** One line; of several sayings the first ones give way to the last. */
export interface Line {
  section: SectionName;
  /** From 0 to 1; what is above all else gets room first. */
  rank: number;
  /** Ids of what it was made of. */
  ids: readonly string[];
  /** Of a line that sums up many turns: theirs, for who asks where it comes from. */
  from?: readonly string[];
  /** Epoch ms: lines of one part that have it stand newest first. */
  time?: number;
  /** Where it comes from, and what it is. */
  head: string;
  /** Asked for only where there is room; none: the line stands by its head, or is left out if `needsSaying`. */
  sayings: () => readonly Saying[];
  needsSaying?: true;
  /** Characters it should get, and the least it makes sense with. */
  wanted: number;
  least: number;
}

/** What a saying before the last may take of the room at most, and what it always may. */
const leadingShare = 0.4;
const leadingLeast = 120;
const tries = 5;
const step = 20;

/** The line in at most `most` characters, its bullet included; undefined where that is too little. */
export function writeLine(
  head: string,
  sayings: readonly Saying[],
  most: number,
): string | undefined {
  let room = most;
  for (let i = 0; i < tries; i++) {
    const text = written(head, sayings, room);
    if (text.length <= most) return text;
    // Texts are cut at sentences: a little less room may change nothing.
    room -= text.length - most + i * step;
    if (room < 20) return undefined;
  }
  return undefined;
}

/** What it says, for telling whether it stands elsewhere already. */
export function saidBy(sayings: readonly Saying[]): string[] {
  return sayings.map(({ text }) => plain(text)).filter((text) => text !== "");
}

/** Whole words alone: marks, and what is cut off at the end, say nothing. */
export function plain(text: string): string {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 ? "" : ` ${words.join(" ")} `;
}

function written(head: string, sayings: readonly Saying[], most: number): string {
  const named = oneLine(toBmp(asData(head)));
  const labels = sayings.reduce((sum, { label = "" }) => sum + label.length + 6, 0);
  let room = Math.max(0, most - named.length - labels - 2);
  let text = `- ${named}`;
  for (const [at, saying] of sayings.entries()) {
    const isLast = at === sayings.length - 1;
    const share = isLast ? room : Math.max(leadingLeast, Math.floor(room * leadingShare));
    const clean = saying.as === "user" ? asQuoted(saying.text) : asData(saying.text);
    const said = linesOf(fitted(clean, Math.min(room, share))).join("\n");
    room = Math.max(0, room - said.length);
    if (said === "") continue;
    const label = saying.label ? `${oneLine(asData(saying.label))} ` : "";
    if (saying.as === "quote" && said.includes("\n"))
      text += `${label && `\n  ${label.trimEnd()}`}${block(said)}`;
    else {
      const shown = saying.as === "plain" ? oneLine(said) : `“${oneLine(asQuoted(said))}”`;
      text += `${at === 0 && !/[:)]$/.test(named) ? " · " : at === 0 ? " " : "\n  "}${label}${shown}`;
    }
  }
  return text;
}

function block(text: string): string {
  return text
    .split("\n")
    .map((line) => `\n  > ${line}`)
    .join("");
}
