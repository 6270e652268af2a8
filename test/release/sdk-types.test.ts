// The declarations that memoir publishes are those of the SDK, and joining them loses and mixes up nothing.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { joinDeclarations, publishedTypes } from "../../src/release/sdk-types.ts";
import { type EntryName, entryNames } from "../../src/runtime/plugins/packed.ts";
import { entryModules } from "../../src/runtime/plugins/sdk-module.ts";
import * as testing from "../../src/testing/index.ts";

const types = await publishedTypes();

test.each(entryNames)("%s.d.ts.txt is up to date (`bun run types` writes it)", async (name) => {
  const path = join(import.meta.dir, `../../src/release/types/${name}.d.ts.txt`);
  expect(await readFile(path, "utf8")).toBe(types[name]);
  const modules: Record<EntryName, object> = { ...entryModules, testing };
  for (const exported of Object.keys(modules[name]))
    expect(types[name]).toMatch(
      new RegExp(
        `^export declare (?:const|function|class) ${exported.replace("$", "\\$")}\\b`,
        "m",
      ),
    );
});

const joined = async (files: Record<string, string>, published?: ReadonlyMap<string, string>) =>
  (await joinDeclarations("index.d.ts", async (path) => files[path] ?? `// no ${path}`, published))
    .text;

test("two files that name each other become one", async () => {
  const text = await joined({
    "index.d.ts": 'export * from "./a.ts";\nexport * from "./b.ts";\n',
    "a.d.ts": 'import type { B } from "./b.ts";\nexport interface A {\n    b: B;\n}\nexport {};\n',
    "b.d.ts": 'import type { A } from "./a.ts";\nexport interface B {\n    a: A;\n}\nexport {};\n',
  });
  expect(text.match(/interface [AB]/g)).toEqual(["interface A", "interface B"]);
});

test("files become one: what the entry does not export loses its export, and goes where nothing needs it", async () => {
  const text = await joined({
    "index.d.ts":
      'export * from "./a.ts";\nexport { type Kept } from "./b.ts";\n//# sourceMappingURL=x',
    "a.d.ts":
      'import * as v from "valibot";\nimport type { Kept } from "./b.ts";\n/** Says a. */\nexport declare const a: (kept: Kept) => v.X | import("./deep/c.ts").Inner;\nimport type { F } from "node:fs";\ndeclare function own(f: F): void;\nexport {};\n',
    "b.d.ts": "export interface Kept {\n    hidden: Hidden;\n}\nexport interface Hidden {\n}\n",
    "deep/c.d.ts": "export type Inner = string;\n",
  });
  expect(text.split("\n")).toEqual([
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

test("what another entry exports is imported from there, and nothing that only it needs comes along", async () => {
  const files = {
    "index.d.ts":
      'import type { Kept } from "./b.ts";\nexport declare const a: (kept: Kept) => Own;\nimport type { Own } from "./b.ts";',
    "b.d.ts":
      "export interface Kept {\n    hidden: Hidden;\n}\ninterface Hidden {\n}\nexport type Own = 1;\n",
  };
  expect((await joined(files, new Map([["b.d.ts#Kept", "./sdk.js"]]))).split("\n")).toEqual([
    'import type { Kept } from "./sdk.js";',
    "export declare const a: (kept: Kept) => Own;",
    "type Own = 1;",
    "export {};",
    "",
  ]);
});
