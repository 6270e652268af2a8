// Marks of clients in texts: found, told from what others wrote, and in one pass however many there are.
import { expect, test } from "bun:test";
import { typedText } from "../../src/clients/gemini/index.ts";
import { firstMarked, withoutMarked, withoutMarkedEnd } from "../../src/clients/normal/google.ts";

const marks = ["<a>", "</a>"] as const;

test("the first pair, and what stands around it", () => {
  expect(firstMarked("x</a><a>y</a>z</a>", ...marks)).toEqual({
    ...{ before: "x</a>", inside: "y", after: "z</a>" },
  });
  for (const text of ["", "x", "<a>", "</a><a>"])
    expect(firstMarked(text, ...marks)).toBeUndefined();
});

test("a text without all that is marked; a mark that is never closed stays", () => {
  expect(withoutMarked("<a>told</a>\n\nx <a>told</a> y <a>z", ...marks)).toBe("x y <a>z");
});

test("a text without the marked part that ends it: an earlier one is the text's own", () => {
  const own = "a file with <a>its own</a> marks";
  expect(withoutMarkedEnd(`${own}\n\n<a>told</a>\n`, ...marks)).toBe(own);
  for (const text of [own, `${own} and </a>?`, "told</a>"])
    expect(withoutMarkedEnd(text, ...marks)).toBe(text);
});

// One that looks through the rest of the text at each mark does not come to an end here.
test("marks without number, closed or not", () => {
  const many = 300_000;
  const [open, close] = ["<hook_context>", "</hook_context>"];
  expect(typedText(open.repeat(many))).toBe(open.repeat(many));
  expect(typedText(`${open}${close} `.repeat(many))).toBe("");
  const text = `${`${open}${close}`.repeat(many)}x`;
  expect(withoutMarkedEnd(text, open, close)).toBe(text);
});
