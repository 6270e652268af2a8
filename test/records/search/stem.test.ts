import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { stem } from "../../../src/records/search/stem.ts";
import { wordsOf } from "../../../src/records/search/words.ts";

const endings =
  "s es ies ed eed ing er ers ation ational tional ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness ment ement able ible ally ly y".split(
    " ",
  );

test("every word has the stem that the index gives it", async () => {
  const prose = await readFile(join(import.meta.dir, "../../../LICENSE"), "utf8");
  const base = new Set(wordsOf(prose).map(({ word }) => word));
  for (const word of "cache refresh deploy queue happi control hop fall fizz agree relate".split(
    " ",
  ))
    base.add(word);
  const words = [...new Set([...base].flatMap((word) => [word, ...endings.map((e) => word + e)]))];
  expect(words.length).toBeGreaterThan(2000);

  const db = await openDatabase(":memory:");
  db.exec(`CREATE VIRTUAL TABLE t USING fts5 (a, tokenize = 'porter unicode61');
    CREATE VIRTUAL TABLE v USING fts5vocab (t, instance)`);
  const insert = db.prepare("INSERT INTO t (rowid, a) VALUES (?, ?)");
  db.transaction(() => {
    for (const [i, word] of words.entries()) insert.run([i, word]);
  });
  const differing = db
    .prepare<{ doc: number; term: string }>("SELECT doc, term FROM v")
    .all()
    .map(({ doc, term }) => ({ word: words[doc] ?? "", term }))
    .filter(({ word, term }) => stem(word) !== term);
  db.close();
  expect(differing).toEqual([]);
});
