// The databases of plugins: opened and migrated for whoever owns them, and forgotten in, also while their plugin is off. What a plugin
// declares of its tables is kept in the file itself.
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { type Database, isBusy, openDatabase } from "../../host/sqlite.ts";
import type { DataClient, OwnData } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { errorMessage } from "../describe-error.ts";
import type { Paths } from "../paths.ts";

/** A plugin's open database. */
export interface OpenData {
  client: DataClient;
  close(): void;
}

interface OpenPlace {
  paths: Pick<Paths, "data">;
  plugin: string;
  /** ` (file:line)` of a migration's text, where it is known. */
  placeOf?(sql: string): string;
}

const ending = ".db";

/** Databases of plugins by their names below the home: `data/notes.db`. */
export async function pluginDatabases({
  data,
}: Pick<Paths, "data">): Promise<Record<string, string>> {
  const names = await readdir(data).catch(() => []);
  const own = names.filter((name) => name.endsWith(ending)).sort();
  return Object.fromEntries(own.map((name) => [`data/${name}`, join(data, name)]));
}

/** Opens it, with every migration run. Rejects with `plugin_invalid` where one fails: then the file is as it was. */
export async function openPluginData(data: OwnData, place: OpenPlace): Promise<OpenData> {
  const { paths, plugin } = place;
  const db = await openDatabase(join(paths.data, `${plugin}${ending}`));
  try {
    // What is forgotten is overwritten.
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
    db.transaction(() => migrate(db, data, place));
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    client: { all: db.all, get: db.get, run: db.run, transaction: db.transaction },
    close: () => db.close(),
  };
}

/** True where every migration was run; false also where that cannot be seen. Runs none of them. */
export async function isMigrated(
  { migrations, forget = {} }: OwnData,
  { data }: Pick<Paths, "data">,
  plugin: string,
): Promise<boolean> {
  let db: Database | undefined;
  try {
    const path = join(data, `${plugin}${ending}`);
    db = await openDatabase(path, { readonly: true, busyTimeoutMs: 0 });
    const wanted: Kept = { digests: migrations.map(digestOf), forget };
    return JSON.stringify(readKept(db)) === JSON.stringify(wanted);
  } catch {
    return false;
  } finally {
    db?.close();
  }
}

const ownTable = "memoir_plugin";

const KeptSchema = v.object({
  /** Of the migrations that were run, in order. */
  digests: v.array(v.string()),
  /** Columns that hold ids of records, by table. */
  forget: v.record(v.string(), v.string()),
});
type Kept = v.InferOutput<typeof KeptSchema>;

function readKept(db: Database): Kept {
  const has = db.get("SELECT 1 FROM sqlite_schema WHERE name = ?", [ownTable]);
  if (!has) return { digests: [], forget: {} };
  const row = db.get<{ kept: string }>(`SELECT kept FROM ${ownTable}`);
  return v.parse(KeptSchema, JSON.parse(row?.kept ?? "{}"));
}

function migrate(db: Database, { migrations, forget = {} }: OwnData, place: OpenPlace): void {
  const { plugin } = place;
  const refuse = (message: string, fix: string, cause?: unknown) =>
    new MemoirError("plugin_invalid", `plugin ${plugin}: ${message}`, { plugin, fix, cause });
  const { digests } = readKept(db);
  if (digests.length > migrations.length)
    throw refuse(
      `its database has run ${digests.length} migrations, the plugin has ${migrations.length}`,
      "Update the plugin: a newer one wrote the database. Nothing was changed.",
    );
  for (const [at, sql] of migrations.entries()) {
    const number = at + 1;
    const where = place.placeOf?.(sql) ?? "";
    const digest = digestOf(sql);
    const before = digests[at];
    if (before === digest) continue;
    if (before !== undefined)
      throw refuse(
        `migration ${number} is another than the one that was run${where}`,
        "Leave what was run as it was, and add a migration to the end. Nothing was changed.",
      );
    try {
      // Inside of the transaction once more: one that ended it is noticed here.
      db.transaction(() => db.exec(sql));
    } catch (cause) {
      const code = isBusy(cause) ? "plugin_failed" : "plugin_invalid";
      const message = `plugin ${plugin}: migration ${number} failed: ${errorMessage(cause)}${where}`;
      const fix = "Correct the SQL there. Nothing was changed: the database is as it was.";
      throw new MemoirError(code, message, {
        plugin,
        cause,
        ...(code !== "plugin_failed" && { fix }),
      });
    }
  }
  for (const [table, column] of Object.entries(forget)) {
    const columns = db.all<{ name: string }>(`PRAGMA table_info("${table}")`);
    if (!columns.some(({ name }) => name === column))
      throw refuse(
        `data.forget names ${table}.${column}, which is not there${place.placeOf?.(table) ?? ""}`,
        "Name a table and a column that the migrations make. Nothing was changed.",
      );
    db.exec(`CREATE INDEX IF NOT EXISTS "${ownTable}_${table}" ON "${table}" ("${column}")`);
  }
  const kept: Kept = { digests: migrations.map(digestOf), forget };
  db.exec(`CREATE TABLE IF NOT EXISTS ${ownTable} (kept TEXT NOT NULL)`);
  db.exec(`DELETE FROM ${ownTable}`);
  db.run(`INSERT INTO ${ownTable} (kept) VALUES (?)`, [JSON.stringify(kept)]);
}

function digestOf(sql: string): string {
  return createHash("sha256").update(sql.trim()).digest("hex").slice(0, 16);
}

/** What a plugin finds as `ctx.data` that declares none. */
export function noData(plugin: string): DataClient {
  const refuse = () => {
    throw new MemoirError("plugin_invalid", `plugin ${plugin} used ctx.data and declares no data`, {
      plugin,
      fix: 'Add `data: { migrations: ["CREATE TABLE …"] }` to the plugin.',
    });
  };
  return { all: refuse, get: refuse, run: refuse, transaction: refuse };
}

/** Rows that go at a time. */
const someIds = 500;
/** How long a plugin may hold its database while something is forgotten in it, and between two looks. */
const held = { mostMs: 5_000, restMs: 50 };

/** Takes rows of these records, and their bytes, out of every plugin's database. Gives the files in which that could not be done. */
export async function forgetInPluginData(
  paths: Pick<Paths, "data">,
  ids: readonly string[],
): Promise<Array<{ name: string; error: unknown }>> {
  const failed: Array<{ name: string; error: unknown }> = [];
  if (ids.length === 0) return failed;
  for (const [name, path] of Object.entries(await pluginDatabases(paths))) {
    try {
      await onceFree(() => forgetIn(path, ids));
    } catch (error) {
      failed.push({ name, error });
    }
  }
  return failed;
}

/** Tries again while another holds the lock. SQLite's own wait would hold up the whole server, hooks included. */
async function onceFree(work: () => Promise<void>): Promise<void> {
  for (let waited = 0; ; waited += held.restMs) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || waited >= held.mostMs) throw error;
      await new Promise((go) => setTimeout(go, held.restMs));
    }
  }
}

async function forgetIn(path: string, ids: readonly string[]): Promise<void> {
  const db = await openDatabase(path, { create: false, busyTimeoutMs: 0 });
  try {
    db.exec("PRAGMA secure_delete = ON");
    const columns = Object.entries(readKept(db).forget);
    let gone = 0;
    for (const [table, column] of columns)
      for (let at = 0; at < ids.length; at += someIds) {
        const some = ids.slice(at, at + someIds);
        const marks = some.map(() => "?").join();
        gone += db.run(`DELETE FROM "${table}" WHERE "${column}" IN (${marks})`, some).changes;
      }
    // What was deleted stands in the log as well.
    if (gone > 0) db.get("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
}

/** A plugin's rows as lines of an export: `{"memoir":"data","plugin":…,"table":…,"row":{…}}`. Bytes are as base64. */
export async function* exportPluginData(paths: Pick<Paths, "data">): AsyncIterable<object> {
  for (const [name, path] of Object.entries(await pluginDatabases(paths))) {
    const plugin = name.slice("data/".length, -ending.length);
    const db = await openDatabase(path, { readonly: true });
    try {
      const tables = db.all<{ name: string }>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> '${ownTable}' ORDER BY name`,
      );
      for (const { name: table } of tables)
        for (const row of db.prepare(`SELECT * FROM "${table}"`).iterate())
          yield { memoir: "data", plugin, table, row: plainRow(row as Record<string, unknown>) };
    } finally {
      db.close();
    }
  }
}

function plainRow(row: Record<string, unknown>): Record<string, unknown> {
  const plain = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value,
  ]);
  return Object.fromEntries(plain);
}
