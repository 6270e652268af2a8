// The watcher goes on whatever fails, looks again and again by itself, and is still once it is stopped.
import { expect, test } from "bun:test";
import { mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Recoverer } from "../../src/backfill/feed-session.ts";
import { startWatch } from "../../src/backfill/fill-in.ts";
import type { HeardSession } from "../../src/runtime/journal/sessions.ts";
import { inFolder } from "../support/in-folder.ts";
import { keptLog } from "../support/kept-log.ts";
import { busySession } from "../support/recorded-session.ts";
import { notedRecoverer } from "./fake-recoverer.ts";

type WatchDeps = Parameters<typeof startWatch>[0];

const noon = Date.parse("2026-05-01T12:00:00Z");
const hour = 3_600_000;

/** A watch over one folder in which a hook fired two hours ago; its looks are made by hand. */
function watching(folder: string, more: Partial<WatchDeps> = {}, answers: Partial<Recoverer> = {}) {
  const log = keptLog();
  const runtime = notedRecoverer(answers);
  const heard: HeardSession[] = [];
  const hear = (session: string, transcriptPath: string, at: number) =>
    heard.push({ client: "claude-code", session, transcriptPath, heardAt: at, firstHeardAt: at });
  const timers: Array<{ callback: () => void; ms: number; cancelled: boolean }> = [];
  const watch = startWatch({
    runtime: { ...runtime, heard: () => heard },
    home: "/home",
    log,
    now: () => noon,
    everyMs: 300_000,
    timer(callback, ms) {
      const timer = { callback, ms, cancelled: false };
      timers.push(timer);
      return () => {
        timer.cancelled = true;
      };
    },
    ...more,
  });
  hear("told", join(folder, "-gone-shop", "told.jsonl"), noon - 2 * hour);
  const said = () => log.lines.map(({ level, message }) => `${level}: ${message}`);
  const taken = () => [...new Set(runtime.events.map(({ session }) => session))];
  return { watch, runtime, log, said, taken, timers, hear };
}

async function record(folder: string, session: string, at = noon - hour): Promise<string> {
  const path = await busySession(session, "/gone/shop", at, 1).write(folder);
  await utimes(path, new Date(at), new Date(at));
  return path;
}

test("one session that fails is named in the log, and the next is taken and told", () =>
  inFolder(async (folder) => {
    await record(folder, "s1");
    await record(folder, "s2");
    const { watch, log, said } = watching(
      folder,
      {},
      {
        recover: async (events) => {
          if (events[0]?.session === "s1") throw new Error("no room");
          return events.map(() => "committed" as const);
        },
      },
    );
    await watch.look();
    expect(said().sort()).toEqual([
      "info: a session was taken from its transcript",
      "warn: a transcript could not be imported",
    ]);
    const [info] = log.lines.filter(({ level }) => level === "info");
    expect(info?.fields).toMatchObject({ session: "s2", committed: 8, delivered: 0 });
    await watch.stop();
  }));

test("a session of which hooks told everything is not news for the log", () =>
  inFolder(async (folder) => {
    await record(folder, "s1");
    const recover: Recoverer["recover"] = async (events) => events.map(() => "delivered");
    const { watch, said, runtime } = watching(folder, {}, { recover });
    await watch.look();
    expect(said()).toEqual([]);
    expect(runtime.left.size).toBe(1);
    await watch.stop();
  }));

test("a look that fails is told, and the next one looks again", () =>
  inFolder(async (folder) => {
    await record(folder, "s1");
    let fails = true;
    const log = keptLog();
    const runtime = notedRecoverer();
    const watch = startWatch({
      runtime: {
        ...runtime,
        heard() {
          if (fails) throw new Error("the journal is closed");
          const transcriptPath = join(folder, "-gone-shop", "told.jsonl");
          return [
            { client: "claude-code", session: "told", transcriptPath, heardAt: 0, firstHeardAt: 0 },
          ];
        },
      },
      ...{ home: "/home", log, now: () => noon, everyMs: 1, timer: () => () => {} },
    });
    await watch.look();
    expect(log.lines).toMatchObject([
      { level: "warn", message: "transcripts could not be looked at" },
    ]);
    fails = false;
    await watch.look();
    expect(runtime.events.length).toBeGreaterThan(0);
    await watch.stop();
  }));

test("a session that a hook was heard of lately is left to its hooks, quiet as its file is", () =>
  inFolder(async (folder) => {
    const { watch, taken, hear } = watching(folder);
    hear("s1", await record(folder, "s1"), noon - 60_000);
    await record(folder, "s2");
    await watch.look();
    expect(taken()).toEqual(["s2"]);
    await watch.stop();
  }));

test("a folder that is gone, and files that are no transcripts, are passed over", () =>
  inFolder(async (folder) => {
    const { watch, said, taken, hear } = watching(folder);
    hear("gone", join(folder, "-gone-elsewhere", "gone.jsonl"), noon - 2 * hour);
    const path = await record(folder, "s1");
    await rename(path, path.replace(/jsonl$/, "json"));
    await mkdir(join(dirname(path), "folder.jsonl"));
    await writeFile(join(dirname(path), "notes.txt"), "nothing");
    await watch.look();
    expect([said(), taken()]).toEqual([[], []]);
    await rm(join(dirname(path), "folder.jsonl"), { recursive: true });
    await watch.stop();
  }));

test("a look replaces the one that waits, and after a stop there is none", () =>
  inFolder(async (folder) => {
    await record(folder, "s1");
    const { watch, timers, taken } = watching(folder);
    await watch.look();
    await new Promise(setImmediate);
    expect(timers.map(({ ms, cancelled }) => [ms, cancelled])).toEqual([
      [300_000, true],
      [300_000, false],
    ]);
    await record(folder, "s2");
    timers[1]?.callback();
    await watch.look();
    expect(taken()).toEqual(["s1", "s2"]);
    await watch.stop();
    expect(timers.every(({ cancelled }) => cancelled)).toBe(true);
    const count = timers.length;
    await record(folder, "s3");
    await watch.look();
    await new Promise(setImmediate);
    expect([taken(), timers.length]).toEqual([["s1", "s2"], count]);
  }));

test("stopped in the middle of a session, it leaves it without a word, and the rest", () =>
  inFolder(async (folder) => {
    await record(folder, "s1");
    await record(folder, "s2");
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const drain: Recoverer["drain"] = () => {
      resolve();
      return new Promise(() => {});
    };
    const { watch, said, taken, runtime } = watching(folder, {}, { drain });
    const looking = watch.look();
    await begun;
    await watch.stop();
    await looking;
    expect([taken().length, runtime.left.size, said()]).toEqual([1, 0, []]);
  }));

test("without a clock of the test's it looks by itself, until it is stopped", async () => {
  const log = keptLog();
  let looks = 0;
  const { promise: twice, resolve } = Promise.withResolvers<void>();
  const watch = startWatch({
    runtime: {
      ...notedRecoverer(),
      heard() {
        looks++;
        if (looks === 2) resolve();
        return [];
      },
    },
    ...{ home: "/home", log, now: () => noon, everyMs: 1 },
  });
  await twice;
  await watch.stop();
  const after = looks;
  await Bun.sleep(10);
  expect(looks).toBe(after);
});
