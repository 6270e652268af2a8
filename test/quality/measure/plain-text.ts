// Plain full text beside the search: FTS5 as it comes, the words of a question joined by OR, over turns and over the transcripts.
import { readFile } from "node:fs/promises";
import { type Database, openDatabase } from "../../../src/host/sqlite.ts";
import { transcriptsBySession } from "../recordings.ts";
import type { Memory } from "./memory.ts";
import type { Answerer } from "./questions.ts";
import { textOf } from "./text.ts";

/** Two who answer. */
export interface PlainText {
  /** A row for each turn, as it is kept. */
  turns: Answerer;
  /** A row for each line of a transcript; it knows no turns. */
  transcripts: Answerer;
  close(): void;
}

type PlainRow = { session: string; promptNumber: number };

const most = 500;

/** Reads the turns of a memory, and the recorded sessions where they lie. */
export async function openPlainText(memory: Memory): Promise<PlainText> {
  const db = await openDatabase(":memory:");
  const add = (table: string) => {
    db.exec(
      `CREATE VIRTUAL TABLE ${table} USING fts5 (session UNINDEXED, number UNINDEXED, text, tokenize = 'porter unicode61')`,
    );
    return db.prepare(`INSERT INTO ${table} VALUES (?, ?, ?)`);
  };
  const turn = add("turns");
  for (const { kind, session, promptNumber, text } of await memory.everything())
    if (kind === "turns") turn.run([session, promptNumber, text]);
  const line = add("lines");
  for (const [session, path] of await transcriptsBySession())
    for (const text of await linesOf(path)) line.run([session, 0, text]);
  return {
    turns: answerer(db, "turns"),
    transcripts: answerer(db, "lines"),
    close: () => db.close(),
  };
}

function answerer(db: Database, table: string): Answerer {
  const find = db.prepare<PlainRow>(
    `SELECT session, CAST(number AS INTEGER) AS promptNumber FROM ${table} WHERE ${table} MATCH ?
     ORDER BY bm25(${table}) LIMIT ${most}`,
  );
  return async (texts) => {
    const words = texts.join(" ").match(/[\p{L}\p{N}]+/gu) ?? [];
    return find.all([words.map((word) => `"${word}"`).join(" OR ")]);
  };
}

/** What each line says; one that is cut off says nothing. */
async function linesOf(path: string): Promise<string[]> {
  return (await readFile(path, "utf8")).split("\n").flatMap((line) => {
    try {
      const entry = JSON.parse(line) as { message?: unknown };
      return textOf(entry.message ?? entry);
    } catch {
      return [];
    }
  });
}
