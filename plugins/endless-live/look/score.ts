// How unusual each of many is among the others: in bits, so that one in 256 has eight. What many have in common tells nothing.

import { cutLine } from "../text/rows.ts";
import type { Asked } from "./asked.ts";
import type { Column } from "./columns.ts";
import { countThings, outliers, type Things } from "./columns.ts";
import type { Features } from "./features.ts";
import { featuresOfLines } from "./features.ts";

/** Fewer have no usual form. */
const leastCompared = 8;

/** How far each departs. */
export function departures(all: Features): Departures {
  const reasons = createReasons(all.count);
  const { note } = reasons;
  if (all.count >= leastCompared) {
    const counts = countThings(all.words);
    rarest(all.words, counts, why.word, note);
    rarest(all.signs, countThings(all.signs), why.sign, note);
    rarest(all.shapes, countThings(all.shapes), why.shape, note);
    missing(all.words, counts, note);
    for (const at of all.troubled) note(at, bitsOf(all.troubled.length, all.count), why.trouble, 0);
    columns(all, note);
  }
  return reasons.all();
}

/** One that departs from the others: its place, by how many bits, and why. */
export interface Telling {
  at: number;
  bits: number;
  why: number;
}

/** Those that depart by so many bits or more, the most telling first. */
export function tellingOf({ bits, why }: Departures, least: number): Telling[] {
  const found: Telling[] = [];
  for (const [at, own] of bits.entries())
    if (own >= least) found.push({ at, bits: own, why: why[at] ?? 0 });
  return found.sort((one, other) => other.bits - one.bits);
}

/** Offers each to `take`, which says whether it took it. Of one reason the next weighs `repeated` times as much as the last, and must still have `least` bits. */
export function takeTelling<One extends Pick<Telling, "bits" | "why">>(
  telling: readonly One[],
  { least, repeated }: { least: number; repeated: number },
  take: (one: One, before: number) => boolean,
): void {
  const reasons = new Map<number, number>();
  for (const one of telling) {
    const before = reasons.get(one.why) ?? 0;
    if (one.bits * repeated ** before >= least && take(one, before))
      reasons.set(one.why, before + 1);
  }
}

/** By the rarest thing that it has; where many have things that nobody else has, that tells little. */
function rarest({ all, starts }: Things, counts: Uint32Array, kind: number, note: Note): void {
  const count = starts.length - 1;
  /** The rarest thing of each, plus one. */
  const least = new Uint32Array(count);
  const rows = new Uint32Array(count + 2);
  for (let one = 0; one < count; one++) {
    let fewest = count + 1;
    for (let at = starts[one] ?? 0; at < (starts[one + 1] ?? 0); at++) {
      const thing = all[at] ?? 0;
      const own = counts[thing] ?? 0;
      if (own >= fewest) continue;
      fewest = own;
      least[one] = thing + 1;
    }
    if (fewest <= count) rows[fewest] = (rows[fewest] ?? 0) + 1;
  }
  // How many have something that is as rare or rarer.
  for (let own = 1; own < rows.length; own++) rows[own] = (rows[own] ?? 0) + (rows[own - 1] ?? 0);
  for (let at = 0; at < count; at++) {
    const rare = least[at] ?? 0;
    if (rare > 0) note(at, bitsOf(rows[counts[rare - 1] ?? 0] ?? count, count), kind, rare - 1);
  }
}

/** Share of the rows that a word must stand in to be missed in another; most words that are. */
const [dominant, mostMissed] = [0.7, 40];

function missing({ all, starts }: Things, counts: Uint32Array, note: Note): void {
  const count = starts.length - 1;
  const usual: number[] = [];
  for (let word = 0; word < counts.length && usual.length < mostMissed; word++) {
    const own = counts[word] ?? 0;
    if (own >= count * dominant && own < count) usual.push(word);
  }
  if (usual.length === 0) return;
  /** The last that was seen to have it, plus one. */
  const last = new Uint32Array(counts.length);
  for (let one = 0; one < count; one++) {
    for (let at = starts[one] ?? 0; at < (starts[one + 1] ?? 0); at++) last[all[at] ?? 0] = one + 1;
    let missed = -1;
    for (const word of usual)
      if (last[word] !== one + 1 && (counts[word] ?? 0) > (counts[missed] ?? 0)) missed = word;
    if (missed < 0) continue;
    note(one, bitsOf(count - (counts[missed] ?? 0), count) * 0.9, why.missing, missed);
  }
}

/** First values that show whether a column is one of numbers, and how many of them must be. */
const [firstNumbers, leastNumbers] = [20, 5];

function columns(all: Features, note: Note): void {
  const { count } = all;
  const rareValues = createRareValues(all.values, note);
  /** Keys that few have, by who has them. */
  const rareKeys = new Map<number, number>();
  for (const [place, column] of all.columns.entries()) {
    const { rows, isKey } = column;
    if (rows.length < Math.max(leastCompared, count * 0.3)) {
      if (isKey && rows.length <= count / 20) for (const at of rows) rareKeys.set(at, place);
      continue;
    }
    const kind = why.column + 3 * place;
    rareValues(column, kind);
    for (const [at, apart] of numbersApart(column, all))
      note(at, 1 + bitsOf(apart, count), kind + 1, 0);
  }
  const bits = bitsOf(rareKeys.size, count) * 0.7;
  for (const [at, place] of rareKeys) note(at, bits, why.rareKey, place);
}

/** Whose number lies apart from the others in the column, and how many do. */
function numbersApart(
  { rows, values }: Column,
  { numberOf }: Features,
): [at: number, of: number][] {
  const owners: number[] = [];
  const numbers: number[] = [];
  for (let place = 0; place < values.length; place++) {
    const number = numberOf(values[place] ?? 0);
    if (number !== undefined && Number.isFinite(number)) {
      const at = rows[place] ?? 0;
      // Of a key that one has twice the last counts.
      if (owners.at(-1) === at) numbers.pop();
      else owners.push(at);
      numbers.push(number);
    }
    if (place === firstNumbers && owners.length < leastNumbers) break;
  }
  if (owners.length < rows.length * 0.6 || owners.length < leastCompared) return [];
  const apart = outliers(numbers);
  return apart.map((place) => [owners[place] ?? 0, apart.length]);
}

/** Share of a column's rows that must have a value which others have too, for it to have usual values. */
const uniform = 0.8;
/** Values of a column that can be usual. */
const mostUsual = 25;
/** First rows that show whether a column's values repeat. */
const sampled = 40;

/** Notes the values that hardly another has in a column where most have the same few. */
function createRareValues(kinds: number, note: Note) {
  const counts = new Uint32Array(kinds);
  /** False where it has no usual values. */
  const count = (values: readonly number[], distinct: number[]): boolean => {
    for (let place = 0; place < values.length; place++) {
      const value = values[place] ?? 0;
      if (counts[value] === 0) distinct.push(value);
      counts[value] = (counts[value] ?? 0) + 1;
      // More values than a column with usual ones has; seen by its first rows already, if they hardly repeat.
      if (distinct.length > mostUsual + (1 - uniform) * values.length) return false;
      if (place === sampled && distinct.length > sampled * 0.9) return false;
    }
    return true;
  };
  return (column: Column, kind: number): void => {
    const distinct: number[] = [];
    if (count(column.values, distinct)) noteRare(column, kind, distinct, counts, note);
    for (const value of distinct) counts[value] = 0;
  };
}

function noteRare(
  { rows, values }: Column,
  kind: number,
  distinct: readonly number[],
  counts: Uint32Array,
  note: Note,
): void {
  const usual = Math.max(3, values.length / mostUsual);
  let common = 0;
  for (const value of distinct) {
    const own = counts[value] ?? 0;
    if (own >= usual) common += own;
  }
  if (common < values.length * uniform) return;
  const bits = bitsOf(values.length - common, values.length) * (common / values.length);
  let last = -1;
  const changes: number[] = [];
  for (let place = 0; place < values.length; place++) {
    const [at, value] = [rows[place] ?? 0, values[place] ?? 0];
    if ((counts[value] ?? 0) < usual) note(at, bits, kind, value);
    else {
      if (last >= 0 && value !== last) changes.push(at);
      last = value;
    }
  }
  // It was one thing for long and is another since.
  if (changes.length <= Math.max(2, values.length / 50))
    for (const at of changes) note(at, bitsOf(changes.length, values.length) * 0.6, kind + 2, 0);
}

// Why each of many departs from the others, as far as it tells: the three strongest reasons.

/** Why one departs. Those that say the same are alike: numbers that tell them apart. */
const why = {
  word: 0,
  sign: 1,
  shape: 2,
  missing: 3,
  trouble: 4,
  rareKey: 5,
  column: 6,
} as const;

/** How far each of many departs from the others, by its place. */
interface Departures {
  /** 0 for what is like the others. */
  bits: Float64Array;
  /** What it departs by; those that say the same are alike. */
  why: Float64Array;
}

/** What is noted only when it says something. */
const leastNoted = 1;

/** Takes the reasons: of those that weigh the same the first counts for more. */
function createReasons(count: number) {
  const [first, second, third] = [0, 1, 2].map(() => new Float64Array(count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const strongest = new Float64Array(count);
  return {
    /** One departs by so many bits: for this kind of reason, by this value. */
    note(at: number, bits: number, kind: number, value: number): void {
      if (bits < leastNoted) return;
      const [one, two, three] = [first[at] ?? 0, second[at] ?? 0, third[at] ?? 0];
      if (bits > one) {
        first[at] = bits;
        second[at] = one;
        third[at] = two;
        strongest[at] = kind * 0x1_0000_0000 + value;
      } else if (bits > two) {
        second[at] = bits;
        third[at] = two;
      } else if (bits > three) third[at] = bits;
    },
    all(): Departures {
      const bits = first.map(
        (most, at) => most + 0.35 * (second[at] ?? 0) + 0.2 * (third[at] ?? 0),
      );
      return { bits, why: strongest };
    },
  };
}

type Note = ReturnType<typeof createReasons>["note"];

/** One in so many, as bits. */
function bitsOf(of: number, all: number): number {
  return Math.log2(all / Math.max(1, of));
}

// Cuts a very long line where it only goes on in the same way: its beginning stays, and the parts of it that depart from the others.

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

/** A line cut to about `max` characters, with the number of those missing and what among them was asked for or is unlike the rest. */
export function cutTelling(line: string, max: number, asked?: Asked): string {
  const short = cutLine(line, max);
  if (short === line || line.length > longestLine || line.length < max + 200) return short;
  const split = partsOf(line);
  if (!split) return short;
  const { parts, by } = split;
  const places: number[] = [];
  let room = mostCharacters;
  const take = (at: number): boolean => {
    const part = parts[at] ?? "";
    if (room <= 0 || part.length > longestPart || short.includes(part.trim())) return false;
    places.push(at);
    room -= part.length;
    return true;
  };
  const bits = asked?.bitsOf(parts) ?? [];
  const wanted = [...bits.keys()].filter((at) => (bits[at] ?? 0) >= leastBits);
  for (const at of wanted.sort((one, other) => (bits[other] ?? 0) - (bits[one] ?? 0))) take(at);
  const why = places.length > 0 ? "asked for, or unlike the rest" : "unlike the rest";
  const telling = tellingOf(departures(featuresOfLines(parts)), leastBits);
  takeTelling(telling, { least: leastBits, repeated: 0.75 }, ({ at }) => take(at));
  if (places.length === 0) return short;
  return `${short} ${why}: … ${stretches(places, parts, by).join(" … ")} …`;
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
