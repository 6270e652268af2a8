// The declarations that memoir publishes are those of the SDK, and joining them loses and mixes up nothing.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { joinDeclarations, publishedTypes } from "../../src/release/sdk-types.ts";
import * as sdk from "../../src/sdk/index.ts";
import * as testing from "../../src/testing/index.ts";

test.each([
  ["sdk", sdk],
  ["testing", testing],
] as const)("%s.d.ts.txt is up to date (`bun run types` writes it)", async (name, module) => {
  const path = join(import.meta.dir, `../../src/release/types/${name}.d.ts.txt`);
  const types = (await publishedTypes())[name];
  expect(await readFile(path, "utf8")).toBe(types);
  for (const exported of Object.keys(module))
    expect(types).toMatch(
      new RegExp(
        `^export declare (?:const|function|class) ${exported.replace("$", "\\$")}\\b`,
        "m",
      ),
    );
});

const joined = (files: Record<string, string>) =>
  joinDeclarations("index.d.ts", async (path) => files[path] ?? `// no ${path}`);

test("files become one: what the entry does not export loses its export, and goes where nothing needs it", async () => {
  const text = await joined({
    "index.d.ts":
      'export * from "./a.ts";\nexport { type Kept } from "./b.ts";\n//# sourceMappingURL=x',
    "a.d.ts":
      'import * as v from "valibot";\nimport type { Kept } from "./b.ts";\n/** Says a. */\nexport declare const a: (kept: Kept) => v.X | import("./deep/c.ts").Inner;\nimport type { F } from "node:fs";\ndeclare function own(f: F): void;\nexport {};\n',
    "b.d.ts": "export interface Kept {\n    hidden: Hidden;\n}\nexport interface Hidden {\n}\n",
    "deep/c.d.ts": "export type Inner = string;\n",
  });
  expect(text.split("\n").slice(2)).toEqual([
    'import * as v from "valibot";',
    "/** Says a. */",
    "export declare const a: (kept: Kept) => v.X | Inner;",
    "export interface Kept {",
    "    hidden: Hidden;",
    "}",
    "interface Hidden {",
    "}",
    "type Inner = string;",
    "export {};",
    "",
  ]);
});

test("overloads are one name; one name in two files, and an alias, are refused", async () => {
  const overloads =
    "export declare function f(a: string): void;\nexport declare function f(a: number): void;";
  expect(await joined({ "index.d.ts": overloads })).toContain(overloads);
  const twice = joined({
    "index.d.ts": 'export * from "./a.ts";\nexport * from "./b.ts";',
    "a.d.ts": "export type Same = 1;",
    "b.d.ts": "type Same = 2;\nexport type Other = Same;",
  });
  await expect(twice).rejects.toThrow("Same is declared in a.d.ts and in b.d.ts");
  const alias = joined({ "index.d.ts": 'export { type A as B } from "./a.ts";' });
  await expect(alias).rejects.toThrow("alias");
});
