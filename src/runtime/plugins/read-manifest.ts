// A package.json, of a plugin or of the folder that plugins are installed in.
import { readFile } from "node:fs/promises";

/** Its object; undefined where there is none, or no object in it. */
export async function readManifest(path: string): Promise<Record<string, unknown> | undefined> {
  try {
    const value: unknown = JSON.parse((await readFile(path, "utf8")).replace(/^\ufeff/, ""));
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
