// The files of items, and the hashes of what was forgotten.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  kinds,
  type MemoryFolder,
  memoryFolder,
  noteForgotten,
  updateFiles,
  withoutForgotten,
} from "../../../plugins/memory-files/memory-folder.ts";
import { sampleMemory } from "../../support/sample-records.ts";

let root: string;
let folder: MemoryFolder;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-files-"));
  folder = memoryFolder(join(root, "memory"));
});
afterEach(() => rm(root, { recursive: true }));
const path = (name: string) => join(root, "memory", name);
const json = async (name: string) => JSON.parse(await readFile(path(name), "utf8"));
const broken = async (name: string, text = "no json") => {
  await folder.write(name, 1);
  await writeFile(path(name), text);
};

const item = (
  id: string,
  kind: (typeof kinds)[number] = "facts",
  content = `content of ${id}`,
) => ({
  ...sampleMemory({ kind, content }),
  id,
});

describe("the files of items", () => {
  test("one a kind, without naming it in each item; new ones at the end, known ones as they are now", async () => {
    expect(await updateFiles(folder, [item("m1"), item("m2", "decisions")])).toEqual({
      ...{ broken: [], contents: [] },
    });
    expect((await readdir(path(""))).sort()).toEqual(
      [...kinds.map((kind) => `${kind}.json`), "written.json"].sort(),
    );
    await folder.write("facts.json", [{ ...(await json("facts.json"))[0], mine: 1 }, "a line"]);
    await updateFiles(folder, [item("m3"), { ...item("m1"), content: "another", pinned: true }]);
    const { kind: _, ...first } = item("m1");
    const { kind: __, ...third } = item("m3");
    expect(await json("facts.json")).toEqual([
      { ...first, content: "another", mine: 1 },
      "a line",
      third,
    ]);
    expect((await json("decisions.json")).map(({ id }: { id: string }) => id)).toEqual(["m2"]);
    await updateFiles(folder, [{ ...item("m2", "decisions"), state: "standing", quote: "so" }]);
    await updateFiles(folder, [item("m2", "decisions")]);
    const { kind: _k, ...second } = item("m2", "decisions");
    expect(await json("decisions.json")).toEqual([second]);
  });

  test("what is no list is left alone and named, the others are written", async () => {
    await broken("facts.json");
    await broken("decisions.json", '{"mine": 1}');
    const items = [item("m1"), item("m2", "preferences")];
    expect((await updateFiles(folder, items)).broken).toEqual(["decisions.json", "facts.json"]);
    expect(await readFile(path("facts.json"), "utf8")).toBe("no json");
    expect(await json("preferences.json")).toHaveLength(1);
  });

  test("what is taken out is said and noted, others stay; nothing is made for it", async () => {
    expect((await updateFiles(folder, [], new Set(["m2"]))).contents).toEqual([]);
    expect(await readdir(root)).toEqual([]);
    await updateFiles(folder, [item("m1"), item("m2"), item("m3", "decisions")]);
    await broken("gotchas.json");
    expect(await updateFiles(folder, [], new Set(["m1", "m3", "m9"]))).toEqual({
      contents: expect.arrayContaining(["content of m1", "content of m3"]),
      broken: ["gotchas.json"],
    });
    expect((await json("facts.json")).map(({ id }: { id: string }) => id)).toEqual(["m2"]);
    expect(await json("decisions.json")).toEqual([]);
    const written = await json("written.json");
    expect([Object.keys(written.facts), written.decisions]).toEqual([["m2"], {}]);
  });
});

describe("what was forgotten", () => {
  test("is not found again, however it is spaced and written, and leaves no text", async () => {
    await noteForgotten(folder, ["Use  PNPM\nhere"]);
    await noteForgotten(folder, ["And bun", "and bun"]);
    const found = ["use pnpm here", "AND BUN", "use npm here"].map((content) =>
      item("m", "facts", content),
    );
    expect((await withoutForgotten(folder, found)).map(({ content }) => content)).toEqual([
      "use npm here",
    ]);
    const hashes: string[] = await json("forgotten.json");
    expect(hashes.map((hash) => /^[0-9a-f]{32}$/.test(hash))).toEqual([true, true]);
  });

  test("nothing is written for nothing, nor into a file that cannot be understood", async () => {
    await noteForgotten(folder, []);
    expect(await readdir(root)).toEqual([]);
    for (const text of ["no json", '{"a": 1}']) {
      await broken("forgotten.json", text);
      await noteForgotten(folder, ["x"]);
      expect(await readFile(path("forgotten.json"), "utf8")).toBe(text);
      expect(await withoutForgotten(folder, [item("m1")])).toHaveLength(1);
    }
  });
});
