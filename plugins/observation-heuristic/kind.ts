// The type of an observation, from what happened; words only decide between kinds of change, and each has an example.
import type { NewTurn } from "../../src/sdk/index.ts";

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

/** A word that says what kind of change was asked for, by language; the first that is found counts. */
export const kindWords: ReadonlyArray<{
  kind: ObservationKind;
  pattern: RegExp;
  examples: readonly string[];
}> = [
  {
    kind: "bugfix",
    pattern:
      /^(?:bug)?fix(?:\(|:|!)|\b(?:fix(?:es|ed)?|bugs?|crash(?:es)?|broken|regression)\b|\b(?:fehler|behebe?|repariere?|kaputt)\b|\b(?:corrige[rz]?|bogue)\b|\b(?:corrige|arregla\w*|(?:el|un|los|este|del) error(?:es)?)\b|修复|报错|修正|直して|バグ|исправ|ошибк/i,
    examples: [
      "fix(cart): count vouchers once",
      "Behebe den Fehler im Warenkorb",
      "Corrige le bogue du panier",
      "Arregla el total",
      "修复购物车",
      "カートのバグを直して",
      "Исправь корзину",
    ],
  },
  {
    kind: "refactor",
    pattern:
      /^refactor(?:\(|:|!)|\b(?:refactor\w*|rename|restructure|simplify|clean ?up|extract|move)\b|\b(?:umbenennen|benenne|vereinfache)\b|\b(?:renomme\w*|simplifie\w*)\b|\b(?:renombra\w*|simplifica\w*)\b|重构|重命名|リファクタ/i,
    examples: [
      "Rename the store",
      "Benenne den Dienst um",
      "Renomme le service",
      "Renombra el servicio",
      "重构这个模块",
      "リファクタリングして",
    ],
  },
  {
    kind: "feature",
    pattern:
      /^feat(?:\(|:|!)|\b(?:add|implement|create|introduce|support)\b|\b(?:hinzu|ergänze|erstelle|baue)\b|\b(?:ajoute[rz]?|crée[rz]?)\b|\b(?:añade|agrega|crea)\b|添加|新增|实现|追加|作成|добав|создай/i,
    examples: [
      "feat: vouchers",
      "Ergänze eine Suche",
      "Ajoute une recherche",
      "Añade una búsqueda",
      "添加搜索",
      "検索を追加",
      "Добавь поиск",
    ],
  },
];

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
  const said = words.map((text) => kindWords.find(({ pattern }) => pattern.test(text))?.kind);
  return (
    said.find((kind) => kind !== undefined) ??
    (made * 2 > changed ? "feature" : repaired ? "bugfix" : made > 0 ? "feature" : "change")
  );
}
