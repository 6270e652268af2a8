// How the harnesses here draw their cases: each from a seed of its own, so that one that fails can be played again alone.
import process from "node:process";

/** What one case draws from; the same seed gives the same draws. */
export interface Draw {
  readonly seed: number;
  /** In [0, 1). */
  number(): number;
  /** A whole number in [0, below). */
  below(below: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True in so many of all cases. */
  chance(share: number): boolean;
}

/** Draws of a seed (mulberry32: neighbouring seeds have nothing in common). */
export function drawOf(seed: number): Draw {
  let state = Math.imul(seed, 0x9e3779b1);
  const number = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(number() * limit);
  return {
    ...{ seed, number, below },
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
    chance: (share) => number() < share,
  };
}

/** How long a test of so many cases may take. */
export const tortureMs = 3_600_000;

/** How many cases are asked for: `TORTURE`, or else the few of every day. */
export function caseCount(few: number): number {
  const asked = Number(process.env.TORTURE);
  return Number.isInteger(asked) && asked > 0 ? asked : few;
}

/** The seed of the first case: `TORTURE_SEED`, or else always the same. */
export function firstSeed(): number {
  const asked = Number(process.env.TORTURE_SEED);
  return Number.isInteger(asked) && asked > 0 ? asked : 1;
}

const shownFailures = 30;

/**
 * Runs `TORTURE` cases (else `few`), each with the next seed. All are run; then it throws when some failed, with each
 * one's seed and the command that plays it again.
 */
export async function torture(
  file: string,
  few: number,
  run: (draw: Draw) => Promise<void> | void,
): Promise<void> {
  const first = firstSeed();
  const failures: string[] = [];
  let failed = 0;
  for (let at = 0; at < caseCount(few); at++) {
    const seed = first + at;
    try {
      await run(drawOf(seed));
    } catch (error) {
      failed++;
      if (failures.length >= shownFailures) continue;
      const words = (error instanceof Error ? error.message : String(error)).slice(0, 1_500);
      const failure = `seed ${seed}: TORTURE=1 TORTURE_SEED=${seed} bun test ${file}\n${words}`;
      failures.push(failure);
      // A long run need not be waited for.
      if (process.env.TORTURE) console.error(failure);
    }
  }
  if (failed > 0) throw new Error(`${failed} cases failed.\n${failures.join("\n\n")}`);
}
