// Where a session is led when it begins stays, whatever is configured later, and for the next server too.
import { expect, test } from "bun:test";
import {
  createOpenSessions,
  type OpenFile,
  type OpenSessions,
  silentMs,
} from "../../../src/server/gateway/open-sessions.ts";

const nobody: OpenFile = { last: null, sessions: {}, refused: {} };
const own = { port: 1, upstream: "https://own.test" };
const other = { port: 1, upstream: "https://other.test" };

function opened(known = nobody): {
  sessions: OpenSessions;
  written: string[];
  at(ms: number): void;
} {
  let now = 0;
  const written: string[] = [];
  const sessions = createOpenSessions(
    known,
    () => now,
    async (text) => void written.push(text),
  );
  return {
    sessions,
    written,
    at: (ms) => {
      now = ms;
    },
  };
}

test("a session keeps its way; others go where they are led now, or were led last", () => {
  const { sessions } = opened();
  expect(sessions.wayOf("a", 1, undefined)).toBeUndefined();
  expect(sessions.wayOf("a", 1, own)).toEqual(own);
  expect(sessions.wayOf("a", 1, other)).toEqual(own);
  expect(sessions.wayOf("b", 1, other)).toEqual(other);
  expect(sessions.wayOf("a", 1, undefined)).toEqual(own);
  expect(sessions.wayOf("c", 1, undefined)).toEqual(other);
  expect(sessions.count()).toBe(3);
});

test("one that began and sent nothing yet keeps its port open, and is not counted", () => {
  const { sessions } = opened();
  sessions.began("a", own);
  expect([[...sessions.ports()], sessions.count()]).toEqual([[1], 0]);
  expect(sessions.wayOf("a", 1, undefined)).toEqual(own);
  expect(sessions.count()).toBe(1);
  sessions.ended("a");
  expect([[...sessions.ports()], sessions.count()]).toEqual([[], 0]);
});

test("one that is silent for twelve hours is taken for closed", () => {
  expect(silentMs).toBe(12 * 3_600_000);
  const { sessions, at } = opened();
  sessions.wayOf("a", 1, own);
  at(silentMs);
  sessions.wayOf("b", 1, own);
  expect(sessions.count()).toBe(2);
  at(silentMs + 1);
  expect(sessions.count()).toBe(1);
});

test("what is open is written down, and the next server goes on from it", async () => {
  const { sessions, written } = opened();
  sessions.wayOf("a", 1, own);
  await sessions.written();
  const next = opened(JSON.parse(written.at(-1) ?? "") as OpenFile).sessions;
  expect(next.wayOf("a", 1, undefined)).toEqual(own);
  const count = written.length;
  sessions.wayOf("a", 1, own);
  await sessions.written();
  expect(written.length).toBe(count);
});

test("what is kept is bounded", () => {
  const { sessions } = opened();
  for (let n = 0; n < 5_000; n++) sessions.wayOf(`s${n}`, 1, own);
  expect(sessions.count()).toBe(1_000);
});

test("who is silent for long holds no port and is counted no more, each seen for itself", () => {
  for (const look of [
    (sessions: OpenSessions) => [...sessions.ports()].length,
    (sessions: OpenSessions) => sessions.count(),
  ]) {
    const { sessions, at } = opened();
    sessions.wayOf("a", 1, own);
    at(silentMs);
    expect(look(sessions)).toBe(1);
    at(silentMs + 1);
    expect(look(sessions)).toBe(0);
  }
});

test("what changes at once is written once, and a failure to write is no failure of the session's", async () => {
  const { sessions, written } = opened();
  for (const session of ["a", "b", "c"]) sessions.wayOf(session, 1, own);
  await sessions.written();
  expect(written).toHaveLength(1);
  expect(Object.keys(JSON.parse(written[0] ?? "").sessions)).toEqual(["a", "b", "c"]);
  sessions.ended("b");
  await sessions.written();
  expect(Object.keys(JSON.parse(written[1] ?? "").sessions)).toEqual(["a", "c"]);
  sessions.ended("b");
  await sessions.written();
  expect(written).toHaveLength(2);
  const full = createOpenSessions(
    nobody,
    () => 0,
    () => Promise.reject(new Error("disk full")),
  );
  full.began("a", own);
  await full.written();
  expect(full.wayOf("a", 1, undefined)).toEqual(own);
});

test("a session that the API refused stays so for the next server, also once it ended, for 30 days", async () => {
  const { sessions, written } = opened();
  sessions.wayOf("a", 1, own);
  sessions.refuse("a");
  sessions.ended("a");
  await sessions.written();
  const file = JSON.parse(written.at(-1) ?? "") as OpenFile;
  expect(file.refused).toEqual({ a: 0 });
  const later = (now: number) =>
    createOpenSessions(
      file,
      () => now,
      async () => undefined,
    );
  const month = 30 * 24 * 60 * 60_000;
  expect([later(month - 1), later(month)].map((one) => one.isRefused("a"))).toEqual([true, false]);
  expect(later(0).isRefused("b")).toBe(false);
});
