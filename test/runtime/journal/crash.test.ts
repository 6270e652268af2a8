// What was accepted survives kill -9 at any instant: a child appends until it is killed, again and again.
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJournal } from "../../../src/runtime/journal/journal.ts";
import { toolEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";

const kills = 15;

test("every acknowledged event is there after each kill", async () => {
  const folder = await mkdtemp(join(tmpdir(), "memoir-crash-"));
  try {
    const path = join(folder, "journal.db");
    const acknowledged = new Set<number>();
    for (let kill = 0; kill < kills; kill++) {
      const first = Math.max(-1, ...acknowledged) + 1;
      // Killed after a number of acknowledgements that differs each time: mid-group, mid-commit, right after one.
      for (const number of await appendAndKill(path, first, 1 + kill * 7)) acknowledged.add(number);
    }
    const journal = await createJournal(path, { now: Date.now, log: keptLog() });
    expect(journal.status().damaged).toEqual([]);
    const repeated = await Promise.all(
      [...acknowledged].map((number) => journal.append(toolEvent(`crash${number}`))),
    );
    expect(repeated.filter(({ fresh }) => fresh)).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(kills);
    await journal.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function appendAndKill(path: string, first: number, after: number): Promise<number[]> {
  const script = join(import.meta.dir, "append-until-killed.ts");
  const child = Bun.spawn([process.execPath, script, path, String(first)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let printed = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    printed += decoder.decode(chunk, { stream: true });
    if (printed.split("\n").length > after) child.kill("SIGKILL");
  }
  await child.exited;
  // A number that was cut in half was not read as acknowledged.
  return printed.split("\n").slice(0, -1).map(Number);
}
