// What the user settled: sentences they typed, answers they chose, reasons for which they refused. A plan is of its task, and stays in its turn. Pure.
import type { Evidence, EvidenceKind, MemoryItem, NewTurn, Turn } from "../../src/sdk/index.ts";
import {
  cut,
  denseRange,
  isFiller,
  meaningOf,
  type OwnSentence,
  overlap,
  ownSentences,
  plainLine,
  saysOtherwise,
  tellingWords,
  titleOf,
} from "../../src/text/index.ts";
import { cueOf, holdOf } from "./cues.ts";

// Choices in dialogs: as items hold them, and whether one outlives its task: its words come back when other things are done. Pure.

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

/** Something settled, and the piece that says it. */
interface Said {
  kind: MemoryItem["kind"];
  content: string;
  context: string;
  quote: string;
  state: "standing" | "candidate";
  turn: NewTurn;
  piece: number;
  /** It may have been pasted: said again, it still stands for nothing. */
  unsure?: true;
}

/** Characters of a sentence that may be an item. */
const bounds = { least: 12, most: 300 };
/** Two sentences that share more than this are one statement. */
const same = 0.6;
/** In so many sessions something was said that no cue marks as lasting. */
const sessionsOfHabit = 3;
const mostOfPrompt = 4;
/** Of a script without spaces a sentence says more in fewer characters. */
const dense = new RegExp(`[${denseRange}]`);

/** Items of a session's turns; `others` are turns of other sessions of the project. In the order in which they were said. */
export function saidItems(turns: readonly NewTurn[], others: readonly Turn[]): Said[] {
  const before = others.flatMap((turn) =>
    turn.pieces
      .filter(isTyped)
      .flatMap((piece) => sentencesOf(piece))
      .flatMap(({ text, isSure }) => (isSure ? [{ text, session: turn.session }] : [])),
  );
  return turns.flatMap((turn) =>
    turn.pieces.flatMap((piece, at) => {
      const said = { turn, piece: at, quote: cut(piece.text.trim(), 600) };
      if (piece.kind === "choice") {
        const later = turns.filter(({ promptNumber }) => promptNumber > turn.promptNumber);
        return chosen(piece, said, taskOf(turns, turn), [...later, ...others]);
      }
      if (!isTyped(piece)) return [];
      const found = sentencesOf(piece).flatMap((sentence): Said[] => {
        const kept = statementOf(piece, sentence, before);
        return kept ? [{ ...said, ...kept }] : [];
      });
      return found.slice(0, mostOfPrompt);
    }),
  );
}

type Stated = Omit<Said, "turn" | "piece">;

/** What a sentence settles; undefined for most. */
function statementOf(
  piece: Evidence,
  { text, bare, isSure }: OwnSentence,
  before: ReadonlyArray<{ text: string; session: string }>,
): Stated | undefined {
  const cue = cueOf(bare);
  const hold = cue && holdOf(bare, cue.at);
  if (hold === "void") return undefined;
  const isBehindColon = /[:：]\s/.test(bare.slice(0, cue?.at ?? 0));
  const isOwn = isSure && hold === undefined && !isBehindColon;
  const repeated = new Set(
    before
      .filter((other) => overlap(other.text, text) > same && !saysOtherwise(text, other.text))
      .map(({ session }) => session),
  ).size;
  const isHabit = isOwn && repeated + 1 >= sessionsOfHabit && tellingWords(text).length >= 5;
  const kind = cue?.kind ?? (piece.kind === "refusal" || isHabit ? "preferences" : undefined);
  if (kind === undefined) return undefined;
  if (!cue && piece.kind === "refusal" && !lasts(text)) return undefined;
  const state = isOwn && repeated > 0 ? "standing" : "candidate";
  const stated = { kind, content: text, context: contextOf(piece), quote: text };
  return isOwn ? { ...stated, state } : { ...stated, state, unsure: true };
}

function isTyped({ kind }: Evidence): boolean {
  return kind === "prompt" || kind === "typed" || kind === "refusal";
}

/** The user's own sentences that could stand alone: no question, no fragment. */
function sentencesOf({ text }: Evidence): OwnSentence[] {
  return ownSentences(text)
    .map(({ text, bare, isSure }) => ({ text: ended(text), bare: ended(bare), isSure }))
    .filter(
      ({ text }) =>
        text.length <= bounds.most &&
        text.length >= (dense.test(text) ? 5 : bounds.least) &&
        !/[?？؟]["')]*$/.test(text) &&
        !isFiller(text),
    );
}

function ended(text: string): string {
  return text.replace(/[.!。！\s]+$/u, "");
}

/** A reason for refusing that speaks of more than the one tool use: it names something, in more than a few words. */
function lasts(text: string): boolean {
  return tellingWords(text).length >= 4 && /[`/]|\w\.\w|[a-z][A-Z]|_|-/.test(text);
}

function contextOf({ kind, about = "" }: Evidence): string {
  return kind === "refusal" && about !== "" ? `Refused: ${titleOf(about, 160)}` : "";
}

type Rest = Pick<Said, "turn" | "piece" | "quote">;

/** A choice that nothing comes back to was of its task: it is kept as a candidate, with the task. */
function chosen(
  { text, about = "" }: Evidence,
  rest: Rest,
  task: string,
  elsewhere: readonly NewTurn[],
): Said[] {
  const answer = plainLine(text.split("\n")[0] ?? "");
  const question = plainLine(withoutOptions(about));
  if (answer === "" || isFiller(answer) || question === "") return [];
  const stands = isTakenUp({ answer, question }, elsewhere);
  const once = stands || task === "" ? "" : `Chosen once, for: ${task}; `;
  return [
    {
      ...rest,
      kind: "decisions",
      content: cut(`${question} ${answer}`, bounds.most),
      context: cut(`${once}${plainLine(about)}`, 240),
      state: stands ? "standing" : "candidate",
    },
  ];
}

/** What was asked for last that says something: "continue" goes on with what was asked before. */
function taskOf(turns: readonly NewTurn[], { promptNumber }: NewTurn): string {
  const asked = turns
    .filter((turn) => turn.promptNumber <= promptNumber)
    .flatMap(({ pieces }) => pieces.filter(({ kind }) => kind === "prompt"))
    .findLast(({ text }) => !isFiller(text));
  return asked ? titleOf(asked.text, 100) : "";
}

/** The question without what was on offer, which stands in brackets at its end. */
function withoutOptions(about: string): string {
  if (!about.endsWith(")")) return about;
  let depth = 0;
  for (let at = about.length - 1; at > 0; at--) {
    if (about[at] === ")") depth++;
    else if (about[at] === "(" && --depth === 0)
      return about.slice(at).includes(" | ") ? about.slice(0, at).trim() : about;
  }
  return about;
}
