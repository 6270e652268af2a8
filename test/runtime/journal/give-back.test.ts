// Retention frees the file's bytes, and no text of what was deleted stays in it or in its log.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../../src/home/log.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { createJournal } from "../../../src/runtime/journal/journal.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";

const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 1);
let folder: string;
let path: string;
let now: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-give-back-"));
  path = join(folder, "journal.db");
  now = start;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = () => createJournal(path, { now: () => now, log: silentLog });
const mark = "text-that-is-to-go";
const event = (at: number): ClientEvent => ({
  name: "Stop",
  id: `id-${at}`,
  key: `key-${at}`,
  client: "claude-code",
  session: `s-${at % 7}`,
  time: now,
  cwd: "/p",
  stopHookActive: false,
  lastAssistantMessage: `${mark} ${at} ${"x".repeat(6_000)}`,
});

async function settleAll(): Promise<void> {
  const db = await openDatabase(path);
  db.prepare("UPDATE events SET outcome = 'stored', settled_at = ?, planned = 1").run([now]);
  db.close();
}

function textsLeft(): number {
  return [path, `${path}-wal`]
    .filter(existsSync)
    .map((file) => readFileSync(file, "latin1").split(mark).length - 1)
    .reduce((sum, n) => sum + n, 0);
}

test("a journal of 10 MB of which nothing is kept gives all of it back", async () => {
  const journal = await open();
  await Promise.all(Array.from({ length: 1_500 }, (_, at) => journal.append(event(at))));
  await settleAll();
  const full = statSync(path).size + statSync(`${path}-wal`).size;
  expect(full).toBeGreaterThan(9_000_000);
  expect(textsLeft()).toBeGreaterThan(0);
  now += 8 * dayMs;
  await journal.append({ ...event(9_999), lastAssistantMessage: "the newest" } as ClientEvent);
  expect(await journal.prune(7 * dayMs)).toBe(1_500);
  expect(statSync(path).size + statSync(`${path}-wal`).size).toBeLessThan(full / 20);
  expect(textsLeft()).toBe(0);
  expect(journal.status().pendingEvents).toBe(1);
  await journal.close();
});

test("what an earlier version left free goes back as well, with nothing to delete", async () => {
  const journal = await open();
  await Promise.all(Array.from({ length: 500 }, (_, at) => journal.append(event(at))));
  await journal.close();
  const db = await openDatabase(path);
  db.exec("DELETE FROM payloads; DELETE FROM events; PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const before = statSync(path).size;
  const again = await open();
  expect(await again.prune(7 * dayMs)).toBe(0);
  expect(statSync(path).size).toBeLessThan(before / 5);
  await again.close();
});

test("what sessions were told is kept for a year", async () => {
  const journal = await open();
  const told = (time: number) =>
    journal.inject({
      ...{ client: "c", session: "s", project: "p", event: "SessionStart" },
      ...{ time, characters: 1, tokens: 1, records: [] },
    });
  told(start);
  told(start + 300 * dayMs);
  journal.note({ project: "p", time: start, name: "failure:told" });
  now = start + 400 * dayMs;
  await journal.prune(7 * dayMs);
  expect(journal.injections(0).map(({ time }) => time)).toEqual([start + 300 * dayMs]);
  expect(journal.noted(0)).toEqual([]);
  await journal.close();
});
