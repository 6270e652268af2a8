// How unusual each of many is among the others: in bits, so that one in 256 has eight. What many have in common tells nothing.
import type { Features } from "./features.ts";
import { numberOf, outliers } from "./numbers.ts";

/** How far one departs from the others. */
export interface Departure {
  at: number;
  bits: number;
  /** What it departs by; those that say the same are alike. */
  why: string;
}

/** Fewer have no usual form. */
export const leastCompared = 8;

/** The departure of each, in their order; 0 bits for what is like the others. */
export function departures(all: readonly Features[]): Departure[] {
  const found = all.map((): Reason[] => []);
  const note: Note = (at, bits, name, value) => {
    if (bits >= leastNoted) found[at]?.push({ bits, name, value });
  };
  if (all.length >= leastCompared) {
    const words = counted(all.map(({ words: own }) => own));
    rarest(words, "word", note);
    rarest(counted(all.map(({ signs }) => signs)), "sign", note);
    rarest(counted(all.map(({ shape }) => [shape])), "shape", note);
    missing(words, note);
    trouble(all, note);
    columns(all, note);
  }
  return found.map((reasons, at) => {
    if (reasons.length > 1) reasons.sort((one, other) => other.bits - one.bits);
    const [first, second, third] = reasons;
    const bits = (first?.bits ?? 0) + 0.35 * (second?.bits ?? 0) + 0.2 * (third?.bits ?? 0);
    return { at, bits, why: first ? `${first.name} ${first.value}` : "" };
  });
}

/** Why one departs: its rare word, say, and which. */
interface Reason {
  bits: number;
  name: string;
  value: string;
}

/** What is noted only when it says something. */
type Note = (at: number, bits: number, name: string, value: string) => void;
const leastNoted = 1;

/** One in so many, as bits. */
const bitsOf = (of: number, all: number): number => Math.log2(all / Math.max(1, of));

/** A thing, and how many have it. */
interface Counter {
  thing: string;
  count: number;
  /** The last that was seen to have it. */
  last: number;
}

/** The things of each, counted over all. */
function counted(all: readonly (readonly string[])[]): Counter[][] {
  const counters = new Map<string, Counter>();
  return all.map((things, at) =>
    things.map((thing) => {
      let counter = counters.get(thing);
      if (!counter) {
        counter = { thing, count: 0, last: -1 };
        counters.set(thing, counter);
      }
      if (counter.last !== at) counter.count++;
      counter.last = at;
      return counter;
    }),
  );
}

/** By the rarest thing that it has; where many have things that nobody else has, that tells little. */
function rarest(all: readonly (readonly Counter[])[], name: string, note: Note): void {
  const least = all.map((things) => {
    let rare: Counter | undefined;
    for (const one of things) if (!rare || one.count < rare.count) rare = one;
    return rare;
  });
  const rows = new Uint32Array(all.length + 2);
  for (const one of least) if (one) rows[one.count] = (rows[one.count] ?? 0) + 1;
  // How many have something that is as rare or rarer.
  for (let count = 1; count < rows.length; count++)
    rows[count] = (rows[count] ?? 0) + (rows[count - 1] ?? 0);
  for (const [at, one] of least.entries())
    if (one) note(at, bitsOf(rows[one.count] ?? all.length, all.length), name, one.thing);
}

/** A word of trouble weighs as much as it is rare. */
function trouble(all: readonly Features[], note: Note): void {
  const told = all.flatMap((one, at) => (one.isTrouble ? [at] : []));
  for (const at of told) note(at, bitsOf(told.length, all.length), "trouble", "");
}

/** Share of the rows that a word must stand in to be missed in another; most words that are. */
const [dominant, mostMissed] = [0.7, 40];

function missing(all: readonly (readonly Counter[])[], note: Note): void {
  const usual = new Set<Counter>();
  for (const things of all)
    for (const one of things)
      if (one.count >= all.length * dominant && one.count < all.length && usual.size < mostMissed)
        usual.add(one);
  if (usual.size === 0) return;
  for (const [at, things] of all.entries()) {
    const own = new Set(things);
    let rarestMissed: Counter | undefined;
    for (const one of usual)
      if (!own.has(one) && one.count > (rarestMissed?.count ?? 0)) rarestMissed = one;
    if (!rarestMissed) continue;
    const bits = bitsOf(all.length - rarestMissed.count, all.length) * 0.9;
    note(at, bits, "no", rarestMissed.thing);
  }
}

/** Share of a column's rows that must have a value which others have too, for it to have usual values. */
const uniform = 0.8;
/** Values of a column that can be usual. */
const mostUsual = 25;
/** First rows that show whether a column's values repeat. */
const sampled = 40;
/** Most columns looked at. */
const mostColumns = 150;

/** A column's values, and whose they are. */
interface Column {
  rows: number[];
  values: string[];
}

function columnsOf(all: readonly Features[]): Map<string, Column> {
  const columns = new Map<string, Column>();
  for (const [at, { cells }] of all.entries())
    for (let cell = 0; cell < cells.length; cell += 2) {
      const name = cells[cell] ?? "";
      let column = columns.get(name);
      if (!column) {
        if (columns.size >= mostColumns) continue;
        column = { rows: [], values: [] };
        columns.set(name, column);
      }
      column.rows.push(at);
      column.values.push(cells[cell + 1] ?? "");
    }
  return columns;
}

function columns(all: readonly Features[], note: Note): void {
  /** Keys that few have, by who has them. */
  const rareKeys = new Map<number, string>();
  for (const [name, { rows, values }] of columnsOf(all)) {
    if (rows.length < Math.max(leastCompared, all.length * 0.3)) {
      if (name.endsWith(":") && rows.length <= all.length / 20)
        for (const at of rows) rareKeys.set(at, name);
      continue;
    }
    rareValues(name, { rows, values }, note);
    const numbers = new Map<number, number>();
    for (const [place, value] of values.entries()) {
      const number = numberOf(value);
      if (number !== undefined && Number.isFinite(number)) numbers.set(rows[place] ?? 0, number);
      // Not a column of numbers.
      if (place === 20 && numbers.size < 5) break;
    }
    if (numbers.size < rows.length * 0.6 || numbers.size < leastCompared) continue;
    const apart = outliers(numbers);
    for (const at of apart) note(at, 1 + bitsOf(apart.length, all.length), "number in", name);
  }
  const bits = bitsOf(rareKeys.size, all.length) * 0.7;
  for (const [at, name] of rareKeys) note(at, bits, "has", name);
}

function rareValues(name: string, { rows, values }: Column, note: Note): void {
  const counts = new Map<string, number>();
  for (const [place, value] of values.entries()) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
    // More values than a column with usual ones has; told by its first rows already, if they hardly repeat.
    if (counts.size > mostUsual + (1 - uniform) * values.length) return;
    if (place === sampled && counts.size > sampled * 0.9) return;
  }
  const usual = Math.max(3, values.length / mostUsual);
  let common = 0;
  for (const count of counts.values()) if (count >= usual) common += count;
  if (common < values.length * uniform) return;
  const bits = bitsOf(values.length - common, values.length) * (common / values.length);
  let last: string | undefined;
  const changes: number[] = [];
  for (const [place, value] of values.entries()) {
    const at = rows[place] ?? 0;
    if ((counts.get(value) ?? 0) < usual) note(at, bits, name, value);
    else {
      if (last !== undefined && value !== last) changes.push(at);
      last = value;
    }
  }
  // It was one thing for long and is another since.
  if (changes.length <= Math.max(2, values.length / 50))
    for (const at of changes)
      note(at, bitsOf(changes.length, values.length) * 0.6, name, "changes");
}
