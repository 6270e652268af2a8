// Every byte of the home is counted in one part.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { homeSizes } from "../../src/health/sizes.ts";
import { memoirPaths, type Paths } from "../../src/home/paths.ts";

let paths: Paths;
beforeEach(async () => {
  paths = memoirPaths(await mkdtemp(join(tmpdir(), "memoir-sizes-")));
});
afterEach(() => rm(paths.home, { recursive: true, force: true }));

const put = (name: string, bytes: number) => writeFile(join(paths.home, name), "x".repeat(bytes));

test("counts everything once, databases with their logs, and follows no link", async () => {
  await put("memory.db", 3_000);
  await put("memory.db-wal", 2_000);
  await put("memory.db-shm", 32);
  await put("token", 65);
  await put("server.json", 100);
  await put("journal.db.damaged-1795357923632", 700);
  await mkdir(join(paths.home, "spool.damaged-1795357923632"));
  await put("spool.damaged-1795357923632/1.json", 50);
  await mkdir(join(paths.home, "logs/old"), { recursive: true });
  await put("logs/memoir.log", 400);
  await put("logs/old/x", 1);
  await symlink("/usr", join(paths.home, "logs/usr"));
  const sizes = await homeSizes(paths);
  const link = "/usr".length;
  expect(sizes).toEqual([
    { name: "memory.db", bytes: 5_032, files: 3 },
    { name: "set aside", bytes: 750, files: 2 },
    { name: "logs/", bytes: 401 + link, files: 3 },
    { name: "others", bytes: 165, files: 2 },
  ]);
});
