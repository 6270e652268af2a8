// The measures themselves: ranks, shares, texts that carry a statement, turns counted anew.
import { describe, expect, test } from "bun:test";
import { rankOf, recall } from "./rank.ts";
import { bestRanks, choicesOf } from "./reach.ts";
import { figure, share, tableOf } from "./report.ts";
import { carries, carriesNear, textOf } from "./text.ts";
import { turnsBy } from "./turns.ts";

describe("ranks", () => {
  const sessionOf = (hit: string) => hit.slice(0, 1);
  test.each([
    [["a1", "a2", "b1"], "b1", 2],
    [["a1", "b2", "a3", "b1"], "b1", 2],
    [["a1"], "b1", undefined],
    [[], "b1", undefined],
  ])("of %j the right one (%s) stands at %p, a session counting once", (hits, right, rank) => {
    expect(rankOf(hits, sessionOf, (hit) => hit === right)).toBe(rank);
  });

  test("become shares, and a mean of what is among the first ten", () => {
    expect(recall([1, 5, 6, 11, undefined])).toEqual({
      asked: 5,
      at5: 0.4,
      at10: 0.6,
      mrr: (1 + 1 / 5 + 1 / 6) / 5,
    });
  });
});

test("the best choice of words is found, and no more than so many at once", async () => {
  expect(choicesOf(["a", "b", "c"], 2)).toEqual([
    ["a"],
    ["b"],
    ["a", "b"],
    ["c"],
    ["a", "c"],
    ["b", "c"],
  ]);
  const right = { session: "right", promptNumber: 2 };
  const others = [1, 2, 3].map((promptNumber) => ({ session: "other", promptNumber }));
  // The word "noise" brings others in front.
  const answer = async ([text = ""]: readonly string[]) =>
    text.includes("noise") ? [...others, right] : [{ ...right, promptNumber: 1 }, right];
  const question = { answers: [{ session: "right", prompts: [2] }] };
  const turns = turnsBy(new Map(), {});
  expect(await bestRanks(["noise"], question, answer, turns)).toEqual({ session: 2, turn: 4 });
  expect(await bestRanks(["noise", "word"], question, answer, turns)).toEqual({
    session: 1,
    turn: 2,
  });
});

test("a figure is measured over both parts", () => {
  const cases = [1, 2, 3, 4].map((value) => ({ value, aside: value > 2 }));
  const made = figure(
    "part",
    "small",
    cases,
    ({ aside }) => aside,
    share(({ value }) => value < 2),
  );
  expect(made).toEqual({
    part: "part",
    name: "small",
    dev: 0.5,
    aside: 0,
    cases: { dev: 2, aside: 2 },
  });
  expect(tableOf([made])).toContain("0.50");
});

describe("a text", () => {
  test("of a record is what it says, not how it is filed", () => {
    const record = { id: "o1", session: "s", title: "A", facts: ["b", "c"], more: { text: "d" } };
    expect(textOf(record)).toBe("A\nb\nc\nd");
  });

  test.each([
    ["Raised to 45m.", [["45M"]], true],
    ["uses\n  npm ci", [["npm ci"]], true],
    ["don’t delete", [["don't"]], true],
    ["raised", [["raised"], ["45m", "45 minutes"]], false],
    ["", [["a"]], false],
  ])("%j carries %j: %p", (text, tokens, expected) => {
    expect(carries(text, tokens)).toBe(expected);
  });
});

test("a long text carries what stands in one place of it", () => {
  const far = "x".repeat(5_000);
  const tokens = [["cause"], ["lock"]];
  expect(carriesNear(`${far} the cause is the lock ${far}`, tokens)).toBe(true);
  expect(carriesNear(`the cause ${far} the lock`, tokens)).toBe(false);
  expect(carriesNear("", tokens)).toBe(false);
});

test("a turn is known by when it was typed, however prompts are numbered", () => {
  const at = (minute: number) => `2026-01-01T10:0${minute}:00.000Z`;
  const typed = new Map([
    ["s 1", Date.parse(at(0))],
    ["s 2", Date.parse(at(1))],
    // Typed while the agent worked on the second of the counted prompts.
    ["s 3", Date.parse(at(3))],
    ["s 4", Date.parse(at(4))],
  ]);
  const { answers } = turnsBy(typed, { s: [at(0), at(2), at(4)] });
  const expected = [{ session: "s", prompts: [2] }];
  const places = [1, 2, 3, 4].map((promptNumber) => ({ session: "s", promptNumber }));
  expect(places.map((place) => answers(place, expected))).toEqual([false, false, true, false]);
  expect(answers({ session: "other", promptNumber: 2 }, expected)).toBe(false);
});
