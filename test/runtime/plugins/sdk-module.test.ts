// What plugins import from memoir: it works from one file without an install, its types check, and a user's own copy stays.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { memoirPaths } from "../../../src/home/paths.ts";
import { checkOptions, checkPlugin } from "../../../src/runtime/plugins/check-plugin.ts";
import { libraries, publishSdk } from "../../../src/runtime/plugins/sdk-module.ts";
import { packagesReachedFrom } from "../../support/reached-from.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-sdk-"));
  await mkdir(join(home, "plugins"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const source = `import { definePlugin } from "memoir/sdk";
import * as v from "valibot";

export default definePlugin({
  name: "loud",
  description: "Writes titles in capitals.",
  sdk: 1,
  slot: "observation",
  config: v.strictObject({ mark: v.optional(v.string(), "!") }),
  hooks: {
    extract: ({ batch, result }, ctx) => ({
      batch,
      result: {
        ...result,
        observations: result.observations.map((one) => ({
          ...one,
          title: one.title.toUpperCase() + ctx.config.mark,
        })),
      },
    }),
  },
});
`;

test("a plugin of one file has options", async () => {
  await publishSdk(memoirPaths(home));
  await writeFile(join(home, "plugins/loud.ts"), source);
  const plugin = checkPlugin((await import(join(home, "plugins/loud.ts"))).default, "loud");
  expect(checkOptions(plugin, { mark: "?" }).problems).toEqual([]);
  expect(checkOptions(plugin, { mork: "?" }).problems[0]?.message).toContain("mark");
});

/** Type-checks the plugin as an editor would, with what stands in the home and nothing else. */
async function typeErrors(text: string): Promise<string> {
  const strict = { strict: true, module: "Preserve", noEmit: true, types: [] as string[] };
  const tsconfig = { compilerOptions: { ...strict, skipLibCheck: true }, files: ["loud.ts"] };
  await writeFile(join(home, "plugins/tsconfig.json"), JSON.stringify(tsconfig));
  await writeFile(join(home, "plugins/loud.ts"), text);
  const compiler = resolve(import.meta.dir, "../../../node_modules/typescript/bin/tsc");
  const child = Bun.spawn([process.execPath, compiler, "-p", "plugins"], {
    cwd: home,
    stdout: "pipe",
  });
  return new Response(child.stdout).text();
}

test("its types check without an install, and object to what is wrong", async () => {
  await publishSdk(memoirPaths(home));
  expect(await typeErrors(source)).toBe("");
  expect(await typeErrors(source.replace("ctx.config.mark", "ctx.config.mork"))).toContain(
    "'mork' does not exist on type '{ mark: string; }'",
  );
  expect(await typeErrors(source.replace("one.title.", "one.titel."))).toContain("'titel'");
  expect(await typeErrors(source.replace("extract:", "extrakt:"))).toContain("'extrakt'");
});

test("Deno's import map knows every package that memoir's modules for tests import", async () => {
  const entry = resolve(import.meta.dir, "../../../src/testing/index.ts");
  // Deno finds re2js by its place, without a look at its types.
  const known = [...Object.keys(libraries), "re2js", "valibot"];
  expect(await packagesReachedFrom(entry)).toEqual(known.sort());
});

test("a valibot that the user installed there stays", async () => {
  const folder = join(home, "node_modules/valibot");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{"name":"valibot","version":"0.0.1"}');
  await publishSdk(memoirPaths(home));
  expect(await readdir(folder)).toEqual(["package.json"]);
});

test("one of an older memoir is replaced", async () => {
  const manifest = join(home, "node_modules/valibot/package.json");
  await publishSdk(memoirPaths(home));
  const text = await readFile(manifest, "utf8");
  await writeFile(manifest, text.replace(/"version": "[^"]+"/, '"version": "0.0.1"'));
  await rm(join(home, "node_modules/valibot/index.d.ts"));
  await publishSdk(memoirPaths(home));
  expect(await readFile(manifest, "utf8")).toBe(text);
  expect(await readdir(join(home, "node_modules/valibot"))).toContain("index.d.ts");
});

const ownTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { runSuite, testHost } from "memoir/testing";
import loud from "./loud.ts";

test("is loud", async () => {
  const host = await testHost(loud, { config: { mark: "?" } });
  const result = { observations: [{ title: "Quiet" }] };
  const answer = await host.call("extract", { batch: {}, result } as never);
  assert.equal(answer?.result.observations[0]?.title, "QUIET?");
  await host.stop();
  assert.deepEqual((await runSuite(loud)).failures, []);
});
`;

test("an author's tests run with nothing but the home", async () => {
  await publishSdk(memoirPaths(home));
  await writeFile(join(home, "plugins/loud.ts"), source);
  await writeFile(join(home, "plugins/loud.test.ts"), ownTest);
  const child = Bun.spawn([process.execPath, "test"], {
    cwd: join(home, "plugins"),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  expect(said).toContain("1 pass");
  expect(code).toBe(0);
});
