// What the user made of records outlives damage to the file; what it was made of and is lost takes it along.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openRecords } from "../../src/records/record-store.ts";
import { inFolder } from "../support/in-folder.ts";
import { sampleMemory, sampleObservation, sampleTurn } from "../support/sample-records.ts";

test("a file with a torn header gives back edits, pins and hides, and no mark of a record that is gone", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const before = await openRecords(path, () => 7, folder);
    await before.put({
      key: "k",
      records: {
        observations: [sampleObservation({ title: "Walrus loops" })],
        memory: [sampleMemory({ content: "Use the walrus" })],
        turns: [sampleTurn()],
      },
    });
    await before.amend({ id: "o1", set: { title: "Otter loops" }, pinned: true });
    await before.amend({ id: "m1", hidden: true });
    before.close();
    const file = new Database(path);
    file.exec("INSERT INTO marks (kind, record, pinned) VALUES ('observation', 99, 1)");
    file.close();
    const bytes = await readFile(path);
    bytes.fill(0, 0, 60);
    await writeFile(path, bytes);
    const after = await openRecords(path, () => 8, folder);
    expect((await after.observations({ marked: "pinned" })).map(({ title }) => title)).toEqual([
      "Otter loops",
    ]);
    expect(await after.memory({ hidden: false })).toEqual([]);
    const { record } = await after.amend({ id: "o1", undo: true });
    expect(record).toMatchObject({ title: "Walrus loops", pinned: true });
    after.close();
    const recovered = new Database(path, { readonly: true });
    expect(recovered.query("SELECT kind, record FROM marks ORDER BY kind").all()).toEqual([
      { kind: "memory", record: 1 },
      { kind: "observation", record: 1 },
    ]);
    recovered.close();
  }));
