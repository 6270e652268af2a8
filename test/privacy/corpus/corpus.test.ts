// The corpus of secrets is what it claims to be: large enough, the same at each run, and nowhere written out.
import { describe, expect, test } from "bun:test";
import { isBurnt, secretCases } from "./cases.ts";
import { fake, leaks } from "./fake.ts";
import { filled } from "./filled.ts";
import { openAlarms, reachedByChannel, reachedByFamily } from "./floors.ts";
import { type Judged, judgeSecrets } from "./measure.ts";

describe("the corpus", () => {
  const cases = secretCases();
  const secrets = cases.filter((one) => one.secrets.length > 0);

  test("holds at least 600 secrets and 400 look-alikes, each under a name of its own", () => {
    expect(secrets.length).toBeGreaterThanOrEqual(600);
    expect(cases.length - secrets.length).toBeGreaterThanOrEqual(400);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  });

  test("has about a third of each family set aside that was not looked at yet", () => {
    for (const [family, ones] of Map.groupBy(cases, (one) => one.family)) {
      if (isBurnt(family)) continue;
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

describe("of the corpora with floors", () => {
  const judged = judgeSecrets(secretCases().filter(({ family }) => /^third|^wider/.test(family)));
  const isSecret = (one: Judged): boolean => one.case.secrets.length > 0;

  /** Percent, rounded down to a tenth, of the development part and of the part set aside, if there is one. */
  const shares = (ones: readonly Judged[]): readonly [number, number] => {
    const share = (aside: boolean): number => {
      if (aside && ones.every((one) => !one.case.aside)) return 100;
      const part = ones.filter((one) => one.case.aside === aside);
      const right = part.filter(({ wrong }) => wrong === undefined);
      return Math.floor((1000 * right.length) / part.length) / 10;
    };
    return [share(false), share(true)];
  };

  const tables = [
    ["family", judged, (one: Judged) => one.case.family, reachedByFamily],
    ["channel", judged.filter(isSecret), ({ channel }: Judged) => channel, reachedByChannel],
  ] as const;
  test.each(tables)("no less goes right than was reached, by %s", (_, ones, by, reached) => {
    const groups = Map.groupBy(ones, by);
    expect([...groups.keys()].sort()).toEqual(Object.keys(reached).sort());
    const worse = [...groups].flatMap(([name, group]) => {
      const [dev, aside] = shares(group);
      const [floor, floorAside = 100] = reached[name] ?? [100];
      return dev < floor || aside < floorAside ? [{ name, dev, floor, aside, floorAside }] : [];
    });
    expect(worse).toEqual([]);
  });

  test("the look-alikes named as open are those of the development part that are taken for secrets", () => {
    const alarms = judged.filter(
      (one) => !isSecret(one) && !one.case.aside && one.wrong !== undefined,
    );
    expect([...new Set(alarms.map((one) => one.case.id))].sort()).toEqual([...openAlarms].sort());
  });
});

test("an encoding is a secret as a whole where it holds one, and passwords are the same for the same seed", () => {
  const made = filled("a ⟦base64|u:«{plain}»⟧ b ⟦url|a b⟧ {signed}", "seed");
  const [, encoded = "", open] = /^a (\S+) b (\S+) \S+$/.exec(made.text) ?? [];
  expect(open).toBe("a%20b");
  expect(atob(encoded)).toMatch(/^u:\S{6,}$/);
  expect(made.secrets).toEqual([encoded]);
  expect(filled("a ⟦base64|u:«{plain}»⟧ b ⟦url|a b⟧ {signed}", "seed")).toEqual(made);
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
