// What comes from another memory in one batch is found by the words that it has at the end of the batch.
import { expect, test } from "bun:test";
import { openRecords, type RecordStore } from "../../src/records/record-store.ts";
import { sampleObservation } from "../support/sample-records.ts";

async function page(store: RecordStore) {
  const { changes } = await store.changes({ replica: "own", limit: 9_999 });
  return changes;
}

test("of a record that comes twice in a batch the later words are found, and none of one that was deleted", async () => {
  const theirs = await openRecords(":memory:");
  const ours = await openRecords(":memory:");
  const put = (number: number, narrative: string) =>
    theirs.put({
      key: `${number} ${narrative}`,
      records: {
        observations: [
          sampleObservation({ title: `Thing${number}`, facts: [`Fact ${number}`], narrative }),
        ],
      },
    });
  const animals: Record<number, string> = { 7: "kingfisher", 9: "wombat", 42: "lynx" };
  for (let number = 0; number < 100; number++) await put(number, animals[number] ?? "heron");
  const before = await page(theirs);
  await put(7, "badger");
  const all = await theirs.observations({ limit: 1_000 });
  const nine = all.find(({ title }) => title === "Thing9");
  await theirs.delete({ ids: [nine?.id ?? ""] });
  await ours.apply({ changes: [...before, ...(await page(theirs))] });
  const found = async (text: string) =>
    (await ours.search({ text, by: "record" })).map(({ title }) => title);
  expect(await found("badger")).toEqual(["Thing7"]);
  expect(await found("kingfisher")).toEqual([]);
  expect(await found("wombat")).toEqual([]);
  expect(await found("lynx")).toEqual(["Thing42"]);
  theirs.close();
  ours.close();
});
