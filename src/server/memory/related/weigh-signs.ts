// What belongs together, from the signs of it: pure.

/** Why a record belongs to another one. */
export const signKinds = ["file", "name", "error", "commit", "continued"] as const;
/**
 * `file`: both touched it. `name`: a rare word or name stands in both. `error`: it failed alike. `commit`: both name it.
 * `continued`: another session went on with the files that were changed, before or after.
 */
type SignKind = (typeof signKinds)[number];

/** One sign that a record belongs. */
export interface Sign {
  /** Of the record. */
  id: string;
  kind: SignKind;
  /** The path, word, error or commit; for `continued` the other session. */
  what: string;
  /** From 0 to about 1. */
  worth: number;
}

/** A record with all its signs, the weightiest first. */
interface Weighed {
  id: string;
  score: number;
  signs: Array<Pick<Sign, "kind" | "what">>;
}

const kindWorth: Record<SignKind, number> = {
  commit: 1.5,
  error: 1.2,
  file: 1,
  name: 1,
  continued: 0.5,
};
/** Of one kind each further sign adds that much of the one before. */
const further = 0.6;

/** A file that everything touches says little. `turns`: how many have it. */
export function fileWorth(turns: number, isChangedInBoth: boolean): number {
  return (isChangedInBoth ? 1 : 0.5) / Math.log2(2 + turns);
}

/** Best first; several kinds of signs outweigh many of one. `factor` scales a record's score; 0 leaves it out. */
export function weighSigns(signs: readonly Sign[], factor: (id: string) => number): Weighed[] {
  return [...Map.groupBy(signs, ({ id }) => id)]
    .map(([id, own]) => {
      const unique = new Map<string, Sign>();
      for (const sign of own) {
        const key = `${sign.kind} ${sign.what}`;
        if ((unique.get(key)?.worth ?? -1) < sign.worth) unique.set(key, sign);
      }
      const sorted = [...unique.values()].sort((a, b) => worthOf(b) - worthOf(a));
      const score = [...Map.groupBy(sorted, ({ kind }) => kind).values()]
        .flatMap((alike) => alike.map((sign, rank) => worthOf(sign) * further ** rank))
        .reduce((sum, worth) => sum + worth, 0);
      return {
        id,
        score: score * factor(id),
        signs: sorted.map(({ kind, what }) => ({ kind, what })),
      };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.id.localeCompare(b.id));
}

function worthOf({ kind, worth }: Sign): number {
  return kindWorth[kind] * worth;
}
