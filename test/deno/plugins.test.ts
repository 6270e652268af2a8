// Plugins under Deno: the built-in ones and the examples keep their promises there, and an author needs nothing but Deno.
import { expect, test } from "bun:test";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { kinds } from "../../src/cli/plugins/new.ts";
import { builtins } from "../../src/runtime/builtins.ts";
import { entryNames } from "../../src/runtime/plugins/packed.ts";
import { inFolder } from "../support/in-folder.ts";
import { outcomeOf } from "../support/outcome-of.ts";
import { deno, denoEnv } from "./deno.ts";

const root = resolve(import.meta.dirname, "../..");

async function run(args: string[], cwd: string, home: string) {
  const child = Bun.spawn([deno, ...args], {
    cwd,
    env: denoEnv(home, { MEMOIR_HOME: join(home, ".memoir") }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  return outcomeOf(child);
}

test(
  "Deno: the built-in plugins and the examples keep the promises of their slots",
  () =>
    inFolder(async (home) => {
      const script = join(root, "test/deno/run-suites.ts");
      const { out, err, code } = await run(["run", "-A", "--no-prompt", script], root, home);
      expect([code, err]).toEqual([0, ""]);
      const lines: Array<{ plugin: string; passed: number; failed: string[] }> = out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(
        lines.flatMap(({ plugin, failed }) => failed.map((one) => `${plugin}: ${one}`)),
      ).toEqual([]);
      expect(lines.map(({ plugin }) => plugin)).toEqual(
        expect.arrayContaining([...Object.keys(builtins), "markdown", "infrastructure"]),
      );
    }),
  300_000,
);

const ownTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { runSuite, testHost } from "memoir/testing";
import redactor from "./customer-redactor.ts";

test("takes customers' numbers out", async () => {
  const host = await testHost(redactor);
  const event = { name: "UserPromptSubmit", prompt: "Look at CUST-12345" };
  const answer = await host.call("capture", event as never);
  assert.equal((answer as unknown as typeof event).prompt, "Look at [customer]");
  await host.stop();
  assert.deepEqual((await runSuite(redactor)).failures, []);
});
`;

test(
  "Deno: an author writes and tests plugins with Deno alone, of each scaffold too, types included",
  () =>
    inFolder(async (home) => {
      const plugins = join(home, ".memoir/plugins");
      await mkdir(plugins, { recursive: true });
      const example = join(root, "test/examples/customer-redactor.ts");
      await copyFile(example, join(plugins, "customer-redactor.ts"));
      await writeFile(join(plugins, "customer-redactor.test.ts"), ownTest);
      const config = { slots: { capture: ["...", "./plugins/customer-redactor.ts"] } };
      await writeFile(join(home, ".memoir/config.json"), JSON.stringify(config));

      const script = (name: string, ...words: string[]) =>
        run(["run", "-A", "--no-check", "--no-prompt", join(root, name), ...words], home, home);
      const listed = await script("src/cli/main.ts", "plugin", "list");
      expect(listed.out).toContain("customer-redactor");
      const map = JSON.parse(await readFile(join(home, ".memoir/deno.json"), "utf8"));
      const entries = entryNames.map((name) => `memoir/${name}`);
      expect(Object.keys(map.imports)).toEqual([...entries, "valibot"]);

      expect(await script("test/deno/new-of-each-kind.ts")).toMatchObject({ code: 0, err: "" });
      // One module of all: each would load memoir's testing anew, which takes a second.
      const tests = kinds.map((kind) => `./my-${kind}/index.test.ts`);
      // Where one of them throws, what follows is left out, and Deno says that all is well: the last test is missed then.
      const last = 'import { test } from "node:test";\ntest("all of them", () => {});\n';
      const imports = tests.map((path) => `import "${path}";\n`).join("");
      await writeFile(join(plugins, "scaffolds.test.ts"), imports + last);
      const texts = await Promise.all(tests.map((path) => readFile(join(plugins, path), "utf8")));
      const written = texts.map((text) => text.match(/^test\(/gm)?.length ?? 0);
      expect(Math.min(...written)).toBeGreaterThan(0);
      // With their types checked: no flag turns that off.
      const files = ["customer-redactor.test.ts", "scaffolds.test.ts"];
      const tested = await run(["test", "-A", "--no-prompt", ...files], plugins, home);
      expect([tested.code, tested.code === 0 ? "" : tested.err]).toEqual([0, ""]);
      for (const file of files) expect(tested.out).toContain(`./${file}`);
      const all = written.reduce((sum, tests) => sum + tests, 2);
      expect(tested.out).toContain(`ok | ${all} passed | 0 failed`);
      const checked = await script("src/cli/main.ts", "plugin", "check", "my-listener");
      expect(checked.out).toContain("✓ types     correct");
      expect(checked.out).toMatch(/✓ loading {3}\d+ ms/);
    }),
  300_000,
);
