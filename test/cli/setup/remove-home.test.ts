// Uninstalling: the program goes and memory stays; all of it goes only where that was asked, and nobody else's file ever.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { removeMemory, removeProgram } from "../../../src/cli/setup/uninstall.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { inFolder } from "../../support/in-folder.ts";

const program = [
  ...["bin/memoir", "hook.json", "token", "server.json", "server.lock", "memoir.sock"],
  ...["in-flight/1", "cache/a"],
];
const memory = [
  ...["config.json", "config.last.json", "keys.json", "spool/1.json", "logs/memoir.log"],
  ...["trust.json", "trusted/abc", "paused.json", "install.json", "install-mcp.json"],
  ...["install-skill.json", "backups/settings.json"],
  ...["memory.db", "memory.db-wal", "memory.db-shm", "memory.db.damaged-1", "journal.db"],
  ...["usage.db", "endless.db", "endless-gateway.db", "server.old"],
  ...["memory/facts.json", "endless/undo/s/1", "moments.json", "semantic-search.db"],
  ...["forgotten", "forgetting.json", "unkept", "redacted.json", "gateway-sessions.json"],
];

async function fill(home: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), "x");
  }
}
const left = async (home: string) =>
  (await readdir(home, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .sort();

test("the program and what a running server needs go; memory, settings, logs and plugins stay", () =>
  inFolder(async (folder) => {
    const home = join(folder, "home");
    await fill(home, [...program, ...memory, "plugins/mine.ts"]);
    await removeProgram(memoirPaths(home));
    expect(await left(home)).toEqual([...memory, "plugins/mine.ts"].sort());
    await removeProgram(memoirPaths(join(folder, "never-was")));
  }));

test("empty folders of the program's go with it", () =>
  inFolder(async (home) => {
    await fill(home, program);
    await mkdir(join(home, "backups"));
    await removeProgram(memoirPaths(home));
    expect(await readdir(home)).toEqual([]);
  }));

test("with its memory the whole home goes, unless something of somebody else's is in it", () =>
  inFolder(async (folder) => {
    const home = join(folder, "home");
    await fill(home, [...program, ...memory]);
    await removeProgram(memoirPaths(home));
    await mkdir(join(home, "plugins"), { recursive: true });
    await removeMemory(memoirPaths(home));
    expect(existsSync(home)).toBe(false);

    const foreign = ["notes.txt", "plugins/mine.ts", "my.memory.db"];
    await fill(home, [...memory, ...foreign]);
    await removeMemory(memoirPaths(home));
    expect(await left(home)).toEqual(foreign.sort());
  }));
