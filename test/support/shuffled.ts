// Orders that a test draws from a seed, which a failure names.
import { drawOf } from "../torture/seeds.ts";

/** The list in an order of the seed's. */
export function shuffled<One>(list: readonly One[], seed: number): One[] {
  const draw = drawOf(seed);
  return list
    .map((one) => [draw.number(), one] as const)
    .sort(([left], [right]) => left - right)
    .map(([, one]) => one);
}
