// Each form and word that stands where a secret would, by its own example.
import { describe, expect, test } from "bun:test";
import {
  inForms,
  placeholder,
  placeholderForms,
  placeholderWords,
} from "../../src/privacy/redact/placeholders.ts";
import { isPlaceholder } from "../../src/privacy/redact/values.ts";

describe("each form", () => {
  test.each(placeholderForms)("%s knows %s, and no other form or word does", (form, example) => {
    expect(isPlaceholder(example)).toBe(true);
    expect(inForms([form]).test(example)).toBe(true);
    const others = placeholderForms.map(([other]) => other).filter((other) => other !== form);
    expect(inForms([...others, ...placeholderWords]).test(example)).toBe(false);
  });
});

test.each(placeholderWords)(
  "the word %s counts in any case, before a sign and as a whole",
  (word) => {
    for (const written of [word, word.toUpperCase(), `${word}.`, `${word};`])
      expect([written, isPlaceholder(written)]).toEqual([written, true]);
    expect(placeholder.test(`q7${word}7q`)).toBe(false);
    const others = placeholderWords.filter((other) => other !== word);
    expect(inForms([...placeholderForms.map(([form]) => form), ...others]).test(word)).toBe(false);
  },
);

test("a password is in none of these forms, whatever signs it has", () => {
  for (const value of ["Kestrel7!", "a.b*c7", "x7{q", "yours7", "xx", "(a7", "null7", "7-EXAMPLES"])
    expect([value, placeholder.test(value)]).toEqual([value, false]);
});
