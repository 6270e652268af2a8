// What people read is in plain American English: one term for each thing, and none of the turns of phrase that a native writer would not use.
import { describe, expect, test } from "bun:test";
import { type Literal, type Node, parse, type TemplateLiteral } from "acorn";
import { full } from "acorn-walk";
import { filesLike, pageNames, proseOf, readPage } from "../support/pages.ts";

/** What is not written, what is written instead, and a sentence that shows it. */
const words: ReadonlyArray<readonly [wrong: RegExp, better: string, example: string]> = [
  [/\b(?:is|are|was|were|be|been) told\b|\btells\b/i, "shown, says", "The session is told so"],
  [/\bstands? (?:in|at|there|about|twice|together)\b/i, "is in", "It stands in the file"],
  [/\b(?:lies|lie) in\b/i, "is in", "The date lies in the future"],
  [/\banew\b/i, "again, rebuilt", "The index is made anew"],
  [/\bmend(?:s|ed|ing)?\b|\bputs? right\b/i, "fix", "Once that is mended"],
  [/\blet(?:s|ting)? go\b/i, "delete", "What memory would let go"],
  [/\bt(?:ake|akes|aken|ook) out\b/i, "remove", "What was taken out"],
  [/\bso that\b/i, "so", "Start it, so that it runs"],
  [/\bin force\b/i, "in effect, in use, enabled", "The plugin is in force"],
  [/\b(?:go|goes|went) on\b(?! L)/i, "continue", "The session goes on"],
  [/\btaken in\b/i, "imported", "The spool is taken in"],
  [/\bfor ever\b/i, "forever", "It is kept for ever"],
  [/\bsum(?:s|med)? up\b/i, "summarize", "The session is summed up"],
  [/\bunder way\b/i, "in progress", "A backfill is under way"],
  [/\b(?:is|are|was|were) remembered\b|\buntold\b/i, "in memory, saved", "Nothing was remembered"],
  [
    /\b(?:colou?r|favou?r|neighbou?r|behaviou?r)(?<=our)\w*|\w+[ai]lis(?:e|ed|ing)\b/i,
    "American",
    "Its behaviour",
  ],
];

function wrongIn(text: string): string[] {
  return words.flatMap(([wrong, better]) => {
    const found = wrong.exec(text);
    if (!found) return [];
    const around = text.slice(Math.max(0, found.index - 30), found.index + 40);
    return [`…${around.replace(/\s+/g, " ")}…: ${better}`];
  });
}

test.each(words)("%p is found", (_, better, example) => {
  expect(wrongIn(example)).toEqual([`…${example}…: ${better}`]);
});

describe("pages", () => {
  const pages = pageNames.filter((page) => /^(?:README|docs\/[\w-]+)\.md$/.test(page));
  const forDevelopers = pageNames.filter((page) => /^(?:CONTRIBUTING|docs\/.+)\.md$/.test(page));

  test.each([...new Set([...pages, ...forDevelopers])])("%s", async (page) => {
    const lines = proseOf(await readPage(page)).split("\n\n");
    expect(lines.flatMap(wrongIn)).toEqual([]);
  });

  test("for users have at most 90 KB together", async () => {
    const sizes = pages.map(async (page) => Buffer.byteLength(await readPage(page)));
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThan(90 * 1024);
  });
});

/** Texts that nobody reads as memoir's: words that it looks for, what models are asked, promises of the test suites. */
const notShown = /^src\/(?:text|testing|strategy|release|page\/made)\/|\.test\.ts$|\/templates\//;

/** The texts of a module as it runs, those between the elements of the page among them; what is put into one is read as a word. */
function textsOf(file: string, code: string): string[] {
  const loader = file.endsWith(".tsx") ? "tsx" : "ts";
  const module = new Bun.Transpiler({ loader, target: "bun" }).transformSync(code);
  const texts: string[] = [];
  full(parse(module, { ecmaVersion: "latest", sourceType: "module" }), (node: Node) => {
    if (node.type === "Literal") texts.push(String((node as Literal).value));
    else if (node.type === "TemplateLiteral")
      texts.push((node as TemplateLiteral).quasis.map(({ value }) => value.cooked).join("x"));
  });
  return texts;
}

test("texts are found within others, beside quotes, and between elements", () => {
  const code = `const a = \`One \${y("two words more")} here \${x ? \`and a "third one"\` : "or none"} there\`;`;
  const drawn = "const b = <p title='of an element'>Some more {a} text</p>;";
  expect(textsOf("a.ts", code)).toEqual(
    expect.arrayContaining([
      "One x here x there",
      "two words more",
      'and a "third one"',
      "or none",
    ]),
  );
  expect(textsOf("b.tsx", drawn).map((text) => text.trim())).toEqual(
    expect.arrayContaining(["of an element", "Some more", "text"]),
  );
});

test("texts in the source", async () => {
  const wrong: string[] = [];
  for (const file of await filesLike(["src/**/*.{ts,tsx}", "plugins/**/*.ts"])) {
    if (notShown.test(file)) continue;
    for (const text of textsOf(file, await readPage(file)))
      if (/\w \w+ \w/.test(text) && !/\n {2}const |CREATE TABLE/.test(text))
        wrong.push(...wrongIn(text).map((one) => `${file}: ${one}`));
  }
  expect(wrong).toEqual([]);
});
