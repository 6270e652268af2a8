// What has to be made again stays noted until it was, whatever happens to the note.
import { expect, test } from "bun:test";
import { appendFile, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  isRebuildWanted,
  type RebuildWanted,
  rebuildDone,
  rebuildFile,
  rebuildsWanted,
  wantRebuild,
} from "../../src/home/findings.ts";
import { inFolder } from "../support/in-folder.ts";

const one: RebuildWanted = { time: 1, file: "memory.db", why: "damage" };
const two: RebuildWanted = { time: 2, file: "memory.db", why: "restore" };
const some: RebuildWanted = { time: 0, file: "memory.db", why: "damage" };

test("each is noted in its order, for the owner alone; what is done goes, what came since stays", () =>
  inFolder(async (home) => {
    expect([isRebuildWanted(home), rebuildsWanted(home)]).toEqual([false, []]);
    expect(wantRebuild(home, one)).toBe(true);
    const seen = rebuildsWanted(home);
    expect([isRebuildWanted(home), seen]).toEqual([true, [one]]);
    expect((await stat(rebuildFile(home))).mode & 0o777).toBe(0o600);
    expect(wantRebuild(home, two)).toBe(true);
    expect(rebuildsWanted(home)).toEqual([one, two]);
    await rebuildDone(home, seen);
    expect(rebuildsWanted(home)).toEqual([two]);
    await rebuildDone(home, [two]);
    expect([isRebuildWanted(home), await readdir(home)]).toEqual([false, []]);
    await rebuildDone(home, []);
  }));

test.each(['{"time":1,"fi', "null", "7", '{"time":1}', '{"file":"memory.db"}'])(
  "the line %p counts as some damage",
  (line) =>
    inFolder(async (home) => {
      wantRebuild(home, one);
      await appendFile(rebuildFile(home), `${line}\n`);
      expect(rebuildsWanted(home)).toEqual([one, some]);
    }),
);

test("a folder in its place says that something was noted, and goes once that is done", () =>
  inFolder(async (home) => {
    await mkdir(rebuildFile(home));
    await writeFile(join(rebuildFile(home), "x"), "");
    expect([isRebuildWanted(home), rebuildsWanted(home)]).toEqual([true, [some]]);
    expect(wantRebuild(home, one)).toBe(false);
    await rebuildDone(home, [some]);
    expect(await readdir(home)).toEqual([]);
  }));

test("a home that is gone takes no note, and that is no second damage", () =>
  inFolder(async (home) => {
    expect(wantRebuild(join(home, "gone"), one)).toBe(false);
    expect(rebuildsWanted(join(home, "gone"))).toEqual([]);
  }));
