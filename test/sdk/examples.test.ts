// What the documentation of the published names shows works: each @example compiles strictly, plugins are plugins, tests pass.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { memoirPaths } from "../../src/home/paths.ts";
import { declarationsOf, examplesOf } from "../../src/release/reference.ts";
import { checkPlugin } from "../../src/runtime/plugins/check-plugin.ts";
import { entryNames, packedTexts } from "../../src/runtime/plugins/packed.ts";
import { publishSdk } from "../../src/runtime/plugins/sdk-module.ts";
import { slotNames, slots } from "../../src/sdk/plugin.ts";

const root = resolve(import.meta.dir, "../..");
const { types } = await packedTexts();

/** Name of an export or a hook → the code of its example. */
const examples = new Map<string, string>();
for (const entry of entryNames)
  for (const { name, doc, code } of declarationsOf(types[entry]))
    for (const [of, text] of [
      [name, doc.split("@example")[1] ?? ""] as const,
      ...examplesOf(code),
    ]) {
      const [, shown] = /```ts\n(.*?)\n```/s.exec(text) ?? [];
      if (shown !== undefined) examples.set(of, shown);
    }
const forTests = new Set(["testHost", "runSuite", "suites", "testClient"]);

let home: string;
const fileOf = (name: string) => `${name.replace(".", "-")}.${forTests.has(name) ? "test." : ""}ts`;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-examples-"));
  await mkdir(join(home, "plugins"));
  await publishSdk(memoirPaths(home));
  for (const [name, code] of examples) await writeFile(join(home, "plugins", fileOf(name)), code);
});
afterAll(() => rm(home, { recursive: true, force: true }));

test("what authors use most has an example, and so has each slot", () => {
  const wanted = ["definePlugin", "openRecords", "modelStrategy", ...forTests, "PostToolUse"];
  expect(wanted.filter((name) => !examples.has(name))).toEqual([]);
  const without = slotNames.filter((slot) => !slots[slot].hooks.some((hook) => examples.has(hook)));
  expect(without).toEqual([]);
});

test("all of them compile, strictly and with nothing but the home", async () => {
  const compilerOptions = {
    strict: true,
    noUnusedLocals: true,
    module: "Preserve",
    target: "ESNext",
    noEmit: true,
    types: ["bun-types"],
    typeRoots: [join(root, "node_modules")],
    skipLibCheck: true,
  };
  const files = [...examples.keys()].map(fileOf);
  await writeFile(join(home, "plugins/tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const child = Bun.spawn([process.execPath, compiler, "-p", "plugins"], {
    cwd: home,
    stdout: "pipe",
  });
  expect(await new Response(child.stdout).text()).toBe("");
});

test.each([...examples.keys()].filter((name) => !forTests.has(name)))("%s", async (name) => {
  const module = await import(join(home, "plugins", fileOf(name)));
  const plugin = "default" in module ? checkPlugin(module.default, name) : undefined;
  if (name !== "openRecords") expect(plugin?.description).toMatch(/^[A-Z].*\.$/);
});

test("those for tests pass as an author's tests do", async () => {
  const child = Bun.spawn([process.execPath, "test"], {
    cwd: join(home, "plugins"),
    stdout: "ignore",
    stderr: "pipe",
  });
  const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  expect([code, said.match(/\d+ fail/)?.[0]]).toEqual([0, "0 fail"]);
  expect(said).toMatch(/Ran \d{2,} tests across 4 files/);
}, 180_000);
