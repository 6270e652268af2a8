// Makes the next import of a plugin read its files again, where a plugin runs inside this process.
import { createRequire } from "node:module";
import { ownFolder, pluginFiles } from "./fingerprint.ts";

const { cache } = createRequire(import.meta.url);

/** Forgets the plugin's own modules; its packages stay. Where an engine keeps modules for good, nothing happens. */
export async function forgetModules(module: string): Promise<void> {
  for (const path of await pluginFiles(module, ownFolder(module))) delete cache[path];
}
