// A deletion that is killed anywhere: what is gone is gone from the index with every word, what is left is found, and nothing has to be made anew.
import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { openDatabase } from "../../src/host/sqlite.ts";
import { openRecords } from "../../src/records/record-store.ts";
import { inFolder } from "../support/in-folder.ts";
import { sampleObservation } from "../support/sample-records.ts";

const count = 400;
const kills = 5;
const child = join(import.meta.dirname, "deleting-process.ts");

/** Half of the documents packed, half waiting; each with a word of its own. */
async function filled(path: string): Promise<void> {
  const store = await openRecords(path);
  const put = (from: number) =>
    store.put({
      key: `from ${from}`,
      records: {
        observations: Array.from({ length: count / 2 }, (_, i) =>
          sampleObservation({ title: `Heron ${wordOf(from + i)}`, promptNumber: from + i }),
        ),
      },
    });
  await put(1);
  await store.reindex({});
  while ((await store.stats({})).index?.isWhole === false) await Bun.sleep(1);
  await put(count / 2 + 1);
  store.close();
}

/** `wombataab`: no identifier, so that it is one term. */
function wordOf(number: number): string {
  const letter = (value: number) => String.fromCharCode(97 + (value % 26));
  return `wombat${letter(number / 676)}${letter(number / 26)}${letter(number)}q`;
}

/** Starts to delete, and kills after so many steps and ms. */
async function deleteAndKill(path: string, steps: number, after: number): Promise<void> {
  const running = Bun.spawn([process.execPath, child, path, String(count)], { stdout: "pipe" });
  const lines = running.stdout.getReader();
  for (let told = ""; told.split("\n").length < steps + 2; ) {
    const { value, done } = await lines.read();
    if (done) break;
    told += new TextDecoder().decode(value);
  }
  await Bun.sleep(after);
  running.kill("SIGKILL");
  await running.exited;
}

async function expectInStep(path: string): Promise<number> {
  const store = await openRecords(path);
  const left = new Set((await store.observations({ limit: count })).map(({ id }) => id));
  expect((await store.stats({})).index).toEqual({
    ...{ isWhole: true, indexed: left.size + 1, records: left.size + 1 },
  });
  for (let number = 1; number <= count; number += 7) {
    const [first] = await store.search({ text: wordOf(number), limit: 1 });
    const isFound = first?.title.endsWith(wordOf(number)) ?? false;
    expect(isFound).toBe(left.has(`o${number}`));
  }
  store.close();
  const db = await openDatabase(path);
  const kept = db
    .prepare<{ text: string }>(
      "SELECT term AS text FROM search_terms UNION ALL SELECT analysed FROM search_tail",
    )
    .all()
    .map(({ text }) => text)
    .join();
  for (let number = 1; number <= count; number++)
    expect(kept.includes(wordOf(number))).toBe(left.has(`o${number}`));
  expect(db.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  db.close();
  return left.size;
}

test(
  "a deletion that is killed leaves no word of what is gone, and loses nothing else",
  () =>
    inFolder(async (folder) => {
      const ready = join(folder, "ready.db");
      await filled(ready);
      const left: number[] = [];
      for (let kill = 0; kill < kills; kill++) {
        const path = join(folder, `killed-${kill}.db`);
        copyFileSync(ready, path);
        await deleteAndKill(path, kill * 3, 1 + kill * 5);
        left.push(await expectInStep(path));
      }
      expect(Math.min(...left)).toBeLessThan(count);
    }),
  180_000,
);
