// The pages that explain names explain all of them: kinds of evidence, slots and built-in plugins.
import { expect, test } from "bun:test";
import { builtins } from "../../src/runtime/builtins.ts";
import { slotNames } from "../../src/sdk/plugin.ts";
import { evidenceKinds } from "../../src/sdk/turn.ts";
import { readPage } from "../support/pages.ts";

test.each([
  ["docs/developers/memory.md", evidenceKinds],
  ["docs/developers/terms.md", slotNames],
  ["docs/developers/plugins.md", [...slotNames, ...Object.keys(builtins)]],
] as const)("%s", async (name, words) => {
  const page = await readPage(name);
  expect(words.length).toBeGreaterThan(6);
  expect(words.filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
});
