// Writes what belongs to a prompt in a few lines, and shares out their room. Pure.
import { wrapContext } from "../../src/privacy/index.ts";
import { asQuoted, type Language, oneLine, shorten, toBmp } from "../../src/text/index.ts";
import { intros, speakers } from "./intro.ts";
import type { Passage } from "./passage.ts";

/** A record to tell of. */
export interface Told extends Passage {
  id: string;
  /** Epoch ms. */
  time: number;
}

/** How the notes are written. */
export interface NotesOptions {
  /** UTF-16 units, the mark included. */
  maxCharacters: number;
  /** How the agent calls memoir in a shell. */
  command: string;
  language: Language;
  /** Writes epoch ms as a day. */
  day(time: number): string;
}

/** Less than this of a record tells nothing. */
const least = 80;
/** Characters in which a source says something. */
const leastOfSource = 200;

/**
 * Writes each in its room, the best first: all but the least that those after it need. What one leaves goes to the next;
 * for the last ones there may be no room.
 */
export function shareOut<Source, Told>(
  sources: readonly Source[],
  room: number,
  write: (source: Source, room: number) => { told: Told; length: number },
): Told[] {
  const fitting = sources.slice(0, Math.max(1, Math.floor(room / leastOfSource)));
  let left = room;
  return fitting.map((source, at) => {
    const { told, length } = write(source, left - leastOfSource * (fitting.length - at - 1));
    left -= length;
    return told;
  });
}

/** The lines that fit, and the ids of what they show; undefined when nothing fits. */
export function renderRelevant(
  told: readonly Told[],
  { maxCharacters, command, language, day }: NotesOptions,
): { context: string; ids: string[] } | undefined {
  const intro = intros[language].replace("{command}", () => command);
  const wrap = (lines: readonly string[]) =>
    wrapContext([intro, ...lines].join("\n"), { source: "prompt" });
  const lines: string[] = [];
  const ids: string[] = [];
  for (const { id, time, text, closing, by } of told) {
    const head = `- ${id} · ${day(time)} · ${speakers[language][by]}: `;
    // The agent closes a turn.
    const then = ` → ${speakers[language].agent}: “`;
    const room = maxCharacters - wrap(lines).length - head.length - then.length - 7;
    if (room < least) break;
    const end = closing === undefined ? "" : fit(closing, Math.floor(room / 2));
    const said = fit(text, room - end.length);
    lines.push(`${head}“${said}”${end === "" ? "" : `${then}${end}”`}`);
    ids.push(id);
  }
  return lines.length === 0 ? undefined : { context: wrap(lines), ids };
}

function fit(text: string, most: number): string {
  return oneLine(shorten(toBmp(asQuoted(text)), most).text);
}
