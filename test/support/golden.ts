// Golden files: what a text must be, kept beside the test; `UPDATE_GOLDEN=1 bun test …` writes them anew.
import { expect } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";

/** Compares with the file at `path`, or writes it when asked to. */
export async function expectGolden(path: string, text: string): Promise<void> {
  if (process.env.UPDATE_GOLDEN) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  expect(text).toBe(await readFile(path, "utf8"));
}
