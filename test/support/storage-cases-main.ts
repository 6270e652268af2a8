// Runs the storage promises against the built-in plugin without a test runner: how the suite checks it under Deno.
// Prints one line a case and ends with exit code 1 when one failed. Arguments: parts of case names; none means all.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import sqlite from "../../plugins/storage-sqlite/index.ts";
import { storageCases } from "./storage-conformance.ts";
import { openStorageAlone } from "./storage-host.ts";

const wanted = process.argv.slice(2);
for (const { name, run } of storageCases) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
  const home = await mkdtemp(join(tmpdir(), "memoir-storage-"));
  try {
    await run(() => openStorageAlone(sqlite, home));
    console.log(`ok ${name}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`failed ${name}: ${error instanceof Error ? error.stack : error}`);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
