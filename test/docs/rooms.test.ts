// The page on how memoir works names every room of the source.
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readPage, root } from "../support/pages.ts";

const page = await readPage("docs/developers/how-it-works.md");

async function foldersOf(path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

test.each([
  ["src", "- `src/"],
  ["src/runtime", "- `"],
])("every folder of %s is a room of the page", async (path, before) => {
  const folders = await foldersOf(path);
  expect(folders.length).toBeGreaterThan(8);
  expect(folders.filter((name) => !page.includes(`${before}${name}\`: `))).toEqual([]);
});
