// What a project's finished sessions come to: statements, choices, commands and gotchas, and which of them stand. A pure function of
// their turns and of what people stored by their own word: whatever order sessions arrive in, the items are the same.
import type {
  Evidence,
  EvidenceKind,
  MemoryItem,
  NewMemoryItem,
  Session,
  Turn,
} from "../../src/sdk/index.ts";
import {
  cut,
  denseRange,
  isCited,
  isFiller,
  isReversed,
  meaningOf,
  type OwnSentence,
  oneLine,
  overlap,
  ownSentences,
  plainLine,
  saysOtherwise,
  tellingWords,
  titleOf,
} from "../../src/text/index.ts";
import { cueOf, holdOf } from "./cues.ts";
import { dayOf, gotchasIn, type Run, runsIn, workflowsOf } from "./practice.ts";

/** What one session says by itself. */
export interface Reading {
  session: string;
  project: string;
  /** Epoch ms of its first turn. */
  startedAt: number;
  /** What may be an item, by the piece that says it. */
  found: ReadonlyArray<readonly Found[]>;
  /** The user's own sentences: what is said again in a later session stands. */
  sentences: readonly Sentence[];
  runs: readonly Run[];
  gotchas: readonly NewMemoryItem[];
}

/** Something that may be an item. */
interface Found {
  item: NewMemoryItem;
  /** Of a statement; a choice is confirmed by its question alone. */
  words?: ReadonlySet<string>;
  /** It may have been pasted: it confirms nothing, and nothing confirms it. */
  isUnsure?: boolean;
  /** Nothing in it says that it lasts: it is an item once it was said in several sessions. */
  needsHabit?: boolean;
}

interface Sentence {
  text: string;
  words: ReadonlySet<string>;
}

/** Two statements that share more of their meaning than this say the same. */
const same = 0.6;
const sessionsOfHabit = 3;
/** Fewer words are no habit, however often they were said. */
const wordsOfHabit = 5;
const mostOfPiece = 4;
const mostOfSession = 24;
/** What the user settles may be worded as either. */
const settled: ReadonlySet<MemoryItem["kind"]> = new Set(["decisions", "preferences"]);

/** Reads a session; its turns oldest first. */
export function readSession(
  session: Pick<Session, "id" | "project" | "title" | "startedAt">,
  turns: readonly Turn[],
): Reading {
  const { id, project, title, startedAt } = session;
  const common = { session: id, project: project.id };
  const prompts = turns.flatMap(({ pieces }) => pieces.filter(({ kind }) => kind === "prompt"));
  const isOwn = !prompts.some(({ text }) => isCited(title.replace(/…$/, ""), text));
  const about = title !== "" && isOwn ? `Session: ${title}` : "";
  const sentences: Sentence[] = [];
  const found: Found[][] = [];
  for (const turn of turns)
    for (const [at, piece] of turn.pieces.entries()) {
      const evidence = [{ turn: turn.promptNumber, piece: at }];
      const place = { ...common, date: dayOf(piece.time ?? turn.startedAt), evidence };
      if (piece.kind === "choice") found.push(choiceIn(piece, place, turn, turns));
      if (!typed.has(piece.kind)) continue;
      const own = sentencesOf(piece);
      found.push(own.flatMap((sentence) => statementIn(piece, sentence, place, about)));
      for (const { text, isSure } of own)
        if (isSure) sentences.push({ text, words: meaningOf(text) });
    }
  return {
    ...common,
    startedAt: turns[0]?.startedAt ?? startedAt,
    found,
    sentences,
    runs: turns.flatMap(runsIn),
    gotchas: turns.flatMap((turn) => gotchasIn(turn, common)),
  };
}

/**
 * The items of a project; `given` are those that people and models stored, which stay as they are and are not said twice. Said again
 * in a later session a statement stands; turned round, it stands no more.
 */
export function deriveItems(
  readings: readonly Reading[],
  given: readonly Stated[] = [],
): NewMemoryItem[] {
  const ordered = readings.toSorted(
    (one, other) => one.startedAt - other.startedAt || (one.session < other.session ? -1 : 1),
  );
  const workflows = workflowsOf(ordered);
  const earlier = createSayings();
  const items: NewMemoryItem[] = [];
  for (const { session, found, sentences, gotchas } of ordered) {
    const said = found.flatMap((piece) =>
      piece.flatMap((one) => judged(one, earlier) ?? []).slice(0, mostOfPiece),
    );
    const commands = workflows.filter((one) => one.session === session);
    const all = [...said, ...[...commands, ...gotchas].map((item) => ({ item, isUnsure: false }))];
    for (const one of all.slice(0, mostOfSession))
      if (!given.some((other) => isSameItem(other, one.item))) addTo(items, one);
    earlier.add(session, sentences);
  }
  return items;
}

type Judged = Required<Pick<Found, "item" | "isUnsure">>;

/** The item with its state; undefined for what is no habit yet. */
function judged(
  { item, words, isUnsure = false, needsHabit }: Found,
  earlier: Sayings,
): Judged | undefined {
  if (!words) return { item, isUnsure };
  const times = earlier.sessionsSaying({ text: item.content, words });
  if (needsHabit && times + 1 < sessionsOfHabit) return undefined;
  return { item: times > 0 && !isUnsure ? { ...item, state: "standing" } : item, isUnsure };
}

function addTo(items: NewMemoryItem[], { item, isUnsure }: Judged): void {
  const at = items.findIndex((other) => isSameItem(other, item));
  const before = items[at];
  if (before && (isUnsure || before.session === item.session)) return;
  if (!isUnsure) takeBack(items, item);
  if (!before) items.push(item);
  else if (before.state !== "standing") {
    const places = (before.evidence ?? []).map((place) => ({ session: before.session, ...place }));
    items[at] = {
      ...before,
      session: item.session,
      date: item.date,
      context: item.context,
      state: "standing",
      evidence: [...places, ...(item.evidence ?? [])],
    };
  }
}

/** What stood until this said the opposite is kept as what was said once, with what came after it. */
function takeBack(items: NewMemoryItem[], newer: NewMemoryItem): void {
  if (!settled.has(newer.kind)) return;
  for (const [at, item] of items.entries()) {
    const stands = settled.has(item.kind) && item.state === "standing" && item.date <= newer.date;
    if (!stands || !isReversed(newer.content, item.content)) continue;
    const context = cut(`Taken back ${newer.date}: “${newer.content}”`, 240);
    items[at] = { ...item, context, state: "candidate" };
  }
}

type Stated = Pick<MemoryItem, "kind" | "content" | "quote">;

/** True when both say the same; a change of mind does not. */
export function isSameItem(one: Stated, other: Stated): boolean {
  if (one.content.toLowerCase() === other.content.toLowerCase()) return true;
  if (one.kind === "workflows" || one.kind === "projects") return false;
  const [chosen, before] = [choiceOf(one), choiceOf(other)];
  if (chosen && before && overlap(chosen.answer, before.answer) <= same) return false;
  if (saysOtherwise(one.content, other.content)) return false;
  const alike = one.kind === other.kind || (settled.has(one.kind) && settled.has(other.kind));
  return alike && overlap(one.content, other.content) > same;
}

// Sentences of earlier sessions, found by their words: whether one of them says the same.

type Sayings = ReturnType<typeof createSayings>;

function createSayings() {
  const all: Array<Sentence & { session: string }> = [];
  const byWord = new Map<string, number[]>();
  return {
    add(session: string, sentences: readonly Sentence[]): void {
      for (const sentence of sentences) {
        const at = all.push({ ...sentence, session }) - 1;
        for (const word of sentence.words) {
          const places = byWord.get(word);
          if (places) places.push(at);
          else byWord.set(word, [at]);
        }
      }
    },
    /** In how many sessions the same was said. */
    sessionsSaying({ text, words }: Sentence): number {
      const shared = new Map<number, number>();
      for (const word of words)
        for (const at of byWord.get(word) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1);
      const sessions = new Set<string>();
      for (const [at, count] of shared) {
        const other = all[at];
        const isAlike = other && count > Math.min(words.size, other.words.size) * same;
        if (isAlike && !sessions.has(other.session) && !saysOtherwise(text, other.text))
          sessions.add(other.session);
      }
      return sessions.size;
    },
  };
}

// What the user typed: sentences with a word for what lasts, reasons for refusing, and what may be a habit.

type Place = Pick<NewMemoryItem, "session" | "project" | "date" | "evidence">;

const typed: ReadonlySet<EvidenceKind> = new Set(["prompt", "typed", "refusal"]);
/** Characters of a sentence that may be an item. */
const bounds = { least: 12, most: 300 };
/** Of a script without spaces a sentence says more in fewer characters. */
const dense = new RegExp(`[${denseRange}]`);

/** At most one. */
function statementIn(
  { kind, about = "" }: Evidence,
  { text, bare, isSure }: OwnSentence,
  place: Place,
  session: string,
): Found[] {
  const cue = cueOf(bare);
  const hold = cue && holdOf(bare, cue.at);
  const isBehindColon = /[:：]\s/.test(bare.slice(0, cue?.at ?? 0));
  const isUnsure = !isSure || hold !== undefined || isBehindColon;
  const needsHabit = !cue && kind !== "refusal";
  if (hold === "void" || (!cue && kind === "refusal" && !lasts(text))) return [];
  if (needsHabit && (isUnsure || tellingWords(text).length < wordsOfHabit)) return [];
  const refused = kind === "refusal" && about !== "" ? `Refused: ${titleOf(about, 160)}` : "";
  const item: NewMemoryItem = {
    ...place,
    kind: cue?.kind ?? "preferences",
    content: oneLine(text),
    context: cut(oneLine(refused || session), 240),
    state: "candidate",
    quote: text,
  };
  return [{ item, words: meaningOf(text), isUnsure, needsHabit }];
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

// Answers in dialogs. A plan is of its task, and stays in its turn.

/** An answer, and what was asked. */
interface Choice {
  answer: string;
  question: string;
}

/** A choice that its session does not come back to was of its task: it is kept as a candidate, with the task. */
function choiceIn(
  { text, about = "" }: Evidence,
  place: Place,
  turn: Turn,
  turns: readonly Turn[],
): Found[] {
  const answer = plainLine(text.split("\n")[0] ?? "");
  const question = plainLine(withoutOptions(about));
  if (answer === "" || isFiller(answer) || question === "") return [];
  const later = turns.filter(({ promptNumber }) => promptNumber > turn.promptNumber);
  const stands = isTakenUp({ answer, question }, later);
  const task = taskOf(turns, turn);
  const once = stands || task === "" ? "" : `Chosen once, for: ${task}; `;
  const item: NewMemoryItem = {
    ...place,
    kind: "decisions",
    content: oneLine(cut(`${question} ${answer}`, bounds.most)),
    context: cut(oneLine(`${once}${plainLine(about)}`), 240),
    state: stands ? "standing" : "candidate",
    quote: cut(text.trim(), 600),
  };
  return [{ item }];
}

/** The choice that an item holds; undefined where it holds a statement. */
function choiceOf({ content, quote = "" }: Stated): Choice | undefined {
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

/** True when one of the turns speaks of it: most of the answer, and of a single word the question too. */
function isTakenUp({ answer, question }: Choice, turns: readonly Turn[]): boolean {
  const wanted = meaningOf(answer);
  const asked = meaningOf(question).difference(wanted);
  return turns.some(({ pieces }) => {
    const stated = pieces.flatMap(({ kind, text }) => (stating.has(kind) ? text : []));
    const words = meaningOf(stated.join("\n"));
    const shared = wanted.intersection(words).size;
    if (shared === 0 || shared < wanted.size * same) return false;
    return shared > 1 || !asked.isDisjointFrom(words);
  });
}

/** What was asked for last that says something: "continue" goes on with what was asked before. */
function taskOf(turns: readonly Turn[], { promptNumber }: Turn): string {
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
