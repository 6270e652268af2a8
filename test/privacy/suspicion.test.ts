// No rule is passed over where it would find a secret: nothing more is found where all rules are tried everywhere.
import { expect, test } from "bun:test";
import {
  phraseRules,
  phraseWords,
  startsRun,
  tokensByBeginning,
} from "../../src/privacy/redact/words.ts";
import { findIn, rules, type Suspicion } from "../../src/privacy/redact.ts";
import { secretCases } from "./corpus/cases.ts";
import { fake } from "./corpus/fake.ts";
import { examplesOf } from "./examples.ts";

const tokenBeginnings = [...tokensByBeginning.keys()];

const phrases = new Set<string>(phraseRules.map(({ id }) => id));
const textRules = rules.flatMap((rule) =>
  rule.words && !phrases.has(rule.id) ? [rule.words] : [],
);

const byBeginning = (words: readonly string[]) => Map.groupBy(words, (word) => word.slice(0, 2));
const tokensAt = byBeginning(tokenBeginnings);
const phrasesAt = byBeginning(phraseWords);

/** Every rule, and every place where a token may begin. */
function everything(text: string): Suspicion {
  const places = Array.from({ length: text.length }, (_, at) => at);
  const starts = (words: ReturnType<typeof byBeginning>) =>
    places.flatMap((at) =>
      (words.get(text.slice(at, at + 2)) ?? [])
        .filter((word) => text.startsWith(word, at))
        .map((word) => ({ at, word })),
    );
  return {
    tokens: starts(tokensAt).filter(({ at }) => startsRun(text, at)),
    phrases: starts(phrasesAt),
    names: places,
    finders: new Set(textRules.keys()),
  };
}

function expectAllFound(text: string): void {
  const { exact, named } = findIn(text);
  const found = [...exact, ...named];
  const all = findIn(text, everything(text));
  const passedOver = [...all.exact, ...all.named].filter(
    ({ start, end }) => !found.some((one) => one.start <= start && one.end >= end),
  );
  expect(passedOver).toEqual([]);
}

test("every rule that looks at whole texts has words, and every token a beginning, that can be looked for", () => {
  const words = [...textRules.flat(), ...tokenBeginnings];
  expect(textRules.filter(({ length }) => length === 0)).toEqual([]);
  expect(words.filter(({ length }) => length < 2)).toEqual([]);
});

for (const rule of rules)
  test(`the examples of ${rule.id} meet the rules that find something in them`, () => {
    // Words with capitals say that the rule is for that spelling only, whatever its pattern says; so do those beyond ASCII.
    const inAnyCase = !rule.words || /^[\x20-\x40\x5b-\x7e]*$/.test(rule.words.join(""));
    const { gone, stay } = examplesOf(rule.id);
    for (const template of [...gone, ...stay])
      for (const seed of ["first", "second", "third"]) {
        const { text } = fake(template, rule.id + seed);
        expectAllFound(text);
        expectAllFound(`before ${text}\nbehind`);
        if (!inAnyCase) continue;
        expectAllFound(text.toLowerCase());
        expectAllFound(text.toUpperCase());
      }
  });

for (const [family, cases] of Map.groupBy(secretCases(), (one) => one.family))
  test(`so do the secrets and look-alikes of the corpus, of ${family}`, () => {
    for (const { text } of cases) expectAllFound(text);
  });
