// What is said of a file that is replaced, and where.
import { basename, dirname } from "node:path";
import type { Database } from "../../host/sqlite.ts";
import { addFinding, type Finding } from "../findings.ts";
import { wantRebuild } from "../rebuild-wanted.ts";
import type { RecoveredRows } from "../recover/recover.ts";
import type { DatabaseForm, OpenDatabase } from "./open-file.ts";

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
