// Each form and word that stands where a secret would, by its own example.
import { expect, test } from "bun:test";
import {
  inForms,
  isPlaceholder,
  placeholder,
  placeholderForms,
  placeholderWords,
} from "../../src/privacy/redact/values.ts";

/** For each form, in their order, what only it knows. */
const examples = [
  "<token>",
  "<your token",
  "$API_TOKEN",
  "%API_TOKEN%",
  "..rest",
  "abc...xyz",
  "xxxx xxxx",
  ":***",
  "**hidden**",
  "••••",
  "----",
  "____",
  "????",
  "your-api-key",
  "sk-abc…",
  "acme-EXAMPLE2",
  "@/lib/tokens",
  "**/gi",
  ")[^&]+",
  ").*$",
  "BigUint64Array",
  "OAuth2",
  "header.payload.signature",
  "latin1",
  "UTF-8",
  "ISO-8859-15",
];

test("each form has an example", () => {
  expect(examples).toHaveLength(placeholderForms.length);
});

test.each(placeholderForms.map((form, at) => [form, examples[at] ?? ""]))(
  "%s knows %s, and no other form or word does",
  (form, example) => {
    expect(isPlaceholder(example)).toBe(true);
    expect(inForms([form]).test(example)).toBe(true);
    const others = placeholderForms.filter((other) => other !== form);
    expect(inForms([...others, ...placeholderWords]).test(example)).toBe(false);
  },
);

test.each(placeholderWords)(
  "the word %s counts in any case, before a sign and as a whole",
  (word) => {
    for (const written of [word, word.toUpperCase(), `${word}.`, `${word};`])
      expect([written, isPlaceholder(written)]).toEqual([written, true]);
    expect(placeholder.test(`q7${word}7q`)).toBe(false);
    const others = placeholderWords.filter((other) => other !== word);
    expect(inForms([...placeholderForms, ...others]).test(word)).toBe(false);
  },
);

test("a password is in none of these forms, whatever signs it has", () => {
  for (const value of ["Kestrel7!", "a.b*c7", "x7{q", "yours7", "xx", "(a7", "null7", "7-EXAMPLES"])
    expect([value, placeholder.test(value)]).toEqual([value, false]);
});
