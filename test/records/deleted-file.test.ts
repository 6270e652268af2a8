// A file that is deleted while it is open: what it held, and what is stored meanwhile, is kept.
import { expect, test } from "bun:test";
import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { damagedFiles } from "../../src/home/database/open-file.ts";
import { findingText, readFindings } from "../../src/home/findings.ts";
import type { RecordStore } from "../../src/records/record-store.ts";
import { openRecords } from "../../src/records/record-store.ts";
import { inFolder } from "../support/in-folder.ts";
import { sampleObservation } from "../support/sample-records.ts";

const now = () => Date.UTC(2026, 10, 22, 12);
const add = (store: RecordStore, i: number) => {
  const observation = sampleObservation({ title: `Heron number${i}`, promptNumber: i });
  return store.put({ key: `${i}`, records: { observations: [observation] } });
};
const titles = async (store: RecordStore) =>
  (await store.observations({ limit: 9 })).map(({ title }) => title).sort();
const told = "memory.db was deleted while it was open; all that it held is in its place again.";

for (const endings of [[""], ["", "-wal", "-shm"]])
  for (const isStored of [true, false])
    test(`deleted with ${endings.length} of its files, ${isStored ? "before something is stored" : "and closed without a word"}`, () =>
      inFolder(async (home) => {
        const path = join(home, "memory.db");
        const store = await openRecords(path, now);
        await add(store, 1);
        for (const ending of endings) rmSync(path + ending);
        if (isStored) {
          await Promise.all([add(store, 2), add(store, 3)]);
          expect(existsSync(path)).toBe(true);
        }
        const before = await titles(store);
        expect(before).toHaveLength(isStored ? 3 : 1);
        store.close();
        const again = await openRecords(path, now);
        expect(await titles(again)).toEqual(before);
        expect(await again.search({ text: "number1" })).toHaveLength(1);
        again.close();
        expect(readFindings(home).map(findingText)).toEqual([told]);
      }));

test("a file that is put in its place after the end is used; what the deleted one held stays beside it", () =>
  inFolder(async (home) => {
    const path = join(home, "memory.db");
    const other = await openRecords(join(home, "other.db"), now);
    await add(other, 7);
    other.close();
    const store = await openRecords(path, now);
    await add(store, 1);
    rmSync(path);
    store.close();
    renameSync(join(home, "other.db"), path);
    const again = await openRecords(path, now);
    expect(await titles(again)).toEqual(["Heron number7"]);
    again.close();
    const [aside] = damagedFiles(path);
    // It holds what the file held: nobody else may read it either.
    expect(statSync(aside ?? "").mode & 0o777).toBe(0o600);
    const beside = await openRecords(aside ?? "", now);
    expect(await titles(beside)).toEqual(["Heron number1"]);
    beside.close();
    expect(readFindings(home).map(findingText)).toEqual([
      `memory.db was deleted while it was open, and another file is in its place. What the journal and your client's transcripts have of the rest is made again. The old file is kept: ${aside}`,
    ]);
  }));

test("a home that is removed stays removed", () =>
  inFolder(async (folder) => {
    const home = join(folder, "home");
    const store = await openRecords(join(home, "memory.db"), now);
    await add(store, 1);
    rmSync(home, { recursive: true });
    store.close();
    expect(existsSync(home)).toBe(false);
  }));
