// Observations as an agent reads them in place of what was taken out: title and facts of each, the story where there is room. Pure.
import type { Observation } from "../sdk/model.ts";
import { cut, oneLine } from "../text/text.ts";

/** The observations in at most `max` characters; empty without any. */
export function tellObservations(observations: readonly Observation[], max: number): string {
  const heads = observations.map(headOf);
  // What every observation may take of the room that the heads leave.
  const left = max - heads.reduce((sum, head) => sum + head.length + 2, 0);
  const room = Math.floor(left / Math.max(1, observations.length));
  const texts = observations.map(({ narrative, title }, at) => {
    const head = heads[at] ?? "";
    const story = oneLine(narrative);
    if (story === "" || story === oneLine(title) || room < 80) return head;
    return `${head}\n${cut(story, room - 1)}`;
  });
  return cut(texts.join("\n\n"), max);
}

/** How many characters may be told where `saved` characters were taken out: half of that, within bounds. */
export function roomToTell(saved: number): number {
  return Math.max(600, Math.min(8_000, Math.floor(saved / 2)));
}

function headOf({ id, type, title, subtitle, facts, filesModified }: Observation): string {
  const lines = [`## ${oneLine(title)} (${type}, ${id})`];
  if (subtitle !== "") lines.push(oneLine(subtitle));
  for (const fact of facts) lines.push(`- ${oneLine(fact)}`);
  if (filesModified.length > 0)
    lines.push(`Changed: ${filesModified.slice(0, 10).map(oneLine).join(", ")}`);
  return lines.join("\n");
}
