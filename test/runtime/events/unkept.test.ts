// Events that could be kept nowhere: counted where bytes are from before, told with times and reason, and counted anew once said for good.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findingsFile, findingText, openFindings } from "../../../src/home/findings.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import {
  countUnkept,
  prepareUnkept,
  readUnkept,
  reasonOf,
  settleUnkept,
  unkeptNotice,
  unkeptText,
} from "../../../src/runtime/events/spool.ts";

let paths: Paths;
beforeEach(async () => {
  paths = memoirPaths(await mkdtemp(join(tmpdir(), "memoir-unkept-")));
});
afterEach(() => rm(paths.home, { recursive: true, force: true }));

const noon = Date.UTC(2026, 10, 22, 12);
const full = Object.assign(new Error("full"), { code: "ENOSPC" });

test("counts without a byte more, and says when and why", async () => {
  await prepareUnkept(paths);
  const before = await stat(paths.unkept);
  expect(before.mode & 0o777).toBe(0o600);
  expect(await readUnkept(paths)).toBeUndefined();
  for (const minute of [3, 0, 1])
    expect(await countUnkept(paths, noon + minute * 60_000, full)).toBe(true);
  const after = await stat(paths.unkept);
  expect([after.size, after.blocks]).toEqual([before.size, before.blocks]);
  const found = await readUnkept(paths);
  expect(found).toMatchObject({ count: 3, orMore: false, since: noon, until: noon + 180_000 });
  expect(found && unkeptText(found)).toBe(
    "3 events between 2026-11-22 12:00 and 2026-11-22 12:03 UTC, because no space is left on the disk",
  );
  // A start leaves the count alone.
  await prepareUnkept(paths);
  expect(await readUnkept(paths)).toEqual(found);
});

test("once there is room it becomes a finding, and the count begins anew", async () => {
  await prepareUnkept(paths);
  await countUnkept(paths, noon, full);
  expect(await settleUnkept(paths, noon + 1)).toBeUndefined();
  expect(await readUnkept(paths)).toBeUndefined();
  expect(openFindings(paths.home).map(findingText)).toEqual([
    "spool could not take 1 event at 2026-11-22 12:00 UTC, because no space is left on the disk. There is room again. `memoir backfill` reads what the client's transcripts still have.",
  ]);
  expect(await settleUnkept(paths, noon + 2)).toBeUndefined();
  expect(openFindings(paths.home)).toHaveLength(1);
});

test("what cannot be said for good stays counted", async () => {
  await prepareUnkept(paths);
  await countUnkept(paths, noon, full);
  await mkdir(findingsFile(paths.home));
  expect(await settleUnkept(paths, noon + 1)).toMatchObject({ count: 1 });
  expect(await readUnkept(paths)).toMatchObject({ count: 1 });
  expect(await unkeptNotice(paths, "no space is left on the disk")).toContain(
    "1 event so far was not kept",
  );
});

test("a full count says that there may be more", async () => {
  await prepareUnkept(paths);
  const { size } = await stat(paths.unkept);
  await writeFile(paths.unkept, `${noon} S\n`.repeat(size / 16));
  expect(await countUnkept(paths, noon + 60_000, full)).toBe(true);
  const found = await readUnkept(paths);
  expect(found).toMatchObject({ count: 4_096, orMore: true, until: noon + 60_000 });
  expect(found && unkeptText(found)).toStartWith("4096 events or more");
});

test("where nothing was made ready, nothing is counted, and the notice says so", async () => {
  expect(await countUnkept(paths, noon, full)).toBe(false);
  expect(await unkeptNotice(paths, "the disk is read-only")).toContain("cannot be counted either");
});

test.each(["garbage", "", "x".repeat(65_536)])(
  "%p in its place counts nothing and harms nobody",
  async (text) => {
    await writeFile(paths.unkept, text);
    expect(await readUnkept(paths)).toBeUndefined();
    await prepareUnkept(paths);
    await chmod(paths.unkept, 0o600);
    expect(await countUnkept(paths, noon, full)).toBe(true);
    expect(await readUnkept(paths)).toMatchObject({ count: 1 });
  },
);

test.each([
  ["ENOSPC", "no space is left on the disk"],
  ["EDQUOT", "the disk's quota is used up"],
  ["EROFS", "the disk is read-only"],
  ["EACCES", "memoir may not write there"],
  ["EIO", "writing failed"],
])("%s in words", (code, words) => {
  expect(reasonOf(Object.assign(new Error("no"), { code }))).toBe(words);
});
