// Lines as code units in one row, each with its class, and numbers for stretches of it: equal ones get the same, so that no string is made of any.
import { classOf } from "./classes.ts";

/** Code units, and the class of each. */
export interface Units {
  codes: Uint16Array;
  kinds: Uint8Array;
}

/** Lines, one behind the other. */
export interface Codes extends Units {
  /** Where each begins; behind the last one, where it ends. */
  starts: Uint32Array;
}

/** The lines' code units, of each no more than `longest`. */
export function codesOf(lines: readonly string[], longest: number): Codes {
  const starts = new Uint32Array(lines.length + 1);
  for (const [at, { length }] of lines.entries())
    starts[at + 1] = (starts[at] ?? 0) + Math.min(length, longest);
  const units = unitsFor(starts[lines.length] ?? 0);
  for (const [at, line] of lines.entries()) {
    const start = starts[at] ?? 0;
    writeUnits(line, (starts[at + 1] ?? 0) - start, units, start);
  }
  return { ...units, starts };
}

/** Room for so many. */
export function unitsFor(count: number): Units {
  return { codes: new Uint16Array(count), kinds: new Uint8Array(count) };
}

/** The first `size` units of a text, written to a place. */
export function writeUnits(text: string, size: number, { codes, kinds }: Units, to: number): void {
  for (let at = 0; at < size; at++) {
    const code = text.charCodeAt(at);
    codes[to + at] = code;
    kinds[to + at] = classOf(code);
  }
}

/** Numbers from 0, in the order in which the stretches were first asked for. */
export interface Numbering {
  of(from: number, to: number): number;
  /** How many there are. */
  size(): number;
  /** The stretch that a number was first given to. */
  stretch(number: number): readonly [from: number, to: number];
}

/** Numbers for stretches of `codes`. */
export function numberStretches(codes: Uint16Array): Numbering {
  /** The number of what stands there, plus one; 0 is free. A power of two in length, at most half full. */
  let table = new Int32Array(1_024);
  const [hashes, froms, tos]: [number[], number[], number[]] = [[], [], []];

  function isSame(number: number, from: number, to: number): boolean {
    const other = froms[number] ?? 0;
    if ((tos[number] ?? 0) - other !== to - from) return false;
    for (let at = from; at < to; at++) if (codes[at] !== codes[other + at - from]) return false;
    return true;
  }

  function grow(): void {
    table = new Int32Array(table.length * 4);
    for (const [number, hash] of hashes.entries()) {
      let slot = hash & (table.length - 1);
      while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
      table[slot] = number + 1;
    }
  }

  return {
    of(from, to) {
      const hash = hashOf(codes, from, to);
      let slot = hash & (table.length - 1);
      for (let known = table[slot] ?? 0; known > 0; known = table[slot] ?? 0) {
        if (hashes[known - 1] === hash && isSame(known - 1, from, to)) return known - 1;
        slot = (slot + 1) & (table.length - 1);
      }
      const number = hashes.length;
      table[slot] = number + 1;
      hashes.push(hash);
      froms.push(from);
      tos.push(to);
      if (hashes.length * 2 > table.length) grow();
      return number;
    },
    size: () => hashes.length,
    stretch: (number) => [froms[number] ?? 0, tos[number] ?? 0],
  };
}

function hashOf(codes: Uint16Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (codes[at] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}
