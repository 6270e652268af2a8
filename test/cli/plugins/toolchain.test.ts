// A tool that runs inside this program: what it said on each stream, how it ended, and when its time is up.
import { expect, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkOne, testPlugin, withoutOurs } from "../../../src/cli/plugins/check.ts";
import { runTool } from "../../../src/cli/plugins/own-plugin.ts";
import { inFolder } from "../../support/in-folder.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

const run = async (script: string, timeoutMs?: number) => {
  let result: Awaited<ReturnType<typeof runTool>> | undefined;
  await inFolder(async (cwd) => {
    await writeFile(join(cwd, "tool.ts"), script);
    result = await runTool(["tool.ts"], { cwd, ...(timeoutMs && { timeoutMs }) });
  });
  return result;
};

test("both streams are kept apart, with the exit code; it has no colours, and nobody to ask", async () => {
  const script = `const { NO_COLOR, BUN_BE_BUN, PATH } = process.env;
    console.log(JSON.stringify([NO_COLOR, BUN_BE_BUN, PATH, await Bun.stdin.text()]));
    console.error("not so"); process.exitCode = 3;`;
  const { out, ...rest } = (await run(script)) ?? { out: "" };
  expect(rest).toEqual({ code: 3, err: "not so\n", isLate: false });
  expect(JSON.parse(out)).toEqual(["1", "1", process.env.PATH ?? "", ""]);
});

test("one that is ended by a signal failed", async () => {
  expect(await run('process.kill(process.pid, "SIGKILL"); await Bun.sleep(5_000);')).toMatchObject({
    code: 1,
  });
});

test("one that does not end is ended, and says what to look for", async () => {
  await expect(run("setInterval(() => {}, 1_000);", 1_500)).rejects.toMatchObject({
    code: "plugin_test",
    message: "It was not done within 1.5 seconds.",
  });
});

test("where it cannot be started at all the reason comes through", async () => {
  await expect(runTool(["x"], { cwd: "/nowhere/at/all" })).rejects.toThrow(/ENOENT/);
});

test("a plugin elsewhere than in the home, and without a tsconfig, is checked as one inside", async () => {
  await inFolder(async (root) => {
    const env = { HOME: root, MEMOIR_HOME: join(root, "home"), PATH: process.env.PATH ?? "" };
    const file = join(root, "outside.ts");
    const types = async (text: string) => {
      await writeFile(file, `import type { Plugin } from "memoir/sdk";\n${text}`);
      const terminal = plainTerminal({ env, cwd: root });
      await checkOne(file, { json: true }, terminal);
      return JSON.parse(terminal.out.join("\n")).findings[0];
    };
    const plugin = `const plugin: Plugin = { name: "outside", description: "Outside.", sdk: 1, hooks: { stored() {} } };
export default plugin;\n`;
    expect(await types(plugin)).toMatchObject({ what: "types", state: "ok" });
    const wrong = await types(plugin.replace("sdk: 1", 'sdk: "1"'));
    expect([wrong.state, wrong.lines[0]]).toEqual(["fail", expect.stringContaining("TS2322")]);
  });
}, 180_000);

test("a folder elsewhere than in the home imports memoir's packages, and its tests too", async () => {
  await inFolder(async (root) => {
    const env = { HOME: root, MEMOIR_HOME: join(root, "home"), PATH: process.env.PATH ?? "" };
    const folder = join(root, "elsewhere");
    await mkdir(folder);
    const plugin = `import { definePlugin } from "memoir/sdk";
import * as v from "valibot";
export default definePlugin({ name: "elsewhere", description: "Elsewhere.", sdk: 1, config: v.strictObject({}), hooks: { stored() {} } });\n`;
    const ownTest = `import { test } from "node:test";
import { testHost } from "memoir/testing";
import plugin from "./index.ts";
test("it starts", async () => (await testHost(plugin)).stop());\n`;
    await writeFile(join(folder, "index.ts"), plugin);
    await writeFile(join(folder, "index.test.ts"), ownTest);
    for (const run of [checkOne, testPlugin]) {
      const terminal = plainTerminal({ env, cwd: root });
      await run(folder, { json: true }, terminal);
      const report = JSON.parse(terminal.out.join("\n"));
      expect({ ok: report.ok, report }).toMatchObject({ ok: true });
    }
    expect((await readdir(folder)).sort()).toEqual(["index.test.ts", "index.ts"]);
  });
});

test("of a failing test the author's own lines are shown, and none of memoir's packed code", () => {
  const ours = `1 | ${"x".repeat(500)}`;
  const frame = "    at blame (/home/ada/.memoir/node_modules/memoir/own/testing.js:3:1151)";
  const own = ["error: mine", "    at Stop (/home/ada/it/index.ts:5:13)", "5 | throw mine;"];
  expect(withoutOurs([ours, frame, ...own].join("\n"))).toBe(own.join("\n"));
});
