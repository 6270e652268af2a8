// What each sentence is worth telling: signal by signal, and how an entry of a list stands alone.
import { expect, test } from "bun:test";
import { bestOf, tellings } from "../../../src/text/prose/telling.ts";

type Backing = Parameters<typeof tellings>[1];

const none: Backing = { names: [], asked: "" };
const worthOf = (text: string, backing = none) => {
  // Between two others, so that neither the first nor the last place counts.
  const all = tellings(`First words here stand.\n\n${text}\n\nLast words here stand.`, backing);
  return all[1]?.worth;
};

test.each<[string, string, number]>([
  ["nothing in particular", "The voucher counts once now.", 0],
  ["code", "The `voucher` counts once now.", 1.5],
  ["a name of code", "The voucherCount rises once now.", 1.5],
  ["a number", "The voucher counts 3 times.", 1],
  [
    "eight words that mean something",
    "Voucher counts rise once, receipts show totals, carts empty, mails leave.",
    1,
  ],
  ["an announcement", "Let me count `voucher` 3 times.", 0],
  [
    "an announcement that says much",
    "Let me count `voucher` 3 times, receipts show totals, carts empty.",
    0.5,
  ],
  ["a question", "Does the `voucher` count 3 times?", 0],
  ["a lead-in's own words", "Yes please.", 0],
])("%s: %p is worth %p", (_, text, worth) => {
  expect(worthOf(text)).toBe(worth);
});

test("the first sentence is worth more, the last a little", () => {
  const all = tellings("One voucher counted. Two vouchers counted. Three vouchers counted.", none);
  expect(all.map(({ worth }) => worth)).toEqual([1.5, 0, 0.5]);
});

test("names that the work is known by count twice at most, and not where they are too short", () => {
  const names = ["src/cart.ts", "totalOf", "Voucher", "run"];
  const worth = (text: string) => worthOf(text, { names, asked: "" });
  expect(worth("The voucher counts once now.")).toBe(2);
  expect(worth("The VOUCHER of totalOf counts now.")).toBe(4 + 1.5);
  expect(worth("The voucher of totalOf in src/cart.ts counts now.")).toBe(4 + 1.5);
  expect(worth("They run it once again now.")).toBe(0);
});

test("what only repeats the request is worth nothing, what says a third more is", () => {
  const asked = "Fix the total of the cart";
  const worth = (text: string) => worthOf(text, { names: ["cart"], asked });
  expect(worth("The cart total fix stands")).toBe(0);
  expect(worth("The cart total counts receipts now")).toBe(2);
});

test.each<[string, string, string]>([
  [
    "a name of its lead",
    "The states of `cart.ts` are:\n- opened by one user alone today",
    "The states of cart.ts are: opened by one user alone today",
  ],
  [
    "none where it names something itself",
    "The states of `cart.ts` are:\n- opened by `login.ts` alone one day later",
    "opened by login.ts alone one day later",
  ],
  [
    "its lead, where it says little",
    "The states of carts are:\n- new one",
    "The states of carts are: new one",
  ],
  [
    "none where it says enough",
    "The states of carts are:\n- opened by somebody alone quietly during breakfast",
    "opened by somebody alone quietly during breakfast",
  ],
  [
    "a name of its heading",
    "# 2. About cart.ts\n- opened by somebody alone during breakfast",
    "About cart.ts: opened by somebody alone during breakfast",
  ],
  [
    "its lead, where it says little but names and numbers",
    "The states of carts are:\n- opened `a.ts` and `b.ts`, 12 34 56",
    "The states of carts are: opened a.ts and b.ts, 12 34 56",
  ],
  ["no lead that says nothing", "Then:\n- new one", "new one"],
])("an entry of a list has in front %s", (_, markdown, text) => {
  expect(tellings(markdown, none).at(-1)?.text).toBe(text);
});

test("a sentence has nothing in front, and 400 characters at most", () => {
  expect(tellings("# About cart.ts\nIt counts.", none)[0]?.text).toBe("It counts.");
  expect(tellings(`The ${"voucher ".repeat(80)}counts.`, none)[0]?.text.length).toBeLessThanOrEqual(
    400,
  );
});

test.each([
  "- Location: src/cart.ts",
  "- one two three",
  "“Only what somebody said”",
  '"Only this" and "only that"',
  "Is it?)",
  "Voucher counts",
])("%p tells nothing by itself", (text) => {
  expect(worthOf(`${text}`, { names: ["src/cart.ts", "voucher"], asked: "" }) ?? 0).toBe(0);
});

const backing = { names: ["cart", "voucher", "receipt"], asked: "" };
const text =
  "The cart stands empty today. The voucher counts in the cart. The voucher counts in the cart today. The receipt shows totals today.";

test("the best are told in the order of the text, none twice, none below the least", () => {
  const best = (most: number, least?: number) =>
    bestOf(tellings(text, backing), most, least).map((one) => one.text);
  expect(best(2)).toEqual(["The cart stands empty today.", "The voucher counts in the cart."]);
  expect(best(9)).toEqual([
    "The cart stands empty today.",
    "The voucher counts in the cart.",
    "The receipt shows totals today.",
  ]);
  expect(best(9, 4)).toEqual(["The voucher counts in the cart."]);
  expect(best(0)).toEqual([]);
});
