// Failures with what they were due to: a command failed, passed after a change, and the closing words say why. Pure.
import type { NewTurn } from "../../src/sdk/index.ts";
import { cut, meaningOf, oneLine, tellings } from "../../src/text/index.ts";

/** A failure, its cause as it was told, and its repair. */
interface Gotcha {
  content: string;
  context: string;
  quote: string;
  turn: NewTurn;
  pieces: number[];
}

/** So many words of the failure stand in the sentence that explains it. */
const leastShared = 3;
const failing =
  /error|exception|fail|panic|not found|cannot|denied|refused|undefined|mismatch|unexpected/i;
const mostOfTurn = 2;

/** Of a session's turns. */
export function gotchasOf(turns: readonly NewTurn[]): Gotcha[] {
  return turns.flatMap((turn) => {
    const closing = turn.pieces.findIndex(({ kind }) => kind === "closing");
    const said = turn.pieces[closing];
    if (!said) return [];
    const sentences = tellings(said.text, { names: [], asked: "" }).filter(
      ({ worth, statement }) => worth > 0 && statement.kind === "sentence",
    );
    const found = turn.pieces.flatMap((piece, at): Gotcha[] => {
      if (piece.kind !== "repair" || piece.agent !== undefined) return [];
      const [failed = "", changed = ""] = piece.text.split("\n\n→ ");
      const all = failed
        .split("\n")
        .map(oneLine)
        .filter((line) => line !== "");
      const named = all.filter((line) => failing.test(line));
      const lines = named.length > 0 ? named : all.slice(-1);
      const words = meaningOf(lines.join(" "));
      const ranked = sentences
        .map(({ text }) => ({
          text,
          shared: [...meaningOf(text)].filter((word) => word.length > 3 && words.has(word)).length,
        }))
        .sort((a, b) => b.shared - a.shared);
      const [best] = ranked;
      if (!best || best.shared < leastShared) return [];
      const command = cut(oneLine(piece.about ?? ""), 100);
      const files = changed.split("\n").slice(0, 3).join(", ");
      return [
        {
          content: cut(best.text, 300),
          context: `\`${command}\` failed: ${cut(lines[0] ?? "", 160)}; it passed after changes to ${files}`,
          quote: cut(failed.trim(), 400),
          turn,
          pieces: [at, closing],
        },
      ];
    });
    return found.slice(0, mostOfTurn);
  });
}
