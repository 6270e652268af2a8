import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { databaseCases } from "../support/database-cases.ts";
import { inFolder } from "../support/in-folder.ts";
import { outcomeOf } from "../support/outcome-of.ts";

describe("the SQLite leaf", () => {
  for (const { name, run } of databaseCases) test(name, () => inFolder(run));
});

const root = join(import.meta.dir, "../..");
const deno = join(root, "node_modules/.bin/deno");

test.skipIf(!existsSync(deno))(
  "Deno keeps every database and storage promise with node:sqlite",
  async () => {
    const child = Bun.spawn([deno, "run", "-A", "--no-check", "test/support/run-cases.ts"], {
      cwd: root,
      env: { ...process.env, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
      stdout: "pipe",
      stderr: "pipe",
    });
    const { code, out, err } = await outcomeOf(child);
    const lines = out.trim().split("\n");
    expect({ failed: lines.filter((line) => !line.startsWith("ok ")), err, code }).toEqual({
      failed: [],
      err: "",
      code: 0,
    });
    expect(lines.length).toBeGreaterThan(databaseCases.length + 20);
  },
  60_000,
);
