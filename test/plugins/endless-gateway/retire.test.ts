import { describe, expect, test } from "bun:test";
import {
  expectedTurns,
  type OldResult,
  retirementPolicy,
  weighRetirement,
} from "../../../plugins/endless-gateway/retire.ts";

type RetirementCase = Parameters<typeof weighRetirement>[0];

/** `count` answers in a context that grows by `step` tokens. */
const answers = (count: number, step = 500): number[] =>
  Array.from({ length: count }, (_, at) => at * step + step);

/** Results of `saves` tokens each, one after the other from `from` on, the last `age` answers old. */
const results = (count: number, saves: number, from: number, age = 20): OldResult[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `t${at}`,
    at: from + at * saves,
    saves,
    age: age + count - at,
  }));

const base: RetirementCase = {
  results: results(20, 2_000, 10_000),
  contextTokens: 60_000,
  answers: answers(100),
  cacheIsCold: false,
};

describe("weighRetirement", () => {
  const cases: Array<[name: string, change: Partial<RetirementCase>, retire: boolean]> = [
    ["a large batch with many turns to come", {}, true],
    ["few turns so far", { answers: answers(4) }, false],
    ["nothing there", { results: [] }, false],
    ["all too young", { results: results(20, 2_000, 10_000, -20) }, false],
    ["a small batch", { results: results(4, 500, 10_000) }, false],
    ["a small batch, cold", { results: results(10, 500, 10_000), cacheIsCold: true }, true],
    ["crumbs, cold", { results: results(4, 100, 10_000), cacheIsCold: true }, false],
    ["a small share of a large context", { contextTokens: 900_000 }, false],
    [
      "a context that is full soon",
      { contextTokens: 159_000, answers: answers(300, 5_000) },
      false,
    ],
  ];
  test.each(cases)("%s", (_name, change, retire) => {
    expect(weighRetirement({ ...base, ...change }).retire).toBe(retire);
  });

  test.each<[string, Partial<RetirementCase>, boolean, string]>([
    [
      "with a cold cache",
      { cacheIsCold: true },
      true,
      "the cache is cold: 40000 tokens need not be written",
    ],
    [
      "just enough of the context",
      { results: results(6, 2_000, 10_000), contextTokens: 80_000 },
      false,
      "12000 tokens less over 50 turns gain 60000, writing the cache again costs 65500: too little",
    ],
    [
      "one token too few",
      { results: results(6, 2_000, 10_000), contextTokens: 80_004 },
      false,
      "12000 tokens are fewer than 12001",
    ],
    [
      "too few for any context",
      { results: results(5, 2_000, 10_000), contextTokens: 20_000 },
      false,
      "10000 tokens are fewer than 12000",
    ],
    [
      "just enough for a cold cache",
      { results: results(2, 2_000, 10_000), cacheIsCold: true },
      true,
      "the cache is cold: 4000 tokens need not be written",
    ],
    [
      "too few for a cold cache",
      { results: results(1, 3_999, 10_000), cacheIsCold: true },
      false,
      "3999 tokens are fewer than 4000",
    ],
    ["nothing old", { results: results(20, 2_000, 10_000, -20) }, false, "nothing is old enough"],
    ["nothing that saves", { results: results(20, 0, 10_000) }, false, "nothing is old enough"],
  ])("says why: %s", (_, change, retire, why) => {
    const sum = weighRetirement({ ...base, ...change });
    expect([sum.retire, sum.why]).toEqual([retire, why]);
  });

  test("a result of eight answers ago is old, one of seven is not", () => {
    const aged = (age: number): OldResult[] => [{ id: "t", at: 1_000, saves: 30_000, age }];
    const ids = (age: number) => weighRetirement({ ...base, results: aged(age) }).ids;
    expect([ids(8), ids(7)]).toEqual([["t"], []]);
  });

  test("what goes is named in the order of the request, in whatever order it was found", () => {
    const found = results(20, 2_000, 10_000);
    const sum = weighRetirement({ ...base, results: found.toReversed() });
    expect(sum.ids).toEqual(found.map(({ id }) => id));
  });

  test("shows its sum", () => {
    const sum = weighRetirement(base);
    expect(sum).toMatchObject({
      tokens: 40_000,
      rewritten: 10_000,
      turnsToCome: 50,
      gain: 200_000,
    });
    expect(sum.cost).toBeCloseTo(1.25 * 10_000 - 0.1 * 50_000);
    expect(sum.why).toBe(
      "40000 tokens less over 50 turns gain 200000, writing the cache again costs 7500",
    );
  });

  test("begins where it pays most: an old crumb far in front does not make all be written again", () => {
    const crumb: OldResult = { id: "crumb", at: 1_000, saves: 10, age: 90 };
    const { ids } = weighRetirement({
      ...base,
      results: [crumb, ...results(10, 2_000, 40_000)],
    });
    expect(ids).toEqual(results(10, 2_000, 40_000).map(({ id }) => id));
  });

  test("never retires what does not pay for itself, whatever the figures", () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const wild = (most: number, salt: number) => ((seed * 7919 * salt) % 10_007) % most;
      const sum = weighRetirement({
        results: results(wild(40, 3), wild(4_000, 5), wild(50_000, 7), wild(30, 11)),
        contextTokens: 60_000 + wild(100_000, 13),
        answers: answers(wild(200, 17), wild(3_000, 19)),
        cacheIsCold: false,
      });
      expect(sum.retire && sum.gain < retirementPolicy.margin * sum.cost).toBe(false);
    }
  });
});

describe("expectedTurns", () => {
  const cases: Array<[name: string, past: number[], context: number, expected: number]> = [
    ["no past, no future", [], 10_000, 0],
    ["half of the past", answers(40), 20_000, 20],
    ["no more than fit", answers(200, 2_000), 150_000, 5],
    ["a larger window than the usual", answers(200, 2_000), 300_000, 100],
    ["bounded", answers(5_000, 1), 10_000, 200],
  ];
  test.each(cases)("%s", (_name, past, context, expected) => {
    expect(expectedTurns(past, context)).toBe(expected);
  });

  test("the pace is the middle step that grew: neither one leap nor a compaction counts", () => {
    const sizes = [10_000, 10_900, 11_900, 71_900, 5_000, 5_950, 7_950];
    const past = [...Array<number>(200).fill(10_000), ...sizes];
    expect(expectedTurns(past, 155_000)).toBe(5);
  });
});
