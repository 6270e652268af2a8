// The files that a plugin is made of.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { pluginFiles } from "../../../src/runtime/plugins/find.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-files-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function files(module: string, texts: Record<string, string>): Promise<string[]> {
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return (await pluginFiles(join(folder, module))).map((path) => relative(folder, path));
}

test("a module comes with what it imports by a relative path, and what that does", async () => {
  const found = await files("own/mine.ts", {
    "own/mine.ts": 'import { a } from "./a";\nimport "../shared/b.js";\nimport "valibot";',
    "own/a.ts": 'export const a = await import("./deep");\nimport "./mine.ts";',
    "own/deep/index.ts": 'require("./data.json");',
    "own/deep/data.json": '{"from": "./never.ts"}',
    "own/never.ts": "",
    "shared/b.js": 'import "./missing.js";',
  });
  const below = ["own/a.ts", "own/deep/data.json", "own/deep/index.ts", "own/mine.ts"];
  expect(found).toEqual([...below, "shared/b.js"]);
});

test("the folder of an index comes whole, without tests, hidden files and installed packages", async () => {
  const found = await files("own/index.ts", {
    "own/index.ts": "",
    "own/prompt.md": "",
    "own/index.test.ts": "",
    "own/a.spec.js": "",
    "own/.git/HEAD": "",
    "own/node_modules/x/index.js": "",
    "own/parts/part.ts": "",
  });
  expect(found).toEqual(["own/index.ts", "own/parts/part.ts", "own/prompt.md"]);
});
