// What supersedes what, over repeats: of one thing there is always one observation in force.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openRecords } from "../../src/records/record-store.ts";
import { inFolder } from "../support/in-folder.ts";
import { sampleObservation } from "../support/sample-records.ts";

test("a repeat of what was superseded is in force again, and supersedes what came between", () =>
  inFolder(async (folder) => {
    const records = await openRecords(join(folder, "memory.db"), () => 1);
    const hour = (key: string, fact: string, promptNumber: number) =>
      records.put({
        key,
        records: {
          observations: [
            sampleObservation({
              ...{ title: "Tokens expire", filesRead: ["a.ts"], facts: [fact] },
              ...{ promptNumber, time: promptNumber * 1_000 },
            }),
          ],
        },
      });
    const one = await hour("1", "After one hour.", 1);
    const two = await hour("2", "After two hours.", 2);
    const inForce = async () =>
      (await records.observations({ superseded: false })).map(({ id }) => id);
    expect(await inForce()).toEqual(two.observations);
    const again = await hour("3", "After one hour.", 3);
    expect(again.observations).toEqual(one.observations);
    expect(await inForce()).toEqual(one.observations);
    records.close();
  }));

test("search finds what was superseded after what took its place, and says so", () =>
  inFolder(async (folder) => {
    const records = await openRecords(join(folder, "memory.db"), () => 1);
    const put = async (key: string, fact: string, time: number) => {
      const part = { title: "Tokens expire", filesRead: ["a.ts"], facts: [fact] };
      const observations = [sampleObservation({ ...part, promptNumber: time, time })];
      return (await records.put({ key, records: { observations } })).observations[0] ?? "";
    };
    const one = await put("1", "Tokens expire after one hour.", 1);
    const two = await put("2", "Tokens expire after two hours.", 2);
    const found = await records.search({ text: "tokens expire", kinds: ["observation"] });
    expect(found.map(({ id, supersededBy }) => [id, supersededBy])).toEqual([
      [two, undefined],
      [one, two],
    ]);
    records.close();
  }));

test("what was superseded is in force again once it is pinned, and no longer once it is not", () =>
  inFolder(async (folder) => {
    const records = await openRecords(join(folder, "memory.db"), () => 1);
    const put = async (key: string, fact: string, time: number) => {
      const part = { title: "Tokens expire", filesRead: ["a.ts"], facts: [fact] };
      const observations = [sampleObservation({ ...part, promptNumber: time, time })];
      return (await records.put({ key, records: { observations } })).observations[0] ?? "";
    };
    const one = await put("1", "After one hour.", 1);
    const two = await put("2", "After two hours.", 2);
    const inForce = async () =>
      (await records.observations({ superseded: false })).map(({ id }) => id).sort();
    await records.amend({ id: one, pinned: true });
    expect(await inForce()).toEqual([one, two]);
    await records.amend({ id: one, pinned: false });
    expect(await inForce()).toEqual([two]);
    records.close();
  }));
