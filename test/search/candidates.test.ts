// Reading common terms only for documents that can still matter: the same candidates with the same scores.
import { expect, test } from "bun:test";
import { scopeOf } from "../../src/search/filter.ts";
import { openReader } from "../../src/search/index/reader.ts";
import { parseQuery } from "../../src/search/query/parse.ts";
import { pickCandidates } from "../../src/search/rank/candidates.ts";
import { resolveTerms, storedWords } from "../../src/search/search.ts";
import { document, emptyIndex } from "./support.ts";

test("leaving out what cannot come in changes nothing", async () => {
  const { db, index } = await emptyIndex();
  index.reindex(
    Array.from({ length: 3_000 }, (_, i) => {
      const words = ["common", "usual"].filter((_word, at) => (i * 7 + at) % 3 > 0);
      if (i % 11 === 0) words.push("seldom");
      if (i % 97 === 0) words.push("rare", "rare");
      if (i % 500 === 3) words.push("unique");
      const filler = Array.from({ length: i % 40 }, (_value, at) => `filler${(i + at) % 90}`);
      return document([...words, ...filler].join(" "), { id: `d${i}`, session: `s${i % 50}` });
    }),
  );
  const reader = openReader(db);
  reader.refresh();
  const scope = scopeOf(db, reader, {});
  for (const text of ["rare common", "unique usual common seldom", "seldom usual rare unique"]) {
    const { terms } = resolveTerms(reader, storedWords(db, reader), parseQuery(text));
    for (const count of [5, 20]) {
      const all = pickCandidates(reader, terms, scope, count, true);
      expect(pickCandidates(reader, terms, scope, count)).toEqual(all);
      expect(all).toHaveLength(count);
    }
  }
});
