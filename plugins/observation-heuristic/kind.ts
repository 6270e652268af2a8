// The type of an observation, from what happened; words only decide between kinds of change, and each is its own example.
import type { NewTurn } from "../../src/sdk/index.ts";
import { phrases } from "../../src/text/index.ts";

/** What a piece of work may be. */
export type ObservationKind =
  | "decision"
  | "bugfix"
  | "feature"
  | "refactor"
  | "discovery"
  | "change";

/** What is known of a piece of work. */
export interface Happened {
  changed: number;
  made: number;
  committed: boolean;
  repaired: boolean;
  /** The commit's subject and the request. */
  words: readonly string[];
}

/** Words that say what kind of change was asked for, by language; the first kind that is found counts. */
export const kindWords: ReadonlyArray<{ kind: ObservationKind; words: readonly string[] }> = [
  {
    kind: "bugfix",
    words: [
      "fix|fixes|fixed|bugfix|bug|bugs|crash|crashes|broken|regression",
      "fehler|behebe|beheben|repariere|reparieren|kaputt",
      "corrige|corriger|corrigez|bogue",
      "arregla*|el error|un error|los errores|este error|del error",
      "修复|报错|修正|直して|バグ|исправ*|ошибк*",
    ],
  },
  {
    kind: "refactor",
    words: [
      "refactor*|rename|restructure|simplify|clean up|cleanup|extract|move",
      "umbenennen|benenne|vereinfache",
      "renomme*|simplifie*|renombra*|simplifica*",
      "重构|重命名|リファクタ",
    ],
  },
  {
    kind: "feature",
    words: [
      "feat|add|implement|create|introduce|support",
      "hinzu|ergänze|erstelle|baue",
      "ajoute|ajouter|ajoutez|crée|créer|créez",
      "añade|agrega|crea",
      "添加|新增|实现|追加|作成|добав*|создай",
    ],
  },
];
const kindPatterns = kindWords.map(({ kind, words }) => ({
  kind,
  pattern: phrases(words.join("|")),
}));

/** The type of a piece of work of a turn. */
export function kindOf(
  { changed, made, committed, repaired, words }: Happened,
  turn: NewTurn,
): ObservationKind {
  if (changed === 0 && !committed)
    return turn.pieces.some(
      ({ kind, text }) =>
        kind === "choice" || kind === "plan" || (kind === "refusal" && text !== ""),
    )
      ? "decision"
      : "discovery";
  const said = words.map((text) => kindPatterns.find(({ pattern }) => pattern.test(text))?.kind);
  return (
    said.find((kind) => kind !== undefined) ??
    (made * 2 > changed ? "feature" : repaired ? "bugfix" : made > 0 ? "feature" : "change")
  );
}
