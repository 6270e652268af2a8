// Everywhere a home keeps texts: files line by line, tables row by row, what Endless Mode keeps. One walk over all of it, which can put other texts in their place.
import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { copiedDatabases } from "../home/backups/make-backup.ts";
import { noteFile } from "../home/database/intact.ts";
import type { Paths } from "../home/paths.ts";
import { atomicWrite, readFileText } from "../home/read-file.ts";
import { type Database, openDatabase, type Row, type SqlInput } from "../host/sqlite.ts";
import { writeAnew } from "../host/write-anew.ts";
import { idOf, titleKey } from "../records/fields.ts";
import type { BackupPlaces } from "../runtime/config/backup-places.ts";
import { packContent, unpackContent } from "../runtime/endless/kept-rows.ts";
import { remember } from "../runtime/journal/seen-before.ts";
import type { ClientEvent } from "../sdk/events.ts";
import type { RecordKind } from "../sdk/storage.ts";
import { tableNames } from "../search/index/schema.ts";

/** The home that is gone over. */
export interface Home {
  paths: Paths;
  places: BackupPlaces;
  now: number;
}

/** One text where it is kept. */
export interface Stored {
  /** `memory.db`, or a file's path below the home. */
  place: string;
  /** What is being read, for a person who waits. */
  about: string;
  /** A record's id, an event's number, a tool use; empty in a file. */
  id(): string;
  /** Epoch ms: when it was written. */
  time: number;
  value: unknown;
  /** `text`: a text, or JSON whose fields may name things; `event`: an event's JSON; `value`: nothing but contents. */
  kind: "text" | "event" | "value";
  /** What `write` is to put there. */
  put(left: unknown): void;
}

/** A file or a database. */
interface Store {
  texts(): Iterable<Stored>;
  /** Writes what was put, in one step. */
  write(): Promise<void>;
  close?(): void;
}

interface Openable {
  place: string;
  /** Rejects where it cannot be read. */
  open(writes: boolean): Promise<Store>;
}

/** Shorter texts hold no secret. */
const shortest = 6;

/** Columns and fields that name things and hold nobody's words. */
const names = new Set(
  "activity_key agent agentId agent_id agent_type branch client client_session_id content_hash cwd date document ended event evidence hash id key kind left_out merged mode model name open_prompt_id outcome part place plugin project project_id prompt_id provider purpose reader records requestId root salt scope session state status storage strategies strategy title_key tool toolUseId tool_use tool_use_ids transcript_path type usage uuid".split(
    " ",
  ),
);
export const isName = (field: string): boolean => names.has(field);

/** The object that a text is the JSON of. */
export function parsed(text: string): object | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Where memoir writes words of others, besides the databases; nothing else of the home is touched. */
const textFiles = ["findings.jsonl", "rebuild.jsonl", "paused.json", "moments.json"];
/** Databases of plugins of memoir's own. */
const pluginDatabases = ["endless-gateway.db", "semantic-search.db"];
/** Larger than any text that memoir writes. */
const mostBytes = 256 * 1024 * 1024;

/** Files, then databases, the journal last. */
export async function* storesOf(home: Home): AsyncGenerator<Openable> {
  const { paths, places } = home;
  const placeOf = (path: string) =>
    path.startsWith(`${paths.home}/`) ? relative(paths.home, path) : path;
  const folders = [paths.spool, paths.logs, places.memoryFiles];
  const files = textFiles.map((name) => join(paths.home, name));
  for (const folder of folders) files.push(...(await filesBelow(folder)));
  for (const path of files) {
    const place = placeOf(path);
    yield { place, open: () => openFile(path, place, home) };
  }
  const databases = new Set([
    ...pluginDatabases.map((name) => join(paths.home, name)),
    ...Object.values(copiedDatabases(paths, places.memory)),
  ]);
  databases.delete(paths.journal);
  for (const path of [...databases, paths.journal]) {
    if (!(await stat(path).catch(() => undefined))) continue;
    const place = placeOf(path);
    yield { place, open: (writes) => openTables(path, place, home, writes) };
  }
}

export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}

// Files: as a whole, or a text in each line.

async function openFile(path: string, place: string, { paths, places }: Home): Promise<Store> {
  const info = await stat(path).catch(() => undefined);
  const isRead = info?.isFile() && info.size <= mostBytes;
  const before = isRead ? await readFileText(path).catch(() => "") : "";
  const isLines = /\.(?:jsonl|log(?:\.\d+)?)$/.test(path);
  const parts = isLines ? before.split("\n") : [before];
  const kind = path.startsWith(`${paths.spool}/`) && !isLines ? "event" : "text";
  return {
    *texts() {
      for (const [at, value] of parts.entries()) {
        if (value.length < shortest) continue;
        const put = (left: unknown) => {
          parts[at] = String(left);
        };
        yield { place, about: place, id: () => "", time: info?.mtimeMs ?? 0, value, kind, put };
      }
    },
    async write() {
      const after = parts.join("\n");
      if (after === before) return;
      await atomicWrite(path, after, (info?.mode ?? 0o600) & 0o777);
      await renewHashes(join(places.memoryFiles, "written.json"), before, after);
    },
  };
}

/** Has hashes by which a person's change in a file of memory items is known from memoir's own. */
async function renewHashes(file: string, before: string, after: string): Promise<void> {
  const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 32);
  const changed = changedTexts(parsed(before), parsed(after));
  const hashes = new Map(changed.map(([old, left]) => [hashOf(old), hashOf(left)]));
  const noted = hashes.size > 0 ? await readFileText(file).catch(() => "") : "";
  const renewed = noted.replace(/[0-9a-f]{32}/g, (hash) => hashes.get(hash) ?? hash);
  if (renewed !== noted) await atomicWrite(file, renewed);
}

/** Texts at the same place of two values that differ. */
function changedTexts(before: unknown, after: unknown): Array<[string, string]> {
  if (typeof before === "string" && typeof after === "string")
    return before === after ? [] : [[before, after]];
  if (typeof before !== "object" || typeof after !== "object" || !before || !after) return [];
  const others = Object.values(after);
  return Object.values(before).flatMap((one, at) => changedTexts(one, others[at]));
}

// Databases: every column of texts of every table, and what Endless Mode keeps compressed.

const times = ["created_at", "started_at", "time", "kept_at", "edited_at", "at"];
const kindsOfTables: Readonly<Record<string, RecordKind>> = {
  observations: "observation",
  session_summaries: "summary",
  prompts: "prompt",
  memory: "memory",
  turns: "turn",
};

async function openTables(
  path: string,
  place: string,
  home: Home,
  writes: boolean,
): Promise<Store> {
  const db = await openDatabase(path, { readonly: !writes, create: false });
  const changes: Change[] = [];
  const contents: Array<() => void> = [];
  return {
    close: () => db.close(),
    *texts() {
      for (const table of tablesIn(db)) yield* textsOf(db, table, place, changes);
      yield* keptIn(db, place, contents);
    },
    async write() {
      db.exec("PRAGMA secure_delete = ON");
      if (changes.length + contents.length > 0) {
        // First: no backup from before may bring it back.
        await noteForgotten(path, db, home);
        db.transaction(() => {
          for (const change of changes) write(db, change);
          for (const content of contents) content();
          // Its words are in no text any more; the next server makes it anew.
          if (changes.some(({ table }) => kindsOfTables[table] ?? table === "sessions"))
            for (const name of tableNames) db.exec(`DROP TABLE IF EXISTS ${name}`);
        });
        await noteForgotten(path, db, home);
      }
      // Also where nothing changed: an earlier run may have been killed before this.
      writeAnew(db);
    },
  };
}

async function noteForgotten(
  path: string,
  db: Database,
  { paths, places, now }: Home,
): Promise<void> {
  const counted = {
    [places.memory]: [...Object.keys(kindsOfTables), "sessions"],
    [paths.journal]: ["sessions"],
    [paths.endless]: ["refs"],
  }[path];
  if (!counted) return;
  const counts = counted.map((table) =>
    Number(db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n),
  );
  const rows = counts.reduce((sum, count) => sum + count, 0);
  await noteFile(paths.home, path, { rows, seenAt: now, forgottenAt: now });
}

interface Table {
  name: string;
  keys: string[];
  texts: string[];
  time: string | undefined;
}

/** Tables with columns of texts, but for those of the search index, which are made of the others. */
function tablesIn(db: Database): Table[] {
  const tables = db.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
         AND name <> 'transcripts' AND name NOT IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(tableNames)],
  );
  const columnsOf = db.prepare<{ name: string; type: string; pk: number }>(
    `SELECT name, type, pk FROM pragma_table_info(?)`,
  );
  return tables
    .map(({ name, sql }) => {
      const columns = columnsOf.all([name]);
      const own = columns.filter(({ pk }) => pk > 0).map((column) => column.name);
      return {
        name,
        keys: /WITHOUT ROWID\s*$/i.test(sql) ? own : ["rowid"],
        texts: columns
          .filter((column) => /TEXT|^$/i.test(column.type) && !isName(column.name))
          .map((column) => column.name),
        time: times.find((time) => columns.some((one) => one.name === time)),
      };
    })
    .filter(({ texts }) => texts.length > 0);
}

/** A row that changes, and how. */
interface Change {
  table: string;
  key: Readonly<Record<string, SqlInput>>;
  columns: Record<string, SqlInput>;
}

function* textsOf(
  db: Database,
  { name: table, keys, texts, time }: Table,
  place: string,
  changes: Change[],
): Generator<Stored> {
  const extra = [...(time ? [time] : []), ...(table === "marks" ? ["kind", "record"] : [])];
  const asked = [...keys.map((key, at) => `${key} AS key_${at}`), ...new Set([...texts, ...extra])];
  const isEvent = table === "payloads";
  for (const row of db.prepare(`SELECT ${asked.join(", ")} FROM ${table}`).iterate()) {
    const about = {
      place,
      about: `${place}, ${table}`,
      id: () => nameOf(db, table, row),
      time: Number((time ? row[time] : isEvent ? timeOf(row.json) : undefined) ?? 0),
      kind: isEvent ? "event" : "text",
    } as const;
    let change: Change | undefined;
    for (const column of texts) {
      const value = row[column];
      if (typeof value !== "string" || value.length < shortest) continue;
      const put = (left: unknown) => {
        if (!change) {
          const key = Object.fromEntries(keys.map((name, at) => [name, row[`key_${at}`]]));
          change = { table, key, columns: {} };
          changes.push(change);
        }
        change.columns[column] = String(left);
        if (table === "observations" && column === "title")
          change.columns.title_key = titleKey(String(left));
      };
      yield { ...about, value, put };
    }
  }
}

const timeOf = (json: unknown): unknown =>
  /"time":(\d{1,16})\b/.exec(typeof json === "string" ? json : "")?.[1];

/** A row as people name it. */
function nameOf(db: Database, table: string, row: Row): string {
  const kind = table === "marks" ? (row.kind as RecordKind) : kindsOfTables[table];
  const number = Number(row.record ?? row.key_0);
  if (kind && kind !== "session") return idOf(kind, number);
  if (table === "payloads" || table === "events") return `event ${number}`;
  if (table === "sessions" || kind === "session")
    return String(db.get("SELECT * FROM sessions WHERE rowid = ?", [number])?.client_session_id);
  return Number.isSafeInteger(number) ? `${table} ${number}` : table;
}

function write(db: Database, { table, key, columns }: Change): void {
  const named = (some: object, prefix: string) =>
    Object.keys(some).map((name) => `${name} = $${prefix}_${name}`);
  const where = named(key, "old").join(" AND ");
  const params = Object.fromEntries([
    ...Object.entries(columns).map(([name, value]) => [`new_${name}`, value] as const),
    ...Object.entries(key).map(([name, value]) => [`old_${name}`, value] as const),
  ]);
  const { changes } = db.run(
    `UPDATE OR IGNORE ${table} SET ${named(columns, "new").join(", ")} WHERE ${where}`,
    params,
  );
  // Without the secret it says what another row says.
  if (changes === 0) db.run(`DELETE FROM ${table} WHERE ${where}`, params);
  // A transcript that brings the prompt again, redacted, must find it.
  if (table === "payloads" && typeof columns.json === "string")
    remember(db, JSON.parse(columns.json) as ClientEvent);
}

/** What Endless Mode keeps is compressed; `contents` gets what writes each that changes. */
function* keptIn(db: Database, place: string, contents: Array<() => void>): Generator<Stored> {
  const isThere = db.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'blobs'");
  if (!isThere) return;
  const refs = db.prepare<{ tool_use: string; kept_at: number }>(
    "SELECT tool_use, kept_at FROM refs WHERE content = ? ORDER BY kept_at",
  );
  const blobs = db.prepare<{ content: number; data: Uint8Array }>(
    "SELECT content, data FROM blobs",
  );
  for (const { content, data } of blobs.iterate()) {
    let value: unknown;
    try {
      value = unpackContent(data);
    } catch {
      // Damaged: nobody can read it, and nothing else is known of it.
      continue;
    }
    const [first] = refs.all([content]);
    yield {
      place,
      about: `${place}, blobs`,
      id: () => first?.tool_use ?? `${content}`,
      time: first?.kept_at ?? 0,
      value,
      kind: "value",
      put: (left) => contents.push(() => replaceContent(db, content, left)),
    };
  }
}

/** One that is there already in its new form takes its place. */
function replaceContent(db: Database, content: number, left: unknown): void {
  const packed = packContent(left);
  if (!packed) return;
  const { hash, characters, data } = packed;
  const run = (sql: string, params: SqlInput[]) => db.run(sql, params);
  const same = db.get<{ id: number }>("SELECT id FROM contents WHERE hash = ?", [hash]);
  if (same) {
    run("UPDATE OR IGNORE refs SET content = ? WHERE content = ?", [same.id, content]);
    run("DELETE FROM refs WHERE content = ?", [content]);
    run("DELETE FROM contents WHERE id = ?", [content]);
    return;
  }
  const sizes = [hash, characters, data.byteLength, content];
  run("UPDATE contents SET hash = ?, characters = ?, bytes = ? WHERE id = ?", sizes);
  run("UPDATE blobs SET data = ? WHERE content = ?", [data, content]);
}
