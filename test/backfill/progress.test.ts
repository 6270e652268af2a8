// What a backfill says of itself, how long it goes on, and what it says of sessions that failed.
import { expect, test } from "bun:test";
import { createBackfills, type JobDeps, startBackfill } from "../../src/backfill/job.ts";
import { discoverTranscripts, type SessionFiles } from "../../src/transcript/discover.ts";
import { inFolder } from "../support/in-folder.ts";
import { keptLog } from "../support/kept-log.ts";
import { busySession } from "../support/recorded-session.ts";
import { type NotedRecoverer, notedRecoverer } from "./fake-recoverer.ts";

const start = Date.parse("2025-03-01T10:00:00Z");

function withSessions(count: number, work: (sessions: SessionFiles[]) => Promise<void>) {
  return inFolder(async (folder) => {
    for (let at = 0; at < count; at++)
      await busySession(`s${at}`, "/gone/shop", start, 1).write(folder);
    await work((await discoverTranscripts(folder)).sessions);
  });
}
const missing = (at: number): SessionFiles => {
  const file = { path: `/nowhere/s${at}.jsonl`, bytes: 10, changedAt: 1 };
  return { session: `s${at}`, folder: "-gone", main: file, agents: [], ...file };
};
const deps = (runtime: NotedRecoverer, more: Partial<JobDeps> = {}): JobDeps => ({
  ...{ runtime, home: "/home", log: keptLog(), now: () => 5 },
  ...more,
});

test("it begins with nothing done, and ends with every byte and event counted", () =>
  withSessions(3, async (sessions) => {
    let now = 100;
    const runtime = notedRecoverer({
      recover: async (events) => events.map((_, at) => (at === 0 ? "committed" : "delivered")),
    });
    const job = startBackfill({ sessions, modelFree: false }, deps(runtime, { now: () => now++ }));
    const total = sessions.reduce((sum, { bytes }) => sum + bytes, 0);
    const first = job.progress();
    expect(first).toMatchObject({
      state: "running",
      sessions: { done: 0, total: 3 },
      bytes: { done: 0, total },
      events: { committed: 0, recovered: 0, delivered: 0, dropped: 0 },
      unsettled: 0,
      startedAt: 100,
      endedAt: null,
    });
    await job.ended;
    const last = job.progress();
    expect(first.sessions.done).toBe(0);
    expect(last).toMatchObject({ state: "done", sessions: { done: 3 }, bytes: { done: total } });
    expect(last.endedAt).toBeGreaterThan(100);
    const { committed, delivered } = last.events;
    expect(committed + delivered).toBe(runtime.events.length);
    expect(delivered).toBeGreaterThan(committed);
    expect(runtime.events.every(({ recovered }) => recovered?.modelFree === false)).toBe(true);
  }));

test("it goes on for as long as somebody asks, however long it takes", () =>
  withSessions(4, async (sessions) => {
    let now = 0;
    const runtime = notedRecoverer({
      drain: async () => {
        now += 50_000;
        job.progress();
        return true;
      },
    });
    const job = startBackfill({ sessions, modelFree: true }, deps(runtime, { now: () => now }));
    await job.ended;
    expect(now).toBe(200_000);
    expect(job.progress()).toMatchObject({ state: "done", sessions: { done: 4 } });
  }));

test("at most twenty failed sessions are named, each is counted and in the log", async () => {
  const log = keptLog();
  const sessions = Array.from({ length: 23 }, (_, at) => missing(at));
  const job = startBackfill({ sessions, modelFree: true }, deps(notedRecoverer(), { log }));
  await job.ended;
  const { state, sessions: counted, failures } = job.progress();
  expect([state, counted.done, failures.length]).toEqual(["done", 23, 20]);
  expect(failures[0]).toMatchObject({ session: "s0", reason: expect.stringContaining("ENOENT") });
  expect(log.lines.map(({ level, message }) => `${level}: ${message}`)).toEqual(
    Array.from({ length: 23 }, () => "warn: a transcript was not imported"),
  );
  expect(log.lines[22]?.fields).toMatchObject({ session: "s22" });
});

test("one after the other in the order asked for, or so many at a time", () =>
  withSessions(4, async (sessions) => {
    async function most(parallel?: number) {
      let open = 0;
      let most = 0;
      const order: string[] = [];
      const runtime = notedRecoverer({
        recover: async (events) => {
          open++;
          most = Math.max(most, open);
          order.push(events[0]?.session ?? "");
          // Until another comes where one may; else long enough for one that may not.
          const wanted = parallel ?? 2;
          for (let turn = 0; most < wanted && (parallel !== undefined || turn < 500); turn++)
            await new Promise(setImmediate);
          open--;
          return events.map(() => "delivered");
        },
      });
      const more = parallel === undefined ? {} : { parallel };
      const job = startBackfill({ sessions, modelFree: true }, deps(runtime, more));
      await job.ended;
      return { most, order: [...new Set(order)] };
    }
    expect(await most()).toEqual({ most: 1, order: sessions.map(({ session }) => session) });
    expect((await most(2)).most).toBe(2);
  }));

test("when one is over, another can begin; a stop before any does nothing", () =>
  withSessions(1, async (sessions) => {
    const runtime = notedRecoverer();
    const backfills = createBackfills(deps(runtime));
    await backfills.stop();
    backfills.start({ sessions, modelFree: true });
    await backfills.stop();
    expect(backfills.progress()?.state).toBe("stopped");
    expect(backfills.start({ sessions, modelFree: true }).state).toBe("running");
    await backfills.stop();
  }));
