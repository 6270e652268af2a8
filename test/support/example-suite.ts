// What every example's test begins with: it keeps the promises of its slots, is short, and runs as a user's plugin file.
import { expect, test } from "bun:test";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { memoirPaths } from "../../src/home/paths.ts";
import { loadPlugin } from "../../src/runtime/plugins/load-plugin.ts";
import { publishSdk } from "../../src/runtime/plugins/sdk-module.ts";
import type { AnyPlugin } from "../../src/sdk/plugin.ts";
import { type Subject, suites } from "../../src/testing/index.ts";
import { inFolder } from "./in-folder.ts";

/** The most lines of an example. */
const mostLines = 82;

/** Tests the example in `test/examples/<file>.ts`. */
export function testExample(file: string, plugin: AnyPlugin, subject: Partial<Subject> = {}): void {
  const source = resolve(import.meta.dir, `../examples/${file}.ts`);
  for (const slot of [plugin.slot ?? []].flat())
    for (const { name, run } of suites[slot])
      test(`${file}: ${name}`, () => run({ plugin, source, ...subject }).then(), 30_000);

  test(`${file} is short, and runs as a file that a user dropped in`, () =>
    inFolder(async (home) => {
      const text = await readFile(source, "utf8");
      expect(text.split("\n").length).toBeLessThanOrEqual(mostLines + 1);
      await publishSdk(memoirPaths(home));
      await mkdir(join(home, "plugins"));
      await copyFile(source, join(home, `plugins/${file}.ts`));
      const loaded = await loadPlugin(`./plugins/${file}.ts`, {}, { home, userHome: home });
      expect(loaded.plugin.name).toBe(plugin.name);
      expect(loaded.plugin).not.toBe(plugin);
      expect(loaded.origin).toBe("file");
    }));
}
