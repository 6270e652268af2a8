// Takes what must not be kept out of a transcript's moments. Their texts were never captured: they go through the capture plugins.
import type { Moment } from "./moment.ts";

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
