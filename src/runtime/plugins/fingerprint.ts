// Tells one state of a plugin's files from another, by content.
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { pluginFiles, readText } from "./plugin-files.ts";

/** A short word for the present content of a plugin's files; another one after any change. */
export async function fingerprint(module: string): Promise<string> {
  const hash = createHash("sha256");
  for (const path of await pluginFiles(module, ownFolder(module))) {
    const text = await readText(path);
    hash.update(`${path}\0${text ?? (await sizeAndTime(path))}\0`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** The folder that belongs to a module: the one that it is the index of. */
export function ownFolder(module: string): string | undefined {
  return /^index\.[jt]s$|^index\.mjs$/.test(basename(module)) ? dirname(module) : undefined;
}

async function sizeAndTime(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found ? `${found.size} ${found.mtimeMs}` : "gone";
}
