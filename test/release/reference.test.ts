// The reference page is made from the sources, and every export says in words what it is.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { declarationsOf, referencePage } from "../../src/release/reference.ts";
import { entryNames } from "../../src/runtime/plugins/packed.ts";
import { hookKinds } from "../../src/sdk/hooks.ts";

const root = join(import.meta.dir, "../..");

test("REFERENCE.md is up to date (`bun run types` writes it)", async () => {
  const page = await readFile(join(root, "src/sdk/REFERENCE.md"), "utf8");
  expect(page).toBe(await referencePage());
});

test("the reference has a section and a row for every hook, with its kind", async () => {
  const page = await referencePage();
  for (const [hook, kind] of Object.entries(hookKinds)) {
    expect(page).toContain(`\n### ${hook}\n\nKind ${kind}: takes `);
    expect(page).toMatch(new RegExp(`\n\\| \`${hook}\` +\\| ${kind} `));
  }
});

test.each(entryNames)("every export of memoir/%s has a sentence", async (name) => {
  const text = await readFile(join(root, `src/release/types/${name}.d.ts.txt`), "utf8");
  const exported = declarationsOf(text).filter(({ isExported }) => isExported);
  expect(exported.length).toBeGreaterThan(5);
  const wordless = exported.filter(({ doc }) => !/\w{2,}.*[.:]/s.test(doc));
  expect(wordless.map(({ name }) => name)).toEqual([]);
});

test("declarations are read whole, overloads as one", () => {
  const text = [
    "/** Says a. */",
    "export interface A {",
    "    /** A field. */",
    "    b: string;",
    "}",
    "interface Hidden {",
    "}",
    "/**",
    " * Does it",
    " * twice.",
    " */",
    "export declare function f(a: string): void;",
    "export declare function f(a: number): void;",
    "export type B = string;",
  ].join("\n");
  expect(declarationsOf(text).map(({ text: _, ...one }) => one)).toEqual([
    {
      name: "A",
      isExported: true,
      kind: "interface",
      doc: "Says a.",
      code: "interface A {\n    /** A field. */\n    b: string;\n}",
    },
    {
      name: "Hidden",
      isExported: false,
      kind: "interface",
      doc: "",
      code: "interface Hidden {\n}",
    },
    {
      name: "f",
      isExported: true,
      kind: "function",
      doc: "Does it\ntwice.",
      code: "function f(a: string): void;\nfunction f(a: number): void;",
    },
    { name: "B", isExported: true, kind: "type", doc: "", code: "type B = string;" },
  ]);
});
