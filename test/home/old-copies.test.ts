// Which copies may still hold what is forgotten.
import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { copiesOf, removeCopies } from "../../src/home/old-copies.ts";
import { inFolder } from "../support/in-folder.ts";

const at = Date.UTC(2026, 10, 22, 14, 25, 7);

test("a backup made in the second of a record may hold it; one of the second before does not", () =>
  inFolder(async (home) => {
    for (const name of ["20261122T142507Z-manual", "20261122T142506Z-daily"])
      await mkdir(join(home, "backups", name), { recursive: true });
    for (const time of [at + 299, at + 300])
      await writeFile(join(home, `memory.db.damaged-${time}`), "");
    const since = at + 300;
    const copies = ["backups/20261122T142507Z-manual", `memory.db.damaged-${since}`];
    expect(await copiesOf(home, since)).toEqual(copies);
    await removeCopies(home, since);
    expect(await copiesOf(home, since)).toEqual([]);
    expect(await copiesOf(home, 0)).toHaveLength(2);
  }));

test("a folder among the backups that says no time may hold anything", () =>
  inFolder(async (home) => {
    await mkdir(join(home, "backups", "before-the-move"), { recursive: true });
    expect(await copiesOf(home, at)).toEqual(["backups/before-the-move"]);
  }));
