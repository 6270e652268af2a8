import { describe, expect, test } from "bun:test";
import { readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as v from "valibot";
import sqlite from "../../plugins/storage-sqlite/index.ts";
import { damagedFiles } from "../../src/home/database/open-file.ts";
import { openDatabase } from "../../src/host/sqlite.ts";
import { migrations } from "../../src/records/migrations.ts";
import { openRecords } from "../../src/records/record-store.ts";
import { openOrRecover } from "../../src/records/records-file.ts";
import { MemoirError } from "../../src/sdk/errors.ts";
import { inFolder } from "../support/in-folder.ts";
import { openStorage } from "../support/open-storage.ts";
import { sampleObservation, sampleTurn } from "../support/sample-records.ts";
import { openStorageAlone } from "../support/storage-host.ts";

/** What opening `path` fails with, and that the file is byte for byte what it was. */
async function refusal(path: string): Promise<{ code: string; message: string }> {
  const before = await readFile(path);
  // Outside of a home, where it may be somebody else's.
  const home = join(dirname(path), "home");
  const how = { now: Date.now, home, replaced() {} };
  const error: unknown = await openOrRecover(path, how).then(
    (db) => db.close(),
    (reason) => reason,
  );
  expect((await readFile(path)).equals(before)).toBe(true);
  if (!(error instanceof MemoirError)) throw new Error(`opened, or failed with ${error}`);
  return { code: error.code, message: error.message };
}

describe("opening", () => {
  test("makes a private file with the newest schema, once", () =>
    inFolder(async (folder) => {
      const path = join(folder, "memory.db");
      (await openStorage(path)).close();
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      const before = await readFile(path);
      const db = await openStorage(path);
      expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: migrations.length });
      // A put waits for its flush: that is as good as FULL.
      expect(db.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: 1 });
      expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
      db.close();
      expect((await readFile(path)).equals(before)).toBe(true);
    }));

  test("brings a file of the first schema up to date and loses nothing of it", () =>
    inFolder(async (folder) => {
      const path = join(folder, "memory.db");
      const old = await openDatabase(path);
      old.exec(`${migrations[0]}; PRAGMA user_version = 1; PRAGMA application_id = ${0x6d656d6f};
        INSERT INTO projects (id, name) VALUES ('p', 'p');
        INSERT INTO sessions (client, client_session_id, project, root, status, started_at, last_active_at)
          VALUES ('claude-code', 'session-1', 'p', '/p', 'ended', 1, 2);
        INSERT INTO prompts (session_id, project, prompt_number, user_prompt, created_at) VALUES (1, 'p', 1, 'Why?', 1);
        INSERT INTO puts (key, result, created_at) VALUES ('old', '{"observations":["o1"],"summaries":[]}', 1)`);
      old.close();
      for (let opened = 0; opened < 2; opened++) {
        const records = await openRecords(path);
        expect((await records.prompts({})).map(({ text }) => text)).toEqual(["Why?"]);
        const why = await records.search({ text: "why", kinds: ["prompt"] });
        expect(why.map(({ id }) => id)).toEqual(["p1"]);
        const put = (key: string) => records.put({ key, records: { turns: [sampleTurn()] } });
        expect(await put("old")).toEqual({
          written: false,
          observations: ["o1"],
          summaries: [],
          turns: [],
        });
        expect((await put("new")).turns).toEqual(["t1"]);
        expect((await records.stats({})).schemaVersion).toBe(migrations.length);
        records.close();
      }
    }));

  test("refuses a newer schema and touches nothing", () =>
    inFolder(async (folder) => {
      const path = join(folder, "memory.db");
      const db = await openStorage(path);
      db.exec(`PRAGMA user_version = ${migrations.length + 1}`);
      db.close();
      const { code, message } = await refusal(path);
      expect(code).toBe("storage_newer");
      expect(message).toContain(`schema ${migrations.length + 1}`);
    }));

  test("refuses another program's database", () =>
    inFolder(async (folder) => {
      const path = join(folder, "places.db");
      const db = await openDatabase(path);
      db.exec("CREATE TABLE bookmarks (url)");
      db.close();
      expect((await refusal(path)).code).toBe("storage_foreign");
    }));

  test("carries over what can be read where a page is damaged, and goes on", () =>
    inFolder(async (home) => {
      const path = join(home, "memory.db");
      const db = await openStorage(path);
      const puts = db.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'puts'").get();
      db.close();
      const start = (Number(puts?.rootpage) - 1) * 4096;
      const bytes = await readFile(path);
      bytes.fill(0x5a, start, start + 4096);
      await writeFile(path, bytes);
      const { storage, close } = await openStorageAlone(sqlite, home);
      try {
        const put = { key: "a", records: { observations: [sampleObservation()] } };
        expect((await storage.put(put)).observations).toEqual(["o1"]);
        expect(damagedFiles(path)).toHaveLength(1);
      } finally {
        await close();
      }
    }));

  test("two processes may open a new file at once", () =>
    inFolder(async (folder) => {
      const path = join(folder, "memory.db");
      const opened = await Promise.all([openStorage(path), openStorage(path)]);
      for (const db of opened) db.close();
    }));
});

test.each(["-wal", "-shm"])("a file%s that leads nowhere does not keep it from opening", (ending) =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    (await openStorage(path)).close();
    await symlink(path + ending, path + ending);
    const db = await openStorage(path);
    expect(db.prepare("SELECT count(*) AS n FROM turns").get()).toEqual({ n: 0 });
    db.close();
  }),
);

describe("config", () => {
  test("names the file, from the home or absolutely", () =>
    inFolder(async (home) => {
      for (const path of ["sub/own.db", join(home, "other", "own.db")]) {
        const { close } = await openStorageAlone(sqlite, home, { config: { path } });
        await close();
      }
      expect((await stat(join(home, "sub/own.db"))).isFile()).toBe(true);
      expect((await stat(join(home, "other/own.db"))).isFile()).toBe(true);
    }));

  test("takes nothing unknown", () => {
    const schema = sqlite.config;
    if (!schema) throw new Error("no schema");
    expect(v.safeParse(schema, {}).success).toBe(true);
    expect(v.safeParse(schema, { pth: "x" }).success).toBe(false);
    expect(v.safeParse(schema, { path: "" }).success).toBe(false);
  });

  test("stopping works after a failed start", async () => {
    const stop = sqlite.stop?.bind(sqlite);
    expect(() => stop?.(undefined, {} as never)).not.toThrow();
  });
});
