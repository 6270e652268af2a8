// The contract stays small: what `memoir/sdk` exports and reaches is counted, and each published name is used by a built-in plugin, an example or a template.
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { declarationsOf } from "../../src/release/reference.ts";
import { entryNames } from "../../src/runtime/plugins/packed.ts";

const root = resolve(import.meta.dir, "../..");

/** The names that an entry exports, types included. */
async function exportsOf(name: string): Promise<string[]> {
  const types = await readFile(join(root, `src/release/types/${name}.d.ts.txt`), "utf8");
  return declarationsOf(types)
    .filter(({ isExported }) => isExported)
    .map((one) => one.name);
}

/** Every file that importing `file` leads to, itself included, and those that only its types name. */
async function reachedFrom(file: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(file)) return found;
  found.add(file);
  const text = await readFile(file, "utf8");
  for (const [, path = ""] of text.matchAll(/(?:\bfrom|\bimport\()\s*"(\.[^"]+)"/g))
    await reachedFrom(resolve(dirname(file), path), found);
  return found;
}

/** `<entry>#<name>` of everything that the files import from published entries, and how often. */
async function importsOf(glob: string): Promise<string[]> {
  const found: string[] = [];
  const entry = /^(?:memoir\/|(?:\.\.\/)+src\/|\.\/)(\w+)(?:\/index\.ts|\.js)?$/;
  for await (const path of new Bun.Glob(glob).scan(root)) {
    const text = await readFile(join(root, path), "utf8");
    for (const [, names = "", from = ""] of text.matchAll(
      /^import (?:type )?\{([^}]*)\} from "([^"]+)";$/gm,
    )) {
      const [, name] = entry.exec(from) ?? [];
      for (const [, word] of names.matchAll(/(?:^|,)\s*(?:type )?([\w$]+)/g))
        if (name !== undefined) found.push(`${name}#${word}`);
    }
  }
  return found;
}

test("memoir/sdk exports at most 150 names and reaches at most 2,850 lines, of its own room only", async () => {
  expect((await exportsOf("sdk")).length).toBeLessThanOrEqual(150);
  const files = [...(await reachedFrom(join(root, "src/sdk/index.ts")))];
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !relative(root, file).startsWith("src/sdk/"))).toEqual([]);
  const lines = await Promise.all(
    files.map(async (file) => (await readFile(file, "utf8")).split("\n").length - 1),
  );
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2_850);
});

describe("each name is used by a built-in plugin, an example, a template or another entry's types", async () => {
  const users = [
    "plugins/**/*.ts",
    "test/examples/*.ts",
    "src/cli/plugins/templates/*.txt",
    "src/release/types/*.d.ts.txt",
  ];
  const used = new Set((await Promise.all(users.map(importsOf))).flat());
  test.each(entryNames.filter((name) => name !== "testing"))("memoir/%s", async (name) => {
    const exported = await exportsOf(name);
    expect(exported.length).toBeGreaterThan(0);
    expect(exported.filter((one) => !used.has(`${name}#${one}`))).toEqual([]);
  });
});
