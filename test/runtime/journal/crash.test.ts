// What was accepted survives kill -9 at any instant: a child appends until it is killed, again and again.
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJournal } from "../../../src/runtime/journal/journal.ts";
import { appendAndKill } from "../../support/append-and-kill.ts";
import { toolEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";

const kills = 15;

test("every acknowledged event is there after each kill", async () => {
  const folder = await mkdtemp(join(tmpdir(), "memoir-crash-"));
  try {
    const script = join(import.meta.dir, "append-until-killed.ts");
    const path = join(folder, "journal.db");
    const acknowledged = new Set<number>();
    for (let kill = 0; kill < kills; kill++) {
      const first = Math.max(-1, ...acknowledged) + 1;
      // Killed after a number of acknowledgements that differs each time: mid-group, mid-commit, right after one.
      for (const number of await appendAndKill([script, path, String(first)], 1 + kill * 7))
        acknowledged.add(number);
    }
    const journal = await createJournal(path, { now: Date.now, log: keptLog() });
    expect(journal.status().damaged).toEqual([]);
    const repeated = await Promise.all(
      [...acknowledged].map((number) => journal.append(toolEvent(`crash${number}`))),
    );
    expect(repeated.filter(({ isNew }) => isNew)).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(kills);
    await journal.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
