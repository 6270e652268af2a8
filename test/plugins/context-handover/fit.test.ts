// How lines share the room of the note: by rank, headings paid once, nothing told twice, and what is left over lets them grow.
import { expect, test } from "bun:test";
import { fitLines } from "../../../plugins/context-handover/index.ts";
import type { Line } from "../../../plugins/context-handover/line.ts";

const line = (head: string, text: string, more: Partial<Line> = {}): Line => ({
  ...{ section: "decided", rank: 0.5, ids: [head], head, wanted: 100, least: 10 },
  sayings: () => (text === "" ? [] : [{ text, as: "plain" }]),
  ...more,
});
const fit = (lines: readonly Line[], budget: number, heading = 0) =>
  fitLines(lines, budget, () => heading).map(({ text }) => text);
/** Sentences of twenty characters, line break included. */
const sentences = (count: number) =>
  Array.from({ length: count }, (_, at) => `Sentence number ${String(at).padStart(2, "0")}.`).join(
    " ",
  );

test("lines stand in the order given, whichever gets room first", () => {
  expect(fit([line("a", "first"), line("b", "second", { rank: 0.9 })], 100)).toEqual([
    "- a · first",
    "- b · second",
  ]);
});

test("where there is room for one, the one that ranks higher has it", () => {
  const lines = [
    line("a", "earlier", { rank: 0.4, least: 16 }),
    line("b", "second", { rank: 0.6, least: 16 }),
  ];
  const first = "- b · second".length + 1;
  expect(fit(lines, first + 16)).toEqual(["- b · second"]);
  expect(fit(lines, first + 17)).toHaveLength(2);
});

test("a line that would get less than it makes sense with is left out, and a smaller one after it is not", () => {
  const large = line("large", sentences(9), { rank: 0.9, least: 60 });
  expect(fit([large, line("s", "small")], 40)).toEqual(["- s · small"]);
  expect(fit([line("a", "x", { least: 20 })], 20)).toEqual([]);
  expect(fit([line("a", "x", { least: 20 })], 21)).toEqual(["- a · x"]);
});

test("the heading of a part is paid by its first line alone", () => {
  const lines = [
    line("a", "one", { least: 12 }),
    line("b", "two", { least: 12 }),
    line("c", "six", { section: "refused", least: 12 }),
  ];
  const two = 30 + 2 * ("- a · one".length + 1);
  expect(fit(lines, two + 30 + 13, 30)).toHaveLength(3);
  expect(fit(lines, two + 30 + 12, 30)).toHaveLength(2);
});

test("what a line before it says already is not told again, in whatever marks; part of it is", () => {
  const told = line("a", "We **never** cache the prices, nor the taxes", { rank: 0.9 });
  expect(fit([told, line("b", "never cache the PRICES!")], 300)).toHaveLength(1);
  expect(fit([told, line("b", "never cache the carts")], 300)).toHaveLength(2);
  const two = line("b", "", {
    sayings: () => [
      { text: "never cache the prices", as: "plain" },
      { text: "but the carts", as: "plain" },
    ],
  });
  expect(fit([told, two], 300)).toHaveLength(2);
  // A line that says nothing stands by its head.
  expect(fit([told, line("b", "")], 300)).toEqual([expect.any(String), "- b"]);
});

test("a line that needs something to say is left out without, or where too little of it has room", () => {
  expect(fit([line("a", "", { needsSaying: true })], 300)).toEqual([]);
  const long = line("a", `${sentences(1)}\n${"word".repeat(60)}`, { needsSaying: true });
  expect(fit([{ ...long, wanted: 40 }], 40)).toEqual([]);
  expect(fit([{ ...long, needsSaying: undefined as never, wanted: 40 }], 40)).toHaveLength(1);
  expect(fit([line("a", "short", { needsSaying: true })], 40)).toEqual(["- a · short"]);
});

test("what is left over lets shortened lines grow, those of the highest rank first", () => {
  const short = line("a", sentences(10), { rank: 0.9, wanted: 50 });
  const shorter = line("b", sentences(10).replaceAll("Sentence", "Sequence"), { wanted: 50 });
  const [alone = ""] = fit([short], 300);
  expect(alone).toEndWith("Sentence number 09.");
  const [first = "", second = ""] = fit([shorter, short].toReversed(), 260);
  expect(first).toEndWith("Sentence number 09.");
  expect(second.length).toBeLessThan(60);
  for (const budget of [60, 100, 150, 260, 400]) {
    const texts = fit([short, shorter], budget);
    const used = texts.reduce((sum, text) => sum + text.length + 1, 0);
    expect(used).toBeLessThanOrEqual(budget);
  }
});
