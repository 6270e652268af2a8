// What `bun run page` made stands beside its sources: true to them, small, and loaded by nothing but a browser.
import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { bundlePage } from "../../src/release/page.ts";
import { staticImports } from "../support/static-imports.ts";

const root = join(import.meta.dir, "../..");
const folder = join(root, "src/page");

test("the files are what the sources give: `bun run page` writes them", async () => {
  const made = await bundlePage();
  expect(await readdir(join(folder, "made"))).toEqual(Object.keys(made).sort());
  for (const [name, text] of Object.entries(made))
    expect((await readFile(join(folder, "made", name), "utf8")) === text).toBe(true);
});

test("a browser gets at most 200 KB of it, compressed, and nothing that names another place", async () => {
  const { "app.js": script, "app.css": style } = await bundlePage();
  expect(gzipSync(script).length + gzipSync(style).length).toBeLessThan(200_000);
  expect(gzipSync(script).length).toBeGreaterThan(5_000);
  for (const text of [script, style]) {
    const places = [...text.matchAll(/\bhttps?:\/\/[\w.-]+/g)].map(([place]) => place);
    // Nothing is loaded from XML's names, a socket in a command that is shown, or where a library's errors are to be reported.
    const names = ["http://www.w3.org", "http://memoir", "https://github.com"];
    expect(places.filter((place) => !names.includes(place))).toEqual([]);
  }
  expect(script).not.toMatch(/\beval\(|new Function|dangerouslySetInnerHTML=/);
});

const imported = /(?:^|\n)\s*(import|export)\b(\s+type\b)?[^"'`;]*?from\s*["']([^"']+)["']/g;

test("the page takes types from the server, and code from where there is nothing of the system's", async () => {
  const found: string[] = [];
  for await (const file of new Bun.Glob("**/*.{ts,tsx}").scan(folder)) {
    const source = await readFile(join(folder, file), "utf8");
    for (const [, , isType, target = ""] of source.matchAll(imported)) {
      if (isType || !target.startsWith(".")) continue;
      const path = relative(root, join(folder, file, "..", target));
      if (!path.startsWith("src/page/")) found.push(path);
    }
  }
  expect([...new Set(found)].sort()).toEqual([
    "src/evidence/piece-names.ts",
    "src/sdk/model.ts",
    "src/sdk/record-texts.ts",
    "src/text/amounts.ts",
    "src/text/text.ts",
  ]);
});

test("neither the hook command nor a server's start loads any of it", () => {
  for (const entry of ["src/cli/main.ts", "src/cli/server/serve.ts"]) {
    const reached = [...staticImports(root, join(root, entry))];
    expect(reached.length).toBeGreaterThan(0);
    expect(
      reached.filter((name) => /^src\/page\/|preact|page-files|routes\/page/.test(name)),
    ).toEqual([]);
  }
});
