// A record is known again by what tells it from others of its kind, and waiting events go by their session and time.
import { expect, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { forgetSpooled } from "../../../src/runtime/events/forget-records.ts";
import {
  hasWordsOnlyOf,
  itemsLeft,
  recordTombstone,
} from "../../../src/runtime/events/forgotten.ts";
import { textOf, wordsOf } from "../../../src/sdk/record-texts.ts";
import type { StoredRecord } from "../../../src/sdk/storage.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";
import { inFolder } from "../../support/in-folder.ts";
import {
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../../support/sample-records.ts";

const known = (kind: string, record: object) => {
  const [made] = recordTombstone({ kind, record } as unknown as StoredRecord, 9);
  return made && "text" in made ? made.text : undefined;
};

test("each kind is told apart by its own words, and of a later time it is another, but for an item", () => {
  expect(known("observation", sampleObservation({ title: "A", facts: ["b", "c"] }))).toBe(
    "A\nb\nc",
  );
  expect(known("memory", sampleMemory({ kind: "facts", content: "x" }))).toBe("facts\nx");
  expect(
    known("prompt", samplePrompt({ client: "c", session: "s", promptNumber: 3, time: 77 })),
  ).toBe("c\ns\n3\n77");
  const turn = sampleTurn({ client: "c", session: "s", promptNumber: 3, startedAt: 5, time: 77 });
  expect(known("turn", turn)).toBe("c\ns\n3\n5");
  const summary = { session: "s", promptNumber: 2, request: "r", completed: "d", learned: "l" };
  expect(known("summary", sampleSummary({ ...summary, scope: "prompt" }))).toBe(
    "s\nprompt\n2\nr\nd\nl",
  );
  expect(known("session", sampleSession())).toBeUndefined();
  const until = (kind: string, record: object) =>
    recordTombstone({ kind, record } as unknown as StoredRecord, 9)[0];
  expect(until("prompt", samplePrompt())).toMatchObject({ of: "prompt", until: 9 });
  expect(until("memory", sampleMemory())).not.toHaveProperty("until");
});

test("of items those stay that were not forgotten, in their order", () => {
  const items = ["a", "b", "c"].map((content) => sampleMemory({ content }));
  const left = itemsLeft(items, { isBuried: (one) => JSON.stringify(one).includes("\\nb") });
  expect(left.map(({ content }) => content)).toEqual(["a", "c"]);
});

test("a text is left untitled where it has a word that only what goes has", async () => {
  const stored = (id: string, text: string, path = "src/a.ts") => ({
    ...sampleTurn({
      pieces: [{ kind: "prompt", text, about: `on ${id}` }],
      files: [{ path, changed: true }],
    }),
    id,
  });
  const turns = [
    stored("t1", "Paint the walrus", "src/walrus-house.ts"),
    stored("t2", "Paint it green"),
  ];
  const hooks = fakeHooks({ "storage.turns": () => turns });
  const says = await hasWordsOnlyOf(hooks, "s1", turns.slice(0, 1));
  expect(["A WALRUS", "house", "Paint it green", "to us", "", "heron"].map(says)).toEqual([
    ...[true, true, false, false, false, false],
  ]);
  expect(hooks.inputs("storage.turns")).toEqual([{ session: "s1", limit: 10_000 }]);
  expect(textOf(turns.slice(0, 1))).toBe("Paint the walrus\non t1\nsrc/walrus-house.ts");
  expect([...wordsOf("Ab abc ABC d_e-f été")]).toEqual(["abc", "d_e", "été"]);
});

test("a file of the spool goes where it is of the session, and of the stretches that go", () =>
  inFolder(async (folder) => {
    const write = async (texts: Record<string, string>) => {
      for (const place of [folder, join(folder, "rejected")]) {
        await mkdir(place, { recursive: true });
        for (const [name, text] of Object.entries(texts)) await writeFile(join(place, name), text);
      }
    };
    const event = (session: string, time: number, more = {}) =>
      JSON.stringify({ session, time, ...more });
    const files = {
      "own.json": event("s1", 10_000),
      "before.json": event("s1", 7_999),
      "early.json": event("s1", 8_000),
      "late.json": event("s1", 22_000),
      "after.json": event("s1", 22_001),
      "other.json": event("s2", 10_000),
      "naming.json": event("s2", 10_000, { prompt: "as in s1" }),
      "torn.json": '{"session":"s1", half',
      "list.json": '["s1"]',
      "timeless.json": '{"session":"s1"}',
      "note.txt": "s1",
      "s1.json.tmp": event("s1", 10_000),
    };
    await write(files);
    await forgetSpooled(folder, []);
    expect((await readdir(folder)).length).toBe(Object.keys(files).length + 1);
    await forgetSpooled(folder, [{ session: "s1", prompts: [{ from: 10_000, to: 20_000 }] }]);
    const left = [
      "after.json",
      "before.json",
      "naming.json",
      "note.txt",
      "other.json",
      "s1.json.tmp",
    ];
    expect((await readdir(join(folder, "rejected"))).sort()).toEqual(left);
    expect((await readdir(folder)).sort()).toEqual([...left, "rejected"].sort());
    await write(files);
    await forgetSpooled(folder, [{ session: "s9" }, { session: "s1" }]);
    expect((await readdir(folder)).sort()).toEqual([
      ...["naming.json", "note.txt", "other.json", "rejected", "s1.json.tmp"],
    ]);
    await forgetSpooled(join(folder, "missing"), [{ session: "s1" }]);
  }));
