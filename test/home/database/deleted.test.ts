// A database whose file is deleted while it is open: what it holds lies beside its place, whole and its owner's alone.
import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAway, keepDeleted, standingAt } from "../../../src/home/database/intact.ts";
import { putBackDeleted } from "../../../src/home/database/losses.ts";
import { readFindings } from "../../../src/home/findings.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { inFolder } from "../../support/in-folder.ts";

async function opened(path: string) {
  const db = await openDatabase(path);
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('held')");
  let closes = 0;
  return {
    db,
    standing: standingAt(path),
    closes: () => closes,
    close() {
      closes++;
      db.close();
    },
  };
}
const rows = async (path: string) => {
  const db = await openDatabase(path, { readonly: true });
  const all = db.prepare("SELECT x FROM t").all();
  db.close();
  return all;
};
const form = { name: "The shelf", migrations: [] };

test("one whose file is there is left alone, and so is one in memory, and one whose folder went too", () =>
  inFolder(async (folder) => {
    const path = join(folder, "a/memory.db");
    const { db, standing, close, closes } = await opened(path);
    expect(keepDeleted(path, db, standing, close)).toBe(false);
    expect(keepDeleted(":memory:", db, standingAt(":memory:"), close)).toBe(false);
    await rm(join(folder, "a"), { recursive: true });
    expect(keepDeleted(path, db, standing, close)).toBe(false);
    expect([closes(), await readdir(folder)]).toEqual([0, []]);
    close();
  }));

test("what it holds lies beside its place, also over what another attempt left; its log is gone, and it is closed", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const { db, standing, close, closes } = await opened(path);
    await rm(path);
    await writeFile(`${path}.recovering`, "half of it", { mode: 0o644 });
    expect(keepDeleted(path, db, standing, close)).toBe(true);
    expect([closes(), await readdir(folder)]).toEqual([1, ["memory.db.kept"]]);
    expect((await stat(`${path}.kept`)).mode & 0o777).toBe(0o600);
    expect(await rows(`${path}.kept`)).toEqual([{ x: "held" }]);
  }));

test("where another file stands by the time it is closed, that one's log is not touched", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const { db, standing, close } = await opened(path);
    await rm(path);
    expect(
      keepDeleted(path, db, standing, () => {
        close();
        writeFileSync(path, "another");
        writeFileSync(`${path}-wal`, "another's log");
      }),
    ).toBe(true);
    expect(await Bun.file(`${path}-wal`).text()).toBe("another's log");
    expect(await rows(`${path}.kept`)).toEqual([{ x: "held" }]);
  }));

test("where another was moved into its place, that one gets none of its log, and a log of its own stays", () =>
  inFolder(async (folder) => {
    for (const hasOwnLog of [false, true]) {
      const path = join(folder, `${hasOwnLog}.db`);
      const { db, standing, close } = await opened(path);
      expect(isAway(path, standing)).toBe(false);
      await writeFile(join(folder, "new"), "another");
      await rename(join(folder, "new"), path);
      if (hasOwnLog) {
        await writeFile(join(folder, "new"), "another's log");
        await rename(join(folder, "new"), `${path}-wal`);
      }
      expect(isAway(path, standing)).toBe(true);
      expect(keepDeleted(path, db, standing, close)).toBe(true);
      expect(await Bun.file(path).text()).toBe("another");
      expect(await Bun.file(`${path}-wal`).exists()).toBe(hasOwnLog);
      expect(await rows(`${path}.kept`)).toEqual([{ x: "held" }]);
    }
  }));

test("it is put back into its place, or beside it where another stands there; nothing where nothing was kept", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const how = { now: () => Date.UTC(2026, 10, 22), home: folder } as never;
    await putBackDeleted(path, form, how);
    expect(await readdir(folder)).toEqual([]);
    const keep = async () => {
      const { db, standing, close } = await opened(path);
      await rm(path);
      keepDeleted(path, db, standing, close);
    };
    await keep();
    await putBackDeleted(path, form, how);
    expect(await rows(path)).toEqual([{ x: "held" }]);
    expect(existsSync(`${path}.kept`)).toBe(false);
    await rm(path);
    await keep();
    await writeFile(path, "another");
    await putBackDeleted(path, form, how);
    expect(await Bun.file(path).text()).toBe("another");
    const aside = (await readdir(folder)).find((name) => name.includes(".damaged-")) ?? "";
    expect(await rows(join(folder, aside))).toEqual([{ x: "held" }]);
    expect(readFindings(folder).map(({ file, what }) => [file, what])).toEqual([
      ["memory.db", "was deleted while it was open; all that it held is in its place again"],
      ["memory.db", "was deleted while it was open, and another file is in its place"],
    ]);
  }));
