// Why each of many departs from the others, as far as it tells: the three strongest reasons.

/** Why one departs. Those that say the same are alike: numbers that tell them apart. */
export const why = {
  word: 0,
  sign: 1,
  shape: 2,
  missing: 3,
  trouble: 4,
  rareKey: 5,
  column: 6,
} as const;

/** How far each of many departs from the others, by its place. */
export interface Departures {
  /** 0 for what is like the others. */
  bits: Float64Array;
  /** What it departs by; those that say the same are alike. */
  why: Float64Array;
}

/** What is noted only when it says something. */
const leastNoted = 1;

/** Takes the reasons: of those that weigh the same the first counts for more. */
export function createReasons(count: number) {
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

export type Note = ReturnType<typeof createReasons>["note"];

/** One in so many, as bits. */
export function bitsOf(of: number, all: number): number {
  return Math.log2(all / Math.max(1, of));
}
