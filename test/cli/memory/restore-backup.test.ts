// What goes back of a backup and where, what speaks against it, and what becomes of the files that were there.
import { expect, test } from "bun:test";
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { putBack, restorePlan } from "../../../src/cli/memory/restore.ts";
import { makeBackup } from "../../../src/home/backups/make-backup.ts";
import { type Backup, listBackups } from "../../../src/home/backups/read-backups.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { inFolder } from "../../support/in-folder.ts";

type RestorePlaces = Parameters<typeof restorePlan>[2];

const noon = Date.UTC(2026, 10, 22, 12);
const all: RestorePlaces = { schemas: {}, isWanted: () => true, config: true };
const putting = { isCopied: () => true, now: () => 7 };

async function write(path: string, value: string, schema = 3): Promise<void> {
  const db = await openDatabase(path);
  db.exec(
    `PRAGMA journal_mode = WAL; PRAGMA user_version = ${schema};
     CREATE TABLE IF NOT EXISTS said (x); DELETE FROM said; INSERT INTO said VALUES ('${value}')`,
  );
  db.close();
}
async function read(path: string): Promise<unknown> {
  const db = await openDatabase(path, { create: false });
  try {
    return db.prepare<{ x: string }>("SELECT x FROM said").get()?.x;
  } finally {
    db.close();
  }
}

/** A home whose databases, config and memory files said "old" when the backup was made, and say "new" now. */
function withBackup(work: (paths: Paths, backup: Backup) => Promise<void>): Promise<void> {
  return inFolder(async (home) => {
    const paths = memoirPaths(home);
    const say = async (value: string) => {
      await write(paths.memory, value);
      await write(paths.journal, value);
      await writeFile(paths.config, value);
      await mkdir(join(home, "memory", "shop"), { recursive: true });
      await writeFile(join(home, "memory", "shop", "facts.md"), value);
    };
    await say("old");
    const backup = await makeBackup(paths, { reason: "manual", now: () => noon });
    await say("new");
    await work(paths, backup);
  });
}
const names = (files: ReadonlyArray<{ name: string }>) => files.map(({ name }) => name);

test("everything goes back to where it was, readable by its owner only, and no draft is left", () =>
  withBackup(async (paths, backup) => {
    const files = await restorePlan(paths, backup, all);
    expect(files.map(({ to, isDatabase }) => [to.slice(paths.home.length), isDatabase])).toEqual([
      ["/memory.db", true],
      ["/journal.db", true],
      ["/config.json", false],
      ["/memory/shop/facts.md", false],
    ]);
    await rm(join(paths.home, "memory"), { recursive: true });
    for (const { name } of files) await chmod(join(backup.folder, name), 0o644);
    expect(await putBack(backup, files, putting)).toEqual([]);
    expect([await read(paths.memory), await read(paths.journal)]).toEqual(["old", "old"]);
    for (const path of [paths.config, join(paths.home, "memory", "shop", "facts.md")]) {
      expect(await readFile(path, "utf8")).toBe("old");
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }
    const left = await readdir(paths.home, { recursive: true });
    expect(left.filter((name) => /restoring|damaged/.test(name))).toEqual([]);
    expect(await listBackups(paths)).toHaveLength(1);
  }));

test("only what is wanted goes back, to where config has it now", () =>
  withBackup(async (paths, backup) => {
    const files = await restorePlan(paths, backup, {
      ...{ schemas: {}, config: false, isWanted: (name) => name === "memory.db" },
      ...{ memory: join(paths.home, "else.db"), memoryFiles: join(paths.home, "notes") },
    });
    expect(names(files)).toEqual(["memory.db", "memory/shop/facts.md"]);
    await putBack(backup, files, putting);
    expect(await read(join(paths.home, "else.db"))).toBe("old");
    expect(await readFile(join(paths.home, "notes/shop/facts.md"), "utf8")).toBe("old");
    expect([await read(paths.memory), await read(paths.journal)]).toEqual(["new", "new"]);
    expect(await readFile(paths.config, "utf8")).toBe("new");
  }));

test("one whose bytes are not as they were, or without a manifest, is refused with each fault", () =>
  withBackup(async (paths, backup) => {
    await writeFile(join(backup.folder, "config.json"), "oxd");
    await rm(join(backup.folder, "journal.db"));
    const plan = () => restorePlan(paths, backup, all);
    await expect(plan()).rejects.toMatchObject({
      code: "backup_damaged",
      message: expect.stringMatching(
        new RegExp(
          `^The backup ${backup.name} is damaged: journal.db cannot be read: .* config.json is not what it was when it was made\\.$`,
        ),
      ),
    });
    // What does not go back need not be whole.
    const memory = { ...all, config: false, isWanted: (name: string) => name === "memory.db" };
    expect(names(await restorePlan(paths, backup, memory))).toContain("memory.db");
    await rm(join(backup.folder, "manifest.json"));
    const [bare] = await listBackups(paths);
    await expect(restorePlan(paths, bare as Backup, all)).rejects.toMatchObject({
      code: "backup_damaged",
      message: expect.stringContaining("Its manifest cannot be read"),
    });
  }));

test("a database of a newer memoir is refused, one of the same or an older form is not", () =>
  withBackup(async (paths, backup) => {
    const known = (schema: number) =>
      restorePlan(paths, backup, { ...all, schemas: { "journal.db": schema } });
    await expect(known(2)).rejects.toMatchObject({
      code: "backup_newer",
      message: expect.stringMatching(
        /^journal\.db of \S+-manual has schema 3, made by memoir \S+; this memoir knows up to 2\.$/,
      ),
    });
    expect(await known(3)).toHaveLength(4);
    expect(await known(4)).toHaveLength(4);
  }));

test("a database that was not copied before is set aside, with its log, not replaced", () =>
  withBackup(async (paths, backup) => {
    const files = await restorePlan(paths, backup, all);
    const aside = await putBack(backup, files, {
      ...{ isCopied: (name) => name !== "memory.db", now: () => 7 },
    });
    expect(aside).toEqual([`${paths.memory}.damaged-7`]);
    expect(await read(`${paths.memory}.damaged-7`)).toBe("new");
    expect([await read(paths.memory), await read(paths.journal)]).toEqual(["old", "old"]);
  }));

test("what is no database any more is set aside; the log of one that is gone is not read into the other", () =>
  withBackup(async (paths, backup) => {
    await writeFile(paths.memory, "this was a database once ".repeat(400));
    await rm(paths.journal);
    await writeFile(`${paths.journal}-wal`, "left over");
    const files = await restorePlan(paths, backup, all);
    expect(await putBack(backup, files, putting)).toEqual([`${paths.memory}.damaged-7`]);
    expect(await readFile(`${paths.memory}.damaged-7`, "utf8")).toContain("once");
    expect(await read(paths.memory)).toBe("old");
  }));

test("a log that is still to be folded in is folded into the file that goes", () =>
  withBackup(async (paths, backup) => {
    const db = await openDatabase(paths.memory);
    db.exec("PRAGMA wal_autocheckpoint = 0; UPDATE said SET x = 'newest'");
    const wal = await readFile(`${paths.memory}-wal`);
    db.close();
    await writeFile(`${paths.memory}-wal`, wal);
    const files = await restorePlan(paths, backup, {
      ...all,
      isWanted: (name) => name === "memory.db",
    });
    await putBack(backup, files, putting);
    expect(await read(paths.memory)).toBe("old");
  }));
