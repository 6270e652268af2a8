// The pages of keys hold every key of the schemas, as they are.
import { expect, test } from "bun:test";
import { keysPage } from "../../src/release/docs.ts";
import { configJsonSchema, type JsonSchema } from "../../src/runtime/config/json-schema.ts";
import { readPage } from "../support/pages.ts";

const pages = {
  configuration: await readPage("docs/configuration.md"),
  "plugin-options": await readPage("docs/developers/plugin-options.md"),
} as const;
const names = ["configuration", "plugin-options"] as const;

test.each(names)("%s.md is up to date (`bun run docs` writes it)", async (name) => {
  expect(pages[name]).toBe(await keysPage(name, pages[name]));
});

test("every key is listed with its default, and says what it does", async () => {
  const keys = leaves(await configJsonSchema(), "").filter(
    ([key]) => key !== "$schema" && !/^plugins\.[^.]+\.enabled$/.test(key),
  );
  expect(keys.length).toBeGreaterThan(80);
  const rows = `${pages.configuration}\n${pages["plugin-options"]}`.split("\n");
  const wrong = keys.filter(([key, { default: fallback, description }]) => {
    const row = rows.find((line) => line.startsWith(`- \`${key}\``)) ?? "";
    const shown = fallback === undefined ? "" : JSON.stringify(fallback).replaceAll(",", ", ");
    return !description || !row.includes(description.slice(0, 20)) || !row.includes(shown);
  });
  expect(wrong.map(([key]) => key)).toEqual([]);
});

test("what is written by hand above the mark stays; a page without the mark is refused", async () => {
  const page = pages.configuration;
  const [head = ""] = page.split("<!--");
  const byHand = await keysPage("configuration", page.replace(head, "# By hand\n\n"));
  expect(byHand).toStartWith("# By hand\n");
  expect(keysPage("configuration", "# No mark\n")).rejects.toThrow("mark");
});

/** Dotted paths of everything that can be set. */
function leaves(schema: JsonSchema, prefix: string): Array<[string, JsonSchema]> {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const key = prefix ? `${prefix}.${name}` : name;
    return inner.properties ? leaves(inner, key) : [[key, inner] as [string, JsonSchema]];
  });
}
