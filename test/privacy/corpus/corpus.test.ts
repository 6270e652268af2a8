// The corpus of secrets is what it claims to be: large enough, the same at each run, and nowhere written out.
import { describe, expect, test } from "bun:test";
import { secretCases } from "./cases.ts";
import { fake, leaks } from "./fake.ts";

describe("the corpus", () => {
  const cases = secretCases();
  const secrets = cases.filter((one) => one.secrets.length > 0);

  test("holds at least 600 secrets and 400 look-alikes, each under a name of its own", () => {
    expect(secrets.length).toBeGreaterThanOrEqual(600);
    expect(cases.length - secrets.length).toBeGreaterThanOrEqual(400);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  });

  test("has about a third of each family set aside", () => {
    for (const [family, ones] of Map.groupBy(cases, (one) => one.family)) {
      const share = ones.filter(({ aside }) => aside).length / ones.length;
      expect([family, share > 0.1 && share < 0.6]).toEqual([family, true]);
    }
  });

  test("is the same at each run", () => {
    expect(secretCases()).toEqual(cases);
  });

  test("knows a leak when it sees one", () => {
    const leaky = secrets.filter((one) => leaks(one.text, one) === undefined);
    expect(leaky.map(({ id }) => id)).toEqual([]);
  });
});

test("a template gives a text without its marks, and what must go of it", () => {
  const { text, secrets } = fake("key «ab{h8}» and {d3}", "seed");
  expect(text).toMatch(/^key ab[0-9a-f]{8} and \d{3}$/);
  expect(secrets).toEqual([text.slice(4, 14)]);
});

test("six characters in a row are a leak, also where the rest is gone", () => {
  const one = { text: "password: rosebud77", secrets: ["rosebud77"] };
  expect(leaks("password: [redacted]", one)).toBeUndefined();
  expect(leaks("password: [redacted]bud77", one)).toBeUndefined();
  expect(leaks("password: sebud77", one)).toBe("sebud7");
});
