// What sessions left open, by structure: the last thing said, an unfinished list, a run that failed, work that was stopped, a plan
// that nobody carried out. What later turns touched is settled. Pure.
import type { Evidence, NewTurn } from "../sdk/turn.ts";
import {
  headingOf,
  meaningOf,
  overlap,
  plainLine,
  sentencesOf,
  stopWords,
} from "../text/prose/plain.ts";
import { isAnnouncement } from "../text/prose/telling.ts";
import { cut } from "../text/text.ts";
import { asks, endOf, isOffered, optionWords } from "./message-end.ts";
import { byTime, commandsOf, failingCommands } from "./project-commands.ts";

/**
 * What an open end is.
 * - `question`: the session ended with a question to the user; `next`: with a step that was named and not done;
 *   `todo`: with entries of a list; `failure`: with a check that failed; `stopped`: the user, or a crash, stopped the work;
 *   `plan`: with a plan that nobody carried out.
 */
export type OpenKind = "question" | "next" | "todo" | "failure" | "stopped" | "plan";

/** Something that was left open. */
export interface OpenEnd<T> {
  kind: OpenKind;
  /** In the words said, on one line; a plan's title; empty for `stopped`. */
  text: string;
  /** The command that failed or was stopped; how much of a list is done: `3/5`; a plan's state. */
  about: string;
  /** A plan's whole text. */
  whole?: string;
  turn: T;
}

/** So much of an entry's or question's words in a later turn: that turn took it up. */
const takenUp = 0.6;
/** Turns at a session's end in which a list is still the list. */
const listLooked = 3;
const longest = 300;

/** Fewer words say too little to be found again. */
const fewest = 2;

type Covers = (text: string, turn: NewTurn) => number;

/** What is open, of the newest session first. */
export function openEnds<T extends NewTurn>(turns: readonly T[]): OpenEnd<T>[] {
  const ordered = byTime(turns);
  const sessions = new Map<string, T[]>();
  for (const turn of ordered)
    sessions.set(turn.session, [...(sessions.get(turn.session) ?? []), turn]);
  const lasts = [...sessions.values()].sort((one, other) => startOf(other) - startOf(one));
  const failing = failingCommands(ordered);
  const plans = plansOf(ordered).filter(
    ({ state, carriedOut }) => state !== "dropped" && carriedOut.length === 0,
  );
  const said = new Map<NewTurn, ReadonlySet<string>>();
  /** The share of a text's words that a turn was asked with, or said. */
  const covers: Covers = (text, one) => {
    const words = said.get(one) ?? meaningOf(sayingsOf(one));
    said.set(one, words);
    const own = [...meaningOf(text)];
    return own.length < fewest ? 0 : own.filter((word) => words.has(word)).length / own.length;
  };
  return lasts.flatMap((own): OpenEnd<T>[] => {
    const turn = own.at(-1);
    if (!turn) return [];
    const later = ordered.slice(ordered.indexOf(turn) + 1);
    // What was only talked about since took up no work.
    const worked = own.findLast(isWork) ?? turn;
    const failed = failing
      .filter((one) => own.includes(one.turn))
      .map(
        ({ line, output, turn: at }): OpenEnd<T> => ({
          ...{ kind: "failure", text: tellingLine(output), about: line, turn: at },
        }),
      );
    const planned = plans.filter((plan) => own.includes(turnOf(plan)));
    const ends = [
      ...planned.map(
        (plan): OpenEnd<T> => ({
          ...{ kind: "plan", text: plan.title, about: plan.state },
          ...{ whole: plan.text, turn: turnOf(plan) },
        }),
      ),
      // What stopped the turn was the answer to its plan.
      ...(planned.some((plan) => turnOf(plan) === worked) ? [] : stopped(worked)),
      ...saidLast(turn, own),
      ...failed,
    ];
    return [...ends.filter((end) => !isSettled(end, later, covers)), ...listed(own, later, covers)];
  });
}

/** The step that a turn's last words name and nobody took: "" for none. */
export function nextStep(turn: NewTurn): string {
  return saidLast(turn, [turn]).find(({ kind }) => kind === "next")?.text ?? "";
}

/** The turn that says what became of a plan. */
function turnOf<T extends NewTurn>({ accepted, proposed, carriedOut }: Plan<T>): T {
  return (accepted ?? proposed.at(-1) ?? carriedOut.at(-1)) as T;
}

const startOf = (turns: readonly NewTurn[]) => turns.at(-1)?.startedAt ?? 0;

const talk: ReadonlySet<string> = new Set(["prompt", "said", "closing"]);

function isWork({ pieces, files }: NewTurn): boolean {
  return files.length > 0 || pieces.some(({ kind }) => !talk.has(kind));
}

/** Work that ended before the agent closed it. */
function stopped<T extends NewTurn>(turn: T): OpenEnd<T>[] {
  const didMore = turn.pieces.some(({ kind }) => kind !== "prompt" && kind !== "plan");
  const isOver = turn.end === "closed" || turn.pieces.some(({ kind }) => kind === "commit");
  if (isOver || !didMore) return [];
  const at = turn.pieces.findLast(({ kind }) => kind === "interrupted" || kind === "refusal");
  return [{ kind: "stopped", text: "", about: at?.about ?? "", turn }];
}

/** The session's last list, without what later turns took up. */
function listed<T extends NewTurn>(
  own: readonly T[],
  later: readonly T[],
  covers: Covers,
): OpenEnd<T>[] {
  const turn = own
    .slice(-listLooked)
    .findLast(({ pieces }) => pieces.some(({ kind }) => kind === "todo"));
  const list = turn?.pieces.findLast(({ kind }) => kind === "todo")?.text.split("\n") ?? [];
  if (!turn) return [];
  const after = own.slice(own.indexOf(turn) + 1);
  // A commit, or a pull request, closes the work that the list was for.
  const closes = ({ kind }: Evidence) => kind === "commit" || kind === "published";
  if (after.some(({ pieces }) => pieces.some(closes))) return [];
  // In the turn itself only what a commit names is done.
  const committed = { ...turn, pieces: turn.pieces.filter(closes) };
  const left = list
    .flatMap((line) => (line.startsWith("- [ ] ") ? line.slice(6) : []))
    .filter(
      (entry) => ![committed, ...after, ...later].some((one) => covers(entry, one) >= takenUp),
    );
  // A list of which nothing is ticked although work went on is not kept up.
  const isKeptUp = left.length < list.length || ![turn, ...after].some(hasChanged);
  if (left.length === 0 || !isKeptUp) return [];
  const about = `${list.length - left.length}/${list.length}`;
  return [{ kind: "todo", text: left.join("; "), about, turn }];
}

// The last thing said: a question, or a step that nobody took. Only the end of the message counts, and only prose.

/** A sentence, or a sentence and the choices it gives. */
function saidLast<T extends NewTurn>(turn: T, own: readonly T[]): OpenEnd<T>[] {
  const closing = turn.pieces.findLast(({ kind }) => kind === "closing")?.text ?? "";
  if (turn.end !== "closed" || closing === "") return [];
  const { said, choices, above, options } = endOf(closing);
  const marked = sentencesOf(said);
  const sentences = marked.map(plainLine);
  const [before = "", last = ""] = ["", "", ...sentences].slice(-2);
  const isOpen = (kind: OpenKind, text: string): OpenEnd<T>[] =>
    text === "" ? [] : [{ kind, text: text.slice(0, longest), about: "", turn }];
  const isOpenQuestion = (text: string, front: readonly string[], behind: readonly string[]) =>
    isSmallTalk(own, text)
      ? []
      : isOpen("question", [...fitting(front, text), text, ...fitting(behind, text)].join(" "));
  // A choice may follow its question: "Which one? I would take the first."
  const isAsked = asks(last) || asks(before) || choices.some(asks);
  if (isAsked || (choices.length > 0 && /[:：]$/.test(last) && asks(said))) {
    // "Which approach?" asks about the list above it.
    const isBare = above.length > 0 && meaningOf(last).size < leastAsked;
    const offered = isBare ? above : isOffered(options, [before, last]) ? options.entries : [];
    const text = asks(before) ? `${before} ${last}` : last;
    // "Shall I? I would:" leads to what is done then.
    const isLead = !asks(last) && !choices.some(asks) && !optionWords.test(last);
    return isOpenQuestion(text, choices.length > 0 ? [] : offered, isLead ? [] : choices);
  }
  // The options end the message, each with what is said of it.
  if (options?.isLast && asks(options.lead) && isOffered(options, [options.lead]))
    return isOpenQuestion(sentencesOf(plainLine(options.lead)).at(-1) ?? "", [], options.entries);
  if (choices.length > 0 || tellsOfWork.test(last)) return [];
  // A message of one sentence is what came of the work.
  const isAfterResult = closing.trim().length > said.trim().length || sentences.length > 1;
  const isStep =
    // Of a turn that changed nothing, what was asked is open.
    (isAnnouncement(last) && hasChanged(turn)) ||
    (isAfterResult &&
      ((hasChanged(turn) && namesCommand(marked.at(-1) ?? "", own)) ||
        namesGitStep(last, own) ||
        countsOn(last, turn)));
  return isStep ? isOpen("next", last) : [];
}

/** A question of fewer words of meaning says nothing by itself. */
const leastAsked = 2;

/** "This fixes the merge"; "This is ready to merge" says what is next. */
const tellsOfWork = /^(?:this|that|these|those) (?!(?:is|are|can|should|must|needs?)\b)/i;

/** Less of each says nothing. */
const leastShare = 24;

/** Each with its share of the room beside a question. */
function fitting(entries: readonly string[], question: string): string[] {
  const share = Math.floor((longest - question.length) / entries.length) - 1;
  const isWhole = entries.join(" ").length + question.length < longest;
  if (isWhole) return [...entries];
  return share < leastShare ? [] : entries.map((one) => cut(one, share));
}

function hasChanged({ files }: NewTurn): boolean {
  return files.some(({ changed }) => changed);
}

/** "How can I help you?": nothing was done in the session, and it is about nothing that was asked. */
function isSmallTalk(own: readonly NewTurn[], question: string): boolean {
  return own.every(({ pieces, files }) => {
    const prompt = pieces.find(({ kind }) => kind === "prompt")?.text ?? "";
    const did = pieces.some(({ kind }) => kind !== "prompt" && kind !== "closing");
    return !did && files.length === 0 && overlap(question, prompt) === 0;
  });
}

/** A command in code marks that the last turn did not run, of a program that the session ran. */
function namesCommand(said: string, own: readonly NewTurn[]): boolean {
  const lines = (turns: readonly NewTurn[]) => turns.flatMap(commandsOf).map(({ line }) => line);
  const [ran, ranLast] = [lines(own), lines(own.slice(-1))];
  const named = [...said.matchAll(/`([a-z][\w./-]* [^`\n]{2,80})`/g)].map(([, line = ""]) => line);
  return named.some((line) => {
    const [program = ""] = line.split(" ", 1);
    const parts = line.split(/\s*&&\s*/);
    return (
      ran.some((one) => one.startsWith(`${program} `)) &&
      parts.some((part) => !ranLast.some((one) => one.startsWith(part)))
    );
  });
}

/** A step is said in few words; more of them tell of the work. */
const mostOfStep = 16;
/** What git calls its steps, in commands and in any language's talk about them. */
const gitSteps = ["commit", "push", "merge", "rebase"];
/** "in the commit", "ready for review and merge", "The job will push": what is spoken of, or done by something else, before a step's word. */
const noStepBefore =
  /(?<!\p{L})(?:(?:a|an|the|this|that|each|every|any|no|your|our|its) (?:[\p{L}\d-]+ )?|(?:of|in|on|for|from|with|by|during|like|per|without|after) (?:\p{L}+ (?:and|or) )?|(?<!\b(?:i|we|you) )(?:will|would) )$/iu;
/** "commit message", "merge conflicts". */
const noStepBehind =
  /^ (?:messages?|hooks?|settings?|hash(?:es)?|conflicts?|history|logs?|ids?|shas?|requests?|base|points?|authors?|trailers?)(?!\p{L})/iu;

/** A step of git's that is talked of last, over changes that no such command followed. */
function namesGitStep(last: string, own: readonly NewTurn[]): boolean {
  if (last.split(/\s+/).length > mostOfStep) return false;
  const at = own.findLastIndex(({ files }) => files.some(({ changed }) => changed));
  const since = own.slice(Math.max(0, at)).flatMap(({ pieces }) => pieces);
  const did = (step: string) =>
    since.some(
      ({ kind, about = "" }) => kind === step || new RegExp(`\\b(?:git|gh pr) ${step}`).test(about),
    );
  const isNamed = (step: string) => {
    const word = new RegExp(`(?<![\\p{L}_\`-])${step}(?:t?ing|t?en)?(?![\\p{L}_\`-])`, "giu");
    return [...last.matchAll(word)].some(
      ({ 0: found, index }) =>
        !noStepBefore.test(last.slice(0, index)) &&
        !noStepBehind.test(last.slice(index + found.length)),
    );
  };
  return at >= 0 && gitSteps.some((step) => isNamed(step) && !did(step));
}

/** "Ready for phase 14" where the turn was about phase 13. */
function countsOn(last: string, { pieces }: NewTurn): boolean {
  const prompt = pieces.find(({ kind }) => kind === "prompt")?.text ?? "";
  const closing = pieces.findLast(({ kind }) => kind === "closing")?.text ?? "";
  const all = `${prompt}\n${closing}`.toLowerCase();
  return [...last.matchAll(/(\p{L}{3,})\s+(\d{1,3})(?!\p{L})/gu)].some(
    ([, word = "", number]) =>
      Number(number) > 1 &&
      !stopWords.has(word.toLowerCase()) &&
      all.includes(`${word.toLowerCase()} ${Number(number) - 1}`),
  );
}

// What settles an open end: later work on the same, in files or words; a commit, where a commit was what was open.

function isSettled<T extends NewTurn>(
  { kind, text, turn }: OpenEnd<T>,
  later: readonly T[],
  covers: Covers,
): boolean {
  const changed = new Set(turn.files.flatMap(({ path, changed }) => (changed ? path : [])));
  const step = gitSteps.find((one) => text.toLowerCase().includes(one));
  return later.some((one) => {
    if (one.files.some((file) => file.changed && changed.has(file.path))) return true;
    if (kind === "failure") return false;
    if (step && one.pieces.some((piece) => piece.kind === "commit")) return true;
    return covers(text, one) >= takenUp;
  });
}

/** What a turn was asked, did and said at its end. */
function sayingsOf({ pieces }: NewTurn): string {
  return pieces
    .flatMap(({ kind, text }) =>
      /^(?:prompt|typed|closing|commit|published)$/.test(kind) ? text : [],
    )
    .join("\n");
}

const longestTelling = 240;

/** The line of an output that says most, not the count of what failed; short lines before long ones of the same worth. */
function tellingLine(output: string): string {
  let best = "";
  let most = 0;
  for (const line of output.split("\n")) {
    const text = line.trim();
    if (text === "" || text.length > longestTelling) continue;
    const words = [...meaningOf(text)].filter((word) => /\p{L}{3}/u.test(word));
    const worth = Math.min(words.length, 12);
    if (worth > most) [best, most] = [text, worth];
  }
  return best;
}

// The plans of a project, derived of its turns: what was proposed, accepted, changed or dropped, and which turns carry it out. Pure: in any order the same.

/** A plan across turns and sessions. `T` is the caller's own kind of turn. */
interface Plan<T extends PlanTurn = NewTurn> {
  /** Its heading. */
  title: string;
  /** As it was proposed or accepted last. */
  text: string;
  /**
   * - `proposed`: shown to the user, who has not said yes;
   * - `accepted`: the user said yes, here or by beginning a fresh session with it;
   * - `dropped`: turned down or left, and work went on without it.
   */
  state: "proposed" | "accepted" | "dropped";
  /** It was accepted in another form than it was proposed in first. */
  changed: boolean;
  /** Turns that proposed it, the first one first. */
  proposed: T[];
  /** The turn in which it was accepted last. */
  accepted?: T;
  /** Turns that changed files or committed under it, the first one first. */
  carriedOut: T[];
  /** Epoch ms of the last of all these. */
  lastTouched: number;
}

/** What is read of a turn. */
export type PlanTurn = Pick<
  NewTurn,
  "session" | "project" | "promptNumber" | "startedAt" | "time" | "pieces" | "files"
>;

/** What became of a plan in a turn. */
interface Step {
  what: "proposed" | "refused" | "accepted";
  text: string;
}

interface Draft<T extends PlanTurn> extends Plan<T> {
  /** The text that was proposed first. */
  first: string;
}

/** Plans of all projects among the turns, that touched last first. */
export function plansOf<T extends PlanTurn>(turns: readonly T[]): Array<Plan<T>> {
  const plans: Array<Draft<T>> = [];
  /** The plan that a session has in hand. */
  const inHand = new Map<string, Draft<T>>();
  for (const turn of inOrder(turns)) {
    const steps = stepsOf(turn);
    for (const step of steps) {
      const current = inHand.get(turn.session);
      const same = plans.findLast((one) => isSame(one, step, turn, current));
      if (current && current !== same && current.state === "proposed") current.state = "dropped";
      const plan = same ?? begin(plans, step, turn);
      take(plan, step, turn);
      inHand.set(turn.session, plan);
    }
    work(inHand.get(turn.session), turn, steps.length > 0);
  }
  return plans
    .map(({ first: _, ...plan }): Plan<T> => plan)
    .sort((one, other) => other.lastTouched - one.lastTouched || byTitle(one, other));
}

function byTitle(one: Pick<Plan, "title">, other: Pick<Plan, "title">): number {
  return one.title < other.title ? -1 : Number(one.title > other.title);
}

/** By time; turns that began at once, by their session and number. A turn that is there twice counts once, as it is newest. */
function inOrder<T extends PlanTurn>(turns: readonly T[]): T[] {
  const newest = new Map<string, T>();
  for (const turn of turns) {
    const key = `${turn.session} ${turn.promptNumber}`;
    const known = newest.get(key);
    if (!known || known.time < turn.time) newest.set(key, turn);
  }
  return [...newest.values()].sort(
    (one, other) =>
      one.startedAt - other.startedAt ||
      (one.session < other.session ? -1 : Number(one.session > other.session)) ||
      one.promptNumber - other.promptNumber,
  );
}

/** The tool by which a plan is proposed, as evidence names it. */
const proposing = /^ExitPlanMode(?:: (?=\S)|$)/;

/** What a turn says of plans, in its order. */
function stepsOf({ pieces }: PlanTurn): Step[] {
  return pieces.flatMap((piece): Step[] => {
    const text = planText(piece);
    if (text === undefined || headingOf(text) === "") return [];
    if (piece.kind === "plan") return [{ what: "accepted", text }];
    return [{ what: piece.kind === "refusal" ? "refused" : "proposed", text }];
  });
}

/** The plan that a piece holds; undefined where it holds none. */
function planText({ kind, text, about = "" }: Evidence): string | undefined {
  if (kind === "plan") return text;
  if (!proposing.test(about)) return undefined;
  return kind === "refusal" ? about.replace(proposing, "") : text;
}

/** So much of the words of the smaller one both have: a plan that was gone over, or handed to another session. */
const goneOver = 0.5;

/** A heading such as "Fix the tests" comes back with another plan below it. */
function isSame<T extends PlanTurn>(
  plan: Draft<T>,
  { text }: Step,
  turn: T,
  current: Draft<T> | undefined,
): boolean {
  if (last(plan)?.project !== turn.project) return false;
  const isNear = plan.title === headingOf(text) || (plan === current && plan.state === "proposed");
  return plan.text === text || (isNear && overlap(plan.text, text) >= goneOver);
}

function last<T extends PlanTurn>({ proposed, accepted, carriedOut }: Plan<T>): T | undefined {
  return carriedOut.at(-1) ?? accepted ?? proposed.at(-1);
}

function begin<T extends PlanTurn>(plans: Array<Draft<T>>, { text }: Step, turn: T): Draft<T> {
  const plan: Draft<T> = {
    title: headingOf(text),
    text,
    first: text,
    state: "proposed",
    changed: false,
    proposed: [],
    carriedOut: [],
    lastTouched: turn.time,
  };
  plans.push(plan);
  return plan;
}

function take<T extends PlanTurn>(plan: Draft<T>, { what, text }: Step, turn: T): void {
  plan.text = text;
  plan.title = headingOf(text);
  plan.lastTouched = turn.time;
  if (what === "accepted") {
    plan.state = "accepted";
    plan.accepted = turn;
    plan.changed ||= plan.first.trim() !== text.trim();
  } else {
    plan.state = "proposed";
    if (plan.proposed.at(-1) !== turn) plan.proposed.push(turn);
  }
}

/** A turn that did something: under an accepted plan it carries it out; one that was only proposed it leaves. */
function work<T extends PlanTurn>(plan: Draft<T> | undefined, turn: T, speaks: boolean): void {
  const worked =
    turn.files.some(({ changed }) => changed) || turn.pieces.some(({ kind }) => kind === "commit");
  if (!plan || !worked) return;
  if (plan.state === "accepted") {
    plan.carriedOut.push(turn);
    plan.lastTouched = Math.max(plan.lastTouched, turn.time);
  } else if (!speaks) plan.state = "dropped";
}
