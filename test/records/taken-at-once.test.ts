// What comes from another memory or from a file: what is found of a batch, what is this machine's own, what was lost.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openRecords, type RecordStore } from "../../src/records/record-store.ts";
import { type AnyRecord, changesOf } from "../../src/sdk/identity.ts";
import { inFolder } from "../support/in-folder.ts";
import { sampleObservation, samplePrompt, sampleSession } from "../support/sample-records.ts";

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

test("of a record that comes, is edited and is taken back at once no word stays, and the others do", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const theirs = await openRecords(":memory:");
    const ours = await openRecords(path);
    const put = (title: string) =>
      theirs.put({ key: title, records: { observations: [sampleObservation({ title })] } });
    await put("Gone");
    await theirs.amend({ id: "o1", set: { title: "Edited" } });
    const upTo = Math.max(...(await page(theirs)).map(({ number }) => number));
    await put("Kept");
    const { replica } = await theirs.changes({ replica: "own" });
    await ours.apply({ changes: await page(theirs), takenBack: [{ replica, upTo }] });
    expect((await ours.observations({})).map(({ title }) => title)).toEqual(["Kept"]);
    theirs.close();
    ours.close();
    const db = new Database(path, { readonly: true });
    expect(db.query("SELECT * FROM marks").all()).toEqual([]);
    db.close();
  }));

const session = sampleSession({ transcriptPath: "/t/1.jsonl" });
const ofSession = () => changesOf({ kind: "session", record: session });

test("a folder, a transcript and a project's name are taken from a file, and from no other memory", async () => {
  for (const isFile of [true, false]) {
    const ours = await openRecords(":memory:");
    const changes = ofSession().map((change, at) => ({
      ...{ ...change, replica: "e".repeat(32), number: at + 1 },
    }));
    await ours.apply(isFile ? { unnumbered: ofSession() } : { changes });
    const [{ project: { root = "" } = {}, transcriptPath } = {}] = await ours.sessions({});
    expect([root, transcriptPath]).toEqual(
      isFile ? [session.project.root, "/t/1.jsonl"] : ["", undefined],
    );
    ours.close();
  }
});

test("a record whose row was lost comes back from a file of the same change, one that was deleted does not", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    const one: AnyRecord = { kind: "prompt", record: samplePrompt({ text: "Where is it?" }) };
    const take = async (change?: (store: RecordStore) => Promise<unknown>) => {
      const store = await openRecords(path, () => 1_800_000_000_000);
      await change?.(store);
      const { came } = await store.apply({ unnumbered: changesOf(one) });
      const texts = (await store.prompts({})).map(({ text }) => text);
      store.close();
      return [...(came ?? []), ...texts];
    };
    expect(await take()).toEqual(["new", "Where is it?"]);
    expect(await take()).toEqual(["known", "Where is it?"]);
    const db = new Database(path);
    db.exec("DELETE FROM prompts");
    db.close();
    expect(await take()).toEqual(["new", "Where is it?"]);
    expect(await take((store) => store.delete({ ids: ["p2"] }))).toEqual(["forgotten"]);
  }));
