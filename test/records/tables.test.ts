import { expect, test } from "bun:test";
import { join } from "node:path";
import { putter } from "../../src/records/put.ts";
import { openRecordIndex } from "../../src/records/search-index.ts";
import { inFolder } from "../support/in-folder.ts";
import { openStorage } from "../support/open-storage.ts";
import {
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../support/sample-records.ts";

/** Every table that holds what belongs to a session. */
const tables =
  "sessions prompts observations observation_files observation_concepts observation_facts session_summaries summary_files turns turn_files turn_pieces search_tail search_terms".split(
    " ",
  );

test("deleting a session takes all that belongs to it, also out of the index", () =>
  inFolder(async (folder) => {
    const db = await openStorage(join(folder, "memory.db"));
    const index = openRecordIndex(db);
    const put = putter(db, index, () => 1);
    const records = {
      sessions: [sampleSession({ title: "Session" })],
      prompts: [samplePrompt()],
      observations: [
        sampleObservation({ facts: ["A fact."], concepts: ["testing"], filesRead: ["a.ts"] }),
      ],
      summaries: [sampleSummary({ filesEdited: ["a.ts"] })],
      turns: [sampleTurn({ files: [{ path: "a.ts", changed: true }] })],
    };
    put({ key: "a", records });
    const counts = () =>
      tables.map((table) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
    expect(counts()).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 0]);
    put({ key: "b", records });
    expect(counts()).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 0]);
    index.ask((current) => current.pack(3));
    db.exec("DELETE FROM sessions");
    expect(index.ask((current) => current.search({ texts: ["session fact"] }).hits)).toEqual([]);
    expect(counts()).toEqual(tables.map(() => 0));
    expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    db.close();
  }));
