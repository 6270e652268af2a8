// A small file is replaced whole, privately, and a write that fails leaves everything as it was.
import { expect, test } from "bun:test";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { atomicWrite } from "../../src/home/read-file.ts";
import { inFolder } from "../support/in-folder.ts";

test("the new text takes the old one's place, for its owner alone, and nothing lies beside it", () =>
  inFolder(async (folder) => {
    const path = join(folder, "config.json");
    await writeFile(path, "old and longer");
    await atomicWrite(path, "new");
    expect(await readFile(path, "utf8")).toBe("new");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await atomicWrite(path, "for all", 0o644);
    expect((await stat(path)).mode & 0o777).toBe(0o644);
    expect(await readdir(folder)).toEqual(["config.json"]);
  }));

test("the mode is the one that was asked for, whatever the process's mask takes away", () =>
  inFolder(async (folder) => {
    const path = join(folder, "settings.json");
    const mask = process.umask(0o077);
    try {
      await atomicWrite(path, "{}", 0o664);
    } finally {
      process.umask(mask);
    }
    expect((await stat(path)).mode & 0o777).toBe(0o664);
  }));

test("a write that cannot take its place is an error, and leaves no draft behind", () =>
  inFolder(async (folder) => {
    const path = join(folder, "taken");
    await mkdir(join(path, "inside"), { recursive: true });
    await expect(atomicWrite(path, "text")).rejects.toThrow();
    expect(await readdir(folder)).toEqual(["taken"]);
    expect(await readdir(path)).toEqual(["inside"]);
  }));
