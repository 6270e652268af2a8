// Fits lines to the budget: by rank each gets what it wants, then what is left lets the shortened ones grow. Pure.
import { type Line, type Saying, saidBy, writeLine } from "./line.ts";

/** A line and its text. */
export interface FittedLine {
  line: Line;
  text: string;
}

/** Characters of a shortened line in which it says something. */
const leastTold = 90;

/** Lines that say what stands in the note already are left out; so are those without room. In the order given. */
export function fitLines(
  lines: readonly Line[],
  budget: number,
  headings: (section: Line["section"]) => number,
): FittedLine[] {
  const ranked = lines.toSorted((one, other) => other.rank - one.rank);
  const taken = new Map<Line, { text: string; sayings: readonly Saying[] }>();
  const sections = new Set<Line["section"]>();
  const told: string[] = [];
  let left = budget;
  for (const line of ranked) {
    const heading = sections.has(line.section) ? 0 : headings(line.section);
    const room = Math.min(line.wanted, left - heading - 1);
    if (room < line.least) continue;
    const sayings = line.sayings();
    if ((line.needsSaying && sayings.length === 0) || isTold(sayings, told)) continue;
    const text = writeLine(line.head, sayings, room);
    if (text === undefined || (line.needsSaying && !saysEnough(text, line.head, sayings))) continue;
    taken.set(line, { text, sayings });
    sections.add(line.section);
    told.push(...saidBy(sayings));
    left -= text.length + 1 + heading;
  }
  for (const [line, { text: before, sayings }] of taken) {
    const text = left < 1 ? undefined : writeLine(line.head, sayings, before.length + left);
    if (text === undefined || text.length <= before.length) continue;
    taken.set(line, { text, sayings });
    left -= text.length - before.length;
  }
  return lines.flatMap((line) => {
    const text = taken.get(line)?.text;
    return text === undefined ? [] : { line, text };
  });
}

/** True where all of a line is told, or so much of it that it says something. */
function saysEnough(text: string, head: string, sayings: readonly Saying[]): boolean {
  const whole = sayings.reduce((sum, saying) => sum + saying.text.trim().length, 0);
  const told = text.length - (writeLine(head, [], text.length)?.length ?? 0);
  return told >= Math.min(whole, leastTold);
}

/** True when everything they say was said by a line before it. */
function isTold(sayings: readonly Saying[], told: readonly string[]): boolean {
  const said = saidBy(sayings);
  return said.length > 0 && said.every((text) => told.some((one) => one.includes(text)));
}
