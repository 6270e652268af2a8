// Which backups stay by the rule.
import { describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  keepDefaults,
  makeBackup,
  pruneBackups,
  unkeptBackups,
} from "../../../src/home/backups/make-backup.ts";
import {
  type Backup,
  type BackupReason,
  listBackups,
} from "../../../src/home/backups/read-backups.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { openRecords } from "../../../src/records/record-store.ts";
import { inFolder } from "../../support/in-folder.ts";

const day = 86_400_000;
/** A Sunday. */
const today = Date.UTC(2026, 10, 22, 12);

function backup(daysAgo: number, reason: BackupReason = "daily", bytes = 1): Backup {
  const name = `${reason}-${daysAgo}`;
  return { name, folder: `/b/${name}`, reason, time: today - daysAgo * day, bytes };
}
const keptOf = (backups: Backup[], rule = {}, good?: string) => {
  const unkept = unkeptBackups(backups, { ...keepDefaults, ...rule }, good);
  return backups.filter((one) => !unkept.includes(one)).map(({ name }) => name);
};

describe("the rule", () => {
  test("keeps seven days, then the newest of each of four weeks", () => {
    const sixty = Array.from({ length: 60 }, (_, at) => backup(at));
    expect(keptOf(sixty)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 14, 21, 28].map((at) => `daily-${at}`));
  });

  test("counts days, not backups", () => {
    expect(keptOf([backup(0), backup(0.1), backup(0.2), backup(1)])).toEqual([
      "daily-0",
      "daily-1",
    ]);
  });

  test("keeps every one made by hand, and three before changes", () => {
    const manual = Array.from({ length: 9 }, (_, at) => backup(at * 100, "manual"));
    const changes = Array.from({ length: 5 }, (_, at) => backup(at, "migration"));
    expect(keptOf([...manual, ...changes])).toEqual([
      ...manual.map(({ name }) => name),
      ...["migration-0", "migration-1", "migration-2"],
    ]);
  });

  test("gives up the oldest made by itself for the sake of size, and never the newest good one", () => {
    const all = [
      backup(0, "daily", 40),
      backup(1, "daily", 40),
      backup(2, "daily", 40),
      backup(3, "manual", 40),
    ];
    expect(keptOf(all, { maxBytes: 130 })).toEqual(["daily-0", "daily-1", "manual-3"]);
    expect(keptOf(all, { maxBytes: 10 })).toEqual(["manual-3"]);
    expect(keptOf(all, { maxBytes: 10 }, "daily-2")).toEqual(["daily-2", "manual-3"]);
  });
});

describe("pruning", () => {
  test("takes nothing away while the only whole one would go, nor without a whole one", () =>
    inFolder(async (home) => {
      const paths = memoirPaths(home);
      (await openRecords(paths.memory, () => today)).close();
      for (const ago of [3, 2, 1])
        await makeBackup(paths, { reason: "daily", now: () => today - ago * day });
      const [newest, middle] = await listBackups(paths);
      await writeFile(join(newest?.folder ?? "", "memory.db"), "torn");
      await writeFile(join(middle?.folder ?? "", "manifest.json"), "torn");
      const none = { days: 0, weeks: 0, changes: 0, maxBytes: 0 };
      expect((await pruneBackups(paths, none)).map(({ name }) => name)).toEqual([
        "20261120T120000Z-daily",
        "20261121T120000Z-daily",
      ]);
      const [left, ...rest] = await listBackups(paths);
      expect([left?.name, rest.length]).toEqual(["20261119T120000Z-daily", 0]);
      await writeFile(join(left?.folder ?? "", "memory.db"), "torn");
      expect(await pruneBackups(paths, none)).toEqual([]);
      await mkdir(join(home, "backups", "mine"));
      expect(await listBackups(paths)).toHaveLength(1);
    }));
});
