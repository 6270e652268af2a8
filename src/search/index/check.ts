// Whether an index holds together, by samples: what was cut off or deleted by whatever hand shows in a few of its documents.
import { type Database, isCorrupt } from "../../host/sqlite.ts";
import { type Forward, unpackForward } from "./forward.ts";
import { blockSize, readColumn, slotOf, spanSize, unpackPostings } from "./postings.ts";
import { nameOf, tableNames } from "./schema.ts";

interface Packed {
  number: number;
  session: number;
  project: number;
  forward: Uint8Array;
}

const sampled = 64;
const termsOfEach = 8;

/** Documents from everywhere in the index are as many of their rows say they are. A part of it that is torn is likely seen, a single row is not. */
export function isSound(db: Database): boolean {
  const { last, count } = db
    .prepare<{ last: number | null; count: number }>(
      `SELECT (SELECT max(number) FROM search_documents) AS last, documents AS count FROM search_state`,
    )
    .get() ?? { last: null, count: 0 };
  if (last === null) return count === 0;
  const at = db.prepare<Packed & Record<string, number | Uint8Array>>(
    "SELECT number, session, project, forward FROM search_documents WHERE number >= ? ORDER BY number LIMIT 1",
  );
  const steps = Math.min(sampled, last + 1);
  for (let step = 0; step < steps; step++) {
    const document = at.get([Math.floor((step * last) / Math.max(1, steps - 1))]);
    if (!document || !isWhole(db, document)) return false;
  }
  return true;
}

/** Whether pages of its tables are damaged; the whole of them is read. False where the index is not what is damaged. */
export function hasDamagedPages(db: Database): boolean {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?");
  return tableNames.some((name) => {
    if (isThere.get([name]) === undefined) return false;
    try {
      const found = db.prepare<{ quick_check: string }>(`PRAGMA quick_check('${name}')`).get();
      return found?.quick_check !== "ok";
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      return true;
    }
  });
}

/** Its names are known, its block has it, and so have the postings of some of its terms. */
function isWhole(db: Database, { number, session, project, forward }: Packed): boolean {
  const kinds = readColumn(db, Math.floor(number / blockSize), "kinds", new Uint8Array(blockSize));
  if (kinds[number % blockSize] === 0) return false;
  if (nameOf(db, "session", session) === "" || nameOf(db, "project", project) === "") return false;
  const terms = termsOf(forward);
  if (terms === undefined) return false;
  const word = db.prepare("SELECT 1 FROM search_terms WHERE number = ?");
  const find = db.prepare<{ postings: Uint8Array }>(
    "SELECT postings FROM search_postings WHERE term = ? AND span = ? AND project = ?",
  );
  return terms.every((term) => {
    const postings = find.get([term, Math.floor(number / spanSize), project])?.postings;
    return (
      word.get([term]) !== undefined &&
      postings !== undefined &&
      unpackPostings(postings).some((value) => slotOf(value) === number % spanSize)
    );
  });
}

/** A few terms from all over a packed document; undefined where its bytes are cut off. */
function termsOf(forward: Uint8Array): number[] | undefined {
  let document: Forward;
  try {
    document = unpackForward(forward);
  } catch {
    return undefined;
  }
  const all = [
    ...new Set([...document.passages.flatMap(({ terms }) => terms), ...document.labels]),
  ];
  const every = Math.max(1, Math.floor(all.length / termsOfEach));
  return all.filter((_, i) => i % every === 0);
}
