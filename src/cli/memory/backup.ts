// `memoir memory backup`: copies memoir's files while everything goes on; lists and checks what copies there are.

import { resolve } from "node:path";
import { makeBackup, pruneBackups } from "../../home/backups/make-backup.ts";
import {
  type Backup,
  backupFolder,
  clearFailure,
  listBackups,
  noteFailure,
  verifyBackup,
} from "../../home/backups/read-backups.ts";
import { backupPlaces } from "../../runtime/config/backup-places.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { carryCommands } from "../commands/memory.ts";
import { currentPaths } from "../server/client.ts";
import { ago, columns, printable, size } from "../terminal/layout.ts";
import { answer } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";

type BackupOptions = OptionsOf<(typeof carryCommands)["backup"]>;

/** Gives exit code 1 where a backup is damaged, or a database could not be copied. Rejects with `backup_failed`. */
export async function backup(options: BackupOptions, terminal: Terminal): Promise<number> {
  if (options.list) return await list(options, terminal);
  if (options.verify) return await verify(options, terminal);
  if (options.daily) return await makeDaily(terminal);
  return await make(options, terminal);
}

async function make(options: BackupOptions, terminal: Terminal): Promise<number> {
  const { to } = options;
  if (to?.includes("://"))
    throw new MemoirError("usage", "A backup is made in a folder; this is an address.");
  const paths = currentPaths();
  const { rule, memory, memoryFiles } = await backupPlaces(paths);
  const made = await makeBackup(paths, {
    ...{ reason: "manual", now: terminal.now, memory, memoryFiles },
    ...(to === undefined ? {} : { to: resolve(terminal.cwd, to) }),
  });
  if (to === undefined) {
    await clearFailure(paths);
    await pruneBackups(paths, rule);
  }
  const missing = made.manifest?.missing ?? [];
  const { dim, green, red } = terminal.colors;
  const lines = () => [
    `${green("✓")} ${printable(made.folder)}: ${size(made.bytes)}${heldText(made)}.`,
    ...missing.map(({ name, why }) => `${red("✗")} ${name} is not in it: ${printable(why)}`),
    ...(to === undefined ? [dim(`\`memoir memory restore ${made.name}\` goes back to it.`)] : []),
  ];
  return answer(terminal, options, report(made), lines, missing.length > 0 ? 1 : 0);
}

/** What the server starts once a day: makes one, keeps by rule, and notes why where it could not. */
async function makeDaily(terminal: Terminal): Promise<number> {
  const paths = currentPaths();
  try {
    const { rule, memory, memoryFiles } = await backupPlaces(paths);
    const { manifest } = await makeBackup(paths, {
      ...{ reason: "daily", now: terminal.now, memory, memoryFiles },
    });
    const [lost] = manifest?.missing ?? [];
    if (lost) throw new Error(`${lost.name} could not be copied: ${lost.why}`);
    await clearFailure(paths);
    await pruneBackups(paths, rule);
    return 0;
  } catch (error) {
    await noteFailure(paths, error, terminal.now());
    throw error;
  }
}

async function list(options: BackupOptions, terminal: Terminal): Promise<number> {
  const paths = currentPaths();
  const backups = await listBackups(paths);
  const { dim } = terminal.colors;
  const folder = printable(backupFolder(paths));
  return answer(terminal, options, { backups: backups.map(report) }, () => {
    if (backups.length === 0)
      return [`There is no backup in ${folder}.`, dim("`memoir memory backup` makes one.")];
    const rows = backups.map((one) => [
      one.name,
      ago(one.time, terminal.now()),
      size(one.bytes),
      printable(one.fault ?? heldText(one).replace(/^, /, "")),
    ]);
    const bytes = backups.reduce((sum, one) => sum + one.bytes, 0);
    const sum = `${plural(backups.length, "backup")}, ${size(bytes)}, in ${folder}`;
    return [...columns(rows), dim(sum)];
  });
}

/** Each is reported as soon as it is read: that takes a while. */
async function verify(options: BackupOptions, terminal: Terminal): Promise<number> {
  const { green, red } = terminal.colors;
  const checked: Array<{ name: string; faults: string[] }> = [];
  for (const one of await listBackups(currentPaths())) {
    const missing =
      one.manifest?.missing.map(({ name, why }) => `${name} was left out: ${why}.`) ?? [];
    const faults = [...(await verifyBackup(one)), ...missing];
    checked.push({ name: one.name, faults });
    if (options.json) continue;
    const isWhole = faults.length === 0;
    terminal.print(isWhole ? `${green("✓")} ${one.name} is whole` : `${red("✗")} ${one.name}`);
    for (const fault of faults) terminal.print(`    ${printable(fault)}`);
  }
  const none = checked.length === 0 ? ["There is no backup to check."] : [];
  const isDamaged = checked.some(({ faults }) => faults.length > 0);
  return answer(terminal, options, { backups: checked }, () => none, isDamaged ? 1 : 0);
}

/** `, 120 observations, 34 turns, 12 sessions`; empty where it holds no memory. */
export function heldText({ manifest }: Backup): string {
  const counts = manifest?.files.find(({ name }) => name === "memory.db")?.counts;
  if (!counts) {
    const names = manifest?.files.map(({ name }) => name) ?? [];
    return names.length > 0 ? `, ${names.join(", ")}` : "";
  }
  const held = [
    plural(counts.observations ?? 0, "observation"),
    plural(counts.turns ?? 0, "turn"),
    plural(counts.sessions ?? 0, "session"),
  ];
  return `, ${held.join(", ")}`;
}

function report({ name, folder, reason, time, bytes, manifest, fault }: Backup) {
  return {
    ...{ name, folder, reason, time, bytes, files: manifest?.files ?? [] },
    missing: manifest?.missing ?? [],
    ...(fault === undefined ? {} : { fault }),
  };
}
