// The outputs hold together: what is needed of each stands in it, their size, where they came from, the third set aside.
import { describe, expect, test } from "bun:test";
import { leave } from "../measure/endless.ts";
import { isSetAside } from "../set-aside.ts";
import {
  askedKinds,
  type EndlessCase,
  endlessKinds,
  readAskedCases,
  readEndlessCases,
  says,
} from "./cases.ts";

const cases = readEndlessCases();

test("every id is there once, and a third is set aside by its hash", () => {
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  for (const { id, aside } of cases) expect([id, aside]).toEqual([id, isSetAside(id)]);
});

test("there are enough of every kind, most printed by the tool itself, in seven languages", () => {
  expect(cases.length).toBeGreaterThanOrEqual(150);
  for (const kind of endlessKinds)
    expect(cases.filter((one) => one.kind === kind).length).toBeGreaterThanOrEqual(8);
  const generated = cases.filter(({ source }) => source === "generated");
  expect(generated.length).toBeGreaterThan(cases.length / 2);
  const languages = Map.groupBy(cases, ({ language }) => language);
  expect([...languages.values()].map((of) => of.length >= 10)).toEqual(Array(7).fill(true));
});

test.each(cases.map((one) => [one.id, one] as const))(
  "%s says what is needed of it, in 4 to 30 kB",
  (_, { output, needles }) => {
    for (const needle of needles) expect([needle, says(output, needle)]).toEqual([needle, true]);
    expect(output.length).toBeGreaterThan(3_900);
    expect(output.length).toBeLessThan(31_000);
  },
);

test("of what people asked for there are 200 cases, a third aside, each with its needles in it", () => {
  const asked = readAskedCases();
  expect(asked.length).toBeGreaterThanOrEqual(200);
  expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length);
  expect(asked.filter(({ aside }) => aside).length).toBeGreaterThan(asked.length / 4);
  expect(asked.filter(({ kind }) => kind !== "failure").length).toBeGreaterThan(asked.length / 2);
  for (const { id, kind, prompt, needles, output } of asked) {
    expect([id, askedKinds.includes(kind), prompt !== undefined]).toEqual([id, true, true]);
    expect([id, needles.every((needle) => says(output, needle))]).toEqual([id, true]);
  }
});

describe("what is left of an output", () => {
  const one: EndlessCase = {
    ...{ id: "made", aside: false, language: "en", source: "modelled", by: "hand" },
    ...{ tool: "Bash", input: { command: "x" }, kind: "logs", needles: ["shard moved to node-7"] },
    output: [
      ...Array.from({ length: 200 }, (_, at) => `served ${at}`),
      "shard moved to node-7",
    ].join("\n"),
  };

  test.each([
    ["served 1\nshard moved  to\n node-7", true, false],
    ["served 1\n… one of another form, with shard", false, false],
    ["served 1", false, true],
  ])("%j", (text, isKept, isSilent) => {
    const [left] = leave(() => text, [one]);
    expect(left).toMatchObject({ isKept, isSilent, after: text.length });
  });
});
