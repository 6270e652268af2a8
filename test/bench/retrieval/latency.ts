// How long a search takes over many turns, cold and warm; what a turn costs; and what a write meanwhile does to it.
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { createIndex, type SearchFilter, type SearchIndex } from "../../../src/search/index.ts";
import { type Figure, median, quantile } from "../figures.ts";
import { turnMaker } from "./synthetic-turns.ts";

const part = "retrieval";
const asked = 60;
const written = 100;
/** What p95 may be, in ms, from this many turns on. */
const limits = new Map([
  [100_000, 15],
  [1_000_000, 30],
]);

/** Figures over so many turns. */
export async function latencyFigures(turns: number): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-retrieval-"));
  try {
    return await measured(join(folder, "index.db"), turns);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Turns that are packed at once, as a new index of records is made. */
const batch = 4_096;

async function measured(path: string, turns: number): Promise<Figure[]> {
  const maker = turnMaker();
  const builder = await openDatabase(path);
  builder.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  const built = createIndex(builder);
  const begin = performance.now();
  const batches = (function* () {
    for (let number = 0; number < turns; number += batch)
      yield Array.from({ length: Math.min(batch, turns - number) }, (_, at) =>
        maker.turn(number + at),
      );
  })();
  built.begin();
  for (const documents of batches) built.put(...documents);
  built.end();
  const perTurn = (performance.now() - begin) / turns;
  builder.close();
  const { size } = await stat(path);

  const db = await openDatabase(path);
  const index = createIndex(db);
  const queries = Array.from({ length: asked }, () => maker.query());
  const ask = (filter: SearchFilter = {}) =>
    queries.map((text) => timed(() => index.search({ texts: [text], filter })));
  const name = (what: string) => `${turns.toLocaleString("en")} turns: ${what}`;
  const limit = limits.get(turns);
  const spread = (what: string, times: number[]): Figure[] => [
    { part, name: name(`${what}, p50`), value: median(times), unit: "ms" },
    {
      ...{ part, name: name(`${what}, p95`), value: quantile(times, 0.95), unit: "ms" },
      ...(limit === undefined ? {} : { target: { limit, better: "lower" } }),
    },
  ];
  const figures: Figure[] = [
    { part, name: name("making the index, a turn"), value: perTurn, unit: "ms" },
    { part, name: name("on disk"), value: size / 1e6, unit: "MB" },
    ...spread("first of each query", ask()),
    ...spread("all projects", ask()),
    ...spread("one project", ask({ projects: ["project-0"] })),
    ...spread("one file", ask({ files: ["src/file-3.ts"] })),
    ...spread("the newer half", ask({ since: maker.turn(turns / 2).time })),
    ...spread("while turns are written", whileWriting(index, maker.turn, queries)),
    { part, name: name("a put"), value: median(writes), unit: "ms" },
  ];
  db.close();
  return figures;
}

const writes: number[] = [];

/** Each search after a put, so that it has to take note of it. */
function whileWriting(
  index: SearchIndex,
  turn: ReturnType<typeof turnMaker>["turn"],
  queries: readonly string[],
): number[] {
  writes.length = 0;
  return Array.from({ length: written }, (_, i) => {
    const document = { ...turn(i), id: `new-${i}` };
    writes.push(timed(() => index.put(document)));
    return timed(() => index.search({ texts: [queries[i % queries.length] ?? ""] }));
  });
}

function timed(work: () => unknown): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}
