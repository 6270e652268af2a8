// The configuration page holds every key of the schemas, as they are.
import { expect, test } from "bun:test";
import { configurationPage } from "../../src/release/docs.ts";
import { configJsonSchema, type JsonSchema } from "../../src/runtime/config/json-schema.ts";
import { readPage } from "../support/pages.ts";

const page = await readPage("docs/configuration.md");

test("configuration.md is up to date (`bun run docs` writes it)", async () => {
  expect(page).toBe(await configurationPage(page));
});

test("every key stands in it with its default, and says what it does", async () => {
  const keys = leaves(await configJsonSchema(), "").filter(
    ([key]) => key !== "$schema" && !/^plugins\.[^.]+\.enabled$/.test(key),
  );
  expect(keys.length).toBeGreaterThan(80);
  const rows = page.split("\n").map((line) => line.replace(/ +/g, " "));
  const wrong = keys.filter(([key, { default: fallback, description }]) => {
    const row = rows.find((line) => line.startsWith(`| \`${key}\` |`)) ?? "";
    const shown = fallback === undefined ? "" : JSON.stringify(fallback).replaceAll(",", ", ");
    return !description || !row.includes(description.slice(0, 20)) || !row.includes(shown);
  });
  expect(wrong.map(([key]) => key)).toEqual([]);
});

test("what is written by hand above the mark stays; a page without the mark is refused", async () => {
  const [head = ""] = page.split("<!--");
  expect(await configurationPage(page.replace(head, "# By hand\n\n"))).toStartWith("# By hand\n");
  expect(configurationPage("# No mark\n")).rejects.toThrow("mark");
});

/** Dotted paths of everything that can be set. */
function leaves(schema: JsonSchema, prefix: string): Array<[string, JsonSchema]> {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const key = prefix ? `${prefix}.${name}` : name;
    return inner.properties ? leaves(inner, key) : [[key, inner] as [string, JsonSchema]];
  });
}
