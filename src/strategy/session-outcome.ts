// What came of a session, in a line: which of its turns speaks for it. Pure.
import type { NewTurn } from "../sdk/turn.ts";
import { denied, undoes } from "../text/prose/phrases.ts";
import { allWordsOf, meaningOf, overlap, sentencesOf } from "../text/prose/plain.ts";
import {
  conditional,
  isDoing,
  outlineOf,
  type Statement,
  saysDoing,
  speaking,
  titleIn,
  turning,
} from "../text/prose/telling.ts";
import { baseName, capitalize, nameWords } from "../text/text.ts";
import { checking, isAlike, measureOf, namesOf, textOf } from "./merit.ts";
import {
  commitOf,
  isPublished,
  messageOf,
  type Outcome,
  type OutcomeBasis,
  outcomeOf,
} from "./outcome.ts";
import { longLead } from "./results.ts";

/** What outranks what, of several turns. */
const ranks: readonly OutcomeBasis[] = [
  "commit",
  "plan",
  "said",
  "repair",
  "changed",
  "answer",
  "asked",
];

/** A turn of a session. */
interface Part {
  turn: NewTurn;
  outcome: Outcome;
  /** How much it did. */
  own: number;
  /** How much its outcome speaks for: a commit takes along the turns since the one before. */
  work: number;
}

/**
 * What came of a session: of its strongest outcomes that of the turn that did most and that no later turn took back. A pull
 * request speaks for all; a commit does where less was done after it than before. Undefined where no turn says anything.
 */
export function outcomeOfSession(
  turns: readonly NewTurn[],
  inText: (text: string) => string = (text) => text,
): Outcome | undefined {
  const parts = partsOf(turns, inText);
  const closed = parts.findLast(({ turn }) => turn.pieces.some(isPublished));
  if (closed) {
    const made = { pieces: closed.turn.pieces.filter(isPublished), files: [] };
    const subject = commitOf(made, "");
    const title = titleIn(subject);
    const message = messageOf(made.pieces, subject);
    return { ...closed.outcome, title, came: title, basis: "commit", message };
  }
  const committed = 1 + parts.findLastIndex(({ outcome }) => outcome.basis === "commit");
  const [before, after] = [parts.slice(0, committed), parts.slice(committed)];
  const ranked = [...(workIn(after) > workIn(before) ? byRank(after) : []), ...byRank(parts)];
  // What says nothing alone speaks where nothing else does.
  const speaks = [...ranked.filter(({ work }) => work > -Infinity), ...ranked].find(
    (one) => one.outcome.title !== "" && !isTakenBack(one, parts.slice(parts.indexOf(one) + 1)),
  );
  if (!speaks) return undefined;
  const title = withPlace(withoutSpeaker(speaks.outcome), speaks);
  return { ...speaks.outcome, title: withSubject(title, speaks, turns) };
}

/** A branch's name of fewer words says as little as a trunk's. */
const leastSubject = 2;
const mostOfBoth = 110;
/** So many of its words are spoken of where the work is what the branch is for. */
const ofSpoken = 0.5;

/** One of several things that were done with what the branch is for, where that is spoken of: "Session list: Added a branch field". */
function withSubject(title: string, { turn, outcome }: Part, turns: readonly NewTurn[]): string {
  if (!outcome.isPart) return title;
  const subject = subjectOfBranch(turn.branch ?? "");
  const words = [...meaningOf(subject)];
  if (words.length < leastSubject) return title;
  if (overlap(subject, turns.map(spokenIn).join("\n")) < ofSpoken) return title;
  const told = [...meaningOf(`${nameWords(title)} ${title.replaceAll("-", "")}`)];
  const known = words.filter((word) => told.some((other) => isAlike(other, word)));
  if (known.length > words.length * ofSpoken) return title;
  const [first = "", then = ""] = title.split(/; (.*)/, 2);
  const ways = [title, turning.test(then) ? title : first].map((text) => `${subject}: ${text}`);
  return ways.find((text) => text.length <= mostOfBoth) ?? title;
}

/** What a turn was asked, and said at its end; "not the export, that comes later" is nothing of it. */
function spokenIn({ pieces }: NewTurn): string {
  return pieces
    .filter(({ kind }) => /^(?:prompt|typed|closing)$/.test(kind))
    .flatMap(({ text }) => text.split("\n").flatMap(sentencesOf))
    .filter((sentence) => !denied(sentence))
    .join("\n");
}

/** `feature/shop-12-round-totals` as "Round totals". */
function subjectOfBranch(branch: string): string {
  const name = branch.replace(/^.*\//, "").replace(/^(?:\p{L}+-)?\d+-/u, "");
  const words = name.split(/[-_.]/).filter((word) => /^\p{L}+$/u.test(word));
  return capitalize(words.join(" "));
}

const mostPlaced = 100;
/** Work that names no file with the one that it changed: "Added a second look (cart.ts)". */
function withPlace(title: string, { turn, outcome }: Part): string {
  const changed = changedIn(turn);
  const [file, ...others] = changed.filter(({ path }) => !checking.test(path));
  if (outcome.basis !== "said" || !file || others.length > 0) return title;
  const placed = `${title} (${baseName(file.path)})`;
  const isNamed =
    changed.some(({ path }) => title.includes(baseName(path))) || /[)…]$|; /.test(title);
  return isNamed || placed.length > mostPlaced ? title : placed;
}

const aside = new Set(allWordsOf("aside"));
/** "I've successfully added a cache" as "Added a cache"; "I have not added it" stays. */
function withoutSpeaker({ title, basis }: Outcome): string {
  if (basis === "answer" || !speaking.test(title)) return title;
  const words = title.split(" ");
  // "Finally I added": one word may stand before the speaker.
  const from = speaking.test(words[0] ?? "") ? 1 : 2;
  const until = words.findIndex((word, at) => at >= from && !aside.has(word.toLowerCase()));
  const rests = words.slice(from, until + 1).map((_, at) => words.slice(from + at).join(" "));
  return capitalize(rests.find((rest) => isDoing(rest) && !speaking.test(rest)) ?? title);
}

function byRank(parts: readonly Part[]): Part[] {
  const rankOf = ({ outcome }: Part) => ranks.indexOf(outcome.basis);
  return parts.toSorted((left, right) => rankOf(left) - rankOf(right) || right.work - left.work);
}

const workIn = (parts: readonly Part[]) => parts.reduce((sum, { own }) => sum + own, 0);

function partsOf(turns: readonly NewTurn[], inText: (text: string) => string): Part[] {
  const known = new Set<string>();
  let open: Part[] = [];
  return turns.map((turn, at) => {
    const later = turns.slice(at + 1);
    const outcome = outcomeWith(turn, later, inText);
    const isCommit = outcome.basis === "commit";
    const part = { turn, outcome, own: workOf(turn, known), work: 0 };
    const taken = isCommit ? [...open, part] : [part];
    open = isCommit ? [] : [...open, part];
    const files = taken.flatMap((one) => changedIn(one.turn));
    return { ...part, work: workIn(taken) + saidBy({ ...turn, files }, outcome, later) };
  });
}

/** An issue filed or a comment posted changes no file. */
const ofDeed = 1;
/** A title that names what was changed can be understood alone. */
const ofNaming = 1;
/** What a turn's title adds to its work; least where it says nothing alone. */
function saidBy(turn: NewTurn, { title }: Outcome, later: readonly NewTurn[]): number {
  const closing = textOf(turn.pieces, "closing");
  const isReserved = title.split("; ").some((clause) => turning.test(clause));
  const leads = !saysDoing(title) && outlineOf(closing).some((one) => isLead(one, title));
  if (conditional.test(title) || leads || (isReserved && isCarriedOn(turn, later)))
    return -Infinity;
  const changed = changedIn(turn);
  const own = changed.filter(({ path }) => !checking.test(path));
  const isNamed = namesOf(measureOf({ ...turn, files: own }, ""), title);
  return (
    (changed.length === 0 && saysDoing(title) ? ofDeed : 0) +
    (isNamed ? ofNaming : 0) +
    Math.min(0.9, closing.length / 10_000)
  );
}

const isLead = ({ kind, text }: Statement, title: string) =>
  kind === "lead" && text === title && title.split(" ").length < longLead;

/** True where a later turn ended that changed the same files. */
function isCarriedOn(turn: NewTurn, later: readonly NewTurn[]): boolean {
  const changed = new Set(changedIn(turn).map(({ path }) => path));
  return later.some(
    (one) => one.end === "closed" && changedIn(one).some(({ path }) => changed.has(path)),
  );
}

/** What came of a turn; a plan that later turns carried on was not stopped. */
function outcomeWith(
  turn: NewTurn,
  later: readonly NewTurn[],
  inText: (text: string) => string,
): Outcome {
  const outcome = outcomeOf(turn, inText);
  const isFinished = outcome.basis === "plan" && turn.end !== "closed" && isCarriedOn(turn, later);
  return isFinished ? outcomeOf({ ...turn, end: "closed" }, inText) : outcome;
}

const changedIn = ({ files }: NewTurn) => files.filter(({ changed }) => changed);

/** True where a later turn says that it took out again what this one says. */
function isTakenBack(part: Part, later: readonly Part[]): boolean {
  return later.some(
    ({ outcome }) => outcome.basis !== "asked" && undoes(outcome.title, part.outcome.title),
  );
}

const ofTest = 0.1;
/** What an earlier turn changed already counts so much: a follow-up is no new work. */
const ofAgain = 0.1;
/** How much a turn did: names that it changed, and files; tests count less than what they are for. */
function workOf(turn: NewTurn, known: Set<string>): number {
  const counted = changedIn(turn).flatMap(({ path, symbols = [] }) =>
    [path, ...symbols].map((name) => {
      const again = known.has(name) ? ofAgain : 1;
      known.add(name);
      return (checking.test(path) ? ofTest : 1) * again;
    }),
  );
  return counted.reduce((sum, one) => sum + one, 0);
}
