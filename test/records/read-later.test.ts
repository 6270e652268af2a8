// What comes in bulk: its records are there at once, its words are read later, and what is found then is what is found of one at a time.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openRecords, type RecordStore } from "../../src/records/record-store.ts";
import type { Change } from "../../src/sdk/change.ts";
import { inFolder } from "../support/in-folder.ts";
import { numbers, turnSessions } from "../support/synthetic-turns.ts";

/** The changes of a memory of made sessions, four records a turn. */
async function changesOf(turns: number): Promise<Change[]> {
  const theirs = await openRecords(":memory:");
  let number = 0;
  for (const records of turnSessions({ turns, end: 1_800_000_000_000 }))
    await theirs.put({ key: `${number++}`, records });
  const { changes } = await theirs.changes({ limit: 1e6 });
  theirs.close();
  return changes;
}

const questions = ["session token", "invoice queue cache", "expired", "src/token"];

async function whole(store: RecordStore): Promise<void> {
  while (!(await store.stats({})).index?.isWhole) await Bun.sleep(20);
}

/** What is found of each question, by what it is, for two memories number the same differently; those of one score in any order. */
async function found(store: RecordStore) {
  const answers = [];
  for (const text of questions) {
    const all = await store.search({ text, by: "record", limit: 1_000 });
    answers.push(all.map(({ kind, title, createdAt }) => `${kind} ${createdAt} ${title}`).sort());
  }
  return answers;
}

async function state(store: RecordStore) {
  const { index } = await store.stats({});
  return index;
}

test("is found as what came one at a time, in another order", async () => {
  const changes = await changesOf(40);
  const [bulk, single] = [await openRecords(":memory:"), await openRecords(":memory:")];
  await bulk.apply({ changes });
  const random = numbers(3);
  for (const change of changes.map((one) => ({ one, at: random() })).sort((a, b) => a.at - b.at))
    await single.apply({ changes: [change.one] });
  await whole(bulk);
  expect((await found(bulk)).filter((one) => one.length > 20).length).toBe(4);
  expect(await found(bulk)).toEqual(await found(single));
  bulk.close();
  single.close();
});

test("waits in the file where the process ends first, is told so, and is read by the next", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const changes = await changesOf(40);
    const first = await openRecords(path);
    await first.apply({ changes });
    const { records = 0, ...begun } = (await state(first)) ?? {};
    expect(begun).toEqual({ isWhole: false, indexed: 0 });
    expect((await first.observations({ limit: 1_000 })).length).toBeGreaterThan(20);
    first.close();
    const next = await openRecords(path);
    await whole(next);
    // Nothing of it was made anew.
    expect(await state(next)).toEqual({ isWhole: true, indexed: records, records });
    const other = await openRecords(":memory:");
    await other.apply({ changes });
    await whole(other);
    expect(await found(next)).toEqual(await found(other));
    other.close();
    next.close();
  }));

test("is not found once it is deleted, whether its words were read or not", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const changes = await changesOf(40);
    for (const isRead of [true, false]) {
      const store = await openRecords(`${path}${isRead}`);
      await store.apply({ changes });
      if (isRead) await whole(store);
      const [one] = await store.observations({ limit: 1 });
      await store.delete({ ids: [one?.id ?? ""] });
      await whole(store);
      const text = one?.title ?? "";
      const titles = (await store.search({ text, by: "record" })).map(({ title }) => title);
      expect(titles).not.toContain(text);
      store.close();
      const next = await openRecords(`${path}${isRead}`);
      const { records, ...after } = (await state(next)) ?? {};
      expect(after).toEqual({ isWhole: true, indexed: records as number });
      next.close();
    }
  }));

test("a few are read before a question is answered", async () => {
  const store = await openRecords(":memory:");
  await store.apply({ changes: await changesOf(40) });
  expect((await state(store))?.isWhole).toBe(false);
  expect(await store.search({ text: "session token", by: "record" })).not.toBeEmpty();
  expect((await state(store))?.isWhole).toBe(true);
  store.close();
});
