// What was sent and what was decided, on disk: a server that is started again repeats every decision to the byte.
import {
  type Database,
  type DatabaseForm,
  openOrBeginAnew,
  writeAnew,
} from "../../src/records/index.ts";
import type { PluginContext } from "../../src/sdk/index.ts";
import type { Edit, Injection } from "./messages.ts";

type Log = PluginContext["log"];

/** A message that went out, and when it was last the end of what was known. */
export interface Sent {
  at: number;
  model: string;
}

/** Everything that one request adds; written in one step, before the request goes out. */
export interface Entry {
  session: string;
  model: string;
  /** Epoch ms. */
  at: number;
  /** Its messages that were never sent before. */
  fresh: readonly string[];
  /** Of its last message. */
  last: string;
  edits: readonly Edit[];
  injection: Injection | undefined;
}

/** What was forgotten. */
interface Gone {
  ids: readonly string[];
  sessions?: readonly string[];
  toolUses?: readonly string[];
}

const keepMs = 30 * 24 * 60 * 60_000;
/** Answers that are kept in memory. */
const mostLooked = 50_000;

/** With `IF NOT EXISTS`: the first files had no version. */
const tables = `
CREATE TABLE IF NOT EXISTS sent (
  session TEXT NOT NULL, hash TEXT NOT NULL, agent TEXT NOT NULL, position INTEGER NOT NULL,
  model TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (session, hash)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS edits (
  tool_use TEXT NOT NULL, part TEXT NOT NULL, session TEXT NOT NULL, hash TEXT NOT NULL,
  instead TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (tool_use, part)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS injections (
  session TEXT NOT NULL, hash TEXT NOT NULL, place TEXT NOT NULL, json TEXT NOT NULL,
  observations TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (session, hash)
) WITHOUT ROWID;
`;

/** Older books also counted; Endless Mode's own books do that. */
const counted = ["batches", "turns", "prefixes", "refusals"]
  .map((table) => `DROP TABLE IF EXISTS ${table};`)
  .join("\n");

const form: DatabaseForm = {
  name: "The gateway's book",
  migrations: [tables, () => {}, () => {}, counted],
  busyTimeoutMs: 500,
};

interface EditRow {
  hash: string;
  instead: string;
}
type InjectionRow = Omit<Injection, "observations"> & { observations: string };

/**
 * Opens the book; one that is damaged is put aside, and costs what its sessions have in the cache. Rejects when the file
 * cannot be used; a request then goes on as it came.
 */
export async function openBook(path: string, now: number, log?: Log): Promise<Book> {
  const db = await openOrBeginAnew(path, form, {
    now: () => now,
    replaced: (file, _, error) =>
      log?.error("What the gateway decided was damaged: it was put aside.", { file, error }),
  });
  prune(db, now - keepMs);
  return bookIn(db);
}

function prune(db: Database, before: number): void {
  // Whole sessions only: one that goes on for long needs its first decisions as much as its last.
  const silent = "SELECT session FROM sent GROUP BY session HAVING max(at) < ?";
  for (const table of ["edits", "injections", "sent"])
    db.prepare(`DELETE FROM ${table} WHERE session IN (${silent})`).run([before]);
}

function forgetRows(db: Database, { ids, sessions = [], toolUses = [] }: Gone): void {
  const listed = "(SELECT value FROM json_each(?))";
  db.transaction(() => {
    db.prepare(`DELETE FROM edits WHERE tool_use IN ${listed}`).run([JSON.stringify(toolUses)]);
    db.prepare(`DELETE FROM injections WHERE session IN ${listed}`).run([JSON.stringify(sessions)]);
    db.prepare(
      `DELETE FROM injections WHERE EXISTS
       (SELECT 1 FROM json_each(observations) named WHERE named.value IN ${listed})`,
    ).run([JSON.stringify(ids)]);
  });
  writeAnew(db);
}

function withdrawRows(db: Database, session: string): void {
  for (const table of ["edits", "injections"])
    db.prepare(`DELETE FROM ${table} WHERE session = ?`).run([session]);
}

function injectionOf({ observations, ...row }: InjectionRow): Injection {
  return { ...row, observations: JSON.parse(observations) as string[] };
}

export type Book = ReturnType<typeof bookIn>;

function bookIn(db: Database) {
  const sent = db.prepare<Sent>("SELECT at, model FROM sent WHERE session = ? AND hash = ?");
  const addSent = db.prepare(
    "INSERT INTO sent VALUES ($session, $hash, '', 0, $model, $at) ON CONFLICT DO NOTHING",
  );
  const touch = db.prepare(
    "UPDATE sent SET at = $at, model = $model WHERE session = $session AND hash = $hash",
  );
  const edit = db.prepare<EditRow>(
    "SELECT hash, instead FROM edits WHERE tool_use = ? AND part = ?",
  );
  const addEdit = db.prepare(
    "INSERT INTO edits VALUES ($toolUseId, $part, $session, $hash, $instead, $at) ON CONFLICT DO NOTHING",
  );
  const injections = db.prepare<InjectionRow>(
    "SELECT hash, place, json, observations FROM injections WHERE session = ?",
  );
  const addInjection = db.prepare(
    "INSERT INTO injections VALUES ($session, $hash, $place, $json, $observations, $at) ON CONFLICT DO NOTHING",
  );
  const anyOf = db.prepare("SELECT 1 FROM sent WHERE session = ? LIMIT 1");
  // A request asks for every tool use of a long conversation, and nobody else writes here.
  const looked = new Map<string, Edit | false>();
  return {
    /** Whether any request of the session went out. */
    knows: (session: string): boolean => anyOf.get([session]) !== undefined,
    /** Undefined for a message that never went out. */
    sent: (session: string, hash: string): Sent | undefined => sent.get([session, hash]),
    edit(toolUseId: string, part: Edit["part"]): Edit | undefined {
      const place = `${part} ${toolUseId}`;
      const known = looked.get(place);
      if (known !== undefined) return known || undefined;
      const row = edit.get([toolUseId, part]);
      const found = row && { toolUseId, part, ...row };
      if (looked.size >= mostLooked) looked.clear();
      looked.set(place, found ?? false);
      return found;
    },
    /** Of a whole session, by the hash of their place. */
    injections: (session: string): Map<string, Injection> =>
      new Map(injections.all([session]).map((row) => [row.hash, injectionOf(row)])),
    write(entry: Entry): void {
      const { session, model, at, fresh, last, edits, injection: put } = entry;
      db.transaction(() => {
        for (const hash of fresh) addSent.run({ hash, session, model, at });
        touch.run({ at, model, session, hash: last });
        for (const one of edits) {
          addEdit.run({ ...one, session, at });
          looked.delete(`${one.part} ${one.toolUseId}`);
        }
        if (put)
          addInjection.run({
            ...put,
            session,
            at,
            observations: JSON.stringify(put.observations),
          });
      });
    },
    /** The session goes out whole from now on, and so do those that are forked from it. */
    withdraw(session: string): void {
      withdrawRows(db, session);
      looked.clear();
    },
    /**
     * Lets go of what stands in the place of these tool uses, and of what was put into these sessions or names these records. They
     * lose what they have in the cache.
     */
    forget(gone: Gone): void {
      forgetRows(db, gone);
      looked.clear();
    },
    close: (): void => db.close(),
  };
}
