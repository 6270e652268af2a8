// Install and uninstall: other hooks go on working, and the settings come back byte for byte.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assertUnharmed } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { turn, use } from "../script.ts";
import type { World } from "../world.ts";
import { shopFiles } from "./shop.ts";

/** Somebody's own settings, formatted by hand, with a hook that leaves a trace. */
function ownSettings(world: World): string {
  const trace = `echo ran >> '${join(world.dir, "own-hook.txt")}'`;
  return `{
\t"includeCoAuthoredBy": false,   "hooks": {
\t\t"PostToolUse": [ { "matcher": "Read", "hooks": [ { "type": "command", "command": ${JSON.stringify(trace)} } ] } ]
\t},
\t"env": { "GREETING": "hällo" }
}`;
}

export const settingsScenarios: Scenario[] = [
  {
    name: "settings: uninstall gives them back byte for byte, and other hooks ran meanwhile",
    async run(world) {
      const settings = join(world.claude, "settings.json");
      const before = ownSettings(world);
      await writeFile(settings, before);
      const memoir = await world.install();
      const installed = await readFile(settings, "utf8");
      assert.notEqual(installed, before);
      assert.equal((await memoir.run("install")).code, 0);
      assert.equal(await readFile(settings, "utf8"), installed, "installing twice is once");

      const shop = await world.project("shop", shopFiles);
      const session = await shop.session({
        prompts: ["Read the tax rate"],
        script: {
          main: [turn(use("Read", { file_path: shop.path("src/tax.js") })), turn("19 percent.")],
        },
      });
      assertUnharmed(session);
      const trace = await readFile(join(world.dir, "own-hook.txt"), "utf8");
      assert.equal(trace, "ran\n", "the other hook ran once");

      const removed = await memoir.run("uninstall", "--yes");
      assert.equal(removed.code, 0, removed.stderr);
      assert.equal(await readFile(settings, "utf8"), before);
      const quiet = await shop.session({ prompts: ["Hello"], script: { main: [turn("Hello.")] } });
      assert.equal(quiet.exitCode, 0, quiet.stderr);
      assert.deepEqual(quiet.hooks, [], "no hook of ours is left");
      assert.ok(existsSync(join(memoir.home, "memory.db")), "the memory stays");
    },
  },
  {
    name: "settings: where there were none, none are left",
    async run(world) {
      const settings = join(world.claude, "settings.json");
      const memoir = await world.install();
      assert.ok(existsSync(settings));
      assert.equal((await memoir.run("uninstall", "--yes")).code, 0);
      assert.equal(existsSync(settings), false);
    },
  },
];
