// What a turn holds beside its prompt, its closing and its tool uses, for a model: the user's word on the way, and what became of the work.
import type { Evidence, NewTurn } from "../sdk/turn.ts";
import { forModel } from "./model-text.ts";

const shown: ReadonlySet<Evidence["kind"]> = new Set([
  ...(["typed", "choice", "refusal", "plan", "interrupted", "commit", "repair"] as const),
]);
const each = { text: 1_000, about: 200 };

/** What the newest turn came to; undefined where that is not known. */
export function closingWords(turns: readonly NewTurn[]): string | undefined {
  return turns.at(-1)?.pieces.find(({ kind }) => kind === "closing")?.text;
}

/** Evidence, each piece in a tag of its kind and escaped; of more than `most` characters the newest. "" where there is none. */
export function turnEvidence(turns: readonly NewTurn[], most: number): string {
  const lines: string[] = [];
  let room = most;
  const pieces = turns.flatMap((turn) => turn.pieces.filter(({ kind }) => shown.has(kind)));
  for (const { kind, about, text } of pieces.toReversed()) {
    const of = about ? `${forModel(about, each.about)}: ` : "";
    const line = `<${kind}>${of}${forModel(text, each.text)}</${kind}>`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.unshift(line);
  }
  return lines.join("\n");
}
