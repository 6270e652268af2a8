// Topics of pages: which headings begin and end one, and which of them a word means.
import { expect, test } from "bun:test";
import { findTopics, topicsOf } from "../../../../src/cli/plugins/docs.ts";

const guide = [
  "# The guide",
  "Begin.",
  "## Storage `x`",
  "Keeps.",
  "### Reading",
  "Gives.",
  "```sh",
  "# no heading",
  "```",
  "## Clocks",
  "Tick.",
  "",
].join("\n");
const topics = topicsOf({
  pages: { guide, reference: "# Reference\n## readKey\nfunction\n## readKeys (by inference)\n" },
  examples: { "web-hook.ts": "post();\n\n", "clock.ts": "tick();" },
});
const found = (word: string) => findTopics(word, topics).map(({ title }) => title);

test("a topic ends where the next of its height begins; headings in code are none; an example is code", () => {
  expect(topics.map(({ page, title, level }) => [page, title, level])).toEqual([
    ["guide", "The guide", 1],
    ["guide", "Storage x", 2],
    ["guide", "Reading", 3],
    ["guide", "Clocks", 2],
    ["reference", "Reference", 1],
    ["reference", "readKey", 2],
    ["reference", "readKeys (by inference)", 2],
    ["examples", "web-hook.ts", 2],
    ["examples", "clock.ts", 2],
  ]);
  const text = (title: string) => topics.find((topic) => topic.title === title)?.text;
  expect(text("Storage x")).toBe(
    "## Storage `x`\nKeeps.\n### Reading\nGives.\n```sh\n# no heading\n```\n",
  );
  expect(text("The guide")).toBe(`${guide.trimEnd()}\n`);
  expect(text("Clocks")).toBe("## Clocks\nTick.\n");
  expect(text("web-hook.ts")).toBe("## web-hook.ts\n\n```ts\npost();\n```\n");
});

test.each<[word: string, titles: string[]]>([
  ["guide", ["The guide"]],
  ["Storage X", ["Storage x"]],
  ["storage", ["Storage x"]],
  ["readkey", ["readKey"]],
  ["readKeys", ["readKeys (by inference)"]],
  ["web hook", ["web-hook.ts"]],
  ["WEB-HOOK.ts!", ["web-hook.ts"]],
  ["clock", ["clock.ts"]],
  ["examples", ["web-hook.ts", "clock.ts"]],
])("%j means %j", (word, titles) => {
  expect(found(word)).toEqual(titles);
});

test("several are named to choose from, at most twenty; one that is mistyped is named, and nothing else", () => {
  const thrown = (word: string, list = topics) => {
    try {
      return { titles: findTopics(word, list) };
    } catch (error) {
      return error as { message: string; fix: string };
    }
  };
  expect(thrown("read")).toMatchObject({
    message: "Several topics are called like read.",
    fix: "Choose one: Reading · readKey · readKeys (by inference).",
  });
  expect(thrown("strage-x")).toMatchObject({
    message: "There is no topic strage-x; did you mean storage-x?",
    fix: "`memoir plugin docs --list` shows them all.",
  });
  expect(thrown("xylophone")).toMatchObject({ message: "There is no topic xylophone" });
  for (const nothing of ["", "!!!"])
    expect(thrown(nothing)).toMatchObject({
      message: expect.stringMatching(/^There is no topic /),
    });
  const many = topicsOf({
    pages: Object.fromEntries(
      Array.from({ length: 21 }, (_, at) => [`p${at}`, `# Part ${String.fromCharCode(97 + at)}`]),
    ),
    examples: {},
  });
  const { fix } = thrown("part", many) as { fix: string };
  expect(fix.split(" · ")).toHaveLength(20);
});

test("the same title on two pages is both of them; inside one another it is the outer", () => {
  const pages = { a: "# A\n## Same\none", b: "# B\n## Same\ntwo\n### Same\nthree" };
  const twice = topicsOf({ pages, examples: {} });
  expect(findTopics("same", twice).map(({ page, level }) => [page, level])).toEqual([
    ["a", 2],
    ["b", 2],
  ]);
});
