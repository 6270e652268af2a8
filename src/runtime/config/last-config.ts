// The last config that could be read, kept beside the file: what is in force when a restart meets a file that is broken.
import { atomicWrite } from "../../home/atomic-write.ts";
import { memoirPaths } from "../../home/paths.ts";
import { readFileText } from "../../home/read-file.ts";
import { readConfig } from "./config.ts";
import { type ConfigFile, parseConfig } from "./parse.ts";

/**
 * Reads the config as a server begins with it. A file that is no JSON leaves the last readable one in force, its problems
 * beside it; where there was none, `captureUnclear` withholds all text. Never rejects.
 */
export async function readConfigOrLast(home: string): Promise<ConfigFile> {
  const file = await readConfig(home);
  if (!file.broken) return file;
  const { path, problems } = file;
  const last = await readFileText(memoirPaths(home).lastConfig).catch(() => undefined);
  const kept = last === undefined ? undefined : parseConfig(path, last);
  return kept && !kept.broken ? { ...kept, problems, broken: true } : file;
}

/** Keeps what was read, for a start after the file broke. Never rejects: it is a copy. */
export async function keepConfig(home: string, { broken, set }: ConfigFile): Promise<void> {
  if (broken) return;
  const path = memoirPaths(home).lastConfig;
  const text = `${JSON.stringify(set, null, 2)}\n`;
  const before = await readFileText(path).catch(() => "{}\n");
  if (before !== text) await atomicWrite(path, text).catch(() => undefined);
}
