// Facts of a model brought to the rules: none too short, too long, pointing elsewhere or told twice.
import { expect, test } from "bun:test";
import { factsFromProse, repairFacts } from "../../src/strategy/draft-observation.ts";

/** A statement of exactly so many characters. */
const of = (length: number, word = "cart") =>
  `The ${word} ${[..."abcdefghij"].map((letter) => letter.repeat(29)).join(" ")}`
    .slice(0, length)
    .trimEnd()
    .padEnd(length, "z");
const lengths = (facts: readonly string[], file?: string) =>
  repairFacts(facts, file).map(({ length }) => length);

test("a fact of 50 to 150 characters is kept as it is, a longer one is cut, a shorter one is none", () => {
  for (const [length, kept] of [
    [49, []],
    [50, [50]],
    [150, [150]],
  ] as const)
    expect([length, lengths([of(length)])]).toEqual([length, [...kept]]);
  const [cut = ""] = repairFacts([of(151)], undefined);
  expect(cut.length).toBeLessThanOrEqual(150);
  expect(cut).toEndWith("…");
});

test("marks of a list and what ends in the air are no part of a fact", () => {
  const fact = "The exporter writes headers before it writes any row of the table";
  for (const raw of [
    `- ${fact}`,
    `* ${fact},`,
    `• ${fact};`,
    `12. ${fact}:`,
    `3) ${fact} ,; `,
    ` ${fact}  `,
  ])
    expect(repairFacts([raw], undefined)).toEqual([fact]);
  expect(repairFacts(["", "  ", "- "], undefined)).toEqual([]);
});

test("a short one gets its file in front, where it does not name it and has room then", () => {
  const file = "src/exporter/headers.ts";
  expect(repairFacts(["Headers are written before any row"], file)).toEqual([
    "src/exporter/headers.ts: Headers are written before any row",
  ]);
  expect(repairFacts(["headers.ts writes them before any row"], file)).toEqual([]);
  expect(repairFacts(["Too short"], file)).toEqual([]);
});

test("short ones go together, two and two, until they are long enough", () => {
  const [one, two, three] = [
    "Headers come before any row",
    "Rows come before footers",
    "Footers come last of all",
  ];
  expect(repairFacts([one, two], undefined)).toEqual([`${one}; ${two}`]);
  expect(repairFacts([one, two, three], undefined)).toEqual([`${one}; ${two}`]);
  expect(repairFacts(["A first", "A second", one, two], undefined)).toEqual([
    `A first; A second; ${one}; ${two}`,
  ]);
});

test("one that points at something before it is left out, one that says the same again too", () => {
  const fact = "The exporter writes headers before it writes any row of the table";
  expect(repairFacts([`It also ${fact}`, fact, fact.toUpperCase(), `${fact}!`], undefined)).toEqual(
    [fact],
  );
  const other = fact
    .replace("headers", "footers")
    .replace("before", "after")
    .replace("row", "page");
  expect(repairFacts([fact, other], undefined)).toHaveLength(2);
});

test("seven are kept, the first ones", () => {
  const words = ["cart", "mail", "login", "price", "stock", "order", "search", "upload", "report"];
  const facts = words.map(
    (word) => `The ${word} of the shop is counted by its ${word} ${word}-service every night`,
  );
  expect(repairFacts(facts, undefined)).toEqual(facts.slice(0, 7));
});

test("of prose each sentence that stands alone is a fact, across its line breaks", () => {
  const [one, two] = [
    "The exporter writes headers before it writes any row.",
    "Footers come last, after all rows of the table are there.",
  ];
  expect(factsFromProse(`${one.replace(" writes", "\nwrites")} ${two}`, undefined)).toEqual([
    one,
    two,
  ]);
});

test("a short answer is all there is, from fifteen characters on, or from as many as are asked for", () => {
  expect(factsFromProse("Headers go 1st.", undefined)).toEqual(["Headers go 1st."]);
  expect(factsFromProse("Headers go 1st", undefined)).toEqual([]);
  expect(factsFromProse("Headers go 1st", undefined, 5)).toEqual(["Headers go 1st"]);
  expect(factsFromProse("Headers go first of all", undefined, 40)).toEqual([]);
  expect(factsFromProse("It also writes headers", undefined)).toEqual([]);
  expect(factsFromProse("", undefined)).toEqual([]);
});

test("two short facts that are too long together are not joined", () => {
  const short = "The cart sums all of its lines anew each time.";
  const facts = repairFacts(["Mails wait.", "x".repeat(49), short], undefined);
  expect(facts.every(({ length }) => length >= 50 && length <= 150)).toBe(true);
});
