// The folder of memory files: what is missing, empty or broken, and what a write leaves behind.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryFolder } from "../../../plugins/memory-files/memory-folder.ts";

let root: string;
let path: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-memory-folder-"));
  path = join(root, "memory");
});
afterEach(() => rm(root, { recursive: true, force: true }));

test("a file is missing, empty, broken or read, whatever mark an editor began it with", async () => {
  const folder = memoryFolder(path);
  expect(await folder.read("a.json")).toEqual({ state: "missing" });
  await mkdir(path);
  const read = async (text: string) => {
    await writeFile(join(path, "a.json"), text);
    return folder.read("a.json");
  };
  expect(await read(" \n")).toEqual({ state: "empty" });
  expect(await read("[1,")).toEqual({ state: "broken" });
  expect(await read("\ufeff[1]")).toEqual({ state: "read", value: [1] });
  expect(await read("null")).toEqual({ state: "read", value: null });
  await mkdir(join(path, "b.json"));
  expect(await folder.read("b.json")).toEqual({ state: "broken" });
});

test("nothing is made before the first write, which is its owner's alone and leaves no draft", async () => {
  const folder = memoryFolder(path);
  expect(await folder.names()).toEqual([]);
  expect(await readdir(root)).toEqual([]);
  await folder.write("a.json", [{ b: 1 }]);
  expect(await readFile(join(path, "a.json"), "utf8")).toBe('[\n  {\n    "b": 1\n  }\n]\n');
  expect([
    (await stat(path)).mode & 0o777,
    (await stat(join(path, "a.json"))).mode & 0o777,
  ]).toEqual([...[0o700, 0o600]]);
  await writeFile(join(path, "notes.md"), "");
  await writeFile(join(path, ".hidden.json"), "");
  expect(await folder.names()).toEqual(["a.json"]);
});

test("a write that fails rejects, and its draft is gone by then", async () => {
  await mkdir(join(path, "a.json", "full"), { recursive: true });
  await expect(memoryFolder(path).write("a.json", [])).rejects.toThrow();
  expect(await readdir(path)).toEqual(["a.json"]);
});
