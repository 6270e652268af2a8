// The files that a plugin is made of.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { pluginFiles } from "../../../src/runtime/plugins/fingerprint.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-files-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function files(texts: Record<string, string>, own?: string): Promise<string[]> {
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const found = await pluginFiles(
    join(folder, "own/index.ts"),
    own === undefined ? undefined : join(folder, own),
  );
  return found.map((path) => relative(folder, path));
}

test("a module comes with what it imports by a relative path, and what that does", async () => {
  const found = await files({
    "own/index.ts": 'import { a } from "./a";\nimport "../shared/b.js";\nimport "valibot";',
    "own/a.ts": 'export const a = await import("./deep");\nimport "./index.ts";',
    "own/deep/index.ts": 'require("./data.json");',
    "own/deep/data.json": '{"from": "./never.ts"}',
    "own/never.ts": "",
    "shared/b.js": 'import "./missing.js";',
  });
  expect(found).toEqual([
    "own/a.ts",
    "own/deep/data.json",
    "own/deep/index.ts",
    "own/index.ts",
    "shared/b.js",
  ]);
});

test("its folder comes whole, without tests, hidden files and installed packages", async () => {
  const found = await files(
    {
      "own/index.ts": "",
      "own/prompt.md": "",
      "own/index.test.ts": "",
      "own/a.spec.js": "",
      "own/.git/HEAD": "",
      "own/node_modules/x/index.js": "",
      "own/parts/part.ts": "",
    },
    "own",
  );
  expect(found).toEqual(["own/index.ts", "own/parts/part.ts", "own/prompt.md"]);
});
