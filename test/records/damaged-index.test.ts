// A file whose pages were damaged: where only the index is hit, it is made anew and every record stays; where records are hit, what can be read is carried over.
import { expect, test } from "bun:test";
import {
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { makeBackup } from "../../src/home/backups/make-backup.ts";
import { readFindings } from "../../src/home/findings.ts";
import { memoirPaths } from "../../src/home/paths.ts";
import { type Database, openDatabase } from "../../src/host/sqlite.ts";
import type { RecordStore } from "../../src/records/record-store.ts";
import { createRecordsFile, openRecords } from "../../src/records/record-store.ts";
import { inFolder } from "../support/in-folder.ts";
import { sampleObservation, sampleTurn } from "../support/sample-records.ts";

const count = 600;
const noon = Date.UTC(2026, 10, 2, 12);

/** A closed file with a packed index, and how many of its records a search names. */
async function filled(folder: string): Promise<string> {
  const path = join(folder, "memory.db");
  const store = await openRecords(path);
  const observations = Array.from({ length: count }, (_, i) =>
    sampleObservation({ title: `Heron number${i}`, promptNumber: i + 1 }),
  );
  const pieces = [{ kind: "said" as const, text: "The wombat sleeps. ".repeat(400) }];
  await store.put({ key: "all", records: { observations, turns: [sampleTurn({ pieces })] } });
  await store.reindex({});
  await untilWhole(store);
  store.close();
  return path;
}

async function untilWhole(store: RecordStore): Promise<void> {
  while ((await store.stats({})).index?.isWhole === false) await Bun.sleep(1);
}

/** The pages of what a name is like, in their order. */
async function pagesOf(path: string, like: string): Promise<number[]> {
  const db = await openDatabase(path);
  const rows = db
    .prepare<{ pageno: number }>("SELECT pageno FROM dbstat WHERE name LIKE ? ORDER BY pageno")
    .all([like]);
  db.close();
  return rows.map(({ pageno }) => pageno);
}

function writeZeros(path: string, pages: readonly number[]): void {
  const size = 4_096;
  const file = openSync(path, "r+");
  for (const page of pages) writeSync(file, new Uint8Array(size), 0, size, (page - 1) * size);
  closeSync(file);
}

const tables = "sessions prompts observations session_summaries memory turns".split(" ");
function recordsOf(db: Database): string {
  return tables.map((table) => JSON.stringify(db.prepare(`SELECT * FROM ${table}`).all())).join();
}

/** Every record by a search of its own words, and what the index says of itself. */
async function expectWhole(store: RecordStore): Promise<void> {
  expect(await store.search({ text: "heron", limit: 200 })).toHaveLength(200);
  for (const i of [0, 1, 299, 598, 599])
    expect((await store.search({ text: `number${i}`, limit: 1 }))[0]?.title).toBe(
      `Heron number${i}`,
    );
  expect(await store.search({ text: "wombat" })).not.toEqual([]);
  const { index } = await store.stats({});
  expect(index).toEqual({ isWhole: true, indexed: 602, records: 602, madeAnewAt: noon });
}

const parts = [
  "search_state",
  "search_documents",
  "sqlite_autoindex_search_documents_1",
  "search_documents_by_time",
  "search_names",
  "search_terms",
  "sqlite_autoindex_search_terms_1",
  "search_terms_by_spelling",
  "search_postings",
  "search_blocks",
  "search_%",
];

test.each(parts)("an index whose pages of %s are empty is made anew on opening", (name) =>
  inFolder(async (folder) => {
    const path = await filled(folder);
    const before = await openDatabase(path);
    const records = recordsOf(before);
    before.close();
    writeZeros(path, await pagesOf(path, name));
    const store = await openRecords(path, () => noon);
    // Some pages are met only by a mistyped word, others only by what is written.
    await store.search({ text: "herom" });
    await store.put({
      key: "again",
      records: { observations: [sampleObservation({ title: "Heron number0", promptNumber: 1 })] },
    });
    await expectWhole(store);
    store.close();
    const after = await openDatabase(path);
    expect(recordsOf(after)).toBe(records);
    expect(after.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    after.close();
  }),
);

test("an index of which pages go while it is open is made anew by the search, the put or the removal that meets them", () =>
  inFolder(async (folder) => {
    const path = await filled(folder);
    const spoil = async (store: RecordStore) => {
      const pages = await pagesOf(path, "search_%");
      const db = await openDatabase(path);
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      db.close();
      // What is read before is in the cache of the connection.
      expect(await store.observations({ limit: count })).toHaveLength(count);
      writeZeros(path, pages);
    };
    for (const meet of [
      (store: RecordStore) => store.search({ text: "heron" }),
      (store: RecordStore) =>
        store.put({ key: "more", records: { turns: [sampleTurn({ promptNumber: 7 })] } }),
      async (store: RecordStore) =>
        expect(await store.delete({ ids: ["o3"] })).toEqual({ deleted: ["o3"] }),
    ]) {
      const store = await openRecords(path, () => noon);
      await spoil(store);
      await meet(store);
      expect(await store.search({ text: "heron", limit: 200 })).toHaveLength(200);
      expect((await store.stats({})).index).toMatchObject({ isWhole: true, madeAnewAt: noon });
      store.close();
    }
    const db = await openDatabase(path);
    expect(db.prepare("SELECT count(*) AS n FROM observations").get()).toEqual({ n: count - 1 });
    expect(db.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    db.close();
  }));

test.each<[string, least: number, (path: string) => void | Promise<void>]>([
  // The turn is as large as the records' last page, and each observation has its own part of it.
  ["half its length", 1, (path) => truncateSync(path, readFileSync(path).length / 2)],
  ["its first page", 0, (path) => truncateSync(path, 4_096)],
  [
    "another header",
    count,
    (path) => writeFileSync(path, Buffer.from("no database"), { flag: "r+" }),
  ],
  [
    "no first page",
    0,
    (path) => writeFileSync(path, Buffer.alloc(4_096, "no database"), { flag: "r+" }),
  ],
  ["no page of records", 0, async (path) => writeZeros(path, await pagesOf(path, "observations"))],
  ["no bytes that make sense", 0, (path) => writeFileSync(path, "garbage ".repeat(9_999))],
])("a file that has %s is set aside, and what can be read of it is there", (_, least, spoil) =>
  inFolder(async (folder) => {
    const path = await filled(folder);
    await spoil(path);
    const before = readFileSync(path);
    const store = await openRecords(path, () => noon);
    const found = await store.observations({ limit: count });
    expect(found.length).toBeGreaterThanOrEqual(least);
    const titles = new Set(Array.from({ length: count }, (_, i) => `Heron number${i}`));
    expect(found.filter(({ title }) => !titles.has(title))).toEqual([]);
    expect((await store.search({ text: "heron", limit: 200 })).length).toBe(
      Math.min(200, found.length),
    );
    // It goes on, and no id is given twice.
    const put = { key: "new", records: { turns: [sampleTurn({ promptNumber: 9 })] } };
    expect((await store.put(put)).turns).toHaveLength(1);
    store.close();
    expect(readFileSync(`${path}.damaged-${noon}`).equals(before)).toBe(true);
    const findings = damageTold(folder);
    expect(findings).toMatchObject([{ file: "memory.db", aside: `${path}.damaged-${noon}` }]);
    expect(findings[0]?.saved?.observations ?? 0).toBe(found.length);
  }),
);

/** What is told of damage, without what it says first: that this takes a while, where it does. */
const damageTold = (folder: string) =>
  readFindings(folder).filter((one) => one.aside !== undefined);

/** Asks again while what can be read is carried over: an answer waits for less than half a second. */
async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;)
    try {
      return await ask();
    } catch (error) {
      if ((error as { code?: string }).code !== "storage_recovering") throw error;
      await Bun.sleep(5);
    }
}

test("records of which pages go while the file is open are set aside by whoever meets it", () =>
  inFolder(async (folder) => {
    const path = await filled(folder);
    const pages = await pagesOf(path, "observations");
    const store = await openRecords(path, () => noon);
    writeZeros(path, pages.slice(pages.length / 2));
    // What somebody else wrote makes the connection forget the pages that it holds.
    const other = await openDatabase(path);
    other.exec("DELETE FROM puts");
    other.close();
    const found = await patiently(() => store.observations({ limit: count }));
    expect(found.length).toBeGreaterThan(count / 3);
    expect(found.length).toBeLessThan(count);
    expect((await store.observations({ limit: count })).length).toBe(found.length);
    expect((await store.turns({})).length).toBe(1);
    store.close();
    expect(damageTold(folder)[0]?.lost?.pages).toBeGreaterThan(0);
  }));

test("records whose session's row is lost are told as of that session", () =>
  inFolder(async (folder) => {
    const path = await filled(folder);
    const before = await openRecords(path);
    const [session] = await before.sessions({});
    before.close();
    for (const lost of [["sessions"], ["sessions", "projects"]])
      for (const name of lost) writeZeros(path, await pagesOf(path, name));
    const store = await openRecords(path, () => noon);
    expect(await store.sessions({})).toMatchObject([
      { id: session?.id, client: session?.client, project: { id: session?.project.id } },
    ]);
    const ofFile = await store.observations({ session: session?.id ?? "", limit: count });
    expect(ofFile).toHaveLength(count);
    store.close();
    const db = await openDatabase(path);
    expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    expect(db.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    db.close();
  }));

test("look-ups by file and concept are made again", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const before = await openRecords(path);
    const observation = sampleObservation({ filesRead: ["src/a.ts"], concepts: ["heron"] });
    const turn = sampleTurn({ files: [{ path: "src/b.ts", changed: true }] });
    await before.put({ key: "one", records: { observations: [observation], turns: [turn] } });
    const asked = [{ file: "src/a.ts" }, { concept: "heron" }];
    const answers = await Promise.all(asked.map((query) => before.observations(query)));
    const turns = await before.turns({ file: "src/b.ts" });
    before.close();
    writeFileSync(path, Buffer.from("no database"), { flag: "r+" });
    const store = await openRecords(path, () => noon);
    expect(await Promise.all(asked.map((query) => store.observations(query)))).toEqual(answers);
    expect(await store.turns({ file: "src/b.ts" })).toEqual(turns);
    expect([answers[0]?.length, turns.length]).toEqual([1, 1]);
    store.close();
  }));

test("who asks while a damaged file is read is told so, and how far it is, before it is done", () =>
  inFolder(async (folder) => {
    const path = await filled(folder);
    const file = createRecordsFile(path, () => noon, undefined);
    await file.get(60_000);
    file.replace(new Error("a page makes no sense"));
    await expect(file.get(0)).rejects.toMatchObject({
      code: "storage_recovering",
      message: expect.stringMatching(/memory\.db was damaged.* \d+ rows so far\.$/),
    });
    const { db } = await file.get(60_000);
    expect(db.prepare("SELECT count(*) AS n FROM observations").get()).toEqual({ n: count });
    file.close();
  }));

test.each([["empty"], ["gone"]])(
  "a file that is %s and held records is damage, not a beginning",
  (state) =>
    inFolder(async (folder) => {
      const path = await filled(folder);
      const spoil = () => (state === "gone" ? rmSync(path) : truncateSync(path, 0));
      spoil();
      const store = await openRecords(path, () => noon);
      expect(await store.search({ text: "heron" })).toEqual([]);
      expect((await store.stats({})).index).toEqual({ isWhole: true, indexed: 0, records: 0 });
      store.close();
      expect(readFindings(folder)).toMatchObject([
        {
          file: "memory.db",
          what: `was ${state}; when it was last counted it held 602 records`,
          saved: {},
        },
      ]);
      // What is lost is lost: it is said once, and what is stored from now on counts.
      spoil();
      (await openRecords(path, () => noon)).close();
      expect(readFindings(folder)).toHaveLength(1);
    }),
);

test("what a damaged file lost comes from the newest backup, unless something was forgotten since", () =>
  inFolder(async (folder) => {
    const path = await filled(folder);
    const paths = memoirPaths(folder);
    await makeBackup(paths, { reason: "manual", now: () => noon });
    const spoil = async () => writeZeros(path, await pagesOf(path, "observations"));
    await spoil();
    const store = await openRecords(path, () => noon + 1_000);
    expect(await store.observations({ limit: count })).toHaveLength(count);
    expect((await store.search({ text: "number7", limit: 1 }))[0]?.title).toBe("Heron number7");
    expect(damageTold(folder)[0]?.from?.[0]).toStartWith(`${count} rows from the backup 2026`);
    await store.delete({ ids: ["o8"] });
    store.close();
    await spoil();
    const again = await openRecords(path, () => noon + 2_000);
    expect(await again.observations({ limit: count })).toEqual([]);
    again.close();
    expect(damageTold(folder)[1]?.from?.[0]).toContain("left alone");
  }));

test("of a backup whose bytes changed nothing is taken: the one before it gives what was lost", () =>
  inFolder(async (folder) => {
    const path = await filled(folder);
    const paths = memoirPaths(folder);
    await makeBackup(paths, { reason: "manual", now: () => noon });
    const newer = await makeBackup(paths, { reason: "manual", now: () => noon + 60_000 });
    const copy = join(newer.folder, "memory.db");
    writeZeros(copy, await pagesOf(copy, "sessions"));
    writeZeros(path, await pagesOf(path, "observations"));
    const store = await openRecords(path, () => noon + 120_000);
    expect(await store.observations({ limit: count })).toHaveLength(count);
    store.close();
    expect(damageTold(folder)[0]?.from?.[0]).toContain("from the backup 20261102T120000Z-manual");
  }));

test("an empty file that never held anything is a new database", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    writeFileSync(path, "");
    const store = await openRecords(path, () => noon);
    expect(await store.observations({})).toEqual([]);
    store.close();
    expect(readFindings(folder)).toEqual([]);
  }));

test("a row of which a part does not parse costs that part, is named once, and stays as it is", () =>
  inFolder(async (folder) => {
    const path = await filled(folder);
    const db = await openDatabase(path);
    db.exec("PRAGMA ignore_check_constraints = ON");
    db.exec("UPDATE observations SET facts = '[\"cut' WHERE id = 7; UPDATE turns SET pieces = '{'");
    db.close();
    for (let time = 0; time < 2; time++) {
      const store = await openRecords(path, () => noon);
      const found = await store.observations({ limit: count });
      expect(found).toHaveLength(count);
      expect(found.find(({ id }) => id === "o7")).toMatchObject({
        title: "Heron number6",
        facts: [],
      });
      expect((await store.turns({})).map(({ pieces }) => pieces)).toEqual([[]]);
      expect((await store.search({ text: "number8", limit: 1 }))[0]?.title).toBe("Heron number8");
      store.close();
    }
    const findings = readFindings(folder).map(({ what }) => what);
    expect(findings.map((what) => /: (\w+ \(\w+\));/.exec(what)?.[1]).sort()).toEqual([
      "o7 (facts)",
      "t1 (pieces)",
    ]);
    const after = await openDatabase(path);
    expect(after.prepare("SELECT facts FROM observations WHERE id = 7").get()).toEqual({
      facts: '["cut',
    });
    after.close();
  }));
