// Writes the index entry of a record: the slim row that filters use, the prepared text, and the words for corrections.
import type { Database } from "../host/sqlite.ts";
import type { RecordKind } from "../sdk/storage.ts";
import { conceptWord, kindWord, projectKindWord, projectWord, typeWord } from "./search/scope.ts";
import { indexText, type Word, wordsOf } from "./search/words.ts";

/** Texts by weight: a word in the title counts most, in the narrative least. */
export interface IndexedText {
  title?: string;
  facts?: string;
  subtitle?: string;
  labels?: string;
  narrative?: string;
}

export interface Entry {
  kind: RecordKind;
  /** Row number in the kind's own table. */
  record: number;
  /** `Project.id`. */
  project: string;
  projectNumber: number;
  /** The client's session id. */
  session: string;
  type: string;
  concepts?: readonly string[];
  createdAt: number;
  text: IndexedText;
}

const wordsSeen = 50_000;

export interface EntryWriter {
  /** Makes or replaces a record's entry; call it inside the transaction that writes the record. */
  write(entry: Entry): void;
  /** To be called when that transaction was rolled back. */
  rolledBack(): void;
}

/** The writer for one open database. */
export function entryWriter(db: Database): EntryWriter {
  const remove = db.prepare("DELETE FROM entries WHERE kind = ? AND record = ?");
  const insert = db.prepare(
    "INSERT INTO entries (kind, record, project, client_session_id, type, created_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const insertText = db.prepare(
    "INSERT INTO search (rowid, scope, title, facts, subtitle, labels, narrative) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const insertWord = db.prepare("INSERT OR IGNORE INTO words (length, word) VALUES (?, ?)");
  /** Words known to be in the table, so that most need no look-up. */
  const seen = new Set<string>();

  function learn(words: readonly Word[]): void {
    for (const { word } of words) {
      if (seen.has(word) || !isCorrectable(word)) continue;
      if (seen.size >= wordsSeen) seen.clear();
      seen.add(word);
      insertWord.run([word.length, word]);
    }
  }

  function write(entry: Entry): void {
    const { title = "", facts = "", subtitle = "", labels = "", narrative = "" } = entry.text;
    remove.run([entry.kind, entry.record]);
    const { lastInsertRowid } = insert.run([
      entry.kind,
      entry.record,
      entry.project,
      entry.session,
      entry.type,
      entry.createdAt,
    ]);
    const scope = [
      projectWord(entry.projectNumber),
      kindWord(entry.kind),
      projectKindWord(entry.projectNumber, entry.kind),
      typeWord(entry.type),
      ...(entry.concepts ?? []).map(conceptWord),
    ];
    const texts = [title, facts, subtitle, labels, narrative].map(wordsOf);
    insertText.run([lastInsertRowid, scope.join(" "), ...texts.map(indexText)]);
    for (const words of texts) learn(words);
  }

  return { write, rolledBack: () => seen.clear() };
}

/** Words worth suggesting: letters only, neither short nor absurdly long. */
function isCorrectable(word: string): boolean {
  return word.length >= 4 && word.length <= 32 && /^\p{L}+$/u.test(word);
}
