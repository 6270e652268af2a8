// Nothing that is kept in the project names a machine that it was written on.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { filesLike, root } from "../support/pages.ts";

/** Homes and work folders of people and of build machines. Short made-up names are for examples. */
const ofAMachine =
  /(?<![\w.~-])\/(?:work\w*|Users|mnt|builds|var\/folders)\/[\w.-]+|(?<![\w.~-])\/home\/(?!(?:user|me|dev|you|ann|anna|alice|bob|jane|test|someone|runner|u|x|nobody)\b)[\w.-]+/g;

test.each([
  ["see /workspace/main/src", true],
  ["/builds/group/project", true],
  ["cd /home/kowalski/code", true],
  ["cd ~/builds/shop", false],
  ["src/builds/shop.ts", false],
  ["/home/user/shop", false],
])("%s", (text, names) => {
  expect([...text.matchAll(ofAMachine)].length > 0).toBe(names);
});

test("no page, no manifest and no script does", async () => {
  const wrong: string[] = [];
  const files = await filesLike([
    "*.{md,json,toml}",
    "{docs,hooks,.ci,.claude-plugin}/**/*",
    "src/**/*.{md,sh}",
  ]);
  expect(files).toContain(".ci/run");
  for (const name of files) {
    const text = await readFile(join(root, name), "utf8");
    for (const [path] of text.matchAll(ofAMachine)) wrong.push(`${name}: ${path}`);
  }
  expect(wrong).toEqual([]);
});
