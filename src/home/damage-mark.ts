// A mark beside a database in which the daily check found damage: whoever opens the file next checks it whole, however large it is.
import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { atomicWrite } from "./atomic-write.ts";
import { readFileTextSync } from "./read-file.ts";
import type { ChangedRow } from "./recover/row-sums.ts";

/** What the check found. */
export interface DamageMark {
  /** Epoch ms. */
  time: number;
  /** In SQLite's words, which name no content. */
  found: string;
  /** Nothing but tables that are made from others. */
  isDerived: boolean;
  /** Rows that are not what their checksums say, where nothing else is wrong. */
  rows?: ChangedRow[];
  /** Which file it was: another may stand in its place since. */
  inode: string;
}

/** The mark of the file at `path`, whichever file stood there; undefined for none, or one that makes no sense. */
export function readMark(path: string): DamageMark | undefined {
  try {
    return JSON.parse(readFileTextSync(markOf(path))) as DamageMark;
  } catch {
    return undefined;
  }
}

/** The mark of the very file that stands at `path` now. */
export function markOfThis(path: string): DamageMark | undefined {
  const mark = readMark(path);
  return mark && mark.inode === inodeOf(path) ? mark : undefined;
}

/** Marks the file that stands at `path` now. */
export async function writeMark(path: string, about: Omit<DamageMark, "inode">): Promise<void> {
  const mark: DamageMark = { ...about, inode: inodeOf(path) ?? "" };
  await atomicWrite(markOf(path), `${JSON.stringify(mark)}\n`);
}

/** The file was checked whole, or another took its place. */
export async function clearMark(path: string): Promise<void> {
  await rm(markOf(path), { force: true });
}

function markOf(path: string): string {
  return `${path}.suspect`;
}

function inodeOf(path: string): string | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino.toString();
}
