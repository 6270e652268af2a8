// The policies that are swept for the curve of savings against harm.
import type { Policy } from "../../plugins/endless-live/policy.ts";
import type { Strategy } from "./endless-replay.ts";
import { bluntCap, cleared, live, retiring } from "./endless-strategies.ts";

/** A point of the curve; `isDefault` marks the policies in force. */
export interface CurvePoint {
  strategy: Strategy;
  isDefault: boolean;
}

/** From hardly anything to far too much. */
export function curvePolicies(policy: Policy): CurvePoint[] {
  const point = (strategy: Strategy, isDefault = false): CurvePoint => ({ strategy, isDefault });
  const own = live(policy);
  const read = (over: number) =>
    live({ ...policy, over: { ...policy.over, Read: over } }, `live, reads over ${over}`);
  const inputs = (over: number) => ({
    ...cleared(own, over),
    name: `live + inputs over ${over}`,
  });
  const batches = (age: number) => ({
    ...retiring(cleared(own, 1_000), age),
    name: `live + inputs + batches of ${age} answers`,
  });
  return [
    ...[8_000, 4_000, 2_000, 1_000].map((most) => point(bluntCap(most))),
    ...[2_000, 8_000, 16_000, 1_000_000].map((over) => point(read(over))),
    point(own, true),
    ...[1_000, 2_000, 4_000].map((over) => point(inputs(over), over === 1_000)),
    ...[5, 8, 12, 20, 40].map((age) => point(batches(age), age === 8)),
  ];
}
