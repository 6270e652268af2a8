// Near passages → results as a search answers them, from the turns as they are stored now.
import type { Evidence, SearchResult, Turn } from "../../src/sdk/index.ts";
import { cut, estimateTokens, oneLine } from "../../src/text/index.ts";
import { passagesOf } from "./passages.ts";
import type { Near } from "./store.ts";

const titleLength = 120;

/** In the order of `near`; for each turn its best passage, or with `all` each. What a turn does not say any more is left out. */
export function resultsOf(
  near: readonly Near[],
  turns: ReadonlyMap<string, Turn>,
  how: { all: boolean; explain: boolean },
): SearchResult[] {
  const shown = new Set<string>();
  return near.flatMap(({ turn: id, hash, likeness }, rank) => {
    const turn = turns.get(id);
    if (!turn || (!how.all && shown.has(id))) return [];
    const passage = passagesOf(turn).find((one) => one.hash === hash);
    if (!passage) return [];
    shown.add(id);
    const { piece, start, end } = passage;
    const why = {
      words: [],
      field: turn.pieces[piece]?.kind ?? "said",
      session: 0,
      documentRank: rank + 1,
      likeness: Math.round(likeness * 1_000) / 1_000,
    };
    return {
      ...resultOf(turn),
      score: Math.max(0, likeness),
      excerpt: turn.pieces[piece]?.text.slice(start, end).trim() ?? "",
      piece,
      ...(how.explain ? { why } : {}),
    };
  });
}

function resultOf({ id, session, project, startedAt, promptNumber, pieces, files }: Turn) {
  const said = pieces.findLast(({ kind }) => kind === "closing" || kind === "said")?.text ?? "";
  const everything = pieces.map((piece: Evidence) => `${piece.text}\n${piece.about ?? ""}`);
  return {
    id,
    kind: "turn" as const,
    type: "turn",
    session,
    project,
    title: cut(oneLine(pieces[0]?.text ?? ""), titleLength),
    subtitle: cut(oneLine(said), titleLength),
    createdAt: startedAt,
    promptNumber,
    facts: [],
    files: files.map(({ path }) => path),
    readTokens: estimateTokens(everything.join("\n")),
  };
}
