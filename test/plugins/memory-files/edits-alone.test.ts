// What a person's edits in the files do to a storage, call by call: also to one that keeps no edits, or fails in between.
import { describe, expect, test } from "bun:test";
import {
  hashOf,
  isWritten,
  type MemoryFolder,
  memoryFolder,
  readWritten,
  updateFiles,
  withoutForgotten,
} from "../../../plugins/memory-files/memory-folder.ts";
import { takeEdits, withhold } from "../../../plugins/memory-files/take-edits.ts";
import type { StorageClient } from "../../../src/sdk/context.ts";
import { type ErrorCode, MemoirError } from "../../../src/sdk/errors.ts";
import type { MemoryItem } from "../../../src/sdk/model.ts";
import { inFolder } from "../../support/in-folder.ts";
import { sampleMemory } from "../../support/sample-records.ts";

const item = (id: string, part: Partial<MemoryItem> = {}): MemoryItem => ({
  ...sampleMemory({ content: `Rule ${id}`, state: "standing" }),
  ...{ id, ...part },
});

/** A storage of these items; `amends` answers what is amended. */
function storageOf(items: MemoryItem[], amends: () => Promise<unknown> = async () => ({})) {
  const kept = new Map(items.map((one) => [one.id, one]));
  const calls: string[] = [];
  const storage = {
    get: async ({ ids, hidden }: { ids: string[]; hidden?: boolean }) =>
      ids.flatMap((id) => {
        const record = kept.get(id);
        return record && (hidden || !record.hidden) ? [{ kind: "memory", record }] : [];
      }),
    memory: async () => [...kept.values()],
    put: async ({ records: { memory = [] } }: { records: { memory?: MemoryItem[] } }) => {
      for (const one of memory) {
        const id = `new${calls.length}`;
        kept.set(id, { ...one, id });
        calls.push(`put ${one.content}`);
      }
    },
    delete: async ({ ids }: { ids: string[] }) => {
      for (const id of ids) kept.delete(id);
      calls.push(`delete ${ids.join()}`);
    },
    amend: async ({ id, hidden, set }: { id: string; hidden?: boolean; set?: object }) => {
      calls.push(`amend ${id} ${JSON.stringify(set ?? { hidden })}`);
      return amends();
    },
  };
  return { storage: storage as unknown as StorageClient, calls, kept };
}
const refuses = (code: ErrorCode) => () => Promise.reject(new MemoirError(code, "no"));

/** A folder with the files that these items are written to. */
function withFiles(items: MemoryItem[], work: (folder: MemoryFolder) => Promise<void>) {
  return inFolder(async (path) => {
    const folder = memoryFolder(path);
    await updateFiles(folder, items);
    await work(folder);
  });
}
const listed = async (folder: MemoryFolder, name = "preferences.json") => {
  const file = await folder.read(name);
  return file.state === "read" ? (file.value as Array<Record<string, unknown>>) : [];
};
/** Writes other texts into an entry of the file. */
async function edit(folder: MemoryFolder, id: string, texts: object) {
  const entries = await listed(folder);
  await folder.write(
    "preferences.json",
    entries.map((one) => (one.id === id ? { ...one, ...texts } : one)),
  );
}

describe("an edited entry", () => {
  test("is amended and counted; one without words, or of another kind, is not", () =>
    withFiles([item("m1"), item("m2"), item("m3"), item("m4")], async (folder) => {
      await edit(folder, "m1", { content: "Mine" });
      await edit(folder, "m2", { content: "" });
      await edit(folder, "m3", { content: "Another kind" });
      await edit(folder, "m4", { context: "Hidden too" });
      const { storage, calls } = storageOf([
        ...[item("m1"), item("m2"), item("m3", { kind: "decisions" })],
        item("m4", { hidden: true }),
      ]);
      expect(await takeEdits(folder, storage)).toMatchObject({ changed: 2, removed: 0 });
      expect(calls).toEqual(['amend m1 {"content":"Mine"}', 'amend m4 {"context":"Hidden too"}']);
    }));

  for (const code of ["storage_unanswered", "usage"] as const)
    test(`is a new item where the storage answers ${code}: what it said before is gone for good`, () =>
      withFiles([item("m1"), item("m2")], async (folder) => {
        await edit(folder, "m1", { content: "Mine" });
        await edit(folder, "m2", { context: "Why" });
        const { storage, calls, kept } = storageOf([item("m1"), item("m2")], refuses(code));
        expect(await takeEdits(folder, storage)).toMatchObject({ changed: 2 });
        expect(calls.filter((call) => !call.startsWith("amend"))).toEqual([
          ...["put Mine", "delete m1", "put Rule m2"],
        ]);
        const id = [...kept].find(([, { content }]) => content === "Mine")?.[0];
        expect((await listed(folder)).map((one) => one.id)).toEqual([id, "m2"]);
        expect(await withoutForgotten(folder, [item("x", { content: "RULE  m1" })])).toEqual([]);
      }));

  test("is no new item where the storage failed otherwise", () =>
    withFiles([item("m1")], async (folder) => {
      await edit(folder, "m1", { content: "Mine" });
      const { storage, calls } = storageOf([item("m1")], refuses("storage_damaged"));
      await expect(takeEdits(folder, storage)).rejects.toThrow();
      expect(calls).toEqual(['amend m1 {"content":"Mine"}']);
    }));
});

test("of entries that were taken out those that storage has are counted", () =>
  withFiles([item("m1"), item("m2")], async (folder) => {
    await folder.write("preferences.json", []);
    const { storage, calls } = storageOf([item("m1")]);
    expect(await takeEdits(folder, storage)).toMatchObject({ removed: 1 });
    expect(calls).toEqual(["delete m1"]);
    expect((await readWritten(folder))?.preferences).toEqual({});
  }));

test("a text in a file is another where its context is, of the same item", () => {
  const [one, other] = [item("m1"), item("m1", { context: "Why" })];
  expect(hashOf(one)).not.toBe(hashOf(other));
  expect(isWritten(other, hashOf(one))).toBe(true);
  expect(isWritten(item("m2"), hashOf(one))).toBe(false);
});

describe("what is withheld", () => {
  const withheld = async (folder: MemoryFolder) => {
    const file = await folder.read("withheld.json");
    return file.state === "read" ? file.value : file.state;
  };
  test("is noted beside other kinds, and let go of once nothing is wanted", () =>
    inFolder(async (path) => {
      const folder = memoryFolder(path);
      await folder.write("withheld.json", { decisions: ["m9"] });
      const { storage, calls } = storageOf([item("m1"), item("m2")]);
      const hidden = item("m2", { hidden: true });
      expect(await withhold(folder, storage, "preferences", [item("m1"), hidden])).toBe(true);
      expect(await withheld(folder)).toEqual({ decisions: ["m9"], preferences: ["m1"] });
      expect(await withhold(folder, storage, "preferences", [])).toBe(true);
      expect(await withheld(folder)).toEqual({ decisions: ["m9"], preferences: [] });
      expect(calls).toEqual(['amend m1 {"hidden":true}', 'amend m1 {"hidden":false}']);
    }));
  test("is noted before it is hidden: a crash leaves nothing hidden for ever", () =>
    inFolder(async (path) => {
      const folder = memoryFolder(path);
      const { storage } = storageOf([], refuses("storage_damaged"));
      await expect(withhold(folder, storage, "preferences", [item("m1")])).rejects.toThrow();
      expect(await withheld(folder)).toEqual({ preferences: ["m1"] });
    }));
  test("may have been forgotten meanwhile", () =>
    inFolder(async (path) => {
      const folder = memoryFolder(path);
      await folder.write("withheld.json", { preferences: ["m1"] });
      const { storage } = storageOf([], refuses("record_not_found"));
      expect(await withhold(folder, storage, "preferences", [])).toBe(true);
      expect(await withheld(folder)).toEqual({ preferences: [] });
    }));
});
