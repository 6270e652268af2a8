// How a project is worked with: the commands that pass, and failures with what they were due to. Pure.
import type { Evidence, NewMemoryItem, NewTurn, Turn } from "../../src/sdk/index.ts";
import { projectCommands, ranIn } from "../../src/strategy/index.ts";
import { cut, meaningOf, oneLine, tellings } from "../../src/text/index.ts";

const mostCommands = 8;
/** A command that checks nothing is how work is done here when so many sessions ran it. */
const often = 3;
const running: ReadonlySet<Evidence["kind"]> = new Set(["passed", "repair", "failure", "ran"]);
const mostOutput = 200;

/** A turn as far as commands go, each in its place: readings are kept, and turns are large. */
export function runsOf(turn: Turn): NewTurn {
  const pieces = turn.pieces.map(({ kind, text, about, agent }) =>
    running.has(kind) && agent === undefined
      ? { kind, text: text.slice(0, mostOutput), ...(about !== undefined && { about }) }
      : { kind: "said" as const, text: "" },
  );
  return { ...turn, pieces, files: [] };
}

/** Of all turns, those of several sessions; each is its last session's. */
export function workflowsOf(turns: readonly NewTurn[]): NewMemoryItem[] {
  return projectCommands(turns)
    .filter(({ sessions, purpose }) => sessions >= (purpose === undefined ? often : 2))
    .slice(0, mostCommands)
    .map(({ line, sessions, last }) => {
      const piece = last.pieces.findIndex(({ about }) => about?.includes(line));
      return {
        ...{ session: last.session, project: last.project, kind: "workflows", state: "standing" },
        ...{ date: dayOf(last.time), content: line, context: ranIn(sessions) },
        quote: last.pieces[piece]?.about ?? line,
        evidence: [{ turn: last.promptNumber, piece: Math.max(0, piece) }],
      };
    });
}

// Failures with what they were due to: a command failed, passed after a change, and the closing words say why.

/** So many words of the failure stand in the sentence that explains it. */
const leastShared = 3;
const failing =
  /error|exception|fail|panic|not found|cannot|denied|refused|undefined|mismatch|unexpected/i;
const gotchasOfTurn = 2;

export function gotchasIn(
  turn: Turn,
  common: Pick<NewMemoryItem, "session" | "project">,
): NewMemoryItem[] {
  const closing = turn.pieces.findIndex(({ kind }) => kind === "closing");
  const isMended = ({ kind, agent }: Evidence) => kind === "repair" && agent === undefined;
  if (closing < 0 || !turn.pieces.some(isMended)) return [];
  const sentences = tellings(turn.pieces[closing]?.text ?? "", { names: [], asked: "" })
    .filter(({ worth, statement }) => worth > 0 && statement.kind === "sentence")
    .map(({ text }) => ({ text, words: meaningOf(text) }));
  const found = turn.pieces.flatMap((piece, at): NewMemoryItem[] => {
    if (!isMended(piece)) return [];
    const [failed = "", changed = ""] = piece.text.split("\n\n→ ");
    const all = failed
      .split("\n")
      .map(oneLine)
      .filter((line) => line !== "");
    const named = all.filter((line) => failing.test(line));
    const lines = named.length > 0 ? named : all.slice(-1);
    const wanted = meaningOf(lines.join(" "));
    const shared = ({ words }: (typeof sentences)[number]) =>
      [...words].filter((word) => word.length > 3 && wanted.has(word)).length;
    const best = sentences.toSorted((one, other) => shared(other) - shared(one))[0];
    if (!best || shared(best) < leastShared) return [];
    const command = cut(oneLine(piece.about ?? ""), 100);
    const files = changed.split("\n").slice(0, 3).join(", ");
    return [
      {
        ...common,
        kind: "gotchas",
        date: dayOf(turn.time),
        content: cut(best.text, 300),
        context: `\`${command}\` failed: ${cut(lines[0] ?? "", 160)}; it passed after changes to ${files}`,
        state: "candidate",
        quote: cut(failed.trim(), 400),
        evidence: [at, closing].map((piece) => ({ turn: turn.promptNumber, piece })),
      },
    ];
  });
  return found.slice(0, gotchasOfTurn);
}

/** `YYYY-MM-DD`, UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
