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

// Takes what must not be kept out of a transcript's moments. Their texts were never captured: they go through the capture plugins.

/** Texts as they may be kept, in order; undefined when that failed, and nothing may be used. */
type ScrubAll = (texts: readonly string[]) => Promise<readonly string[] | undefined>;

/** A longer text is cut in the middle before it is scrubbed; no piece is that long. */
const longest = 256 * 1024;

/** The same moments with scrubbed texts, without those of which nothing is left; undefined when scrubbing failed. */
export async function scrubMoments(
  moments: readonly Moment[],
  scrub: ScrubAll,
): Promise<Moment[] | undefined> {
  const texts = [...new Set(moments.flatMap(textsOf))];
  const scrubbed = texts.length === 0 ? [] : await scrub(texts.map(bounded));
  if (!scrubbed || scrubbed.length !== texts.length) return undefined;
  const clean = new Map(texts.map((text, at) => [text, scrubbed[at] ?? ""]));
  return moments.flatMap((moment): Moment[] => {
    if (moment.what === "tool" || moment.what === "use") return [moment];
    const text = clean.get(moment.text) ?? "";
    if (moment.text !== "" && text.trim() === "" && moment.what !== "refused") return [];
    const { about: named, ...rest } = moment;
    const about = named === undefined ? undefined : clean.get(named);
    const omitted = Math.max(0, moment.text.length - longest);
    return [{ ...rest, text, ...(about && { about }), ...(omitted > 0 && { omitted }) }];
  });
}

function textsOf(moment: Moment): string[] {
  if (moment.what === "tool" || moment.what === "use") return [];
  return [moment.text, moment.about ?? ""].filter((text) => text !== "");
}

function bounded(text: string): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest / 2)}\n…\n${text.slice(-longest / 2)}`.toWellFormed();
}
