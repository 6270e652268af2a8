// What a prompt or the tool's own input names stays, whatever the output looks like.
import { describe, expect, test } from "bun:test";
import { decide } from "../../../../plugins/endless-live/index.ts";
import { askedIn } from "../../../../plugins/endless-live/look/asked.ts";
import { createSeen } from "../../../../plugins/endless-live/seen.ts";
import { defaultPolicy } from "../cases.ts";

const customers = ["Maier", "Huber", "Schmid", "Bauer", "Wagner"];
const count = 400;
/** Alike but for their values, so that nothing departs from the rest. */
const each = <Row>(row: (at: number, customer: string) => Row): Row[] =>
  Array.from({ length: count }, (_, at) => row(at, customers[at % customers.length] ?? ""));
const shell = (command: string, stdout: string) => ({
  ...{ tool: "Bash", input: { command } },
  response: { stdout, stderr: "", interrupted: false },
});
const orders = each((at, of) => `2026-11-05 12:00:11 INFO order ${41_000 + at} of ${of} shipped`);
const stock = each((at, of) => `part-${1_000 + at};${of};hall ${at % 9};${at % 50}`);
const items = each((at, of) => ({ id: 41_000 + at, customer: of, total: at % 97, open: false }));
const sections = each(
  (at) => `## Chapter ${1_000 + at}\n\n${"It says what is usual.\n".repeat(28)}Ends as ${at}.\n`,
);

interface Case {
  prompt: string;
  tool: string;
  input: Record<string, unknown>;
  response: unknown;
  kept: string;
  /** Departs from the rest by itself. */
  departs?: true;
}

const read = (path: string, lines: readonly string[]) => ({
  ...{ tool: "Read", input: { file_path: path } },
  response: {
    type: "text",
    file: {
      ...{ filePath: path, content: lines.join("\n"), startLine: 1 },
      ...{ numLines: lines.length, totalLines: lines.length },
    },
  },
});

const cases: Record<string, Case> = {
  "a line of a log by its number": {
    prompt: "Why is order 41173 late?",
    ...shell("kubectl logs deploy/orders", orders.join("\n")),
    kept: orders[173] ?? "",
  },
  "a line by what the command names": {
    prompt: "What happened?",
    ...shell("shop-log --around 41173", orders.join("\n")),
    kept: orders[173] ?? "",
  },
  "a line in other words' forms and case": {
    prompt: "Which migration has a renamed table?",
    ...shell(
      "migrations",
      [
        ...each((at) => `step ${at}: adds column c${at}`),
        "step 400: RenamesTable cart",
        ...each((at) => `step ${500 + at}: adds column d${at}`),
      ].join("\n"),
    ),
    kept: "step 400: RenamesTable cart",
    departs: true,
  },
  "a line in another alphabet": {
    prompt: "заказ Петрова не найден?",
    ...shell("orders", each((at) => `заказ ${at} ${at === 211 ? "Петров" : "Иванов"}`).join("\n")),
    kept: "заказ 211 Петров",
    departs: true,
  },
  "a record with all its lines": {
    prompt: "What is the VAT id of customer 1173?",
    ...shell(
      "sqlite3 -line shop.db 'select * from customers'",
      each((at, of) => `name = customer ${1_000 + at}\n  of = ${of}\n vat = DE${9_000 + at}`).join(
        "\n\n",
      ),
    ),
    kept: "vat = DE9173",
  },
  "a short word in brackets": {
    prompt: "Where is the Georgian (ka) catalogue?",
    tool: "Glob",
    input: { pattern: "**/*.po" },
    response: {
      filenames: each((at) => `/shop/l${at % 20}/${at === 173 ? "ka" : "de"}/part${at}.po`),
    },
    kept: "/ka/part173.po",
  },
  "a row whose parts are grouped": {
    prompt: "Where exactly is toUppercase used in mod173?",
    ...shell(
      "npx tsc -p . --pretty false",
      each(
        (at) =>
          `src/mod${at}.ts(${at + 3},5): error TS2551: Property 'toUppercase' does not exist.`,
      ).join("\n"),
    ),
    kept: "src/mod173.ts(176,5): error TS2551",
  },
  "an item of a JSON list": {
    prompt: "What is the total of 41173?",
    ...shell("shop orders --json", JSON.stringify(items)),
    kept: JSON.stringify(items[173]),
  },
  "a line of JSON": {
    prompt: "What is the total of 41173?",
    ...shell("shop orders --json", items.map((item) => JSON.stringify(item)).join("\n")),
    kept: JSON.stringify(items[173]),
  },
  "a sentence of a long text in JSON": {
    prompt: "What did she say of parcel 41173?",
    ...shell(
      "shop note",
      JSON.stringify({ note: each((at) => `Parcel ${41_000 + at} left.`).join(" ") }),
    ),
    kept: "Parcel 41173 left.",
  },
  "a row of a file": {
    prompt: "How many of part-1173 do we have?",
    ...read("/shop/data/stock.csv", stock),
    kept: stock[173] ?? "",
  },
  "a section of a text": {
    prompt: "What does chapter 1173 end as?",
    ...read("/shop/docs/book.md", sections.join("\n").split("\n")),
    kept: "Ends as 173.",
  },
  "a name among many": {
    prompt: "Where is the invoice_1173 template?",
    tool: "Glob",
    input: { pattern: "**/*.html" },
    response: { filenames: each((at) => `/shop/templates/t/invoice_${1_000 + at}.html`) },
    kept: "invoice_1173.html",
  },
};

describe("kept because it was asked for", () => {
  test.each(Object.entries(cases))("%s", (_, { prompt, kept, departs, ...arrived }) => {
    const after = (asks: string) => {
      const seen = createSeen();
      seen.addPrompt("s1", asks);
      const use = { ...arrived, id: "toolu_01", recall: "memoir recall toolu_01" };
      return decide(use, seen.of("s1"), defaultPolicy)?.after ?? "";
    };
    expect(after(prompt)).toContain(kept);
    const whole = JSON.stringify(arrived.response).length;
    expect(after(prompt).length).toBeLessThan(whole / 2);
    if (!departs && !JSON.stringify(arrived.input).includes("41173"))
      expect(after("Go on, please.")).not.toContain(kept);
  });
});

test.each([
  ["one capital letter", "what is bound to X?", ["bind X mark"]],
  ["no capital letter at the beginning", "X it is, but for whom", []],
  ["a part of a name that cuts the word short", "which extension do modules have?", ["EXT_KEY"]],
  ["no beginning of another word", "which extension do modules have?", []],
] as const)("a line is picked out by %s", (_, prompt, wanted) => {
  const others = Array.from("ABCDEFGHIJKLM", (key) => `bind ${key}_ extra_${key}${key}`);
  const lines = [...others, ...(wanted.length > 0 ? wanted : ["bind Y mark", "bind extra mark"])];
  const bits = askedIn([prompt])?.bitsOf(lines) ?? [];
  expect(lines.filter((_, at) => (bits[at] ?? 0) > 0)).toEqual([...wanted]);
});

test("what much of the output has picks nothing out", () => {
  expect(
    askedIn(["the orders of INFO"])
      ?.bitsOf(orders)
      .filter((bits) => bits > 0),
  ).toEqual([]);
});

test("a Latin word in a sentence of another alphabet was meant, as a name is", () => {
  const lines = Array.from(
    { length: 32 },
    (_, at) => `flag ${at} of ${at === 9 ? "region" : "it"}`,
  );
  const most = (prompt: string) => Math.max(...(askedIn([prompt])?.bitsOf(lines) ?? []));
  expect(most("какой region, и почему")).toBeGreaterThan(1.2 * most("which region, and why"));
});

test("nothing but words without meaning is nothing asked for", () => {
  expect(askedIn(["", "and of the"])).toBeUndefined();
});

test("groups of lines have what their lines have, each word once", () => {
  const lines = Array.from({ length: 40 }, (_, at) => `entry ${at} of the shop`);
  const groups = lines.map((_, at) => (at > 0 ? [at - 1, at] : [at]));
  const bits = askedIn(["what of entry 17, or of `cellar`?"])?.bitsOf(lines, groups) ?? [];
  expect([...bits.entries()].flatMap(([at, own]) => (own > 3 ? [at] : []))).toEqual([17, 18]);
  expect(bits[17]).toBe(bits[18] ?? 0);
});

test("a word of every third paragraph is asked for by the few lines that have it", () => {
  const lines = Array.from({ length: 60 }, (_, at) =>
    at % 30 === 7 ? "unsafe pickle" : `line ${at}`,
  );
  const groups = Array.from({ length: 6 }, (_, group) =>
    Array.from({ length: 10 }, (_, at) => 10 * group + at),
  );
  const bits = askedIn(["what does it say about pickle?"])?.bitsOf(lines, groups) ?? [];
  expect(bits.map((own) => own > 3)).toEqual([true, false, false, true, false, false]);
});

test.each([
  ["a word within another", "does it have threads", "useithreads=define"],
  [
    "two words that many lines have, where they stand together",
    "which are both modified",
    "both modified: a.ts",
  ],
  ["a short form that no stem is left of", "is ares there", "libc-ares2 1.18"],
])("%s is found", (_, prompt, line) => {
  const lines = Array.from({ length: 40 }, (_, at) =>
    at === 21 ? line : at % 2 ? `modified: ${at}.ts` : `both of ${at} stay`,
  );
  const bits = askedIn([prompt])?.bitsOf(lines) ?? [];
  expect(bits.indexOf(Math.max(...bits))).toBe(21);
});

test("a tool's input asks for less than the prompt", () => {
  const lines = ["the ledger", "the cellar", ...Array(20).fill("else")];
  const bits = askedIn(["what of the ledger?"], ["list cellar"])?.bitsOf(lines) ?? [];
  expect(bits[0]).toBeGreaterThan(1.5 * (bits[1] ?? 0));
  expect(bits[1]).toBeGreaterThan(0);
});
