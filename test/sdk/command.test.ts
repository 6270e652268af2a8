// How agents are told to call memoir.
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoirCommand, shellPath } from "../../src/sdk/command.ts";

test("a path is written as a shell takes it", () => {
  expect(shellPath("/home/ada/.memoir/bin/memoir", "/home/ada")).toBe("~/.memoir/bin/memoir");
  expect(shellPath("/opt/m/bin/memoir", "/home/ada")).toBe("/opt/m/bin/memoir");
  expect(shellPath("/home/ada lovelace/bin/memoir", "/home/x")).toBe(
    '"/home/ada lovelace/bin/memoir"',
  );
  expect(shellPath("/a$b/memoir", "/home/x")).toBe('"/a\\$b/memoir"');
});

test("the installed copy is named by its path, else memoir by its name", async () => {
  const home = await mkdtemp(join(tmpdir(), "memoir-command-"));
  try {
    expect(await memoirCommand(home)).toBe("memoir");
    const name = process.platform === "win32" ? "memoir.exe" : "memoir";
    await mkdir(join(home, "bin"));
    await writeFile(join(home, "bin", name), "");
    expect(await memoirCommand(home)).toContain(name);
    expect(await memoirCommand(home)).not.toBe("memoir");
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
