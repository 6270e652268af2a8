// A package.json: its object, and nothing for whatever else stands there.
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readManifest } from "../../../src/runtime/plugins/find.ts";
import { inFolder } from "../../support/in-folder.ts";

test.each<[string, string | undefined, object | undefined]>([
  ["an object", '{"name": "mine"}', { name: "mine" }],
  ["no file", undefined, undefined],
  ["no JSON", "{", undefined],
  ["null", "null", undefined],
  ["a text", '"mine"', undefined],
  ["a number", "3", undefined],
])("%s", (_, text, expected) =>
  inFolder(async (folder) => {
    const path = join(folder, "package.json");
    if (text !== undefined) await writeFile(path, text);
    expect(await readManifest(path)).toEqual(expected as Record<string, unknown>);
  }),
);
