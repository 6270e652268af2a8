// Brings together what events and the transcript tell of one turn: each thing once, in the order of the transcript where it has one.
import type { Moment, SpokenMoment } from "./moment.ts";

/** Moments of both, oldest first. A tool use counts only where an event tells it: what capture left out stays out. */
export function mergeMoments(
  told: readonly Moment[],
  written: readonly Moment[] | undefined,
): Moment[] {
  if (!written) return [...told].sort(byTime);
  const tools = new Map(told.flatMap((one) => (one.what === "tool" ? [[one.tool.id, one]] : [])));
  const merged: Moment[] = [];
  const rest = new Set(told);
  for (const moment of written) {
    if (moment.what !== "use") {
      merged.push(moment);
      continue;
    }
    const tool = tools.get(moment.toolUseId);
    if (!tool || !rest.delete(tool)) continue;
    merged.push({ ...tool, time: moment.time, ...(moment.uuid && { uuid: moment.uuid }) });
  }
  for (const moment of rest) {
    if (moment.what === "tool" || moment.what === "use") merged.push(moment);
    else if (!mark(merged, moment)) merged.push(moment);
  }
  return merged.sort(byTime);
}

/** True when the transcript has these words too; it then says of them what only the event tells. */
function mark(merged: Moment[], told: SpokenMoment): boolean {
  const at = merged.findLastIndex((one) => isSame(one, told));
  const same = merged[at];
  if (!same || same.what === "tool" || same.what === "use") return false;
  // A prompt is taken as it was captured.
  if (told.what === "prompt") merged[at] = { ...same, text: told.text };
  else if (told.last) merged[at] = { ...same, last: true, text: longer(same.text, told.text) };
  return true;
}

function isSame(one: Moment, told: SpokenMoment): boolean {
  if (one.what !== told.what) return false;
  switch (told.what) {
    case "prompt":
      return true;
    case "refused":
    case "interrupted":
      return one.toolUseId === told.toolUseId;
    case "compaction":
      return plain(one.text).slice(0, 500) === plain(told.text).slice(0, 500);
    default: {
      const [a, b] = [plain(one.text), plain(told.text)];
      return a === b || (told.last === true && (a.endsWith(b) || b.endsWith(a)));
    }
  }
}

function longer(one: string, other: string): string {
  return one.length >= other.length ? one : other;
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function byTime(one: Moment, other: Moment): number {
  return one.time - other.time;
}
