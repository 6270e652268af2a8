// What Endless Mode does when nobody waits: it deletes what is too old, writes its books together, counts sessions; and a closed file stays closed.
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Database } from "../../../src/host/sqlite.ts";
import { keepRow, keptSize, packContent } from "../../../src/runtime/endless/kept-rows.ts";
import { createLedger } from "../../../src/runtime/endless/ledger.ts";
import { createMeasuring, type MeasuringDeps } from "../../../src/runtime/endless/measuring.ts";
import { createEndlessFile, type EndlessFile } from "../../../src/runtime/endless/open-store.ts";
import { createRetention } from "../../../src/runtime/endless/retention.ts";
import { sessionUsages } from "../../../src/runtime/endless/usage-rows.ts";
import { clientEvent } from "../../support/client-events.ts";
import { keepRequest, shop } from "../../support/endless-room.ts";
import { inFolder } from "../../support/in-folder.ts";
import { keptLog } from "../../support/kept-log.ts";
import { busySession } from "../../support/recorded-session.ts";

const day = 86_400_000;
const now = Date.UTC(2026, 10, 20, 12);
const mega = 1024 * 1024;
const orElse = async <Value>(work: () => Promise<Value>, otherwise: Value) =>
  work().catch(() => otherwise);

async function withFile(
  work: (file: EndlessFile, folder: string, writes: () => number) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const file = createEndlessFile(join(folder, "endless.db"), { now: () => now, log: keptLog() });
    let writes = 0;
    const counting: EndlessFile = {
      ...file,
      write(change) {
        writes++;
        return file.write(change);
      },
    };
    try {
      await work(counting, folder, () => writes);
    } finally {
      await file.close();
    }
  });
}

/** So many originals of their own, kept so long ago. */
async function keep(file: EndlessFile, count: number, keptAt: number): Promise<void> {
  await file.write((db) => {
    for (let at = 0; at < count; at++) {
      const toolUseId = `t${keptAt}-${at}`;
      const packed = packContent({ stdout: toolUseId });
      if (packed) keepRow(db, "live", keepRequest({ toolUseId }), packed, keptAt);
    }
  });
}
const left = async (file: EndlessFile) => (await file.read(keptSize))?.references;

test("a look deletes all that is too old, in however many steps, and says how much", () =>
  withFile(async (file) => {
    await keep(file, 450, now - 8 * day);
    await keep(file, 3, now - 6 * day);
    const log = keptLog();
    const config = () => ({ keepDays: 7, keepBytes: 1_000_000_000 });
    const retention = createRetention(file, { now: () => now, log, config, orElse });
    await retention.prune();
    expect(await left(file)).toBe(3);
    expect(log.lines).toEqual([
      {
        level: "info",
        message: "Old originals of Endless Mode were deleted.",
        fields: { references: 450 },
      },
    ]);
    await retention.prune();
    expect(log.lines).toHaveLength(1);
    await retention.stop();
  }));

test("what a look finds is written even where exactly one step is too old", () =>
  withFile(async (file) => {
    await keep(file, 200, now - 8 * day);
    await keep(file, 1, now - 9 * day);
    const config = () => ({ keepDays: 7, keepBytes: 1_000_000_000 });
    const retention = createRetention(file, { now: () => now, log: keptLog(), config, orElse });
    await retention.prune();
    expect(await left(file)).toBe(0);
    await retention.stop();
  }));

test("four megabytes more bring a look before its time, less does not, and none after a stop", () =>
  withFile(async (file) => {
    const config = () => ({ keepDays: 7, keepBytes: 1_000_000_000 });
    const retention = createRetention(file, { now: () => now, log: keptLog(), config, orElse });
    await keep(file, 1, now - 8 * day);
    retention.grew(3 * mega);
    await Bun.sleep(0);
    expect(await left(file)).toBe(1);
    retention.grew(mega);
    retention.grew(mega);
    await retention.prune();
    expect(await left(file)).toBe(0);
    await retention.stop();
    await keep(file, 1, now - 8 * day);
    retention.grew(9 * mega);
    await retention.stop();
    expect(await left(file)).toBe(1);
  }));

test("where nothing was ever kept a look makes no file", () =>
  withFile(async (file, folder) => {
    const config = () => ({ keepDays: 7, keepBytes: 1 });
    const retention = createRetention(file, { now: () => now, log: keptLog(), config, orElse });
    await retention.prune();
    await retention.stop();
    expect(await Bun.file(join(folder, "endless.db")).exists()).toBe(false);
  }));

test("notes of one moment are written together, by themselves, and none after a stop", () =>
  withFile(async (file, _, writes) => {
    const ledger = createLedger(file, { now: () => now, orElse });
    const note = (tool: string) =>
      ledger.note({ at: now, strategy: "live", kind: "reread", session: "s1", tool });
    const count = () =>
      file.read((db: Database) => db.prepare("SELECT sum(count) AS n FROM books").get()?.n);
    note("Bash");
    note("Read");
    note("Grep");
    expect(writes()).toBe(0);
    while ((await count()) !== 3) await Bun.sleep(10);
    expect([writes(), await count()]).toEqual([1, 3]);
    note("Bash");
    await ledger.stop();
    note("Bash");
    await ledger.flush();
    expect([writes(), await count()]).toEqual([2, 4]);
  }));

test("figures of one strategy and project are read once in five seconds", () =>
  withFile(async (file) => {
    let time = now;
    let reads = 0;
    const counting: EndlessFile = {
      ...file,
      read(look) {
        reads++;
        return file.read(look);
      },
    };
    const ledger = createLedger(counting, { now: () => time, orElse });
    for (const project of [undefined, undefined, "shop", "shop"])
      await ledger.figures("live", project);
    expect(reads).toBe(2);
    await ledger.figures("transcript");
    expect(reads).toBe(3);
    time += 4_999;
    await ledger.figures("live");
    expect(reads).toBe(3);
    time += 1;
    await ledger.figures("live");
    expect(reads).toBe(4);
    await ledger.stop();
  }));

/** Counts a recorded session of two prompts with the strategies given. */
function measuring(file: EndlessFile, folder: string, more: Partial<MeasuringDeps> = {}) {
  const config = () =>
    ({ everywhere: ["live"], projects: {}, sessions: {}, holdOut: 0 }) as unknown as ReturnType<
      MeasuringDeps["config"]
    >;
  return createMeasuring({
    ...{ file, now: () => now, config, orElse, folders: [folder] },
    session: () => ({ project: shop }) as never,
    ...more,
  });
}
const usages = async (file: EndlessFile) =>
  (await file.read((db) => sessionUsages(db, { since: 0 }))) ?? [];

test("a session is counted after a Stop and at its end, not by its subagents or at other times", () =>
  withFile(async (file, folder) => {
    const start = now - day;
    const transcriptPath = await busySession("s1", "/gone/shop", start, 2).write(folder);
    const about = { session: "s1", transcriptPath, time: now, project: shop };
    const own = measuring(file, folder);
    own.measure(clientEvent("UserPromptSubmit", about));
    own.measure(clientEvent("Stop", { ...about, agent: { id: "a7" } }));
    await own.stop();
    expect(await usages(file)).toEqual([]);
    own.measure(clientEvent("Stop", about));
    await own.stop();
    expect(await usages(file)).toEqual([]);
    const next = measuring(file, folder);
    next.measure(clientEvent("Stop", about));
    await next.stop();
    expect(await usages(file)).toMatchObject([
      {
        ...{ session: "s1", project: shop.id, strategies: ["live"], heldOut: false },
        ...{ firstReducedAt: null, updatedAt: now, after: { turns: 0 } },
      },
    ]);
    expect((await usages(file))[0]?.before.turns).toBeGreaterThan(5);
  }));

test("what was left out for the first time while its file was read parts the turns all the same", () =>
  withFile(async (file, folder) => {
    const start = now - day;
    const transcriptPath = await busySession("shop-1", "/gone/shop", start, 2).write(folder);
    await keep(file, 1, start + 30_000);
    await file.write((db) => db.exec("UPDATE refs SET session = 'another'"));
    let asked = 0;
    const racing: EndlessFile = {
      ...file,
      async read(look) {
        asked++;
        if (asked === 2) await file.write((db) => db.exec("UPDATE refs SET session = 'shop-1'"));
        return file.read(look);
      },
    };
    const own = measuring(racing, folder);
    own.measure(clientEvent("SessionEnd", { session: "shop-1", transcriptPath, time: now }));
    await own.stop();
    const [usage] = await usages(file);
    expect(usage?.firstReducedAt).toBe(start + 30_000);
    expect(usage?.before.turns).toBeGreaterThan(0);
    expect(usage?.after.turns).toBe(usage?.before.turns ?? 0);
  }));

test("a file that was closed is opened for nobody, and may be closed again", () =>
  withFile(async (file) => {
    await keep(file, 1, now);
    await file.close();
    await file.close();
    const refused = { code: "endless_unwritable", message: "It is closed." };
    await expect(file.write(() => 1)).rejects.toMatchObject(refused);
    await expect(file.read(() => 1)).rejects.toBeDefined();
  }));

test("what is being written when a file is closed is in it", () =>
  inFolder(async (folder) => {
    const path = join(folder, "endless.db");
    const open = () => createEndlessFile(path, { now: () => now, log: keptLog() });
    const file = open();
    await keep(file, 1, now);
    const packed = packContent({ stdout: "late" });
    const late = file.write((db) => {
      if (packed) keepRow(db, "live", keepRequest({ toolUseId: "late" }), packed, now);
      return "written";
    });
    await file.close();
    expect(await late).toBe("written");
    const again = open();
    expect(await left(again)).toBe(2);
    await again.close();
  }));
