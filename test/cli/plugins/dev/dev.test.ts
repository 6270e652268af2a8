// `memoir plugin dev --once`: what it gives and says of a plugin, in a home of its own.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { devPlugin } from "../../../../src/cli/plugins/dev.ts";
import { ownHome } from "../../../support/own-home.ts";
import { plainTerminal } from "../../../support/plain-terminal.ts";

let own: Awaited<ReturnType<typeof ownHome>>;
beforeAll(async () => {
  own = await ownHome();
  await mkdir(join(own.home, "plugins"), { recursive: true });
  const plugin = (name: string, handler: string) =>
    writeFile(
      join(own.home, "plugins", `${name}.ts`),
      `import { definePlugin } from "memoir/sdk";
export default definePlugin({
  name: "${name}", description: "For a test.", sdk: 1, slot: "context-injection",
  hooks: { SessionStart: () => ${handler} },
});\n`,
    );
  await plugin("greets", '({ context: "Good morning." })');
  await plugin("fails", '{ throw new Error("no greeting today") }');
  await writeFile(join(own.home, "plugins/breaks.ts"), 'throw new Error("not even loaded");\n');
});
afterAll(() => own.end());

async function dev(name: string, json = false) {
  const env = { HOME: own.root, MEMOIR_HOME: own.home };
  const terminal = plainTerminal({ env, cwd: own.root });
  const code = await devPlugin(name, { once: true, json }, terminal);
  return { code, out: terminal.out.join("\n") };
}

test("what the plugin adds is shown, and the exit code is 0", async () => {
  const { code, out } = await dev("greets");
  expect(code).toBe(0);
  expect(out).toContain("- without greets   + with it");
  expect(out).toMatch(/^\+.*Good morning\./m);
  expect(out).toMatch(/SessionStart: \d+ calls/);
});

test("a plugin that cannot be put in force gives 1 and says why, as one whose handler throws", async () => {
  const broken = await dev("breaks");
  expect([broken.code, broken.out.includes("not even loaded")]).toEqual([1, true]);
  const failing = await dev("fails");
  expect([failing.code, failing.out.includes("no greeting today")]).toEqual([1, true]);
});

test("as JSON the same, and a failed plugin gives 1", async () => {
  const { code, out } = await dev("greets", true);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ plugin: "greets", failed: [] });
  const failing = await dev("fails", true);
  expect(failing.code).toBe(1);
  expect(JSON.parse(failing.out).failed.join()).toContain("no greeting today");
});
