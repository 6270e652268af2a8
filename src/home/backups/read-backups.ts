// What a backup is: its folder's name, its manifest, which there are, and whether one is still what it was when it was made.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { openDatabase } from "../../host/sqlite.ts";
import { errorMessage } from "../describe-error.ts";
import type { Paths } from "../paths.ts";
import { atomicWrite, readFileText } from "../read-file.ts";

// Why the newest try to make a backup by itself failed: kept beside the backups until one succeeds.

const FailureSchema = v.object({ time: v.number(), message: v.string() });
/** When (epoch ms) and why no backup was made. */
type BackupFailure = v.InferOutput<typeof FailureSchema>;

/** Undefined where the newest try succeeded. */
export async function readFailure(paths: Paths): Promise<BackupFailure | undefined> {
  try {
    const parsed = v.safeParse(FailureSchema, JSON.parse(await readFileText(fileOf(paths))));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** Never rejects: where even this cannot be written, the age of the newest backup tells. */
export async function noteFailure(paths: Paths, error: unknown, time: number): Promise<void> {
  const failure: BackupFailure = { time, message: errorMessage(error) };
  await atomicWrite(fileOf(paths), `${JSON.stringify(failure)}\n`).catch(() => undefined);
}

/** The newest try succeeded. */
export async function clearFailure(paths: Paths): Promise<void> {
  await rm(fileOf(paths), { force: true });
}

function fileOf(paths: Paths): string {
  return `${backupFolder(paths)}/failed.json`;
}

/** Why a backup was made: by the day, before a database was changed to a newer form, by hand, before another was put back. */
const backupReasons = ["daily", "migration", "manual", "restore"] as const;
/** Why a backup was made. */
export type BackupReason = (typeof backupReasons)[number];

const FileSchema = v.object({
  /** Below the backup's folder, with `/`: `memory.db`, `memory/preferences.md`. */
  name: v.pipe(v.string(), v.regex(/^[^/\\]+(\/[^/\\]+)*$/), v.check(isInside, "leads elsewhere")),
  bytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Hexadecimal. */
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** Databases only. */
  schema: v.optional(v.number()),
  /** Databases only: rows by table. */
  counts: v.optional(v.record(v.string(), v.number())),
});
/** One file of a backup. */
export type BackupFile = v.InferOutput<typeof FileSchema>;

const ManifestSchema = v.object({
  memoir: v.literal("backup"),
  /** Of this form. */
  version: v.literal(1),
  /** The memoir that made it. */
  madeBy: v.string(),
  reason: v.picklist(backupReasons),
  /** Epoch ms: what was stored later is not in it. */
  time: v.number(),
  files: v.array(FileSchema),
  /** Files that are not in it, and why: damage, as a rule. */
  missing: v.array(v.object({ name: v.string(), why: v.string() })),
});
/** `manifest.json` of a backup. */
export type BackupManifest = v.InferOutput<typeof ManifestSchema>;

/** A backup that is there. */
export interface Backup {
  /** Its folder's name; what people call it by. */
  name: string;
  /** Absolute. */
  folder: string;
  reason: BackupReason;
  /** Epoch ms. */
  time: number;
  /** Of all its files. */
  bytes: number;
  /** Absent where it cannot be read. */
  manifest?: BackupManifest;
  /** What is wrong with it at first sight; `verifyBackup` reads every byte. */
  fault?: string;
}

/** Where backups are kept. */
export function backupFolder(paths: Paths): string {
  return `${paths.home}/backups`;
}

const nameForm =
  /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-(daily|migration|manual|restore)(-\d+)?$/;
/** The file that tells what is in a backup. */
export const manifestName = "manifest.json";

/** `20261122T142244Z-daily`, of epoch ms. */
export function backupName(time: number, reason: BackupReason): string {
  return `${new Date(time).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z-${reason}`;
}

/** Every backup below `folder`, newest first. What is still being made, or was never finished, is none. */
export async function listBackups(paths: Paths, folder = backupFolder(paths)): Promise<Backup[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(names.map((name) => readBackup(join(folder, name), name)));
  return found
    .filter((backup) => backup !== undefined)
    .sort((a, b) => b.time - a.time || (a.name < b.name ? 1 : -1));
}

/** The backup of that name, of that beginning of a name where only one has it, or in that folder; undefined for none. */
export async function findBackup(paths: Paths, which: string): Promise<Backup | undefined> {
  const all = await listBackups(paths);
  const begun = all.filter(({ name }) => name.startsWith(which));
  const named =
    all.find(({ name }) => name === which) ?? (begun.length === 1 ? begun[0] : undefined);
  if (named || !/[/\\]/.test(which)) return named;
  const folder = which.replace(/[/\\]+$/, "");
  return await readBackup(folder, folder.split(/[/\\]/).at(-1) ?? "");
}

/** What is wrong with a backup, a sentence each; nothing for one that is whole. Reads every byte of its files, or of `only`. */
export async function verifyBackup(backup: Backup, only?: readonly string[]): Promise<string[]> {
  const { folder, manifest, fault } = backup;
  if (!manifest) return [fault ?? "Its manifest is missing."];
  const faults: string[] = [];
  for (const file of manifest.files) {
    if (only && !only.includes(file.name)) continue;
    const wrong = await fileFault(join(folder, file.name), file);
    if (wrong) faults.push(`${file.name} ${wrong}.`);
  }
  return faults;
}

/** The manifest as its file has it. */
export function manifestText(manifest: BackupManifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Size, hash and, of a database, schema and rows of one file below `folder`. */
export async function describeFile(folder: string, name: string): Promise<BackupFile> {
  const path = join(folder, name);
  const database = name.endsWith(".db") ? await describeDatabase(path) : {};
  const { size } = await lstat(path);
  return { name, bytes: size, sha256: await hashOf(path), ...database };
}

/** Bytes of all files. */
export function bytesOf({ files }: BackupManifest): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function readBackup(folder: string, name: string): Promise<Backup | undefined> {
  const match = nameForm.exec(name);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, reason] = match;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(time)) return undefined;
  const backup = { name, folder, reason: reason as BackupReason, time, bytes: 0 };
  try {
    const text = await readFileText(join(folder, manifestName));
    const parsed = v.safeParse(ManifestSchema, JSON.parse(text));
    if (!parsed.success)
      return {
        ...backup,
        fault: `Its manifest is not one that this memoir knows: ${parsed.issues[0].message}`,
      };
    const manifest = parsed.output;
    return { ...backup, time: manifest.time, bytes: bytesOf(manifest), manifest };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOTDIR") return undefined;
    return { ...backup, fault: `Its manifest cannot be read: ${errorMessage(error)}` };
  }
}

async function fileFault(path: string, file: BackupFile): Promise<string | undefined> {
  try {
    const info = await lstat(path);
    if (!info.isFile()) return "is not a file";
    if (info.size !== file.bytes) return `has ${info.size} bytes instead of ${file.bytes}`;
    return (await hashOf(path)) === file.sha256 ? undefined : "is not what it was when it was made";
  } catch (error) {
    return `cannot be read: ${errorMessage(error)}`;
  }
}

async function describeDatabase(path: string): Promise<Pick<BackupFile, "schema" | "counts">> {
  const db = await openDatabase(path, { readonly: true });
  try {
    const tables = db
      .prepare<{ name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
      )
      .all();
    const count = ({ name }: { name: string }) =>
      db.prepare<{ n: number }>(`SELECT count(*) AS n FROM "${name.replaceAll('"', '""')}"`).get()
        ?.n ?? 0;
    const counts = Object.fromEntries(tables.map((table) => [table.name, count(table)]));
    const version = db.prepare<{ user_version: number }>("PRAGMA user_version").get();
    return { schema: version?.user_version ?? 0, counts };
  } finally {
    db.close();
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    hash.update(part);
  return hash.digest("hex");
}

function isInside(name: string): boolean {
  return name.split("/").every((part) => part !== "." && part !== "..");
}
