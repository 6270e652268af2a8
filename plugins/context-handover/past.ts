// Turns as the note reads them: what each was about, and what the later ones say and touch. Pure.
import type { Evidence, EvidenceKind, Turn } from "../../src/sdk/index.ts";
import { createStatements, type Statements } from "./statements.ts";
import { namesIn, type Term, type Terms, termsOf } from "./terms.ts";

/** A turn, what it was about, and where it stands among the others. */
export interface PastTurn {
  turn: Turn;
  /** Sessions that went on later: 0 for the newest session. */
  sessionsAgo: number;
  /** True for the newest turn of its session. */
  isLast: boolean;
  /** Words of what was typed, done and said at the end. */
  terms: Terms;
  /** Words that no other of the turns has. */
  novel: number;
  /** Paths of changed files, commands, and names in what was typed, in lower case. */
  touched: string;
  /** What was stated in all later turns. */
  newer: Statements;
  /** The turns after it, oldest first. */
  later: readonly PastTurn[];
}

const done: ReadonlySet<EvidenceKind> = new Set(["passed", "ran", "repair", "failure"]);
const user: ReadonlySet<EvidenceKind> = new Set(["prompt", "typed", "refusal", "choice"]);
const stated: ReadonlySet<EvidenceKind> = new Set([...user, "closing", "commit"]);
/** Of a text with more, the beginning is compared. */
const compared = 3_000;
const commandCompared = 240;

/** The turns oldest first. */
export function pastOf(turns: readonly Turn[]): PastTurn[] {
  const ordered = turns.toSorted((one, other) => one.startedAt - other.startedAt);
  const newestFirst = [...new Set(ordered.toReversed().map(({ session }) => session))];
  const statements = createStatements();
  const past: PastTurn[] = [];
  const seen = new Set<string>();
  // From the newest on: what is known then is what came later.
  for (let at = ordered.length - 1; at >= 0; at--) {
    const turn = ordered[at];
    if (!turn) continue;
    const newer = statements.upToNow();
    const terms = new Set(termsOf([...commandsOf(turn), ...changedBy(turn)].join("\n")));
    for (const text of textsOf(turn, stated))
      for (const term of statements.add(text)) terms.add(term);
    past.unshift({
      turn,
      sessionsAgo: newestFirst.indexOf(turn.session),
      isLast: !seen.has(turn.session),
      terms,
      novel: 0,
      touched: touchedBy(turn),
      newer,
      later: past.slice(),
    });
    seen.add(turn.session);
  }
  return withNovelty(past);
}

/** Counts for each turn the words that no other has. */
function withNovelty(past: PastTurn[]): PastTurn[] {
  const counts = new Map<Term, number>();
  for (const { terms } of past)
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const one of past) for (const term of one.terms) if (counts.get(term) === 1) one.novel++;
  return past;
}

/** The pieces of these kinds, in order. */
export function piecesOf({ turn }: PastTurn, ...kinds: EvidenceKind[]): Evidence[] {
  return turn.pieces.filter(({ kind }) => kinds.includes(kind));
}

/** The text of the turn's only piece of a kind; empty when there is none. */
export function textOf(past: PastTurn, kind: "prompt" | "closing" | "todo"): string {
  return piecesOf(past, kind)[0]?.text ?? "";
}

function textsOf({ pieces }: Turn, kinds: ReadonlySet<EvidenceKind>): string[] {
  return pieces.flatMap(({ kind, text }) => (kinds.has(kind) ? text.slice(0, compared) : []));
}

function commandsOf({ pieces }: Turn): string[] {
  return pieces.flatMap(({ kind, about }) =>
    done.has(kind) && about ? about.slice(0, commandCompared) : [],
  );
}

function changedBy({ files }: Turn): string[] {
  return files.flatMap(({ path, changed }) => (changed ? path : []));
}

function touchedBy(turn: Turn): string {
  const typed = textsOf(turn, user).flatMap(namesIn);
  return [...changedBy(turn), ...commandsOf(turn), ...typed].join("\n").toLowerCase();
}
