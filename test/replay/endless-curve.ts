// The policies that are swept for the curve of savings against harm.
import type { Policy } from "../../plugins/endless-live/policy.ts";
import type { Strategy } from "./endless-replay.ts";
import { bluntCap, cleared, live, retiring } from "./endless-strategies.ts";

/** A point of the curve; `isDefault` marks the policies in force. */
export interface CurvePoint {
  strategy: Strategy;
  isDefault: boolean;
}

/** No file is that long. */
const never = 1_000_000_000;

/** Knobs for whoever wants less of it … */
const gentle = {
  leastSaved: 500,
  leastShare: 0.25,
  searchCharacters: 6_000,
  listingCharacters: 4_000,
  headLines: 30,
  tailLines: 30,
  aroundLines: 2,
  matchesPerFile: 5,
  answerCharacters: 12_000,
  over: { Bash: 3_000, Grep: 3_000, Task: 16_000, Agent: 16_000, WebFetch: 12_000 },
};
/** … and more than is good. */
const strong = {
  searchCharacters: 2_000,
  listingCharacters: 2_000,
  genericOver: 2_000,
  headLines: 8,
  tailLines: 10,
  aroundLines: 0,
  matchesPerFile: 2,
  answerCharacters: 2_000,
  failureCharacters: 3_000,
  diffCharacters: 2_500,
  over: { Bash: 1_200, Task: 3_000, Agent: 3_000, WebFetch: 3_000 },
};

/** From hardly anything to far too much. */
export function curvePolicies(policy: Policy): CurvePoint[] {
  const point = (strategy: Strategy, isDefault = false): CurvePoint => ({ strategy, isDefault });
  const own = live(policy);
  const variant = (name: string, changes: Partial<Policy>, read: Partial<Policy["read"]> = {}) =>
    point(
      live(
        {
          ...policy,
          ...changes,
          over: { ...policy.over, ...changes.over },
          read: { ...policy.read, ...read },
        },
        `live, ${name}`,
      ),
    );
  const inputs = (over: number) => ({
    ...cleared(own, over),
    name: `live + inputs over ${over}`,
  });
  const batches = (age: number) => ({
    ...retiring(cleared(own), age),
    name: `live + inputs + batches from ${age} answers on`,
  });
  return [
    ...[8_000, 4_000, 2_000, 1_000].map((most) => point(bluntCap(most))),
    variant("no reads", { leave: [...policy.leave, "Read"] }),
    variant("of reads only repeats", {}, { sourceOver: never, proseOver: never, dataOver: never }),
    variant("gentle, of reads only repeats", gentle, { sourceOver: never, proseOver: never }),
    variant("gentle", gentle, { sourceOver: 8_000, bodyLines: 8, aroundNamed: 1_000 }),
    ...[16_000, 8_000, 3_000].map((over) =>
      variant(`sources over ${over}`, {}, { sourceOver: over }),
    ),
    variant("strong", strong, { sourceOver: 3_000, bodyLines: 4, aroundNamed: 0 }),
    point(own, true),
    ...[1_024, 2_000, 4_000].map((over) => point(inputs(over), over === 1_024)),
    ...[5, 8, 12, 20, 40].map((age) => point(batches(age), age === 8)),
  ];
}
