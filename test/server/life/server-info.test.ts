// Who serves a home, as its file says: what is believed of it, and when it is taken away.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { readServerInfo, withdraw } from "../../../src/server/life/server-info.ts";

let paths: Paths;
beforeEach(async () => {
  paths = memoirPaths(await mkdtemp(join(tmpdir(), "memoir-info-")));
});
afterEach(() => rm(paths.home, { recursive: true, force: true }));

const info = { pid: 7, port: 4_000, socket: null, version: "1.2.3", startedAt: 9 };
const write = (value: unknown) =>
  writeFile(paths.serverInfo, typeof value === "string" ? value : JSON.stringify(value));
const isThere = () =>
  access(paths.serverInfo).then(
    () => true,
    () => false,
  );

test("a whole one is believed; one whose pid would be a group, or that lacks a field, is none", async () => {
  expect(await readServerInfo(paths.serverInfo)).toBeUndefined();
  await write(info);
  expect(await readServerInfo(paths.serverInfo)).toEqual(info);
  await write({ ...info, pid: 1, socket: "/h/memoir.sock" });
  expect(await readServerInfo(paths.serverInfo)).toMatchObject({ pid: 1 });
  const without = Object.keys(info).map((name) => ({ ...info, [name]: undefined }));
  for (const wrong of ["{", "null", { ...info, pid: 0 }, { ...info, pid: 1.5 }, ...without]) {
    await write(wrong);
    expect([wrong, await readServerInfo(paths.serverInfo)]).toEqual([wrong, undefined]);
  }
});

test("what it announced is taken away, another's stays", async () => {
  await write(info);
  await withdraw(paths, undefined);
  await withdraw(paths, { ...info, startedAt: 10 });
  await withdraw(paths, { ...info, pid: 8 });
  expect(await isThere()).toBe(true);
  await withdraw(paths, { ...info, port: 1 });
  expect(await isThere()).toBe(false);
  await withdraw(paths, info);
});
