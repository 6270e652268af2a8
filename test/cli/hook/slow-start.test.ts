// A hook on a machine so busy that its time is up before it begins: the event is kept, and nothing is printed.
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inFolder } from "../../support/in-folder.ts";
import { entry } from "../../support/run-memoir.ts";
import { pretendStarting, spooled, toolUse } from "./run-hook.ts";

test("a process whose start took longer than the hook may take says nothing, and spools", () =>
  inFolder(async (home) => {
    const clock = join(home, "late-clock.ts");
    await writeFile(
      clock,
      "const from = performance.now(); performance.now = () => 5_000 + from;\n",
    );
    await pretendStarting(home);
    const hook = Bun.spawn([process.execPath, "--preload", clock, entry, "hook", "claude-code"], {
      stdin: new TextEncoder().encode(toolUse()),
      stdout: "pipe",
      stderr: "pipe",
      env: { PATH: process.env.PATH ?? "", HOME: "/nonexistent", MEMOIR_HOME: home },
    });
    const said = [new Response(hook.stdout).text(), new Response(hook.stderr).text()];
    expect([await hook.exited, ...(await Promise.all(said))]).toEqual([0, "", ""]);
    expect(await spooled(home)).toMatchObject([{ name: "PostToolUse" }]);
  }));
