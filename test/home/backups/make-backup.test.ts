// Backups made while others write, and what is left of those that were not finished.
import { describe, expect, test } from "bun:test";
import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeBackup } from "../../../src/home/backups/make-backup.ts";
import { listBackups, verifyBackup } from "../../../src/home/backups/read-backups.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { openRecords } from "../../../src/records/record-store.ts";
import { sampleObservation } from "../../../src/testing/samples.ts";
import { inFolder } from "../../support/in-folder.ts";

const noon = Date.UTC(2026, 10, 22, 12);
const daily = { reason: "daily", now: () => noon } as const;

/** A home with one observation in its storage, one event in another database, and files. */
async function withHome(work: (paths: Paths) => Promise<void>): Promise<void> {
  await inFolder(async (home) => {
    const paths = memoirPaths(home);
    const records = await openRecords(paths.memory, () => noon);
    await records.put({ key: "one", records: { observations: [sampleObservation()] } });
    const journal = await openDatabase(paths.journal);
    journal.exec(
      "PRAGMA journal_mode = WAL; CREATE TABLE events (x); INSERT INTO events VALUES (1)",
    );
    await writeFile(paths.config, '{"slots":{}}\n');
    // Secrets of this machine: never in a copy.
    for (const path of [paths.keys, paths.token]) await writeFile(path, '{"anthropic":"own"}\n');
    await mkdir(join(home, "memory", "shop"), { recursive: true });
    await writeFile(join(home, "memory", "shop", "preferences.md"), "- tabs\n");
    try {
      await work(paths);
    } finally {
      records.close();
      journal.close();
    }
  });
}

describe("a backup", () => {
  test("holds every database as it is while it is open, the config and the memory files, with rows and hashes", () =>
    withHome(async (paths) => {
      const backup = await makeBackup(paths, daily);
      expect(backup.name).toBe("20261122T120000Z-daily");
      expect(backup.manifest?.files.map(({ name }) => name)).toEqual([
        "memory.db",
        "journal.db",
        "config.json",
        "memory/shop/preferences.md",
      ]);
      const [memory, journal] = backup.manifest?.files ?? [];
      expect(memory?.counts?.observations).toBe(1);
      expect(journal?.counts).toEqual({ events: 1 });
      expect(await verifyBackup(backup)).toEqual([]);
      expect(await listBackups(paths)).toEqual([backup]);
    }));

  test("is read by its owner only", () =>
    withHome(async (paths) => {
      const { folder } = await makeBackup(paths, daily);
      const mode = async (path: string) => (await stat(path)).mode & 0o777;
      expect(await mode(`${paths.home}/backups`)).toBe(0o700);
      for (const name of await readdir(folder, { recursive: true }))
        expect([name, await mode(join(folder, name))]).toEqual([
          name,
          (await stat(join(folder, name))).isDirectory() ? 0o700 : 0o600,
        ]);
    }));

  test("opens as a storage, and what came later is not in it", () =>
    withHome(async (paths) => {
      const { folder } = await makeBackup(paths, daily);
      const live = await openRecords(paths.memory, () => noon);
      await live.put({
        key: "two",
        records: { observations: [sampleObservation({ title: "Another thing" })] },
      });
      live.close();
      const copy = await openRecords(join(folder, "memory.db"), () => noon);
      expect(await copy.observations({})).toHaveLength(1);
      copy.close();
    }));

  test("of a damaged database says so and keeps the others", () =>
    withHome(async (paths) => {
      await writeFile(
        paths.usage,
        "no database at all, but long enough to be read as one".repeat(90),
      );
      const backup = await makeBackup(paths, daily);
      expect(backup.manifest?.missing).toEqual([
        { name: "usage.db", why: expect.stringContaining("not a database") },
      ]);
      expect(await readdir(backup.folder)).not.toContain("usage.db");
      expect(await verifyBackup(backup)).toEqual([]);
    }));

  test("of an empty home is refused, and leaves nothing", () =>
    inFolder(async (home) => {
      const paths = memoirPaths(home);
      await expect(makeBackup(paths, daily)).rejects.toMatchObject({ code: "backup_failed" });
      expect(await readdir(join(home, "backups"))).toEqual([]);
    }));

  test("of the same second gets a name of its own", () =>
    withHome(async (paths) => {
      await Promise.all([makeBackup(paths, daily), makeBackup(paths, daily)]);
      expect((await listBackups(paths)).map(({ name }) => name).sort()).toEqual([
        "20261122T120000Z-daily",
        "20261122T120000Z-daily-2",
      ]);
    }));

  test("that was never finished is not listed, and goes once it is old", () =>
    withHome(async (paths) => {
      const draft = join(paths.home, "backups", ".making-abc");
      await mkdir(draft, { recursive: true });
      await writeFile(join(draft, "memory.db"), "half");
      await makeBackup(paths, { ...daily, now: Date.now });
      expect(await readdir(draft)).toEqual(["memory.db"]);
      expect(await listBackups(paths)).toHaveLength(1);
      const old = (Date.now() - 24 * 3_600_000) / 1000;
      await utimes(draft, old, old);
      await makeBackup(paths, { ...daily, now: Date.now });
      expect(
        (await readdir(join(paths.home, "backups"))).filter((name) => name.startsWith(".")),
      ).toEqual([]);
    }));
});

describe("checking", () => {
  test("names a byte that changed, a file that is shorter, and one that is gone", () =>
    withHome(async (paths) => {
      const backup = await makeBackup(paths, daily);
      const memory = join(backup.folder, "memory.db");
      const bytes = await readFile(memory);
      bytes[5000] = (bytes[5000] ?? 0) ^ 1;
      await writeFile(memory, bytes);
      await writeFile(join(backup.folder, "config.json"), "{");
      await writeFile(join(backup.folder, "memory", "shop", "preferences.md"), "");
      expect(await verifyBackup(backup)).toEqual([
        "memory.db is not what it was when it was made.",
        "config.json has 1 bytes instead of 13.",
        "memory/shop/preferences.md has 0 bytes instead of 7.",
      ]);
    }));

  test("says that a manifest is no manifest", () =>
    withHome(async (paths) => {
      const { folder } = await makeBackup(paths, daily);
      const faultOf = async (text: string) => {
        await writeFile(join(folder, "manifest.json"), text);
        return (await listBackups(paths))[0]?.fault;
      };
      expect(await faultOf("{")).toContain("cannot be read");
      expect(await faultOf("{}")).toContain("not one that this memoir knows");
      const upwards = { name: "../../config.json", bytes: 1, sha256: "0".repeat(64) };
      const manifest = {
        memoir: "backup",
        version: 1,
        madeBy: "1",
        reason: "daily",
        time: 1,
        missing: [],
      };
      expect(await faultOf(JSON.stringify({ ...manifest, files: [upwards] }))).toContain(
        "leads elsewhere",
      );
    }));
});
