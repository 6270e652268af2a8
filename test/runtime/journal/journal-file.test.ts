// The journal's file: whose it is, what a damaged one still gives, and what is no more in it.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readFindings } from "../../../src/home/findings.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";
import { closeFolder, folder, open, openFolder, path, watchedDisk } from "./journal-room.ts";

beforeEach(openFolder);
afterEach(closeFolder);

describe("the file", () => {
  test("is the user's alone, in WAL mode", async () => {
    const journal = await open();
    await journal.append(toolEvent("a"));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).toSorted()).toContain("journal.db-wal");
    expect(journal.status().bytes).toBeGreaterThan(0);
  });

  test("is kept over a restart", async () => {
    const event = toolEvent("kept");
    const journal = await open();
    await journal.append(clientEvent("UserPromptSubmit"));
    await journal.append(event);
    journal.count("drop:skip list", 3);
    await journal.close();
    const again = await open();
    expect((await again.append(event)).isNew).toBe(false);
    expect((await again.append(clientEvent("UserPromptSubmit"))).promptNumber).toBe(2);
    expect(again.status().counters["drop:skip list"]).toBe(3);
  });

  test("of a newer memoir is left alone", async () => {
    const db = await openDatabase(path);
    db.exec("PRAGMA user_version = 99");
    db.close();
    const before = await readFile(path);
    await expect(open()).rejects.toMatchObject({ code: "storage_newer" });
    expect(await readFile(path)).toEqual(before);
  });

  test("that cannot be opened is said clearly", async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, "no folder");
    await expect(open()).rejects.toMatchObject({ code: "journal_unwritable" });
  });

  for (const [how, take] of [
    ["deleted with its log", () => Promise.all([rm(path), rm(`${path}-wal`), rm(`${path}-shm`)])],
    ["moved away", () => rename(path, join(folder, "elsewhere"))],
  ] as const)
    test(`that is ${how} under a server is put back: what was answered before and after is on disk`, async () => {
      const journal = await open();
      await journal.append(clientEvent("UserPromptSubmit"));
      await journal.append(toolEvent("before"));
      await take();
      expect((await journal.append(toolEvent("after"))).isNew).toBe(true);
      // As a killed process leaves it: nothing is closed.
      const other = await openDatabase(path, { readonly: true });
      const told = other.prepare("SELECT tool_use FROM events WHERE tool_use NOTNULL").all();
      other.close();
      expect(told).toHaveLength(2);
      expect(readFindings(folder).map(({ what }) => what)).toEqual([
        "was deleted while it was open; all that it held is in its place again",
      ]);
      await journal.close();
      expect((await (await open()).append(toolEvent("before"))).isNew).toBe(false);
    });

  test("that is deleted after the last event is put back at the next start", async () => {
    const journal = await open();
    await journal.append(toolEvent("last"));
    await rm(path);
    await journal.close();
    expect((await (await open()).append(toolEvent("last"))).isNew).toBe(false);
  });

  test("of garbage is put aside and kept", async () => {
    const garbage = "no database at all ".repeat(500);
    await writeFile(path, garbage);
    const log = keptLog();
    const journal = await open({ log });
    expect((await journal.append(toolEvent("a"))).isNew).toBe(true);
    const aside = `${path}.damaged-1000`;
    expect(await readFile(aside, "utf8")).toBe(garbage);
    expect(journal.status().damaged).toEqual([aside]);
    expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  test("that was cut short is put aside; sessions and unfinished events that can be read are carried over", async () => {
    const journal = await open();
    await journal.append(clientEvent("UserPromptSubmit"));
    for (let index = 0; index < 300; index++)
      await journal.append(toolEvent(`cut${index}`, { toolResponse: "x".repeat(500) }));
    await journal.close();
    await truncate(path, Math.floor((await stat(path)).size * 0.7));
    const again = await open();
    const status = again.status();
    expect(status.damaged).toHaveLength(1);
    expect(again.session("s1")?.prompts).toBe(1);
    expect(status.pendingEvents).toBeGreaterThan(0);
    expect((await again.append(clientEvent("UserPromptSubmit"))).promptNumber).toBe(2);
  });

  test("whose damage shows later loses no word of the user's: what was forgotten stays forgotten", async () => {
    const { disk, open: openWatched } = watchedDisk();
    const journal = await open({ open: openWatched });
    await journal.append(clientEvent("UserPromptSubmit"));
    const before = journal.rows("s1")[0] ?? 0;
    journal.forget(before, [1]);
    disk.failures.push(Object.assign(new Error("database disk image is malformed"), { errno: 11 }));
    await journal.append(toolEvent("through"));
    expect(journal.status().damaged).toHaveLength(1);
    const row = journal.rows("s1")[0] ?? 0;
    expect([journal.isForgotten(row, 1), journal.isForgotten(row, 2)]).toEqual([true, false]);
  });

  test("whose damage shows later keeps what tool uses that are done were, and that they happened", async () => {
    const { disk, open: openWatched } = watchedDisk();
    const journal = await open({ open: openWatched });
    await journal.append(toolEvent("done"));
    const [row = 0] = journal.rows("s1");
    journal.writePlan(row, {
      works: [],
      settled: [{ seq: 1, reason: "nothing to do" }],
      dueAt: null,
      summarizedSeq: null,
    });
    disk.failures.push(Object.assign(new Error("database disk image is malformed"), { errno: 11 }));
    await journal.append(toolEvent("through"));
    expect(journal.status().damaged).toHaveLength(1);
    expect(journal.toolUse("done")?.settled).toMatchObject({ reason: "nothing to do" });
    const copy = { recovered: { modelFree: true }, session: "fork", key: "copy" };
    expect((await journal.append(toolEvent("done", copy))).isNew).toBe(false);
  });

  test("whose damage shows later is replaced, and the append goes through", async () => {
    const { disk, open: openWatched } = watchedDisk();
    const journal = await open({ open: openWatched });
    await journal.append(clientEvent("UserPromptSubmit"));
    // Somebody else reads the file, so its log stays when the journal lets go of it.
    const reader = await openDatabase(path, { readonly: true });
    reader.prepare("SELECT count(*) FROM events").get();
    disk.failures.push(Object.assign(new Error("database disk image is malformed"), { errno: 11 }));
    expect(await journal.append(toolEvent("through"))).toMatchObject({
      isNew: true,
      promptNumber: 1,
    });
    expect(journal.status().damaged).toHaveLength(1);
    expect(journal.status().pendingEvents).toBe(2);
    expect(await readdir(folder)).toContain("journal.db.damaged-1000-wal");
    reader.close();
  });
});

test("words of what is forgotten leave the journal's files", async () => {
  const journal = await open();
  const text = "a wombat in the cellar";
  await journal.append(clientEvent("UserPromptSubmit", { prompt: text.repeat(400) }));
  await journal.append(clientEvent("UserPromptSubmit", { prompt: "kept" }));
  const row = journal.rows("s1")[0] ?? 0;
  await journal.flushed();
  expect(journal.forget(row, [1])).toEqual([]);
  const files = await Promise.all(
    (await readdir(folder))
      .filter((name) => name.startsWith("journal.db"))
      .map((name) => readFile(join(folder, name), "latin1")),
  );
  expect(files.join("")).not.toContain("wombat");
  expect(files.join("")).toContain("kept");
});
