// Who may ask a server that was late, and when.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { inTime, mayProbe, notInTime } from "../../../src/server/life/late.ts";

const start = 1_000_000_000;
let paths: Paths;
beforeEach(async () => {
  paths = memoirPaths(await mkdtemp(join(tmpdir(), "memoir-late-")));
});
afterEach(() => rm(paths.home, { recursive: true, force: true }));

test("pauses grow with each look in vain, up to half a minute, and begin anew after a success", async () => {
  let now = start;
  const pauses: number[] = [];
  for (let look = 0; look < 6; look++) {
    const pause = await notInTime(paths, now);
    pauses.push(pause);
    expect(await mayProbe(paths, now + pause - 1)).toBe(false);
    now += pause;
    expect(await mayProbe(paths, now)).toBe(true);
  }
  expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  await inTime(paths);
  expect(await mayProbe(paths, now)).toBe(true);
  expect(await notInTime(paths, now)).toBe(2_000);
});

test("one of many probes, and leaves no claim behind", async () => {
  // The disk's own clock: by it a claim is fresh or stale.
  const begun = Date.now();
  const pause = await notInTime(paths, begun);
  const probes = await Promise.all(
    Array.from({ length: 20 }, () => mayProbe(paths, begun + pause + 5)),
  );
  expect(probes.filter(Boolean)).toHaveLength(1);
  expect(readdirSync(paths.home)).toEqual(["late.json"]);
});

test("one that probes alone leaves no claim behind either", async () => {
  const pause = await notInTime(paths, start);
  expect(await mayProbe(paths, start + pause)).toBe(true);
  expect(readdirSync(paths.home)).toEqual(["late.json"]);
});

test("a claim whose time lies far ahead is one of another clock, and keeps nobody away", async () => {
  await notInTime(paths, start);
  const claim = `${paths.late}.${start + 2_000}`;
  await writeFile(claim, "");
  const ahead = new Date(start + 3_600_000);
  await utimes(claim, ahead, ahead);
  expect(await mayProbe(paths, start + 2_000)).toBe(false);
  // It is taken away now, and the next gets it.
  expect(await mayProbe(paths, start + 2_000)).toBe(true);
});

test("many that wait at once begin one pause", async () => {
  expect(await notInTime(paths, start)).toBe(2_000);
  expect(await notInTime(paths, start + 500)).toBe(2_000);
  expect(await mayProbe(paths, start + 2_000)).toBe(true);
});

test("one who was killed while it looked keeps nobody away", async () => {
  await notInTime(paths, start);
  expect(await mayProbe(paths, start + 2_000)).toBe(true);
  // It said nothing more.
  expect(await mayProbe(paths, start + 4_999)).toBe(false);
  expect(await mayProbe(paths, start + 5_000)).toBe(true);
});

test("a claim whose owner was killed before it wrote counts for some seconds", async () => {
  await notInTime(paths, start);
  const claim = `${paths.late}.${start + 2_000}`;
  await writeFile(claim, "");
  const at = (ms: number) => new Date(start + ms);
  await utimes(claim, at(2_000), at(2_000));
  expect(await mayProbe(paths, start + 3_000)).toBe(false);
  // It is taken away now, and the next gets it.
  expect(await mayProbe(paths, start + 8_000)).toBe(false);
  expect(await mayProbe(paths, start + 8_001)).toBe(true);
});

test("a clock that was set back keeps nobody away", async () => {
  await notInTime(paths, start);
  expect(await mayProbe(paths, start - 3_600_000)).toBe(true);
});

test.each(["", "garbage", "[]", '{"until":"soon"}', "null"])("%p is no mark", async (text) => {
  await writeFile(paths.late, text);
  expect(await mayProbe(paths, start)).toBe(true);
  expect(await notInTime(paths, start)).toBe(2_000);
});

test("a folder in its place lets everybody ask", async () => {
  await mkdir(paths.late);
  expect(await mayProbe(paths, start)).toBe(true);
  expect(await notInTime(paths, start)).toBe(2_000);
  expect(readdirSync(paths.home)).toEqual(["late.json"]);
});

test("one that looked in vain waits twice as long, and others that waited with it do not", async () => {
  await notInTime(paths, start);
  expect(await mayProbe(paths, start + 2_000)).toBe(true);
  // This process looks; its own failure counts although the look is not over.
  expect(await notInTime(paths, start + 2_500)).toBe(4_000);
  expect(await mayProbe(paths, start + 6_499)).toBe(false);
  await writeFile(
    paths.late,
    JSON.stringify({ until: start + 9_000, pauseMs: 8_000, looking: process.pid + 1 }),
  );
  expect(await notInTime(paths, start + 8_000)).toBe(8_000);
});

test("a mark of which half makes no sense is none, and one that lies too far ahead neither", async () => {
  for (const text of [
    `{"until":${start + 5_000}}`,
    `{"pauseMs":2000}`,
    `{"until":${start + 5_000},"pauseMs":"2"}`,
  ]) {
    await writeFile(paths.late, text);
    expect([text, await mayProbe(paths, start)]).toEqual([text, true]);
  }
  const mark = (ahead: number) =>
    writeFile(paths.late, JSON.stringify({ until: start + ahead, pauseMs: 30_000 }));
  await mark(30_000);
  expect(await mayProbe(paths, start)).toBe(false);
  await mark(30_001);
  expect(await mayProbe(paths, start)).toBe(true);
});
