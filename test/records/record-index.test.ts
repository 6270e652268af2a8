// The index beside the records: whatever became of it, opening makes it whole again, and the records stay as they are.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/host/sqlite.ts";
import { openRecords } from "../../src/records/record-store.ts";
import { inFolder } from "../support/in-folder.ts";
import {
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../support/sample-records.ts";

const records = {
  sessions: [sampleSession({ title: "Wombat session" })],
  prompts: [samplePrompt({ text: "Where is the wombat?", promptNumber: 2 })],
  observations: [sampleObservation({ title: "Wombat found", filesRead: ["src/wombat.ts"] })],
  summaries: [sampleSummary({ request: "Find the wombat" })],
  memory: [sampleMemory({ content: "Likes wombats" })],
  turns: [sampleTurn({ pieces: [{ kind: "said", text: "The wombat sleeps." }] })],
};

/** Every table of records, as text. */
function recordsOf(db: Database): string {
  const tables = "sessions prompts observations session_summaries memory turns puts".split(" ");
  return tables.map((table) => JSON.stringify(db.prepare(`SELECT * FROM ${table}`).all())).join();
}

test.each<[string, string]>([
  ["is missing", "DROP TABLE search_postings; DROP TABLE search_state"],
  ["is of an older version", "UPDATE search_state SET version = 0"],
  ["was cut off in its making", "UPDATE search_state SET complete = 0; DELETE FROM search_tail"],
  ["lacks documents", "DELETE FROM search_tail WHERE id LIKE 'o%'"],
  ["lacks the index over spellings", "DROP INDEX search_terms_by_spelling"],
  [
    "is of a newer version, which somebody went back from",
    "UPDATE search_state SET version = 99; ALTER TABLE search_terms ADD COLUMN more",
  ],
  [
    "has a torn document that waits",
    "UPDATE search_tail SET analysed = '{torn' WHERE id LIKE 'o%'",
  ],
  [
    "holds what there is no record of",
    `INSERT INTO search_tail (stamp, id, kind, session, project, time, position, analysed)
     VALUES (5, 'o99', 'observation', 's', 'p', 1, 0, '{"p":[[0,0,0,6,"wombat",""]],"l":[],"w":[]}')`,
  ],
  [
    "has not heard of what was deleted",
    "INSERT INTO prompts (session_id, project, prompt_number, user_prompt, created_at) VALUES (1, 'p', 9, 'wombat', 1); DELETE FROM prompts WHERE prompt_number = 9",
  ],
])("an index that %s", (_, spoil) =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const first = await openRecords(path);
    await first.put({ key: "all", records });
    const ids = async (store: typeof first) =>
      (await store.search({ text: "wombats" })).map(({ kind, id }) => `${kind} ${id}`).sort();
    const wanted = await ids(first);
    expect(wanted).toHaveLength(6);
    first.close();

    const db = await openDatabase(path);
    db.exec(spoil);
    const before = recordsOf(db);
    const second = await openRecords(path);
    expect(await ids(second)).toEqual(wanted);
    expect(
      (await second.search({ text: "wombat", file: "src/wombat.ts" })).map(({ kind }) => kind),
    ).toEqual(["observation"]);
    expect(recordsOf(db)).toBe(before);
    second.close();
    db.close();
  }),
);

/** Spoils a packed index of so many records, and gives what is found before and after it is opened again. */
async function spoilt(folder: string, spoil: string, count: number) {
  const path = join(folder, "memory.db");
  const first = await openRecords(path);
  const herons = Array.from({ length: count }, (_, i) =>
    sampleObservation({ title: `Heron number${i}`, promptNumber: i + 10 }),
  );
  await first.put({ key: "all", records });
  await first.put({ key: "herons", records: { observations: herons } });
  const ask = async (store: typeof first) =>
    (await store.search({ text: "herons wombats", limit: 200 })).map(({ id }) => id).sort();
  first.close();
  const db = await openDatabase(path);
  db.exec("UPDATE search_state SET complete = 0");
  const packed = await openRecords(path);
  const wanted = await ask(packed);
  expect(wanted.length).toBeGreaterThan(20);
  packed.close();
  const before = recordsOf(db);
  db.exec(spoil);
  const again = await openRecords(path);
  // Before anybody asks, who might find out by that.
  const isMadeAnew = (await again.stats({})).index?.madeAnewAt !== undefined;
  const found = await ask(again);
  expect(recordsOf(db)).toBe(before);
  const state = (await again.stats({})).index;
  again.close();
  db.close();
  return { wanted, found, state, isMadeAnew };
}

test.each<[string, string]>([
  ["whose documents are gone", "DELETE FROM search_documents WHERE number % 2 = 0"],
  ["whose documents are cut", "UPDATE search_documents SET forward = substr(forward, 1, 5)"],
  ["whose postings are gone", "DELETE FROM search_postings WHERE term % 2 = 0"],
  ["whose postings are cut", "UPDATE search_postings SET postings = substr(postings, 1, 1)"],
  ["whose terms are gone", "DELETE FROM search_terms WHERE number % 2 = 0"],
  ["whose blocks are gone", "DELETE FROM search_blocks"],
  ["whose names are gone", "DELETE FROM search_names WHERE what = 'session'"],
  ["whose columns are others", "ALTER TABLE search_documents RENAME COLUMN forward TO other"],
])("a packed index %s is made anew on opening", (_, spoil) =>
  inFolder(async (folder) => {
    const { wanted, found, state, isMadeAnew } = await spoilt(folder, spoil, 60);
    expect(found).toEqual(wanted);
    expect(isMadeAnew).toBe(true);
    expect(state).toMatchObject({ isWhole: true });
  }),
);

test("an index that is torn while it is open is made anew by who finds out, and records are stored all the same", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const store = await openRecords(path);
    await store.put({ key: "all", records });
    await store.reindex({});
    while ((await store.stats({})).index?.isWhole === false) await Bun.sleep(1);
    const db = await openDatabase(path);
    db.exec("UPDATE search_documents SET forward = x'09'");
    expect(await store.search({ text: "wombats" })).toHaveLength(6);

    db.exec("UPDATE search_documents SET forward = x'09'");
    const turns = [sampleTurn({ pieces: [{ kind: "said", text: "The heron sleeps." }] })];
    expect(await store.put({ key: "again", records: { turns } })).toMatchObject({ written: true });
    const found = async () => (await store.search({ text: "heron" })).map(({ kind }) => kind);
    while ((await found()).length === 0) await Bun.sleep(1);
    expect(await found()).toEqual(["turn"]);
    store.close();
    db.close();
  }));

test("what is deleted by any hand is not found any more", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const store = await openRecords(path);
    await store.put({ key: "all", records });
    const db = await openDatabase(path);
    db.exec("DELETE FROM observations; DELETE FROM memory");
    const kinds = (await store.search({ text: "wombat" })).map(({ kind }) => kind).sort();
    expect(kinds).toEqual(["prompt", "session", "summary", "turn"]);
    db.exec("DELETE FROM sessions");
    expect(await store.search({ text: "wombat" })).toEqual([]);
    expect(await store.search({ text: "" })).toEqual([]);
    store.close();
    db.close();
  }));

/** Rows of the index that hold a word, wherever it could stand. */
function traces(db: Database, word: string): unknown[] {
  return [
    ...db
      .prepare("SELECT * FROM search_terms WHERE term LIKE ? OR word LIKE ?")
      .all([`%${word}%`, `%${word}%`]),
    ...db.prepare("SELECT id FROM search_tail WHERE analysed LIKE ?").all([`%${word}%`]),
  ];
}

test.each([
  ["that waits to be packed", 0],
  ["that is packed", 400],
])("what is deleted leaves no word, neither in the index %s nor in the file", (_, more) =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const store = await openRecords(path);
    await store.put({ key: "all", records: { ...records, sessions: [sampleSession()] } });
    const others = Array.from({ length: more }, (_, i) =>
      sampleObservation({ title: `Heron ${i}`, promptNumber: 100 + i }),
    );
    await store.put({ key: "more", records: { observations: others } });
    if (more > 0) {
      store.close();
      const db = await openDatabase(path);
      db.exec("UPDATE search_state SET complete = 0");
      db.close();
    }
    const again = more > 0 ? await openRecords(path) : store;
    const db = await openDatabase(path);
    expect(traces(db, "wombat")).not.toEqual([]);
    const found = await again.search({
      text: "wombat",
      kinds: ["memory", "turn", "observation", "summary"],
    });
    const { deleted } = await again.delete({ ids: [...found.map(({ id }) => id), "p1"] });
    expect(deleted).toHaveLength(5);
    expect(traces(db, "wombat")).toEqual([]);
    db.close();
    again.close();
    const left = readFileSync(path).toString("latin1").toLowerCase();
    expect(left.match(/.{0,20}wombat.{0,20}/g) ?? []).toEqual([]);
  }),
);

test("of a long turn that was put several times no version stays in the file", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const store = await openRecords(path);
    for (const more of [200, 400, 800])
      await store.put({
        key: `turn ${more}`,
        records: {
          turns: [
            sampleTurn({ pieces: [{ kind: "closing", text: "The wombat ate. ".repeat(more) }] }),
          ],
          observations: [sampleObservation({ title: "A heron" })],
        },
      });
    await store.delete({ ids: ["t1"] });
    const files = () =>
      readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
    expect(files().some((text) => text.includes("wombat ate"))).toBe(false);
    expect(await store.search({ text: "heron" })).not.toEqual([]);
    store.close();
    expect(files().some((text) => text.includes("wombat ate"))).toBe(false);
  }));

test("an index that is made anew while records come and go has all of them in the end", () =>
  inFolder(async (folder) => {
    const store = await openRecords(join(folder, "memory.db"));
    const herons = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) =>
        sampleObservation({ title: `Heron number${from + i}`, promptNumber: from + i }),
      );
    await store.put({ key: "first", records: { observations: herons(0, 600) } });
    const begun = await store.reindex({});
    expect(begun).toMatchObject({ isWhole: false, records: 601 });
    expect(begun.indexed).toBeGreaterThan(0);
    await store.put({ key: "more", records: { observations: herons(600, 5) } });
    const { deleted } = await store.delete({ ids: ["o1", "o600"] });
    expect(deleted).toEqual(["o1", "o600"]);
    for (let i = 0; (await store.stats({})).index?.isWhole === false; i++) {
      expect(i).toBeLessThan(10_000);
      await Bun.sleep(1);
    }
    expect((await store.stats({})).index).toEqual({ isWhole: true, indexed: 604, records: 604 });
    const of = async (number: number) =>
      (await store.search({ text: `number${number}`, limit: 1 })).map(({ title }) => title);
    for (const number of [1, 300, 598, 600, 604])
      expect(await of(number)).toEqual([`Heron number${number}`]);
    for (const number of [0, 599]) expect((await of(number))[0]).not.toBe(`Heron number${number}`);
    store.close();
  }));

test("a session is found by the branch that it is on now", () =>
  inFolder(async (folder) => {
    const store = await openRecords(join(folder, "memory.db"));
    const project = { ...sampleSession().project, branch: "payments" };
    const found = async (text: string) =>
      (await store.search({ text, kinds: ["session"] })).map(({ kind }) => kind);
    await store.put({ key: "one", records: { sessions: [sampleSession({ project })] } });
    expect(await found("payments")).toEqual(["session"]);
    const moved = sampleSession({ project: { ...project, branch: "refunds" } });
    await store.put({ key: "two", records: { sessions: [moved] } });
    expect(await found("refunds")).toEqual(["session"]);
    expect(await found("payments")).toEqual([]);
    store.close();
  }));
