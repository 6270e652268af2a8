// What counts as a plugin in a plugins folder.
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { discoverPlugins } from "../../../src/runtime/plugins/find.ts";

test("files and folders with an entry are found; tests, declarations, packages and hidden ones are not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "memoir-discover-"));
  try {
    const files: Record<string, string> = {
      "notebook.ts": "",
      "plain.js": "",
      "module.mjs": "",
      "notebook.test.ts": "",
      "types.d.ts": "",
      "_shared.ts": "",
      ".hidden.ts": "",
      "README.md": "",
      "mine/index.ts": "",
      "packed/package.json": '{"exports":{".":{"import":"./src/main.ts"}}}',
      "packed/src/main.ts": "",
      "broken-manifest/package.json": "{",
      "broken-manifest/index.js": "",
      "no-entry/notes.ts": "",
      "node_modules/x/index.ts": "",
      ".git/index.ts": "",
      "_parts/index.ts": "",
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const found = await discoverPlugins(folder);
    expect(found.map(({ name, path }) => [name, relative(folder, path)])).toEqual([
      ["broken-manifest", "broken-manifest/index.js"],
      ["mine", "mine/index.ts"],
      ["module", "module.mjs"],
      ["notebook", "notebook.ts"],
      ["packed", "packed/src/main.ts"],
      ["plain", "plain.js"],
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a folder that is not there holds nothing", async () => {
  expect(await discoverPlugins(join(tmpdir(), crypto.randomUUID()))).toEqual([]);
});
