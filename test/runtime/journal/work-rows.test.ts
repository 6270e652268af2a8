// Leases: who holds a piece, and what is kept while somebody may still need it.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJournal, type Journal } from "../../../src/runtime/journal/journal.ts";
import type { Plan } from "../../../src/runtime/journal/planning.ts";
import type { LeasedWork } from "../../../src/runtime/journal/work.ts";
import type { WorkKind } from "../../../src/runtime/ports.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";

let folder: string;
let journal: Journal;
let time: number;
let row: number;

/** A plan of one piece for each line: `kind seq,seq`. */
function planOf(...lines: string[]): Plan {
  const works = lines.map((line) => {
    const [kind, seqs = ""] = line.split(" ");
    return {
      kind: kind as WorkKind,
      key: line,
      promptNumber: 1,
      seqs: seqs.split(",").map(Number),
      waiting: false,
    };
  });
  return { works, settled: [], dueAt: null, summarizedSeq: null };
}

function lease(until = time + 100): LeasedWork {
  const leased = journal.lease(row, until, "sqlite");
  if (leased.state !== "leased") throw new Error(`Nothing to lease: ${leased.state}.`);
  return leased.work;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-work-"));
  time = 1_000;
  journal = await createJournal(join(folder, "journal.db"), { now: () => time, log: keptLog() });
  await journal.append(toolEvent("a"));
  await journal.append(clientEvent("Stop"));
  row = journal.rows("s1")[0] ?? 0;
});
afterEach(async () => {
  await journal.close();
  await rm(folder, { recursive: true });
});

test("a piece is one holder's until its lease ends; then the first holder can do nothing more", () => {
  journal.writePlan(row, planOf("observe 1,2"));
  const first = lease();
  expect(journal.lease(row, time + 100, "sqlite")).toEqual({ state: "later", at: time + 100 });
  expect(journal.renew(first, time + 200)).toBe(true);
  time += 150;
  expect(journal.lease(row, time + 100, "sqlite")).toEqual({ state: "later", at: 1_200 });
  time += 50;
  const second = lease();
  expect(second).toMatchObject({ key: first.key, attempt: 2, interruptedIn: "sqlite" });
  expect(journal.renew(first, time + 999)).toBe(false);
  expect(journal.finish(first, new Map())).toBeUndefined();
  expect(journal.fail(first, "late", null)).toBeUndefined();
  expect(journal.status()).toMatchObject({ leasedWork: 1, parkedWork: 0 });
  expect(journal.finish(second, new Map([[1, { outcome: "stored" }]]))).toHaveLength(1);
  expect(journal.finish(second, new Map())).toBeUndefined();
});

test("a piece that is waited for or leased is open work, one that is done is not", () => {
  expect(journal.hasOpenWork(row)).toBe(false);
  journal.writePlan(row, planOf("observe 1,2"));
  expect(journal.hasOpenWork(row)).toBe(true);
  const piece = lease();
  expect(journal.hasOpenWork(row)).toBe(true);
  journal.finish(piece, new Map());
  expect(journal.hasOpenWork(row)).toBe(false);
});

test("where a piece may be stored stays known until an attempt says how it ended", () => {
  journal.writePlan(row, planOf("observe 1,2"));
  const leaseIn = (storage: string) => {
    time += 1_000;
    const leased = journal.lease(row, time + 100, storage);
    if (leased.state !== "leased") throw new Error(`Nothing to lease: ${leased.state}.`);
    return leased.work;
  };
  const first = leaseIn("sqlite");
  expect(first).toMatchObject({ storage: "sqlite", interruptedIn: null });
  expect(journal.putsIn(first, "files")).toBe(true);
  expect(leaseIn("sqlite")).toMatchObject({ interruptedIn: "files" });
  expect(journal.putsIn(first, "sqlite")).toBe(false);
  const third = leaseIn("sqlite");
  expect(third).toMatchObject({ interruptedIn: "files" });
  journal.fail(third, "late", time, true);
  const fourth = leaseIn("sqlite");
  expect(fourth).toMatchObject({ interruptedIn: "files" });
  journal.fail(fourth, "refused", time);
  expect(leaseIn("sqlite")).toMatchObject({ storage: "sqlite", interruptedIn: null });
});

test("only an observe piece says how a tool use ended", () => {
  journal.writePlan(row, planOf("observe 1", "summarize-session 1"));
  journal.fail(lease(), "broken", null);
  expect(journal.finish(lease(), new Map())).toEqual([]);
  expect(journal.toolUse("a")?.settled).toMatchObject({ outcome: "parked", reason: "broken" });
});

test("a tool use that was parked and then done is counted as done alone", () => {
  journal.writePlan(row, planOf("observe 1"));
  journal.fail(lease(), "broken", null);
  expect(journal.status().counters).toMatchObject({ "settled:parked": 1 });
  expect(journal.retryParked()).toEqual([row]);
  // Whoever listens was told of its end already.
  expect(journal.finish(lease(), new Map([[1, { outcome: "stored" }]]))).toEqual([]);
  expect(journal.status().counters).toMatchObject({ "settled:parked": 0, "settled:stored": 1 });
});

test("an event is kept while a second piece still needs it", async () => {
  journal.writePlan(row, planOf("observe 1,2", "summarize-prompt 2"));
  journal.finish(lease(), new Map([[1, { outcome: "stored" }]]));
  journal.markNotified([1]);
  time += 1_000_000;
  expect(await journal.prune(1)).toBe(1);
  expect(lease().events.map(({ seq }) => seq)).toEqual([2]);
});

test("a tool use nobody was told of is kept until somebody is", async () => {
  journal.writePlan(row, planOf("observe 1,2"));
  journal.finish(lease(), new Map([[1, { outcome: "stored", observations: ["o1"] }]]));
  time += 1_000_000;
  expect(await journal.prune(1)).toBe(1);
  expect(journal.unnotified()).toEqual([
    {
      seq: 1,
      settled: { session: "s1", toolUseId: "a", outcome: "stored", observations: ["o1"] },
    },
  ]);
  journal.markNotified([1]);
  expect(journal.unnotified()).toEqual([]);
  expect(await journal.prune(1)).toBe(1);
});

test("a tool use is not taken in again from a transcript's copy, also when its event is deleted", async () => {
  const copied = async (id: string, client = "claude-code") => {
    const copy = { recovered: { modelFree: true }, session: "fork", client };
    return !(await journal.append(toolEvent(id, { ...copy, key: `${client} ${id}` }))).isNew;
  };
  const found = [await copied("a"), await copied("a", "other"), await copied("b")];
  expect(found).toEqual([true, false, false]);
  journal.writePlan(row, planOf("observe 1,2"));
  journal.finish(lease(), new Map([[1, { outcome: "stored" }]]));
  journal.markNotified([1]);
  time += 1_000_000;
  expect(await journal.prune(1)).toBe(2);
  expect(journal.toolUse("a")?.row).not.toBe(row);
  expect(await copied("a")).toBe(true);
});

test("parked work is given up after four times as long", async () => {
  journal.writePlan(row, planOf("observe 1,2"));
  journal.markNotified(journal.fail(lease(), "broken", null)?.map(({ seq }) => seq) ?? []);
  time += 3_500;
  expect(await journal.prune(1_000)).toBe(0);
  time += 1_000;
  expect(await journal.prune(1_000)).toBe(2);
  expect(journal.status().parkedWork).toBe(0);
});

test("what is deleted is given back to the file system", async () => {
  await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      journal.append(clientEvent("Other", { extra: { index, text: "x".repeat(10_000) } })),
    ),
  );
  await journal.close();
  const path = join(folder, "journal.db");
  const before = (await stat(path)).size;
  journal = await createJournal(path, { now: () => time, log: keptLog() });
  time += 1_000;
  expect(await journal.prune(1)).toBe(200);
  await journal.close();
  expect((await stat(path)).size).toBeLessThan(before / 4);
  journal = await createJournal(path, { now: () => time, log: keptLog() });
});

test("a plan that cannot be written leaves everything as it was", () => {
  expect(() => journal.writePlan(row, planOf("observe 1", "observe 99"))).toThrow();
  expect(journal.pending(row).map(({ seq }) => seq)).toEqual([1, 2]);
  expect(journal.status().pendingWork).toBe(0);
});
