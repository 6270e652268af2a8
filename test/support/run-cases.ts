// Runs the database promises without a test runner: how the suite checks them under Deno. Those of storage: test/deno/run-suites.ts.
// Prints one line a case and ends with exit code 1 when one failed. Arguments: parts of case names; none means all.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { databaseCases } from "./database-cases.ts";

const wanted = process.argv.slice(2);
for (const { name, run } of databaseCases) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
  const folder = await mkdtemp(join(tmpdir(), "memoir-cases-"));
  try {
    await run(folder);
    console.log(`ok ${name}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`failed ${name}: ${error instanceof Error ? error.stack : error}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
