// The copies that authors' tests import: small, of one piece with one another, and in need of nothing else.
import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownModules } from "../../src/release/authors.ts";
import { entryNames } from "../../src/runtime/plugins/packed.ts";
import { inFolder } from "../support/in-folder.ts";

test("they import node's modules and each other, and stay below 1.3 megabytes", async () => {
  const modules = await ownModules();
  const imported = Object.values(modules).flatMap((text) =>
    new Bun.Transpiler({ loader: "js" }).scanImports(text).map(({ path }) => path),
  );
  const own = Object.keys(modules).map((name) => `./${name}`);
  const foreign = imported.filter((path) => !path.startsWith("node:") && !own.includes(path));
  expect([...new Set(foreign)]).toEqual(["bun:sqlite"]);
  expect(Object.values(modules).join("").length).toBeLessThan(1_300_000);
  expect(Object.keys(modules)).toEqual(
    expect.arrayContaining(entryNames.map((name) => `${name}.js`)),
  );
});

test("an error is the same class through every door, and schemas understand each other", () =>
  inFolder(async (folder) => {
    await mkdir(join(folder, "own"));
    for (const [name, text] of Object.entries(await ownModules()))
      await writeFile(join(folder, "own", name), text);
    const script = `
      import { testHost } from "./own/testing.js";
      import { definePlugin, MemoirError } from "./own/sdk.js";
      import { KeyEnvSchema } from "./own/provider.js";
      import * as v from "./own/valibot.js";
      const plugin = definePlugin({
        name: "refusing", description: "Refuses.", sdk: 1, slot: "provider",
        config: v.strictObject({ keyEnv: v.optional(KeyEnvSchema) }),
        hooks: { complete() { throw new MemoirError("provider_auth", "no"); } },
      });
      const host = await testHost(plugin);
      const error = await host.call("complete", {}).catch((error) => error);
      console.log(error instanceof MemoirError, error.code, error.plugin);
      console.log(await testHost(plugin, { config: { keyEnw: 1 } }).catch(({ code, message }) => code + ": " + message));
    `;
    await writeFile(join(folder, "try.mjs"), script);
    const child = Bun.spawn([process.execPath, "try.mjs"], { cwd: folder, stdout: "pipe" });
    const [first, second] = (await new Response(child.stdout).text()).split("\n");
    expect(first).toBe("true provider_auth refusing");
    expect(second).toStartWith("config_invalid: ");
    expect(second).toContain("keyEnw");
  }));
