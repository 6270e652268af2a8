// Retention of what no database bounds: by age, and never what a user has.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pruneHome } from "../../src/home/old-copies.ts";
import { memoirPaths, type Paths } from "../../src/home/paths.ts";

const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 22);
let paths: Paths;
beforeEach(async () => {
  paths = memoirPaths(await mkdtemp(join(tmpdir(), "memoir-prune-")));
  await mkdir(join(paths.spool, "rejected"), { recursive: true });
});
afterEach(() => rm(paths.home, { recursive: true, force: true }));

async function put(name: string, days: number): Promise<string> {
  const path = join(paths.home, name);
  await writeFile(path, "x");
  const time = new Date(now - days * dayMs);
  await utimes(path, time, time);
  return path;
}

const uuid = "0191a2b3-0000-7000-8000-0123456789ab";

test("goes by the rule, and leaves everything else", async () => {
  const old = now - 91 * dayMs;
  const goes = [
    await put(`memory.db.damaged-${old}`, 0),
    await put(`memory.db.damaged-${old}-wal`, 0),
    await put("spool/rejected/1.json", 31),
    await put(`token.${uuid}.tmp`, 2),
    await put(`spool/000001-${uuid}.json.${uuid}.tmp`, 2),
  ];
  const folder = `${paths.spool}.damaged-${old}`;
  await mkdir(folder);
  const stays = [
    await put(`memory.db.damaged-${now - 89 * dayMs}`, 400),
    await put("spool/rejected/2.json", 29),
    await put(`token.${uuid.replace("1", "2")}.tmp`, 0),
    await put("spool/000001-x.json", 400),
    await put("memory.db", 4_000),
    await put("notes.damaged-by-hand", 4_000),
    await put("mine.tmp", 4_000),
  ];
  const gone = await pruneHome(paths, { setAsideDays: 90, rejectedDays: 30 }, now);
  expect(gone.sort()).toEqual([...goes, folder].sort());
  expect(gone.filter(existsSync)).toEqual([]);
  expect(stays.filter((path) => !existsSync(path))).toEqual([]);
});

test("0 days are for ever", async () => {
  await put(`memory.db.damaged-${now - 4_000 * dayMs}`, 4_000);
  await put("spool/rejected/1.json", 4_000);
  expect(await pruneHome(paths, { setAsideDays: 0, rejectedDays: 0 }, now)).toEqual([]);
});

test("a home that is not there has nothing", async () => {
  const nowhere = memoirPaths("/nonexistent/memoir");
  expect(await pruneHome(nowhere, { setAsideDays: 1, rejectedDays: 1 }, now)).toEqual([]);
});
