// A mark says of one file that it is damaged; another file in its place is not meant.
import { expect, test } from "bun:test";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clearMark, markOfThis, readMark, writeMark } from "../../src/home/database/intact.ts";
import { inFolder } from "../support/in-folder.ts";

const about = { time: 7, found: "page 3", isDerived: false };

test("a mark is of the file that stood there, until it is cleared", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    await writeFile(path, "one");
    expect([readMark(path), markOfThis(path)]).toEqual([undefined, undefined]);
    await writeMark(path, about);
    expect(markOfThis(path)).toMatchObject(about);
    expect(readMark(path)).toEqual(markOfThis(path));
    await writeFile(join(folder, "other"), "two");
    await rename(join(folder, "other"), path);
    expect([markOfThis(path), readMark(path)?.found]).toEqual([undefined, "page 3"]);
    await clearMark(path);
    await clearMark(path);
    expect(readMark(path)).toBeUndefined();
  }));

test("a mark of no file is of none that comes later, and one that is torn is none", () =>
  inFolder(async (folder) => {
    const path = join(folder, "memory.db");
    await writeMark(path, about);
    expect(readMark(path)?.inode).toBe("");
    await writeFile(path, "one");
    expect(markOfThis(path)).toBeUndefined();
    await writeFile(`${path}.suspect`, "{ torn");
    expect(readMark(path)).toBeUndefined();
    await rm(path);
    expect(markOfThis(path)).toBeUndefined();
  }));
