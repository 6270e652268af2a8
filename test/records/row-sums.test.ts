// Checksums of records: a memory from before there were any gets them, and every way to write a record keeps them right.
import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { changedRows } from "../../src/home/database/intact.ts";
import { type Database, openDatabase } from "../../src/host/sqlite.ts";
import { migrations } from "../../src/records/migrations.ts";
import { openRecords } from "../../src/records/record-store.ts";
import { type AnyRecord, changesOf } from "../../src/sdk/identity.ts";
import { inFolder } from "../support/in-folder.ts";
import {
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../support/sample-records.ts";

const tables = "sessions prompts observations session_summaries memory turns projects marks";
const records = (text: string) => ({
  sessions: [sampleSession({ title: text })],
  prompts: [samplePrompt({ text })],
  observations: [sampleObservation({ title: text, narrative: text })],
  summaries: [sampleSummary({ learned: text })],
  memory: [sampleMemory({ content: text })],
  turns: [sampleTurn({ pieces: [{ kind: "prompt", text }] })],
});
const without = (db: Database) =>
  tables.split(" ").filter((table) => db.prepare(`SELECT 1 FROM ${table} WHERE sum IS NULL`).get());

async function look<Value>(path: string, see: (db: Database) => Value): Promise<Value> {
  const db = await openDatabase(path, { readonly: true });
  try {
    return see(db);
  } finally {
    db.close();
  }
}

test("whatever writes a record leaves it with a checksum that fits", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const store = await openRecords(path, () => 1);
    await store.put({ key: "a", records: records("The wombat sleeps") });
    await store.put({ key: "b", records: records("The wombat sleeps, and wakes") });
    await store.put({ key: "c", records: records("The wombat sleeps") });
    const imported = records("The wombat snores").turns.map((record) => ({ kind: "turn", record }));
    await store.apply({ unnumbered: imported.flatMap((one) => changesOf(one as AnyRecord)) });
    await store.amend({ id: "o1", set: { title: "Wombats sleep" }, pinned: true });
    await store.amend({ id: "m1", hidden: true });
    await store.delete({ ids: ["o2"] });
    await store.put({ key: "e", records: {} });
    expect(await look(path, without)).toEqual([]);
    expect(await look(path, changedRows)).toEqual([]);
    store.close();
  }));

test("a memory of the schema before gets checksums in the background, and its records are the same", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const old = await openDatabase(path);
    old.exec("PRAGMA auto_vacuum = INCREMENTAL");
    for (const sql of migrations.slice(0, 8)) old.exec(String(sql));
    old.exec(`PRAGMA user_version = 8; PRAGMA application_id = ${0x6d656d6f}`);
    old.exec(`INSERT INTO projects (id, name) VALUES ('p', 'p');
      INSERT INTO sessions (id, client, client_session_id, project, root, status, started_at, last_active_at)
        VALUES (1, 'claude-code', 's', 'p', '/p', 'ended', 1, 1);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 350)
        INSERT INTO prompts (session_id, project, prompt_number, user_prompt, created_at) SELECT 1, 'p', i, 'ask ' || i, i FROM n`);
    old.close();
    const store = await openRecords(path, () => 1);
    while ((await look(path, without)).length > 0) await Bun.sleep(20);
    expect(await look(path, changedRows)).toEqual([]);
    expect(await store.prompts({ limit: 1, order: "oldest" })).toMatchObject([{ text: "ask 1" }]);
    store.close();
  }));

test("who reads a changed row while another has it corrected gets it as it was", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const store = await openRecords(path, () => 1);
    await store.put({ key: "a", records: records("The wombat sleeps") });
    store.close();
    const bytes = Buffer.from(await readFile(path));
    for (let at = bytes.indexOf("The wombat"); at >= 0; at = bytes.indexOf("The wombat", at + 1))
      bytes[at + 4] = (bytes[at + 4] ?? 0) ^ 1;
    await writeFile(path, bytes);
    const again = await openRecords(path, () => 1);
    const read = await Promise.all([again.memory({}), again.memory({}), again.memory({})]);
    expect(read.map(([item]) => item?.content)).toEqual(Array(3).fill("The wombat sleeps"));
    again.close();
  }));
