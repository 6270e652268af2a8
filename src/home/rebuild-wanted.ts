// Notes durably that something of memory was lost which the journal and the clients' transcripts may still have: one line each in `rebuild.jsonl`, until it was made again.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { appendDurablySync, atomicWrite, readFileTextSync } from "./read-file.ts";

/** Why something has to be made again. */
export interface RebuildWanted {
  /** Epoch ms; that of the finding, where there is one. */
  time: number;
  /** The file that lost it, as its name in the home. */
  file: string;
  /** `restore`: an older copy stands in its place, by the user's word. `fewer`: it holds fewer rows than when it was counted last. */
  why: "damage" | "restore" | "fewer";
}

/** Where it is noted. */
export function rebuildFile(home: string): string {
  return join(home, "rebuild.jsonl");
}

/** Notes it, for good when it returns. A disk that takes no line must not be a second damage: false then. */
export function wantRebuild(home: string, wanted: RebuildWanted): boolean {
  try {
    appendDurablySync(rebuildFile(home), `${JSON.stringify(wanted)}\n`);
    return true;
  } catch {
    return false;
  }
}

/** What is still to be made again, oldest first; a line that is torn counts as some damage. */
export function rebuildsWanted(home: string): RebuildWanted[] {
  return lines(home).map(parse);
}

/** Whether anything is; costs one look at the disk. */
export function isRebuildWanted(home: string): boolean {
  return existsSync(rebuildFile(home));
}

/** These are made again; what was noted since stays. */
export async function rebuildDone(home: string, done: readonly RebuildWanted[]): Promise<void> {
  const left = lines(home).slice(done.length);
  if (left.length === 0) await rm(rebuildFile(home), { force: true, recursive: true });
  else await atomicWrite(rebuildFile(home), left.map((line) => `${line}\n`).join(""));
}

function lines(home: string): string[] {
  try {
    return readFileTextSync(rebuildFile(home))
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    // A folder in its place says as much: something was noted there.
    return isRebuildWanted(home) ? [""] : [];
  }
}

function parse(line: string): RebuildWanted {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && "file" in value && "time" in value)
      return value as RebuildWanted;
  } catch {
    // Torn.
  }
  return { time: 0, file: "memory.db", why: "damage" };
}
