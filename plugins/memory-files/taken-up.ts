// Choices in dialogs: as items hold them, and whether one outlives its task: its words come back when other things are done. Pure.
import type { EvidenceKind, MemoryItem, NewTurn } from "../../src/sdk/index.ts";
import { meaningOf, plainLine } from "../../src/text/index.ts";

/** An answer, and what was asked. */
interface Choice {
  answer: string;
  question: string;
}

/** The choice that an item holds; undefined where it holds a statement. */
export function choiceOf({
  content,
  quote = "",
}: Pick<MemoryItem, "content" | "quote">): Choice | undefined {
  const answer = plainLine(quote.split("\n")[0] ?? "");
  if (answer === "" || content === answer || !content.endsWith(answer)) return undefined;
  return { answer, question: content.slice(0, -answer.length).trim() };
}

/** What people and agents state; what a tool printed repeats anything. */
const stating: ReadonlySet<EvidenceKind> = new Set([
  "prompt",
  "typed",
  "refusal",
  "choice",
  "plan",
  "commit",
  "closing",
]);
/** So much of the answer's words in one turn. */
const most = 0.6;

/** True when one of the turns speaks of it: most of the answer, and of a single word the question too. */
export function isTakenUp({ answer, question }: Choice, turns: readonly NewTurn[]): boolean {
  const wanted = [...meaningOf(answer)];
  const asked = [...meaningOf(question)].filter((word) => !wanted.includes(word));
  return turns.some((turn) => {
    const words = meaningOf(statedIn(turn));
    const shared = wanted.filter((word) => words.has(word)).length;
    if (shared === 0 || shared < wanted.length * most) return false;
    return shared > 1 || asked.some((word) => words.has(word));
  });
}

function statedIn({ pieces }: NewTurn): string {
  return pieces.flatMap(({ kind, text }) => (stating.has(kind) ? text : [])).join("\n");
}
