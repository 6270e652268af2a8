import { expect, test } from "bun:test";
import type { Observation } from "../../src/sdk/model.ts";
import { roomToTell, tellObservations } from "../../src/strategy/clearing.ts";
import { sampleObservation } from "../support/sample-records.ts";

const observation = (part: Partial<Observation>) =>
  ({ ...sampleObservation(), id: "o1", ...part }) as Observation;

test("title, facts and files of each; the story where there is room", () => {
  const told = [
    observation({
      id: "o1",
      type: "bugfix",
      title: "Rounding\nfixed",
      subtitle: "",
      facts: ["cents are kept"],
      narrative: "A long story about cents.",
      filesModified: ["src/prices.ts"],
    }),
  ];
  const head = "## Rounding fixed (bugfix, o1)\n- cents are kept\nChanged: src/prices.ts";
  expect(tellObservations(told, 1_000)).toBe(`${head}\nA long story about cents.`);
  expect(tellObservations(told, 100)).toBe(head);
  expect(tellObservations(told, 40).length).toBeLessThanOrEqual(40);
  expect(tellObservations([], 1_000)).toBe("");
});

test("a subtitle stands below its title, and two observations share what their heads leave", () => {
  const one = (id: string) =>
    observation({
      ...{ id, type: "bugfix", title: "Fixed", subtitle: "In the\ncart", facts: [] },
      ...{ narrative: "x".repeat(400), filesModified: [] },
    });
  const head = (id: string) => `## Fixed (bugfix, ${id})\nIn the cart`;
  const told = tellObservations([one("o1"), one("o2")], 300);
  expect(told.split("\n\n").map((text) => text.split("\n").slice(0, 2).join("\n"))).toEqual([
    head("o1"),
    head("o2"),
  ]);
  const stories = told.split("\n\n").map((text) => text.split("\n")[2]?.length ?? 0);
  expect(stories[0]).toBe(stories[1] as number);
  expect([told.length > 290, told.length <= 300]).toEqual([true, true]);
});

test("half of what was taken out may be told, within bounds", () => {
  expect([0, 4_000, 1_000_000].map(roomToTell)).toEqual([600, 2_000, 8_000]);
});
