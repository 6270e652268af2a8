// The table of sizes says of each part of the home what bounds it.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sizeLines } from "../../../src/cli/server/status.ts";
import { boundedSizes } from "../../../src/health/sizes.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { readConfig } from "../../../src/runtime/config/config.ts";

let paths: Paths;
beforeEach(async () => {
  paths = memoirPaths(await mkdtemp(join(tmpdir(), "memoir-sizes-")));
});
afterEach(() => rm(paths.home, { recursive: true, force: true }));

const put = (name: string, bytes: number) => writeFile(join(paths.home, name), "x".repeat(bytes));

test("says what bounds each part, by the config in force", async () => {
  for (const name of ["memory.db", "journal.db", "theirs.db", "journal.db.damaged-1795357923632"])
    await put(name, 10);
  await mkdir(join(paths.home, "theirs"));
  await writeFile(paths.config, '{"journal": {"keepDays": 1}, "retention": {"setAsideDays": 0}}');
  const { config } = await readConfig(paths.home);
  const bounds = Object.fromEntries(
    (await boundedSizes(paths, config)).map(({ name, bound }) => [name, bound]),
  );
  expect(bounds).toEqual({
    "memory.db": "forever",
    "journal.db": "1 day (journal.keepDays) after the work is done",
    "set aside": "forever (retention.setAsideDays)",
    "theirs.db": "its plugin's own rule",
    "theirs/": "yours",
    others: "some small files",
  });
});

test("a line for each", () => {
  const lines = sizeLines([
    { name: "memory.db", bytes: 5_000_000, files: 1, bound: "forever" },
    { name: "set aside", bytes: 10, files: 1, bound: "90 days" },
  ]);
  expect(lines).toEqual(["memory.db  5.0 MB  forever", "set aside  10 B    90 days"]);
});
