// When a plugin is passed over, for how long, and when its past is forgotten.
import { describe, expect, test } from "bun:test";
import {
  afterFault,
  afterSuccess,
  type FaultKind,
  type Health,
  healthy,
} from "../../../src/runtime/isolation/pauses.ts";

const minute = 60_000;
/** `t`: it threw, `l`: it was late, `s`: it worked, a number: so many minutes pass. */
function live(steps: ReadonlyArray<"t" | "l" | "s" | number>): { health: Health; now: number } {
  let health = healthy;
  let now = 1_000;
  for (const step of steps) {
    if (typeof step === "number") now += step * minute;
    else if (step === "s") health = afterSuccess(health);
    else {
      const kind: FaultKind = step === "t" ? "threw" : "late";
      health = afterFault(health, { kind, hook: "Stop", error: "e" }, now);
    }
  }
  return { health, now };
}
const pausedFor = (steps: Parameters<typeof live>[0]) => {
  const { health, now } = live(steps);
  return Math.max(0, health.until - now) / minute;
};

describe("a pause", () => {
  test.each<[string, Parameters<typeof live>[0], number]>([
    ["not after four throws", ["t", "t", "t", "t"], 0],
    ["after five", ["t", "t", "t", "t", "t"], 1],
    ["not after two late calls", ["l", "l"], 0],
    ["after three", ["l", "l", "l"], 1],
    ["not when one in between worked", ["t", "t", "t", "t", "s", "t", "t", "t", "t"], 0],
    ["is not made longer by calls that were under way", ["l", "l", "l", "l", "l", "l", "l"], 1],
    ["is over in time", ["l", "l", "l", 1], 0],
    ["is ten times as long when the next try fails", ["l", "l", "l", 2, "t"], 10],
    ["then an hour", ["l", "l", "l", 2, "t", 11, "t"], 60],
    ["and an hour again", ["l", "l", "l", 2, "t", 11, "t", 61, "t"], 60],
    ["comes back longer after a call that worked", ["l", "l", "l", 2, "s", "l", "l", "l"], 10],
    [
      "is short again after twenty",
      ["l", "l", "l", 2, ...Array.from({ length: 20 }, () => "s" as const), "l", "l", "l"],
      1,
    ],
  ])("%s", (_, steps, minutes) => {
    expect(pausedFor(steps)).toBe(minutes);
  });
});

test("a call that works changes nothing where nothing was wrong", () => {
  expect(afterSuccess(healthy)).toBe(healthy);
});
