// Goes over every text that the home keeps: finds what today's rules take out of it and, where asked to, takes it out.
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import { atomicWrite } from "../../home/atomic-write.ts";
import { copiedDatabases } from "../../home/backups.ts";
import type { Paths } from "../../home/paths.ts";
import { readFileText } from "../../home/read-file.ts";
import { noteFile } from "../../home/recover/known-files.ts";
import { type Database, openDatabase, type Row, type SqlInput } from "../../host/sqlite.ts";
import { writeAnew } from "../../host/write-anew.ts";
import { mapEvent } from "../../privacy/event-texts.ts";
import { privateKeyRule } from "../../privacy/redact/private-keys.ts";
import { isRandom } from "../../privacy/redact/values.ts";
import { redactDeep, redactText, type TellFound } from "../../privacy/redact.ts";
import { idOf } from "../../records/kinds.ts";
import { titleKey } from "../../records/put-observation.ts";
import type { BackupPlaces } from "../../runtime/config/backup-places.ts";
import { packContent, unpackContent } from "../../runtime/endless/kept-rows.ts";
import { remember } from "../../runtime/journal/seen-before.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { RecordKind } from "../../sdk/storage.ts";
import { tableNames } from "../../search/index/schema.ts";
import { mapLeaves } from "../../text/deep.ts";
import { undoFolder } from "../../transcript/undo-log.ts";

/** Secrets of one kind that one text holds. */
export interface StoredSecret {
  rule: string;
  kind: string;
  /** `memory.db`, or a file's path below the home. */
  place: string;
  /** A record's id, an event's number, a tool use. */
  id: string;
  count: number;
}

/** What was found, or taken out. */
export interface StoredSecrets {
  found: StoredSecret[];
  /** Epoch ms: copies that were made before hold none of it. */
  since: number;
  /** Databases that could not be read, each with the reason. */
  unread: Array<{ place: string; why: string }>;
}

export interface GoOver {
  paths: Paths;
  places: BackupPlaces;
  /** Takes it out; the caller holds the home's lock. */
  removes: boolean;
  /** Parts of secrets that were found before; more are added. */
  known: KnownSecrets;
  now: number;
  /** Told of every row and file that was read. */
  progress?(place: string): void;
}

/** The rule of what is found by what another text says of it. */
export const repeatedRule = "repeated";

/** Parts of keys, and random secrets: where a text was cut, no rule can see that what is left of a key is one. */
export interface KnownSecrets {
  add(found: { kind: string; rule: string; secret: string }): void;
  isEmpty(): boolean;
  /** The text without them. */
  without(text: string, tell: (kind: string) => void): string;
}

/** So many characters of a key in a row are known wherever they are. */
const partLength = 8;

export function createKnownSecrets(): KnownSecrets {
  const parts = new Map<string, string>();
  return {
    isEmpty: () => parts.size === 0,
    add({ kind, rule, secret }) {
      if (rule !== privateKeyRule.id) {
        if (isRandom(secret)) parts.set(secret, kind);
        return;
      }
      for (const [run] of secret.matchAll(/[\w+/=-]{20,}/g)) {
        for (let at = 0; at + partLength <= run.length; at++) {
          const part = run.slice(at, at + partLength);
          if (new Set(part).size > 4) parts.set(part, kind);
        }
      }
    },
    without(text, tell) {
      if (parts.size === 0) return text;
      return text.replace(/[\w+/=-]{8,}/g, (run) => {
        let kind = parts.get(run);
        for (let at = 0; kind === undefined && at + partLength <= run.length; at++)
          kind = parts.get(run.slice(at, at + partLength));
        if (kind === undefined) return run;
        tell(kind);
        return `[redacted:${kind}]`;
      });
    },
  };
}

/** Columns and fields that name things and hold nobody's words. */
const names = new Set(
  "activity_key agent agentId agent_id agent_type branch client client_session_id content_hash cwd date document ended event evidence hash id key kind left_out merged mode model name open_prompt_id outcome part place plugin project project_id prompt_id provider purpose reader records requestId root salt scope session state status storage strategies strategy title_key tool toolUseId tool_use tool_use_ids transcript_path type usage uuid".split(
    " ",
  ),
);
const times = ["created_at", "started_at", "time", "kept_at", "edited_at", "at"];
const kindsOfTables: Readonly<Record<string, RecordKind>> = {
  observations: "observation",
  session_summaries: "summary",
  prompts: "prompt",
  memory: "memory",
  turns: "turn",
};

/**
 * Files first, then the databases, the journal last, each in one transaction: what is killed in between has left the texts
 * by which cut ones are known, and the same call again ends it.
 */
export async function goOverStored(how: GoOver): Promise<StoredSecrets> {
  const { paths, places } = how;
  const result: StoredSecrets = { found: [], since: Number.POSITIVE_INFINITY, unread: [] };
  await goOverFiles(how, result);
  const databases = new Set([
    ...pluginDatabases.map((name) => join(paths.home, name)),
    ...Object.values(copiedDatabases(paths, places.memory)),
  ]);
  databases.delete(paths.journal);
  for (const path of [...databases, paths.journal]) {
    if (!(await stat(path).catch(() => undefined))) continue;
    try {
      await goOverDatabase(path, how, result);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      result.unread.push({ place: placeOf(path, paths), why });
    }
  }
  return result;
}

const placeOf = (path: string, { home }: Paths): string =>
  path.startsWith(`${home}/`) ? relative(home, path) : path;

/** Cleans a text or a JSON value; `tell` hears of each secret. */
function cleaned<Value>(
  value: Value,
  { known }: GoOver,
  tell: TellFound,
  rules: (value: Value, tell: TellFound) => unknown,
): Value {
  const left = rules(value, (found) => {
    known.add(found);
    tell(found);
  });
  return mapLeaves(left, {
    text: (text) => known.without(text, (kind) => tell({ kind, rule: repeatedRule, secret: "" })),
  }) as Value;
}

/** Every field but those that name things. */
function redactFields(value: unknown, tell: TellFound): unknown {
  if (Array.isArray(value) && value.some((one) => typeof one === "object"))
    return value.map((one) => redactFields(one, tell));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return redactDeep(value, tell).value;
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => {
    if (names.has(name)) return [name, field];
    if (typeof field === "object") return [name, redactFields(field, tell)];
    return [name, (redactDeep({ [name]: field }, tell).value as Record<string, unknown>)[name]];
  });
  return Object.fromEntries(fields);
}

/** A text, or the JSON that it is; the same text where nothing is taken out. */
function cleanText(text: string, how: GoOver, tell: TellFound, isEvent = false): string {
  if (text.length < 6) return text;
  const value = /^\s*[{[]/.test(text) ? parsed(text) : undefined;
  if (value === undefined)
    return cleaned(text, how, tell, (one, told) => redactText(one, told).text);
  let count = 0;
  const next = cleaned(
    value,
    how,
    (found) => {
      count++;
      tell(found);
    },
    (one, told) =>
      isEvent
        ? mapEvent(one as ClientEvent, (field) => redactDeep(field, told).value)
        : redactFields(one, told),
  );
  return count === 0 ? text : JSON.stringify(next, null, text.includes("\n") ? 2 : undefined);
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Counts what a text holds, and adds it to the result. */
function counting(result: StoredSecrets, place: string, id: () => string, time: number) {
  const counts = new Map<string, StoredSecret>();
  const tell: TellFound = ({ rule, kind }) => {
    const key = `${rule} ${kind}`;
    const one = counts.get(key) ?? { rule, kind, place, id: id(), count: 0 };
    counts.set(key, one);
    if (one.count++ === 0) result.found.push(one);
    result.since = Math.min(result.since, time);
  };
  return tell;
}

/** Where memoir writes words of others, besides the databases; nothing else of the home is touched. */
const textFiles = ["findings.jsonl", "rebuild.jsonl", "paused.json", "moments.json"];
/** Databases of plugins of memoir's own. */
const pluginDatabases = ["endless-gateway.db", "semantic-search.db"];
/** Larger than any text that memoir writes. */
const mostBytes = 256 * 1024 * 1024;

async function goOverFiles(how: GoOver, result: StoredSecrets): Promise<void> {
  const { paths, places, removes } = how;
  const folders = [paths.spool, paths.logs, places.memoryFiles];
  const files = [
    ...textFiles.map((name) => join(paths.home, name)),
    ...(await Promise.all(folders.map(filesBelow))).flat(),
  ];
  /** `written.json` has hashes by which a person's change in a file of memory items is told from memoir's own. */
  const hashes = new Map<string, string>();
  for (const path of files) {
    how.progress?.(placeOf(path, paths));
    const info = await stat(path).catch(() => undefined);
    if (!info?.isFile() || info.size > mostBytes) continue;
    const text = await readFileText(path).catch(() => "");
    const place = placeOf(path, paths);
    const clean = (part: string, isEvent: boolean) =>
      cleanText(
        part,
        how,
        counting(result, place, () => "", info.mtimeMs),
        isEvent,
      );
    const isLines = /\.(?:jsonl|log(?:\.\d+)?)$/.test(path);
    const left = isLines
      ? text
          .split("\n")
          .map((line) => clean(line, false))
          .join("\n")
      : clean(text, path.startsWith(`${paths.spool}/`));
    if (left === text) continue;
    for (const [before, after] of changedTexts(parsed(text), parsed(left)))
      hashes.set(hashOf(before), hashOf(after));
    if (removes) await atomicWrite(path, left, info.mode & 0o777);
  }
  const written = join(places.memoryFiles, "written.json");
  const noted = removes && hashes.size > 0 ? await readFileText(written).catch(() => "") : "";
  const renewed = noted.replace(/[0-9a-f]{32}/g, (hash) => hashes.get(hash) ?? hash);
  if (renewed !== noted) await atomicWrite(written, renewed);
}

const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 32);

/** Texts at the same place of two values that differ. */
function changedTexts(before: unknown, after: unknown): Array<[string, string]> {
  if (typeof before === "string" && typeof after === "string")
    return before === after ? [] : [[before, after]];
  if (typeof before !== "object" || typeof after !== "object" || !before || !after) return [];
  const others = Object.values(after);
  return Object.values(before).flatMap((one, at) => changedTexts(one, others[at]));
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}

/** A row that changes, and how. */
interface Change {
  table: string;
  key: Readonly<Record<string, SqlInput>>;
  columns: Record<string, SqlInput>;
}

async function goOverDatabase(path: string, how: GoOver, result: StoredSecrets): Promise<void> {
  const place = placeOf(path, how.paths);
  const db = await openDatabase(path, { readonly: !how.removes, create: false });
  try {
    const before = result.found.length;
    const changes = [...tablesIn(db)].flatMap((table) => changesOf(db, table, place, how, result));
    const contents = contentsOf(db, place, how, result);
    if (!how.removes) return;
    const isChanged = result.found.length > before;
    db.exec("PRAGMA secure_delete = ON");
    if (isChanged) {
      // First: no backup from before may bring it back.
      await noteForgotten(path, db, how);
      db.transaction(() => {
        for (const change of changes) write(db, change);
        for (const content of contents) content();
        // Its words are in no text any more; the next server makes it anew.
        if (changes.some(({ table }) => kindsOfTables[table] ?? table === "sessions"))
          for (const name of tableNames) db.exec(`DROP TABLE IF EXISTS ${name}`);
      });
      await noteForgotten(path, db, how);
    }
    // Also where nothing changed: an earlier run may have been killed before this.
    writeAnew(db);
  } finally {
    db.close();
  }
}

async function noteForgotten(
  path: string,
  db: Database,
  { paths, places, now }: GoOver,
): Promise<void> {
  const counted = {
    [places.memory]: [...Object.keys(kindsOfTables), "sessions"],
    [paths.journal]: ["sessions"],
    [paths.endless]: ["refs"],
  }[path];
  if (!counted) return;
  const rows = counted.reduce(
    (sum, table) =>
      sum + Number(db.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n),
    0,
  );
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
  return db
    .prepare<{ name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
         AND name <> 'transcripts' AND name NOT IN (SELECT value FROM json_each(?))`,
    )
    .all([JSON.stringify(tableNames)])
    .map(({ name, sql }) => {
      const columns = db
        .prepare<{ name: string; type: string; pk: number }>(
          `SELECT name, type, pk FROM pragma_table_info(?)`,
        )
        .all([name]);
      const keys = /WITHOUT ROWID\s*$/i.test(sql)
        ? columns.filter(({ pk }) => pk > 0).map((column) => column.name)
        : ["rowid"];
      const texts = columns
        .filter((column) => /TEXT|^$/i.test(column.type) && !names.has(column.name))
        .map((column) => column.name);
      return {
        name,
        keys,
        texts,
        time: times.find((time) => columns.some((one) => one.name === time)),
      };
    })
    .filter(({ texts }) => texts.length > 0);
}

function changesOf(
  db: Database,
  { name: table, keys, texts, time }: Table,
  place: string,
  how: GoOver,
  result: StoredSecrets,
): Change[] {
  const changes: Change[] = [];
  const extra = [...(time ? [time] : []), ...(table === "marks" ? ["kind", "record"] : [])];
  const asked = [...keys.map((key, at) => `${key} AS key_${at}`), ...new Set([...texts, ...extra])];
  for (const row of db.prepare(`SELECT ${asked.join(", ")} FROM ${table}`).iterate()) {
    how.progress?.(`${place}, ${table}`);
    const isEvent = table === "payloads";
    const at = time ? row[time] : isEvent ? timeOf(row.json) : undefined;
    const tell = counting(result, place, () => nameOf(db, table, row), Number(at ?? 0));
    const columns: Record<string, SqlInput> = {};
    for (const column of texts) {
      const text = row[column];
      if (typeof text !== "string") continue;
      const left = cleanText(text, how, tell, isEvent);
      if (left !== text) columns[column] = left;
    }
    if (Object.keys(columns).length === 0) continue;
    if (table === "observations" && typeof columns.title === "string")
      columns.title_key = titleKey(columns.title);
    const key = Object.fromEntries(keys.map((name, at) => [name, row[`key_${at}`]]));
    changes.push({ table, key, columns });
  }
  return changes;
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
    return String(
      db.prepare("SELECT * FROM sessions WHERE rowid = ?").get([number])?.client_session_id,
    );
  return Number.isSafeInteger(number) ? `${table} ${number}` : table;
}

function write(db: Database, { table, key, columns }: Change): void {
  const [set, where] = [columns, key].map((some, at) =>
    Object.keys(some).map((name) => `${name} = $${at === 0 ? "new" : "old"}_${name}`),
  );
  const params = Object.fromEntries([
    ...Object.entries(columns).map(([name, value]) => [`new_${name}`, value] as const),
    ...Object.entries(key).map(([name, value]) => [`old_${name}`, value] as const),
  ]);
  const at = where?.join(" AND ");
  const { changes } = db
    .prepare(`UPDATE OR IGNORE ${table} SET ${set?.join(", ")} WHERE ${at}`)
    .run(params);
  // Without the secret it says what another row says.
  if (changes === 0) db.prepare(`DELETE FROM ${table} WHERE ${at}`).run(params);
  // A transcript that brings the prompt again, redacted, must find it.
  if (table === "payloads" && typeof columns.json === "string")
    remember(db, JSON.parse(columns.json) as ClientEvent);
}

/** What Endless Mode keeps is compressed; gives what writes each that changes. */
function contentsOf(
  db: Database,
  place: string,
  how: GoOver,
  result: StoredSecrets,
): Array<() => void> {
  const isThere = db
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'blobs'")
    .get();
  if (!isThere) return [];
  const changes: Array<() => void> = [];
  const refs = db.prepare<{ tool_use: string; kept_at: number }>(
    "SELECT tool_use, kept_at FROM refs WHERE content = ? ORDER BY kept_at",
  );
  for (const { content, data } of db
    .prepare<{ content: number; data: Uint8Array }>("SELECT content, data FROM blobs")
    .iterate()) {
    how.progress?.(`${place}, blobs`);
    let value: unknown;
    try {
      value = unpackContent(data);
    } catch {
      // Damaged: nobody can read it, and nothing else is known of it.
      continue;
    }
    const [first] = refs.all([content]);
    let count = 0;
    const tell = counting(
      result,
      place,
      () => first?.tool_use ?? `${content}`,
      first?.kept_at ?? 0,
    );
    const left = cleaned(
      value,
      how,
      (found) => {
        count++;
        tell(found);
      },
      (one, told) => redactDeep(one, told).value,
    );
    const packed = count > 0 ? packContent(left) : undefined;
    if (!packed) continue;
    changes.push(() => {
      const same = db
        .prepare<{ id: number }>("SELECT id FROM contents WHERE hash = ?")
        .get([packed.hash]);
      if (same) {
        db.prepare("UPDATE OR IGNORE refs SET content = ? WHERE content = ?").run([
          same.id,
          content,
        ]);
        db.prepare("DELETE FROM refs WHERE content = ?").run([content]);
        db.prepare("DELETE FROM contents WHERE id = ?").run([content]);
        return;
      }
      db.prepare("UPDATE contents SET hash = ?, characters = ?, bytes = ? WHERE id = ?").run([
        packed.hash,
        packed.characters,
        packed.data.byteLength,
        content,
      ]);
      db.prepare("UPDATE blobs SET data = ? WHERE content = ?").run([packed.data, content]);
    });
  }
  return changes;
}

/** Folders of undo logs, relative to the home, that hold secrets: they are the client's own transcripts, byte for byte. */
export async function undoLogsWithSecrets(home: string, known: KnownSecrets): Promise<string[]> {
  const folder = undoFolder(home);
  const sessions = new Set<string>();
  for (const path of await filesBelow(folder)) {
    if (!path.endsWith(".json.gz")) continue;
    const session = relative(folder, path).split(/[\\/]/)[0] ?? "";
    try {
      const { splices = [] } = JSON.parse(gunzipSync(await readFile(path)).toString()) as {
        splices?: Array<[number, number, string]>;
      };
      for (const [, , stood] of splices) {
        const text = Buffer.from(stood, "base64").toString();
        let holds = redactText(text).count > 0;
        known.without(text, () => {
          holds = true;
        });
        if (holds) sessions.add(relative(home, join(folder, session)));
      }
    } catch {
      // One that is damaged gives nothing back either.
    }
  }
  return [...sessions];
}
