// A tool that runs inside this program: what it said on each stream, how it ended, and when its time is up.
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runTool } from "../../../src/cli/plugins/own-plugin.ts";
import { inFolder } from "../../support/in-folder.ts";

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
