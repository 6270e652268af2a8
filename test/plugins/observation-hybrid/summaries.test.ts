// Summaries in tags: every field by its name, whatever it is wrapped in or forgot to close.
import { expect, test } from "bun:test";
import { readAnswer, tagOf } from "../../../plugins/observation-hybrid/index.ts";
import { ofSummaryTexts, summaryTextNames } from "../../../src/sdk/model.ts";

const fields = summaryTextNames.map((name) => `<${tagOf(name)}>text of ${name}</${tagOf(name)}>`);
const texts = ofSummaryTexts((name) => `text of ${name}`);

test.each<[string, string]>([
  ["in tags", `<summary>${fields.join("")}</summary>`],
  ["never closed", `<summary>${fields.join("").replaceAll(/<\/\w+>/g, "")}`],
  [
    "in other letters",
    `<Summary>${fields.join("").toUpperCase().replaceAll("TEXT OF", "text of")}</Summary>`,
  ],
])("a summary %s", (form, answer) => {
  const { summary, problem, observations } = readAnswer(answer, false);
  const wanted =
    form === "in other letters" ? ofSummaryTexts((name) => `text of ${name.toUpperCase()}`) : texts;
  expect(summary).toEqual({ ...wanted, filesRead: [], filesEdited: [] });
  expect([problem, observations]).toEqual([undefined, []]);
});

test("a title, a subtitle and files are known by their lists", () => {
  const { summary, title, subtitle } = readAnswer(
    "<summary><title>T</title><subtitle>S</subtitle><completed>Done</completed><files_read><file>a.ts</file></files_read><files_edited>b.ts, c.ts</files_edited><files_modified>- d.ts</files_modified><files><file>e.ts</file></files></summary>",
    false,
  );
  expect([title, subtitle, summary?.completed]).toEqual(["T", "S", "Done"]);
  expect([summary?.filesRead, summary?.filesEdited]).toEqual([
    ["a.ts", "e.ts"],
    ["b.ts", "c.ts", "d.ts"],
  ]);
});

test.each<[string, string | undefined, boolean]>([
  ["<summary> \n </summary>", "the <summary> block was empty", false],
  ["<observation> \n </observation>", "an <observation> block was empty", false],
  ["<observation><type>bugfix</type></observation>", "an <observation> block was empty", false],
  ["Words alone.", "no <observation> or <summary> block was found in it", false],
  ["<nothing/>", undefined, true],
  ["<no-observations />", undefined, true],
  ["<skip>", undefined, true],
])("of %p is said: %p", (answer, problem, nothing) => {
  const read = readAnswer(answer, false);
  expect([read.problem, read.nothing]).toEqual([problem, nothing]);
});

test("words straight in a summary are what was completed", () => {
  expect(readAnswer("<summary> It counts once. </summary>", false).summary?.completed).toBe(
    "It counts once.",
  );
});
