// Links of the pages lead somewhere: to a file of the project, and to a heading that stands there.
import { describe, expect, test } from "bun:test";
import { stat } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { anchorsOf, pageNames, proseOf, readPage, root } from "../support/pages.ts";

const link = /\]\(([^)\s]+)\)/g;

test("the pages are found", () => {
  expect(pageNames).toContain("README.md");
  expect(pageNames).toContain("CONTRIBUTING.md");
  expect(pageNames).toContain("src/sdk/README.md");
  expect(pageNames.filter((name) => name.startsWith("docs/")).length).toBeGreaterThan(8);
});

test("an anchor is made of a heading as the forge makes it", () => {
  const page = "# What it costs\n```md\n## not this\n```\n## `memoir hook`, 5 ms\n";
  expect(anchorsOf(page)).toEqual(new Set(["what-it-costs", "memoir-hook-5-ms"]));
});

test.each(pageNames)("%s", async (name) => {
  const targets = [...proseOf(await readPage(name)).matchAll(link)].map(([, to = ""]) => to);
  const broken: string[] = [];
  for (const target of targets) {
    if (/^[a-z]+:/.test(target)) continue;
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? name : normalize(join(dirname(name), path));
    const found = await stat(join(root, file)).catch(() => undefined);
    if (!found || (anchor && !anchorsOf(await readPage(file)).has(anchor))) broken.push(target);
  }
  expect(broken).toEqual([]);
});

/** What a page names in code and stands in the project: `src/cli/main.ts`, `plugins/storage-sqlite`. */
const named = /`((?:src|plugins|test|docs|hooks)\/[\w./-]*\w)`/g;
/** And in commands: `bun test test/search`. */
const run = /\bbun (?:test|run) ((?:src|test)\/[\w./-]*\w)/g;

/** The changelog tells of what was; the reference has examples of other projects' files. */
test.each(pageNames.filter((name) => !/CHANGELOG|REFERENCE/.test(name)))(
  "files that %s names exist",
  async (name) => {
    const missing: string[] = [];
    const page = await readPage(name);
    for (const [, path = ""] of [...page.matchAll(named), ...page.matchAll(run)])
      if (!(await stat(join(root, path)).catch(() => undefined))) missing.push(path);
    expect(missing).toEqual([]);
  },
);

describe("pages are reached", () => {
  test.each([
    ["README.md", "docs/"],
    ["docs/developers/README.md", "docs/developers/"],
  ])("from %s, every page of %s", async (index, folder) => {
    const links = await readPage(index);
    const own = pageNames.filter((page) => page.startsWith(folder) && page !== index);
    const pages = own.filter((page) => !page.slice(folder.length).includes("/"));
    const from = index.slice(0, index.lastIndexOf("/") + 1);
    expect(pages.length).toBeGreaterThan(8);
    expect(pages.filter((page) => !links.includes(`](${page.slice(from.length)})`))).toEqual([]);
  });

  test("and from the README the developers' index", async () => {
    expect(await readPage("README.md")).toContain("](docs/developers/README.md)");
  });
});
