// A backfill under way: one bad session stops nobody, it can be stopped, and it stops when nobody wants it any more.
import { expect, test } from "bun:test";
import type { Recoverer } from "../../src/backfill/feed-session.ts";
import { createBackfills, type JobDeps, startBackfill } from "../../src/backfill/job.ts";
import { silentLog } from "../../src/home/log.ts";
import type { SessionFiles } from "../../src/transcript/discover.ts";
import { inFolder } from "../support/in-folder.ts";
import { busySession } from "../support/recorded-session.ts";

async function files(folder: string, session: string): Promise<SessionFiles> {
  const path = await busySession(session, "/gone/shop", 0, 1).write(folder);
  const file = { path, bytes: (await Bun.file(path).stat()).size, changedAt: 1 };
  return { session, folder: "-gone-shop", main: file, agents: [], ...file };
}

function deps(runtime: Partial<Recoverer> = {}, now = () => 5): JobDeps {
  return {
    home: "/home",
    log: silentLog,
    now,
    runtime: {
      recover: async (events) => events.map(() => "committed" as const),
      workOn: () => {},
      drain: async () => true,
      marks: () => new Map(),
      mark: () => {},
      release: () => {},
      ...runtime,
    },
  };
}

test("a session that cannot be read is named; the others are read", async () => {
  await inFolder(async (folder) => {
    const [one, two, three] = [
      await files(folder, "s1"),
      await files(folder, "s2"),
      await files(folder, "s3"),
    ];
    await Bun.file(two.main?.path ?? "").delete();
    const job = startBackfill({ sessions: [one, two, three], modelFree: true }, deps());
    await job.ended;
    expect(job.progress()).toMatchObject({
      state: "done",
      sessions: { done: 3, total: 3 },
      bytes: { total: one.bytes + two.bytes + three.bytes },
      events: { committed: 12 },
      failures: [{ session: "s2" }],
    });
  });
});

test("work that is not over in time is counted, and its texts are kept", async () => {
  await inFolder(async (folder) => {
    const released: string[] = [];
    const job = startBackfill(
      { sessions: [await files(folder, "s1")], modelFree: true },
      deps({ drain: async () => false, release: (session) => released.push(session) }),
    );
    await job.ended;
    expect(job.progress()).toMatchObject({ state: "done", unsettled: 1 });
    expect(released).toEqual([]);
  });
});

test("stopped, it leaves the rest, and leaves no mark on what was under way", async () => {
  await inFolder(async (folder) => {
    const marked: string[] = [];
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const job = startBackfill(
      { sessions: [await files(folder, "s1"), await files(folder, "s2")], modelFree: true },
      deps({
        drain: () => {
          resolve();
          return new Promise(() => {});
        },
        mark: (_, marks) => marked.push(...marks.map(({ path }) => path)),
      }),
    );
    await begun;
    await job.stop();
    expect(job.progress()).toMatchObject({ state: "stopped", sessions: { done: 0 } });
    expect(marked).toEqual([]);
  });
});

test("it ends when nobody asked for a minute", async () => {
  await inFolder(async (folder) => {
    let now = 0;
    const job = startBackfill(
      { sessions: [await files(folder, "s1"), await files(folder, "s2")], modelFree: true },
      deps(
        {
          drain: async () => {
            now += 61_000;
            return true;
          },
        },
        () => now,
      ),
    );
    await job.ended;
    expect(job.progress()).toMatchObject({ state: "stopped", sessions: { done: 1, total: 2 } });
  });
});

test("there is one at a time", async () => {
  await inFolder(async (folder) => {
    const backfills = createBackfills(deps({ drain: () => new Promise(() => {}) }));
    const request = { sessions: [await files(folder, "s1")], modelFree: true };
    expect(backfills.progress()).toBeUndefined();
    expect(backfills.start(request).state).toBe("running");
    expect(() => backfills.start(request)).toThrow("in progress");
    await backfills.stop();
    expect(backfills.progress()?.state).toBe("stopped");
  });
});
