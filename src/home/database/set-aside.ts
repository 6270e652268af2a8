// Gives a damaged file another name, and says so: nothing that a user has is ever deleted for its damage.
import { readdirSync } from "node:fs";
import { rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Database } from "../../host/sqlite.ts";
import { addFinding, type Finding } from "../findings.ts";
import { isThere } from "../read-file.ts";
import { wantRebuild } from "../rebuild-wanted.ts";
import type { DatabaseForm, OpenDatabase } from "./open-file.ts";
import { endings, type RecoveredRows } from "./read-damaged.ts";

/** Between a file's name and the time at which it was set aside. */
export const mark = ".damaged-";

/** Gives a file, and what belongs to it, a new name that nothing has; answers that name. */
export async function setAside(path: string, time: number): Promise<string> {
  const aside = await freeName(`${path}${mark}`, time);
  for (const ending of endings) await rename(path + ending, aside + ending).catch(absent);
  return aside;
}

/** Files that were set aside, oldest first. */
export function damagedFiles(path: string): string[] {
  const beginning = `${basename(path)}${mark}`;
  try {
    return readdirSync(dirname(path))
      .filter((name) => name.startsWith(beginning) && /\d$/.test(name))
      .sort()
      .map((name) => join(dirname(path), name));
  } catch {
    return [];
  }
}

/** The first name of this beginning and a time that nothing has. */
export async function freeName(beginning: string, time: number): Promise<string> {
  for (let at = time; ; at++) {
    if (!(await isThere(`${beginning}${at}`))) return `${beginning}${at}`;
  }
}

function absent(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
}

/** What happens around a file that is damaged. */
export interface Replacement {
  /** Epoch ms; stands in the name of the file that is set aside. */
  now: () => number;
  /** Called once the file is set aside and a new one, with what could be read of the old, is in its place. */
  replaced(
    aside: string,
    db: Database,
    cause: unknown,
    recovered: RecoveredRows,
  ): void | Promise<void>;
  /** Called when damage was found, before anything is read; told how many rows are saved, as often as asked. */
  begins?(cause: unknown, saved: () => number): void;
  /** Where the finding is noted. Default: the file's folder. */
  home?: string;
  open?: OpenDatabase;
}

/** The folder whose findings and ledger speak of the file. */
export function homeOf(path: string, { home = dirname(path) }: Replacement): string {
  return home;
}

/** Notes a damage, and asks for what is lost to be made again where other files may have it. */
export function note(
  path: string,
  { recovery }: DatabaseForm,
  how: Replacement,
  about: Partial<Finding> & { time: number },
): void {
  const [home, file] = [homeOf(path, how), basename(path)];
  const isRebuilt =
    recovery?.rebuilt === true && wantRebuild(home, { time: about.time, file, why: "damage" });
  const fix = "What the journal and your client's transcripts have of the rest is made again.";
  addFinding(home, { file, what: "was damaged", ...(isRebuilt && { fix }), ...about });
}
