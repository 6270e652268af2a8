// What counts for a record beside its words: its kind, its age, and whether a newer one took its place.
import type { Database } from "../../host/sqlite.ts";
import type { ScoredDocument } from "../../search/index.ts";
import { recordOf } from "../kinds.ts";

/** Prompts repeat the words one searches with without saying what came of it. */
const kindWeights = new Map([
  ["summary", 0.95],
  ["session", 0.85],
  ["prompt", 0.7],
]);
const supersededWeight = 0.5;
const day = 86_400_000;

/** A factor for each document; 0 for those to be left out, and for a prompt whose turn says the same and more, where turns are searched too. */
export function weigher(
  db: Database,
  now: number,
  withTurns: boolean,
  leftOut: ReadonlySet<string>,
) {
  const rowsIn = (sql: string, ids: readonly number[]): Set<number> =>
    ids.length === 0
      ? new Set()
      : new Set(
          db
            .prepare<{ id: number }>(sql)
            .all([JSON.stringify(ids)])
            .map(({ id }) => id),
        );

  return (documents: readonly ScoredDocument[]): number[] => {
    const rows = (kind: string) =>
      documents.flatMap((document) =>
        document.kind === kind ? (recordOf(document.id)?.row ?? []) : [],
      );
    const superseded = rowsIn(
      `SELECT id FROM observations WHERE superseded_by IS NOT NULL
       AND id IN (SELECT value FROM json_each(?))`,
      rows("observation"),
    );
    const repeated = withTurns
      ? rowsIn(
          `SELECT p.id FROM prompts p JOIN turns t ON t.session_id = p.session_id AND t.prompt_number = p.prompt_number
           WHERE p.id IN (SELECT value FROM json_each(?))`,
          rows("prompt"),
        )
      : new Set<number>();
    return documents.map(({ id, kind, time }) => {
      if (leftOut.has(id)) return 0;
      const row = recordOf(id)?.row ?? 0;
      if (kind === "prompt" && repeated.has(row)) return 0;
      const state = kind === "observation" && superseded.has(row) ? supersededWeight : 1;
      return (kindWeights.get(kind) ?? 1) * state * freshness(now - time);
    });
  };
}

/** Age takes a twentieth at most: it decides between records that say the same. */
function freshness(age: number): number {
  return 0.95 + 0.05 * Math.exp(-Math.max(0, age) / day / 60);
}
