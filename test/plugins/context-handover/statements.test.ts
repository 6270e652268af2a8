// Sentences of texts, and whether a statement says what another says.
import { expect, test } from "bun:test";
import { createStatements, sentencesOf } from "../../../plugins/context-handover/past.ts";

const added = (...texts: string[]) => {
  const statements = createStatements();
  for (const text of texts) statements.add(text);
  return statements;
};
const says = (of: ReturnType<typeof added>, sentence: string) => {
  const now = of.upToNow();
  return now.say(now.wordsOf(sentence));
};

test.each<[string, string[], string, boolean]>([
  ["three words of five say it", ["Alpha beta gamma."], "alpha beta gamma delta epsilon", true],
  ["two of five do not", ["Alpha beta."], "alpha beta gamma delta epsilon", false],
  [
    "words of two sentences do not",
    ["Alpha beta. Gamma delta."],
    "alpha gamma delta epsilon zeta",
    false,
  ],
  [
    "nor do those of two texts",
    ["Alpha beta.", "Gamma delta."],
    "alpha gamma delta epsilon zeta",
    false,
  ],
  ["both of two do", ["Alpha beta."], "beta alpha", true],
  ["one of two does not", ["Alpha gamma."], "alpha beta", false],
  ["one word is too little to be said", ["Alpha alpha."], "alpha", false],
])("%s", (_, texts, sentence, wanted) => {
  expect(says(added(...texts), sentence)).toBe(wanted);
});

test("what is added later was not said before, also where it is a repeat", () => {
  const statements = added("Alpha beta.");
  const before = statements.upToNow();
  const words = statements.add("Gamma delta. Alpha beta.");
  expect(words.size).toBe(4);
  expect([before.say(before.wordsOf("gamma delta")), says(statements, "gamma delta")]).toEqual([
    false,
    true,
  ]);
  statements.add("Epsilon zeta.");
  expect(says(statements, "epsilon zeta")).toBe(true);
});

test.each<[string, string, string[]]>([
  [
    "a sentence ends at its mark, behind quotes and stars",
    'One. **Two!** "Three?" Four',
    ["One.", "**Two!**", '"Three?"', "Four"],
  ],
  ["scripts without spaces need none", "一。二！三", ["一。", "二！", "三"]],
  ["the number of a list item ends none, in its place", "1. One. 2. Two", ["1. One.", "2.", "Two"]],
  ["each line is its own, empty ones are none", "One\n\n  \nTwo", ["One", "Two"]],
  ["a point inside a name ends none", "Open a.ts now", ["Open a.ts now"]],
])("%s", (_, text, wanted) => {
  expect(sentencesOf(text)).toEqual(wanted);
});
