// When the server has the day's backup made.
import { expect, test } from "bun:test";
import {
  createDailyBackup,
  type DailyBackupOptions,
} from "../../../src/server/life/daily-backup.ts";

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
