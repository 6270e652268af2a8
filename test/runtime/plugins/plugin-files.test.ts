// The files that a plugin is made of.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fingerprint, pluginFiles } from "../../../src/runtime/plugins/find.ts";

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

test("a plugin's files have another fingerprint after any change of one of them, a large one by its size", async () => {
  const path = `${folder}/index.ts`;
  await Bun.write(path, 'import "./part.ts";');
  await Bun.write(`${folder}/part.ts`, "1");
  const first = await fingerprint(path);
  expect(first).toMatch(/^[0-9a-f]{16}$/);
  expect(await fingerprint(path)).toBe(first);
  await Bun.write(`${folder}/part.ts`, "2");
  const second = await fingerprint(path);
  await Bun.write(`${folder}/data.json`, "x".repeat(1_000_001));
  const third = await fingerprint(path);
  await Bun.write(`${folder}/data.json`, "y".repeat(1_000_002));
  expect(new Set([first, second, third, await fingerprint(path)]).size).toBe(4);
  expect(await fingerprint(`${folder}/missing.ts`)).not.toBe(first);
});
