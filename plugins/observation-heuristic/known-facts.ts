// What is known without anybody's words: files with the names that changed in them, and commands that failed and passed.
import type { Evidence, NewTurn } from "../../src/sdk/index.ts";
import { cleanText, commandKey, cut, failureLine, oneLine } from "../../src/text/index.ts";

/** A plain statement and the piece that it rests on; none for a file. */
interface KnownFact {
  text: string;
  piece?: number;
}

const mostSymbols = 6;
const runs: ReadonlySet<string> = new Set(["passed", "repair", "failure", "ran"]);
/** `src/a.ts changed: one, two`, for files whose changed names are known. */
export function fileFacts(files: NewTurn["files"], changed: readonly string[]): KnownFact[] {
  const known = new Map(files.map(({ path, symbols = [] }) => [path, symbols]));
  return changed.flatMap((path) => {
    const symbols = known.get(path) ?? [];
    if (symbols.length === 0) return [];
    const more = symbols.length > mostSymbols ? ` … (${symbols.length} in all)` : "";
    return [{ text: `${path} changed: ${symbols.slice(0, mostSymbols).join(", ")}${more}` }];
  });
}

/** Commands that failed and then passed, with what was changed in between; `within` are the tool uses looked at. */
export function repairFacts(turn: NewTurn, within: ReadonlySet<string>): KnownFact[] {
  return turn.pieces.flatMap((piece, at) => {
    if (piece.kind !== "repair" || !belongs(piece, within)) return [];
    const [failed = "", changed = ""] = piece.text.split("\n\n→ ");
    const why = failureLine(failed);
    const files = changed.split("\n").filter((path) => path !== "");
    const shown = files.slice(0, 3).join(", ") + (files.length > 3 ? ", …" : "");
    const because = why === "" ? "" : `: ${why}`;
    const text = `\`${commandLine(piece)}\` failed${because}; it passed after changes to ${shown}`;
    return [{ text, piece: at }];
  });
}

/** Commands that failed and did not pass any more, where it is more than a slip: failed again and again, or last of all. */
export function openFailures(turn: NewTurn, within: ReadonlySet<string>): KnownFact[] {
  const last = turn.pieces.findLastIndex(
    ({ kind, agent }) => agent === undefined && ["failure", "passed", "repair"].includes(kind),
  );
  return turn.pieces.flatMap((piece, at) => {
    if (piece.kind !== "failure" || !belongs(piece, within)) return [];
    // Run again, also as a part of another line: what came of it is said there, or not known.
    const key = commandKey(piece.about ?? "");
    const later = turn.pieces.slice(at + 1);
    const isOver = ({ kind, about = "" }: Evidence) =>
      kind === "commit" || (runs.has(kind) && about.includes(key));
    if (later.some(isOver)) return [];
    if ((piece.times ?? 1) < 2 && at !== last) return [];
    const why = failureLine(piece.text);
    const because = why === "" ? "" : `: ${why}`;
    return [{ text: `\`${commandLine(piece)}\` failed when it was run last${because}`, piece: at }];
  });
}

function belongs({ toolUseId, agent }: Evidence, within: ReadonlySet<string>): boolean {
  return agent === undefined && (toolUseId === undefined || within.has(toolUseId));
}

function commandLine({ about = "" }: Evidence): string {
  return cut(oneLine(cleanText(about).split("\n")[0] ?? ""), 100);
}
