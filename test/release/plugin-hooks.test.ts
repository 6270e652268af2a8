// hooks/hooks.json is what install would write, and its command is harmless where memoir is not installed.
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import manifest from "../../.claude-plugin/plugin.json" with { type: "json" };
import hooks from "../../hooks/hooks.json" with { type: "json" };
import { version } from "../../src/home/version.ts";
import { pluginCommand, pluginHooks } from "../../src/release/plugin-hooks.ts";

test("hooks.json is up to date (`bun run src/release/write-hooks.ts` writes it)", async () => {
  expect(hooks as unknown).toEqual(await pluginHooks());
  expect(manifest.version).toBe(version);
});

test("the command runs the installed binary, and ends silently with 0 without one", async () => {
  const home = await mkdtemp(join(tmpdir(), "memoir plugin "));
  const run = async () => {
    const child = Bun.spawn(["/bin/sh", "-c", pluginCommand], {
      env: { HOME: home, PATH: "/usr/bin:/bin" },
      stdin: new Blob(["{}"]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const output = await new Response(child.stdout).text();
    return [await child.exited, output, await new Response(child.stderr).text()];
  };
  try {
    expect(await run()).toEqual([0, "", ""]);
    const binary = join(home, ".memoir/bin/memoir");
    await mkdir(dirname(binary), { recursive: true });
    await writeFile(binary, '#!/bin/sh\necho "$@" "$(cat)"\n', { mode: 0o755 });
    expect(await run()).toEqual([0, "hook claude-code {}\n", ""]);
  } finally {
    await rm(home, { recursive: true });
  }
});
