// The index beside the records: whatever became of it, opening makes it whole again, and the records stay as they are.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/host/sqlite.ts";
import { openRecords } from "../../src/records/open.ts";
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
