// What a release says of its parts is what the bundler really took: packages, NOTICE and the list of parts.
import { describe, expect, test } from "bun:test";
import { librariesApart } from "../../src/release/build.ts";
import { filesIn, notice, packageFolder, packagesOf, sbom } from "../../src/release/packages.ts";

const root = `${import.meta.dir}/../..`;
const facts = {
  version: "1.2.3",
  commit: "c".repeat(40),
  seconds: 1_000,
  day: "1970-01-01",
  bun: "1.4.5",
};
const files = [
  "node_modules/preact/dist/preact.mjs",
  "node_modules/preact/hooks/dist/hooks.mjs",
  "node_modules/@anthropic-ai/sdk/index.mjs",
  "node_modules/bun-types/bun.d.ts",
  "src/cli/main.ts",
];

describe("the folder of a file's package", () => {
  const cases: Array<[string, string | undefined]> = [
    ["node_modules/elysia/dist/index.js", "node_modules/elysia"],
    ["../node_modules/@a/b/index.js", "node_modules/@a/b"],
    ["../../C:\\x\\node_modules\\uplot\\dist\\u.js", "node_modules/uplot"],
    ["node_modules/a/node_modules/@b/c/i.js", "node_modules/a/node_modules/@b/c"],
    ["node_modules/.memoir-build/library-0.zst", undefined],
    ["node_modules/sdk.ts", undefined],
    ["src/text/text.ts", undefined],
  ];
  for (const [file, folder] of cases)
    test(file, () => expect(packageFolder(file)).toBe(folder as string));
});

test("packages have their license, its words and the sum of bun.lock", async () => {
  const packages = await packagesOf(files);
  expect(packages.map(({ name, license }) => `${name} ${license}`)).toEqual([
    "@anthropic-ai/sdk Apache-2.0",
    "bun-types MIT",
    "preact MIT",
  ]);
  expect(packages.every(({ integrity }) => integrity?.startsWith("sha512-"))).toBe(true);
  expect(packages.map(({ text }) => text !== undefined)).toEqual([true, false, true]);
});

test("NOTICE has everybody's words, also of a package that ships none", async () => {
  const packages = await packagesOf(files);
  const text = notice(packages, { own: "OWN WORDS", bun: "1.4.5" });
  for (const words of [
    "OWN WORDS",
    "Bun 1.4.5 (MIT)",
    "Apache License",
    "Copyright (c) 2015-present Jason Miller",
  ])
    expect(text).toContain(words);
  expect(text.match(/^bun-types 1\.4\.5 \(MIT\)$/m)).not.toBeNull();
  const silent = { name: "x", version: "1.0.0", license: "WTFPL" };
  expect(() => notice([silent], { own: "", bun: "1" })).toThrow("x has no license text");
});

test("the list of parts names Bun and each package, and is the same for the same release", async () => {
  const packages = await packagesOf(files);
  const text = sbom(packages, facts);
  expect(sbom(packages, facts)).toBe(text);
  const document = JSON.parse(text);
  expect(document.components.map(({ purl }: { purl: string }) => purl)).toEqual([
    "pkg:npm/bun@1.4.5",
    "pkg:npm/%40anthropic-ai/sdk@1.11.0",
    "pkg:npm/bun-types@1.4.5",
    "pkg:npm/preact@11.2.0",
  ]);
  expect(document.metadata.timestamp).toBe("1970-01-01T00:16:40.000Z");
  expect(document.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(document.components[3].hashes[0].content).toMatch(/^[0-9a-f]{128}$/);
});

for (const library of librariesApart)
  test(`what the bundler says is in ${library} is what its source map names`, async () => {
    const { outputs, metafile } = await Bun.build({
      entrypoints: [Bun.resolveSync(library, root)],
      target: "bun",
      minify: true,
      external: ["file-type"],
      metafile: true,
      sourcemap: "external",
    });
    const map = await outputs.find(({ kind }) => kind === "sourcemap")?.json();
    const folders = (paths: string[]) => [...new Set(paths.map(packageFolder))].sort();
    expect(metafile && folders(filesIn(metafile))).toEqual(folders(map.sources));
    expect(folders(map.sources)).toContain(`node_modules/${library}`);
  });
