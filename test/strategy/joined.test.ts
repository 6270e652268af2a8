// Which sentences of a closing may stand beside each other: a reader takes them for one text.
import { expect, test } from "bun:test";
import type { NewTurn } from "../../src/sdk/turn.ts";
import { outcomeOf } from "../../src/strategy/outcome.ts";

const cart = [{ path: "src/cart.ts", changed: true, symbols: ["totalOf"] }];
const said = (text: string, files: NewTurn["files"] = []) =>
  outcomeOf({
    ...{
      session: "s",
      client: "claude-code",
      project: "p",
      promptNumber: 1,
      startedAt: 1,
      time: 2,
    },
    ...{ end: "closed", files, gaps: false },
    pieces: [
      { kind: "prompt", text: "why is the total of the cart wrong?" },
      { kind: "closing", text },
    ],
  }).said;

const first = "The total of totalOf counts each voucher of the cart twice.";
const other = "The voucher's date in dateOf is read in local time at 2 places.";

const cases: Array<[name: string, closing: string, says: string[], not: string[]]> = [
  [
    "of an answer whole sentences, and no fragments of what is proposed",
    `## Design\n\n${first}\n\n- \`totalOf\` - 1 new handler of vouchers in the cart\n- \`dateOf\` - 2 helpers`,
    [first],
    ["new handler"],
  ],
  [
    "findings in sections of their own",
    `## 1. Total\n\n${first}\n\n## 2. Dates\n\n${other}`,
    [first],
    [other],
  ],
  ["findings below one heading", `## Findings\n\n${first}\n\n${other}`, [first, other], []],
  [
    "what stands before all sections, and one of them",
    `${first}\n\n## Dates\n\n${other}`,
    [first, other],
    [],
  ],
  [
    "a section and one that it holds",
    `## Review\n\n${first}\n\n### Dates\n\n${other}`,
    [first, other],
    [],
  ],
  [
    "a section and one beside that it holds",
    `## Review\n\n### Total\n\n${first}\n\n### Dates\n\n${other}`,
    [first],
    [other],
  ],
  [
    "lists of different things",
    `The 2 totals:\n- ${first}\n\nThe 2 dates:\n- ${other}`,
    [first],
    [other],
  ],
  [
    "a list and what is said behind it in its section",
    `## Total\n\nThe 2 vouchers:\n- ${first}\n- ${first.replace("each", "one")}\n\n${other}`,
    [first, other],
    [],
  ],
  [
    "what points back to a sentence that is not said",
    `${first}\n\nNobody noticed.\n\nThat makes totalOf of the cart wrong by 2 vouchers.`,
    [first],
    ["That makes"],
  ],
  [
    "what points back to the sentence before it",
    `${first} That makes totalOf of the cart wrong by 2 vouchers.`,
    [first, "That makes"],
    [],
  ],
];
test.each(cases)("%s", (_, closing, says, not) => {
  const text = said(closing);
  for (const sentence of says) expect(text).toContain(sentence);
  for (const sentence of not) expect(text).not.toContain(sentence);
});

test("work that was done in several sections is said of each", () => {
  const [sum, date] = ["Added totalOf for the cart.", "Removed dateOf from the cart."];
  expect(said(`## src/cart.ts\n\n${sum}\n\n## src/date.ts\n\n${date}`, cart)).toBe(
    `${sum} ${date}`,
  );
});

test("a list of which only the beginning finds room says so", () => {
  const long = (what: string) => `the ${what} of the cart is wrong ${"and wrong again ".repeat(9)}`;
  const list = ["total", "voucher", "date"].map((what) => `- ${long(what)}`).join("\n");
  expect(said(`The totalOf of the cart adds it twice because:\n${list}`)).toMatch(
    /twice because: the total [^;]+, …/,
  );
});
