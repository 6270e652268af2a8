// What the strategy `gateway` wrote down: the sums of its batches, and what its sessions' answers took. Read only.
import { access } from "node:fs/promises";
import * as v from "valibot";
import { type Database, openDatabase } from "../../host/sqlite.ts";

const SumSchema = v.object({
  ids: v.array(v.string()),
  tokens: v.number(),
  rewritten: v.number(),
  turnsToCome: v.number(),
  cost: v.number(),
  gain: v.number(),
  cacheIsCold: v.boolean(),
  why: v.string(),
});

export interface GatewaySums {
  /** Newest first, at most five. */
  batches: Array<v.InferOutput<typeof SumSchema> & { session: string; at: number }>;
  /** What all batches gain less what they cost, in tokens at the input price. */
  gained: number;
  /** Sessions, and tokens of the beginning that they share with everybody's. */
  prefixes: { sessions: number; tokens: number };
  /** Input tokens of all answers; absent before the first. */
  cache?: { answers: number; read: number; write: number; input: number };
}

/** Empty where there is no such book. */
export async function readSums(home: string): Promise<GatewaySums> {
  const path = `${home}/endless-gateway.db`;
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere) return { batches: [], gained: 0, prefixes: { sessions: 0, tokens: 0 } };
  const db = await openDatabase(path, { readonly: true });
  try {
    const rows = db
      .prepare<{ session: string; at: number; sum: string }>(
        "SELECT session, at, sum FROM batches ORDER BY at DESC LIMIT 5",
      )
      .all();
    const all = db.prepare<{ sum: string }>("SELECT sum FROM batches").all();
    const total = db
      .prepare<{ answers: number; read: number; write: number; input: number }>(
        `SELECT count(*) AS answers, total(cache_read) AS read, total(cache_write) AS write,
         total(input) AS input FROM turns`,
      )
      .get();
    return {
      gained: all
        .map(({ sum }) => v.parse(SumSchema, JSON.parse(sum)))
        .reduce((gained, { gain, cost }) => gained + gain - cost, 0),
      prefixes: prefixesIn(db),
      batches: rows.map(({ session, at, sum }) => ({
        ...v.parse(SumSchema, JSON.parse(sum)),
        ...{ session, at },
      })),
      ...(total && total.answers > 0 && { cache: total }),
    };
  } finally {
    db.close();
  }
}

/** A book that no server of this version opened yet has none. */
function prefixesIn(db: Database): GatewaySums["prefixes"] {
  const isThere = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'prefixes'").get();
  const found =
    isThere &&
    db
      .prepare<{ sessions: number; tokens: number }>(
        "SELECT count(*) AS sessions, total(tokens) AS tokens FROM prefixes",
      )
      .get();
  return found ? { sessions: found.sessions, tokens: found.tokens } : { sessions: 0, tokens: 0 };
}
