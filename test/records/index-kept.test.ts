// The index of a file that is opened again is the one that was kept: it is made anew only where it has to be.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabase } from "../../src/host/sqlite.ts";
import { openRecords } from "../../src/records/record-store.ts";
import type { Records } from "../../src/sdk/model.ts";
import {
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../../src/testing/samples.ts";
import { inFolder } from "../support/in-folder.ts";

const kinds: Record<string, Records> = {
  session: { sessions: [sampleSession()] },
  prompt: { prompts: [samplePrompt()] },
  observation: { observations: [sampleObservation()] },
  summary: { summaries: [sampleSummary()] },
  turn: { turns: [sampleTurn()] },
  memory: { memory: [sampleMemory()] },
};

test.each(Object.keys(kinds))("a file with a %s is opened with the index that it has", (kind) =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const first = await openRecords(path, () => noon);
    await first.put({ key: "1", records: kinds[kind] ?? {} });
    const before = (await first.stats({}))?.index;
    await first.close();
    expect(before).toMatchObject({ isWhole: true, indexed: before?.records });
    const again = await openRecords(path, () => noon);
    expect((await again.stats({}))?.index).toEqual(before as never);
    await again.close();
  }),
);

test("one that is out of step is made anew when it is opened, and says when", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const first = await openRecords(path, () => noon);
    await first.put({ key: "1", records: { memory: [sampleMemory({ content: "walrus" })] } });
    await first.close();
    const db = await openDatabase(path);
    db.exec("DELETE FROM search_tail");
    db.close();
    const again = await openRecords(path, () => noon + 5);
    expect((await again.stats({}))?.index).toMatchObject({ isWhole: true, madeAnewAt: noon + 5 });
    expect((await again.search({ text: "walrus" }))?.length).toBe(1);
    await again.close();
  }));

test("many new documents are packed by themselves once nothing else is to be done", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const store = await openRecords(path, () => noon);
    const memory = Array.from({ length: 264 }, (_, at) => sampleMemory({ content: `Item ${at}` }));
    await store.put({ key: "1", records: { memory } });
    const db = await openDatabase(path, { readonly: true });
    const left = () =>
      db.prepare<{ n: number }>("SELECT count(*) AS n FROM search_tail").get()?.n ?? 0;
    while (left() === memory.length) await Bun.sleep(10);
    expect(left()).toBeLessThan(256);
    db.close();
    await store.close();
  }));
