// Cuts a very long line where it only goes on in the same way: its beginning stays, and the parts of it that depart from the others.
import { cutLine } from "../text/rows.ts";
import { featuresOfLines } from "./features.ts";
import { departures, tellingOf } from "./score.ts";

/** What parts long lines, the first that gives enough parts that are short enough. */
const delimiters = ["; ", "},", ";", "}", ">", ", ", ",", "、", "，", ":", "&", " "] as const;
/** Fewer parts, or longer ones, are no row of like things. */
const [leastParts, mostParts, longestPart] = [12, 3_000, 240];
/** Rarer than one in sixteen; most characters of them. */
const [leastBits, mostCharacters] = [4, 400];
/** More of a line is not taken apart. */
const longestLine = 100_000;

function partsOf(line: string): { parts: string[]; by: string } | undefined {
  for (const by of delimiters) {
    const parts = line.split(by);
    if (parts.length < leastParts || parts.length > mostParts) continue;
    const long = parts.filter(({ length }) => length > longestPart).length;
    if (long <= parts.length / 20) return { parts, by };
  }
  return undefined;
}

/** A line cut to about `max` characters, with the number of those missing and what among them is unlike the rest. */
export function cutTelling(line: string, max: number): string {
  const short = cutLine(line, max);
  if (short === line || line.length > longestLine || line.length < max + 200) return short;
  const split = partsOf(line);
  if (!split) return short;
  const { parts, by } = split;
  const scored = departures(featuresOfLines(parts));
  const places: number[] = [];
  const reasons = new Map<number, number>();
  let room = mostCharacters;
  for (const at of tellingOf(scored, leastBits)) {
    const [bits, why] = [scored.bits[at] ?? 0, scored.why[at] ?? 0];
    const told = reasons.get(why) ?? 0;
    if (room <= 0) break;
    if (told > 0 && bits * 0.75 ** told < leastBits) continue;
    const part = parts[at] ?? "";
    if (part.length > longestPart || short.includes(part.trim())) continue;
    reasons.set(why, told + 1);
    places.push(at);
    room -= part.length;
  }
  if (places.length === 0) return short;
  return `${short} unlike the rest: … ${stretches(places, parts, by).join(" … ")} …`;
}

/** The parts with those beside them, where these are short; what overlaps is one stretch. */
function stretches(places: readonly number[], parts: readonly string[], by: string): string[] {
  const shown: [from: number, to: number][] = [];
  for (const at of places.toSorted((one, other) => one - other)) {
    const near: [number, number] = [Math.max(0, at - 1), Math.min(parts.length - 1, at + 1)];
    const isShort = parts.slice(near[0], near[1] + 1).join(by).length <= longestPart;
    const [from, to] = isShort ? near : [at, at];
    const last = shown.at(-1);
    if (last && from <= last[1] + 1) last[1] = to;
    else shown.push([from, to]);
  }
  return shown.map(([from, to]) => parts.slice(from, to + 1).join(by));
}
