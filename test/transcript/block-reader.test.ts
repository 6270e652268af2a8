// Pieces of an open file, a block at a time.
import { expect, test } from "bun:test";
import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createBlockReader } from "../../src/transcript/read.ts";
import { inFolder } from "../support/in-folder.ts";

test("pieces of a file are read wherever they lie; a file that is shorter is refused", () =>
  inFolder(async (folder) => {
    const path = join(folder, "file");
    const size = 2_500_000;
    const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 7) % 251);
    await writeFile(path, bytes);
    const file = await open(path, "r");
    try {
      const read = createBlockReader(file);
      for (const [position, length] of [
        [0, 10],
        [5, 10],
        [1_048_570, 10],
        [1_048_571, 20],
        [3, 4],
        [900_000, 1_200_000],
        [size - 10, 10],
        [size - 5, 5],
      ] as const)
        expect(await read(position, length)).toEqual(
          Buffer.from(bytes.subarray(position, position + length)),
        );
      expect(read(size - 5, 6)).rejects.toThrow("shorter than it was");
      expect(read(size - 5, 1_200_000)).rejects.toThrow("shorter than it was");
    } finally {
      await file.close();
    }
  }));
