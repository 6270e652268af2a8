// Where a session is led when it begins stays, whatever is configured later, and for the next server too.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  openSessions,
  openSessionsFile,
  silentMs,
} from "../../../src/server/gateway/open-sessions.ts";

const own = { port: 1, upstream: "https://own.test" };
const other = { port: 1, upstream: "https://other.test" };

let home: string;
let now: number;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-open-sessions-"));
  now = 0;
});
afterEach(() => rm(home, { recursive: true, force: true }));
const opened = (of = home) => openSessions(of, () => now);
const onDisk = async () => JSON.parse(await readFile(openSessionsFile(home), "utf8"));

test("a session keeps its way; others go where they are led now, or were led last", async () => {
  const sessions = await opened();
  expect(sessions.wayOf("a", 1, undefined)).toBeUndefined();
  expect(sessions.wayOf("a", 1, own)).toEqual(own);
  expect(sessions.wayOf("a", 1, other)).toEqual(own);
  expect(sessions.wayOf("b", 1, other)).toEqual(other);
  expect(sessions.wayOf("a", 1, undefined)).toEqual(own);
  expect(sessions.wayOf("c", 1, undefined)).toEqual(other);
  expect(sessions.count()).toBe(3);
});

test("one that began and sent nothing yet keeps its port open, and is not counted", async () => {
  const sessions = await opened();
  sessions.began("a", own);
  expect([[...sessions.ports()], sessions.count()]).toEqual([[1], 0]);
  expect(sessions.wayOf("a", 1, undefined)).toEqual(own);
  expect(sessions.count()).toBe(1);
  sessions.ended("a");
  expect([[...sessions.ports()], sessions.count()]).toEqual([[], 0]);
});

test("one that is silent for twelve hours is taken for closed, and holds no port", async () => {
  expect(silentMs).toBe(12 * 3_600_000);
  for (const look of ["ports", "count"] as const) {
    const sessions = await openSessions(join(home, look), () => now);
    const seen = () => (look === "count" ? sessions.count() : sessions.ports().size);
    now = 0;
    sessions.wayOf("a", 1, own);
    now = silentMs;
    sessions.wayOf("b", 2, { ...own, port: 2 });
    expect(seen()).toBe(2);
    now++;
    expect(seen()).toBe(1);
  }
});

test("what is open is written down once for all that changes at once, and the next server goes on from it", async () => {
  const sessions = await opened();
  for (const session of ["a", "b", "c"]) sessions.wayOf(session, 1, own);
  await sessions.written();
  expect(Object.keys((await onDisk()).sessions)).toEqual(["a", "b", "c"]);
  sessions.ended("b");
  await sessions.written();
  const next = await opened();
  expect([next.wayOf("a", 1, undefined), next.count()]).toEqual([own, 2]);
  // What says nothing new is not written again.
  await writeFile(openSessionsFile(home), "as it is");
  sessions.wayOf("a", 1, own);
  sessions.ended("b");
  await sessions.written();
  expect(await readFile(openSessionsFile(home), "utf8")).toBe("as it is");
});

test("a file that is no such file, and a disk that does not take one, cost only what the next server knows", async () => {
  await writeFile(openSessionsFile(home), "{torn");
  expect((await opened()).count()).toBe(0);
  const sessions = await opened("/nowhere/memoir");
  sessions.began("a", own);
  await sessions.written();
  expect(sessions.wayOf("a", 1, undefined)).toEqual(own);
});

test("what is kept is bounded", async () => {
  const sessions = await opened();
  for (let n = 0; n < 5_000; n++) sessions.wayOf(`s${n}`, 1, own);
  expect(sessions.count()).toBe(1_000);
});

test("a session that the API refused stays so for the next server, also once it ended, for 30 days", async () => {
  const sessions = await opened();
  sessions.wayOf("a", 1, own);
  sessions.refuse("a");
  sessions.ended("a");
  await sessions.written();
  expect((await onDisk()).refused).toEqual({ a: 0 });
  const month = 30 * 24 * 60 * 60_000;
  for (const [later, is] of [
    [month - 1, true],
    [month, false],
  ] as const) {
    now = later;
    const next = await opened();
    expect([next.isRefused("a"), next.anyRefused()]).toEqual([is, is]);
  }
  expect((await opened()).isRefused("b")).toBe(false);
});
