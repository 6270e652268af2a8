// The reference page is made from the sources, and every export says in words what it is.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { exportsIn, referencePage } from "../../src/release/reference.ts";

const root = join(import.meta.dir, "../..");

test("REFERENCE.md is up to date (`bun run types` writes it)", async () => {
  const page = await readFile(join(root, "src/sdk/REFERENCE.md"), "utf8");
  expect(page).toBe(await referencePage());
  expect(page).not.toContain("## More\n");
});

test.each(["sdk", "testing"])("every export of memoir/%s has a sentence", async (name) => {
  const text = await readFile(join(root, `src/release/types/${name}.d.ts.txt`), "utf8");
  const exported = exportsIn(text);
  expect(exported.length).toBeGreaterThan(30);
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
  expect(exportsIn(text)).toEqual([
    {
      name: "A",
      kind: "interface",
      doc: "Says a.",
      code: "interface A {\n    /** A field. */\n    b: string;\n}",
    },
    {
      name: "f",
      kind: "function",
      doc: "Does it\ntwice.",
      code: "function f(a: string): void;\nfunction f(a: number): void;",
    },
    { name: "B", kind: "type", doc: "", code: "type B = string;" },
  ]);
});
