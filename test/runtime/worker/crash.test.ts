// Kill -9 while work is under way: every accepted tool use is stored once, told at least once, whatever was interrupted.
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJournal } from "../../../src/runtime/journal/journal.ts";
import { createWorker } from "../../../src/runtime/worker/worker.ts";
import { appendAndKill } from "../../support/append-and-kill.ts";
import { keptLog } from "../../support/kept-log.ts";
import { openKeptStorage } from "./kept-storage.ts";

const kills = 6;

test("nothing is lost or doubled", async () => {
  const folder = await mkdtemp(join(tmpdir(), "memoir-crash-"));
  const script = join(import.meta.dir, "work-until-killed.ts");
  try {
    const accepted = new Set<number>();
    for (let kill = 0; kill < kills; kill++) {
      const first = Math.max(-1, ...accepted) + 1;
      for (const number of await appendAndKill([script, folder, String(first)], 3 + kill * 5))
        accepted.add(number);
    }
    const log = keptLog();
    const journal = await createJournal(join(folder, "journal.db"), { now: Date.now, log });
    const { db, hooks } = await openKeptStorage(join(folder, "kept.db"));
    const worker = createWorker({ journal, hooks: () => hooks, log, now: Date.now });
    worker.start();
    expect(await worker.drain({ timeoutMs: 10_000, flush: true })).toBe(true);

    const stored = db.prepare<{ tool_use: string }>("SELECT tool_use FROM stored").all();
    const ids = stored.map(({ tool_use }) => tool_use);
    expect(new Set(ids).size).toBe(ids.length);
    const told = db.prepare<{ tool_use: string }>("SELECT tool_use FROM settled").all();
    const heard = new Set(told.map(({ tool_use }) => tool_use));
    for (const number of accepted) {
      expect(ids).toContain(`crash${number}`);
      expect(heard).toContain(`crash${number}`);
    }
    expect(accepted.size).toBeGreaterThan(kills);
    expect(journal.status()).toMatchObject({ pendingEvents: 0, parkedWork: 0, damaged: [] });
    await worker.stop();
    await journal.close();
    db.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
