// A tool that runs inside this program: what it said on each stream, how it ended, and when its time is up.
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runTool, type ToolOptions } from "../../../src/cli/plugins/toolchain.ts";
import { inFolder } from "../../support/in-folder.ts";

const run = async (script: string, options: Partial<ToolOptions> = {}) => {
  let result: Awaited<ReturnType<typeof runTool>> | undefined;
  await inFolder(async (cwd) => {
    await writeFile(join(cwd, "tool.ts"), script);
    result = await runTool(["tool.ts"], { cwd, ...options });
  });
  return result;
};

test("both streams are kept apart and heard as they come, with the exit code", async () => {
  const heard: string[] = [];
  const script = 'console.log("fine"); console.error("not so"); process.exitCode = 3;';
  const result = await run(script, { heard: (text) => heard.push(text) });
  expect(result).toEqual({ code: 3, out: "fine\n", err: "not so\n" });
  expect(heard.sort()).toEqual(["fine\n", "not so\n"]);
});

test("it has the environment, what is added to it, no colours, and nobody to ask", async () => {
  const names = ["MINE", "NO_COLOR", "BUN_BE_BUN", "PATH"];
  const script = `const text = await Bun.stdin.text();
    console.log(JSON.stringify([${names.map((name) => `process.env.${name} ?? null`).join(", ")}, text]));`;
  const [mine, ...rest] = JSON.parse((await run(script, { env: { MINE: "x" } }))?.out ?? "");
  expect([mine, ...rest]).toEqual(["x", "1", "1", process.env.PATH, ""]);
});

test("one that is ended by a signal failed", async () => {
  expect(await run('process.kill(process.pid, "SIGKILL"); await Bun.sleep(5_000);')).toMatchObject({
    code: 1,
  });
});

test("one that does not end is ended, and says what to look for", async () => {
  await expect(run("setInterval(() => {}, 1_000);", { timeoutMs: 1_500 })).rejects.toMatchObject({
    code: "plugin_test",
    message: "It was not done within 1.5 seconds.",
  });
});

test("where it cannot be started at all the reason comes through", async () => {
  await expect(runTool(["x"], { cwd: "/nowhere/at/all" })).rejects.toThrow(/ENOENT/);
});
