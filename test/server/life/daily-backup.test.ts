// When the server has the day's backup made.
import { expect, test } from "bun:test";
import { readdir, rm } from "node:fs/promises";
import { makeBackup } from "../../../src/home/backups/make-backup.ts";
import { listBackups } from "../../../src/home/backups/read-backups.ts";
import { checkedAt } from "../../../src/home/database/check-databases.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { keepSeen } from "../../../src/home/seen-releases.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { openRecords } from "../../../src/records/record-store.ts";
import { createDailyBackup, createDailyWork } from "../../../src/server/life/when-quiet.ts";
import { inFolder } from "../../support/in-folder.ts";

type DailyBackupOptions = Parameters<typeof createDailyBackup>[0];

const minute = 60_000;
const hour = 60 * minute;

/** A server that looks once a minute for so many hours; gives the minutes at which a backup was begun. */
async function begun(hours: number, part: Partial<DailyBackupOptions> & { busy?: boolean } = {}) {
  let at = 0;
  let served = 0;
  const starts: number[] = [];
  const look = createDailyBackup({
    now: () => at,
    served: () => served,
    newest: async () => undefined,
    isWanted: async () => true,
    start: async () => {
      starts.push(at / minute);
    },
    ...part,
  });
  for (let count = 0; count < hours * 60; count++) {
    at += minute;
    if (part.busy) served++;
    await look();
  }
  return starts;
}

test("ten minutes after a start, where there is none yet, and an hour later where that came to nothing", async () => {
  expect(await begun(2)).toEqual([10, 70]);
});

test("a day after the newest one, whoever made that", async () => {
  const newest = async () => -20 * hour;
  expect(await begun(4, { newest })).toEqual([240]);
  expect(await begun(3, { newest })).toEqual([]);
});

test("while nobody asks anything; four hours overdue it does not wait any longer", async () => {
  expect(await begun(2, { busy: true })).toEqual([]);
  const newest = async () => -23 * hour;
  const [first] = await begun(6, { busy: true, newest });
  expect(first).toBe(301);
});

test("not where config does not want it; a folder that cannot be read is looked at again in an hour", async () => {
  expect(await begun(3, { isWanted: async () => false })).toEqual([]);
  let looks = 0;
  const newest = () => {
    looks++;
    return Promise.reject(new Error("EACCES"));
  };
  expect(await begun(3, { newest })).toEqual([]);
  expect(looks).toBe(3);
});

test("a start that fails is tried again in an hour, and a minute of rest is enough", async () => {
  const starts: number[] = [];
  let at = 0;
  let served = 0;
  const look = createDailyBackup({
    ...{ now: () => at, served: () => served, isWanted: async () => true },
    newest: async () => undefined,
    start: async () => {
      starts.push(at / minute);
      throw new Error("no room");
    },
  });
  for (const minutes of [10, 10.9, 12, 69, 70]) {
    at = minutes * minute;
    if (minutes === 10) served++;
    await look();
  }
  expect(starts).toEqual([12]);
  at = 72 * minute;
  await look();
  expect(starts).toEqual([12, 72]);
});

test("a newest one of a day to the millisecond is old enough; one that is younger is looked at every ten minutes", async () => {
  let asked = 0;
  let age = 24 * hour - 1;
  let at = 10 * minute;
  let starts = 0;
  const look = createDailyBackup({
    ...{ now: () => at, served: () => 0, isWanted: async () => true },
    newest: async () => {
      asked++;
      return at - age;
    },
    start: async () => {
      starts++;
    },
  });
  at = 20 * minute;
  await look();
  at = 30 * minute - 1;
  await look();
  expect([asked, starts]).toEqual([1, 0]);
  at = 30 * minute;
  age = 24 * hour;
  await look();
  expect([asked, starts]).toEqual([2, 1]);
});

test("one of a time to come is no backup of today, and a clock that is set back keeps it from nothing", async () => {
  expect(await begun(1, { newest: async () => 400 * 24 * hour })).toEqual([10]);
  let at = 1_000 * hour;
  const starts: number[] = [];
  const look = createDailyBackup({
    ...{ now: () => at, served: () => 0, isWanted: async () => true },
    newest: async () => undefined,
    start: async () => {
      starts.push(at / minute);
    },
  });
  for (let minutes = 1; minutes <= 90; minutes++) {
    at = minutes * minute;
    await look();
  }
  expect(starts).toEqual([61]);
});

test("the backup counts that holds memory, and what is not wanted is not looked for", () =>
  inFolder(async (home) => {
    const paths = memoirPaths(home);
    let asked = 0;
    let at = 0;
    const work = (part: object) =>
      createDailyWork({ paths, now: () => at, served: () => 0, ...part });
    const wanted = {
      wantsDailyBackup: async () => {
        asked++;
        return false;
      },
    };
    const [quiet, look] = [work({}), work(wanted)];
    at = hour;
    await quiet();
    await look();
    expect(asked).toBe(1);
    (await openRecords(paths.memory, () => at)).close();
    await makeBackup(paths, { reason: "manual", now: () => at });
    at = 3 * hour;
    const later = work(wanted);
    at = 4 * hour;
    await later();
    expect(asked).toBe(1);
    at = 26 * hour;
    await later();
    expect(asked).toBe(2);
    expect(await readdir(home)).not.toContain("server.json");
  }));

test("the look for a release waits a day for the next, and asks each time whether it is wanted", () =>
  inFolder(async (home) => {
    let [at, asked] = [0, 0];
    const wantsReleases = async () => {
      asked++;
      return false;
    };
    const look = createDailyWork({
      ...{ paths: memoirPaths(home), now: () => at, served: () => 0, wantsReleases },
    });
    await keepSeen(home, { lookedAt: 20 * hour });
    for (const [time, times] of [
      [22, 0],
      [43, 0],
      [45, 1],
    ] as const) {
      at = time * hour;
      await look();
      expect(asked).toBe(times);
    }
  }));

test("behind a backup of a time to come the newest of the past counts", () =>
  inFolder(async (home) => {
    const paths = memoirPaths(home);
    let [at, asked] = [0, 0];
    const wantsDailyBackup = async () => {
      asked++;
      return false;
    };
    (await openRecords(paths.memory, () => at)).close();
    for (const time of [400 * 24 * hour, 20 * hour])
      await makeBackup(paths, { reason: "manual", now: () => time });
    at = 22 * hour;
    const look = createDailyWork({ paths, now: () => at, served: () => 0, wantsDailyBackup });
    at = 23 * hour;
    await look();
    expect(asked).toBe(0);
    at = 45 * hour;
    await look();
    expect(asked).toBe(1);
  }));

test("a backup without memory does not count, however new it is", () =>
  inFolder(async (home) => {
    const paths = memoirPaths(home);
    let at = 0;
    let asked = 0;
    const wantsDailyBackup = async () => {
      asked++;
      return false;
    };
    const look = createDailyWork({ paths, now: () => at, served: () => 0, wantsDailyBackup });
    (await openRecords(paths.memory, () => at)).close();
    await makeBackup(paths, { reason: "manual", now: () => at });
    const journal = await openDatabase(paths.journal);
    journal.exec("CREATE TABLE events (seq INTEGER PRIMARY KEY)");
    journal.close();
    await rm(paths.memory);
    at = 20 * hour;
    await makeBackup(paths, { reason: "manual", now: () => at });
    expect((await listBackups(paths))[0]?.manifest?.files.map(({ name }) => name)).toEqual([
      "journal.db",
    ]);
    at = 25 * hour;
    await look();
    expect(asked).toBe(1);
  }));

test(
  "each is done by a process of its own: the backup where it is wanted, the look at every database where it is",
  () =>
    inFolder(async (home) => {
      const paths = memoirPaths(home);
      (await openRecords(paths.memory, Date.now)).close();
      let at = Date.now();
      const work = (part: object) =>
        createDailyWork({ paths, now: () => at, served: () => 0, ...part });
      const [checks, backs] = [
        work({ checksDaily: true }),
        work({ wantsDailyBackup: async () => true }),
      ];
      at += hour;
      await checks();
      while (checkedAt(home) === undefined) await Bun.sleep(20);
      expect(await listBackups(paths)).toEqual([]);
      await backs();
      while ((await listBackups(paths)).length === 0) await Bun.sleep(20);
      expect((await listBackups(paths))[0]?.manifest?.reason).toBe("daily");
    }),
  180_000,
);
