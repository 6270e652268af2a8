// `memoir plugin docs`: every topic that is listed can be read, at any width; what is asked loosely is answered or refused in words.
import { expect, test } from "bun:test";
import { access, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findTopics, printDocs, renderMarkdown, topicsOf } from "../../../src/cli/plugins/docs.ts";
import { packedTexts } from "../../../src/runtime/plugins/packed.ts";
import { hookKinds } from "../../../src/sdk/hooks.ts";
import { slotNames } from "../../../src/sdk/plugin.ts";
import { inFolder } from "../../support/in-folder.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

const topics = topicsOf(await packedTexts());
const said = async (topic: string | undefined, options = {}, width?: number) => {
  const screen = plainTerminal({ width });
  expect(await printDocs(topic, options, screen)).toBe(0);
  return screen.out.join("\n");
};

test("without a topic it is the guide, with its plugin and without what only a browser shows, and where the topics are", async () => {
  const text = await said(undefined);
  expect(text).toBe(`${await said("guide")}\nTopics: memoir plugin docs --list`);
  expect(text).toStartWith("Writing a plugin for memoir\n");
  expect(text).toContain('  import { definePlugin } from "memoir/sdk";');
  expect(text).not.toMatch(/\*\*|\]\(|```|^\|/m);
});

test.each<[asked: string, says: RegExp]>([
  ["storage", /`openRecords` is the engine(.|\n)*interface SearchResult/],
  ["Endless-Mode", /ctx\.endless\.original/],
  ["memoir/provider", /function readKey\(/],
  ["wrapContext", /function wrapContext\(/],
  ["StopEvent", /stopHookActive: boolean/],
  ["webhook", /Posts new observations to a webhook/],
  ["enable a plug", /Enable a plugin/],
  ["guide", /^Writing a plugin for memoir/],
  ["examples", /Posts new observations to a webhook/],
])("%s", async (asked, says) => {
  expect(await said(asked)).toMatch(says);
});

test.each<[asked: string, message: RegExp, fix: RegExp]>([
  ["trst", /no topic trst; did you mean trust\?/, /--list/],
  ["sample", /Several topics are called like sample/, /sampleBatch · /],
  ["", /no topic/, /--list/],
])("%p is refused", async (asked, message, fix) => {
  const error = await said(asked).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: "usage",
    message: expect.stringMatching(message),
    fix: expect.stringMatching(fix),
  });
});

test("every slot has a section in the guide, every hook a line in the reference", () => {
  const titles = topics.filter(({ page }) => page === "guide").map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining([...slotNames]));
  const [hooks] = findTopics("all hooks", topics);
  for (const hook of Object.keys(hookKinds)) expect(hooks?.text).toContain(`| \`${hook}\``);
});

test("each topic is found by its title, and fits 80 columns but for code and what has no space", () => {
  for (const { title, text } of topics) {
    expect(findTopics(title, topics).length).toBeGreaterThan(0);
    const colors = plainTerminal().colors;
    const long = renderMarkdown(text, { width: 80, colors }).filter(
      (line) => line.length > 80 && !line.startsWith("  ") && line.includes(" "),
    );
    expect(long).toEqual([]);
  }
});

test("the list names what can be imported, page by page; as JSON each topic", async () => {
  const text = await said(undefined, { list: true }, 80);
  expect(text.match(/^\w+$/gm)).toEqual(["guide", "reference", "plugins", "write", "examples"]);
  expect(text).toMatch(/memoir\/records\n {4}(.|\n)*openRecords/);
  expect(text).not.toContain("StopEvent");
  const { topics: listed } = JSON.parse(await said(undefined, { list: true, json: true }));
  expect(listed).toContainEqual({ page: "reference", title: "openRecords" });
  const { topics: read } = JSON.parse(await said("openRecords", { json: true }));
  expect(read).toMatchObject([{ text: expect.stringContaining("function openRecords(") }]);
});

test("it is written into a folder, again over what it wrote, and never among other files", () =>
  inFolder(async (folder) => {
    const docs = join(folder, "docs");
    for (let time = 0; time < 2; time++)
      expect(await said(undefined, { write: docs })).toMatch(/^\d+ files written to /);
    expect((await readdir(docs)).sort()).toEqual([
      "examples",
      "guide.md",
      "index.md",
      "plugins.md",
      "reference.md",
      "types",
      "write.md",
    ]);
    expect(await readFile(join(docs, "types/sdk.d.ts"), "utf8")).toContain("function definePlugin");
    for (const page of ["index.md", "guide.md", "plugins.md", "reference.md", "write.md"])
      for (const [, path = ""] of (await readFile(join(docs, page), "utf8")).matchAll(
        /\]\((?!https?:|#)([^)]+)\)/g,
      ))
        await access(join(docs, path));
    expect(await readFile(join(docs, "reference.md"), "utf8")).toContain("](guide.md)");
    await writeFile(join(folder, "own.md"), "mine");
    await expect(said(undefined, { write: folder })).rejects.toMatchObject({ code: "usage" });
    expect((await readdir(folder)).sort()).toEqual(["docs", "own.md"]);
  }));
