// A damaged book costs what is in the cache, not the strategy.
import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBook } from "../../../plugins/endless-gateway/book.ts";
import { keptLog } from "../../support/kept-log.ts";

test("a damaged book is put aside, said once, and begun anew", async () => {
  const folder = await mkdtemp(join(tmpdir(), "memoir-book-"));
  try {
    const path = join(folder, "endless-gateway.db");
    await writeFile(path, "this was a database once ".repeat(1_000));
    const log = keptLog();
    const book = await openBook(path, 5, log);
    expect(book.sent("s1", "h")).toBeUndefined();
    book.close();
    expect(await readdir(folder)).toContain("endless-gateway.db.damaged-5");
    expect(log.lines.map(({ level }) => level)).toEqual(["error"]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
