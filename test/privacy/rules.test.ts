// Every rule of redaction by its own examples: what must go, and what must stay.
import { describe, expect, test } from "bun:test";
import { findAny, findSpans, redactText, rules } from "../../src/privacy/redact.ts";
import { fake, leaks } from "./corpus/fake.ts";
import { examplesOf } from "./examples.ts";

test("every rule has a name of its own, says what it finds, and has examples of both kinds", () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  const poor = rules.filter(({ id, finds }) => {
    const { gone, stay } = examplesOf(id);
    return !finds || gone.length === 0 || stay.length === 0;
  });
  expect(poor.map(({ id }) => id)).toEqual([]);
});

/** The rules that find something, also where another finds the same. */
const rulesOf = (text: string): string[] =>
  [...findAny(text), ...findSpans(text)].map(({ rule }) => rule);

for (const { id } of rules) {
  const { gone, stay } = examplesOf(id);
  describe(id, () => {
    for (const template of gone)
      test(`takes out ${template}`, () => {
        const one = fake(template, id);
        expect(one.secrets).not.toEqual([]);
        expect(rulesOf(one.text)).toContain(id);
        const { text } = redactText(one.text);
        expect(leaks(text, one)).toBeUndefined();
        expect(redactText(text)).toEqual({ text, count: 0 });
      });
    for (const template of stay)
      test(`leaves ${template}`, () => {
        const { text } = fake(template, id);
        expect(rulesOf(text)).not.toContain(id);
      });
  });
}
