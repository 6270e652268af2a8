// Of secrets under telling names, in forms and of signs that no one picked, no fewer go than were reached.
import { expect, test } from "bun:test";
import { redactText } from "../../../src/privacy/redact.ts";
import { leaks } from "./fake.ts";
import { generatedCases } from "./generated.ts";

/** Percent that goes, by what the values are made of: to be raised, never lowered. */
const reached: Readonly<Record<string, number>> = { letters: 99, signs: 98, words: 98 };

for (const [alphabet, floor] of Object.entries(reached))
  test(`of secrets made of ${alphabet}, in all forms of code, settings and logs, ${floor} % go`, () => {
    const cases = generatedCases("forms", 5).filter(([, made]) => made === alphabet);
    const open = cases.filter(([, , faked]) => leaks(redactText(faked.text).text, faked));
    expect(cases.length).toBeGreaterThan(400);
    expect(100 - (100 * open.length) / cases.length).toBeGreaterThan(floor);
  });

test("a made text holds its secret, and the same seed makes the same", () => {
  const cases = generatedCases("forms", 2);
  for (const [, , { text, secrets }] of cases)
    expect(secrets.every((secret) => text.includes(secret))).toBe(true);
  expect(generatedCases("forms", 2)).toEqual(cases);
});
