// What may be an item of what a session's user typed, chose and took up, each with its place. Pure.
import type { Evidence, EvidenceKind, NewMemoryItem, Turn } from "../../src/sdk/index.ts";
import {
  cut,
  denied,
  denseRange,
  isAbsolutePath,
  isFiller,
  meaningOf,
  nameWords,
  type OwnSentence,
  oneLine,
  ownSentences,
  plainLine,
  titleOf,
} from "../../src/text/index.ts";
import {
  isHalfTaken,
  isOfNext,
  isReplying,
  isRequest,
  isSpoken,
  isYes,
  type Lack,
  lackOf,
  laidDown,
  namesCode,
  type Setting,
  withoutDoubt,
} from "./cues.ts";

/** Something that may be an item. */
export interface Found {
  item: NewMemoryItem;
  /** It may have been pasted: it confirms nothing, and nothing confirms it. */
  isUnsure: boolean;
  /** All that was typed with it: the same sent again, as by a session that was started anew, is said once. */
  sent: string;
  /** Until it is said again it is no suggestion. */
  isQuiet?: boolean | undefined;
  /** How it leaves out what it is about. */
  lack?: Lack | undefined;
}

type Place = Pick<NewMemoryItem, "session" | "project" | "date" | "evidence">;

const typed: ReadonlySet<EvidenceKind> = new Set(["prompt", "typed", "refusal"]);
const agents: ReadonlySet<EvidenceKind> = new Set(["said", "closing", "plan"]);

/** By the piece that says it; `about` is what the session was about. */
export function saidIn(
  turns: readonly Turn[],
  common: Pick<NewMemoryItem, "session" | "project">,
  about: string,
): Found[][] {
  return turns.flatMap((turn, number) =>
    turn.pieces.map((piece, at): Found[] => {
      const evidence = [{ turn: turn.promptNumber, piece: at }];
      const place = { ...common, date: dayOf(piece.time ?? turn.startedAt), evidence };
      // What is picked in a dialog is of its task.
      const found = (items: NewMemoryItem[], isQuiet = true) =>
        items.map((item) => ({ item, isUnsure: false, sent: "", isQuiet }));
      const later = turns.slice(number);
      if (piece.kind === "choice") return found(choiceIn(piece, place, later));
      if (!typed.has(piece.kind)) return [];
      const proposed = turns[number - 1]?.pieces.findLast(({ kind }) => kind === "closing");
      if (proposed && piece.kind === "prompt" && isFiller(piece.text) && isYes(piece.text))
        return found(proposalIn(proposed.text, piece, place));
      const own = ownSentences(piece.text);
      const setting = settingOf(own, turn, at, turns[number - 1], isDoneIn(later));
      const said = lastSaid(turn, at, turns[number - 1]);
      return sentencesOf(own, piece).flatMap((sentence) => {
        const option = optionIn(sentence, turns.slice(0, number), place, later);
        if (option) return found([option], false).map((one) => withTitle(one, about, ""));
        const isTask = piece.kind === "prompt" && number === 0 && at === 0;
        const earlier = turns[number - 1];
        const around = { own, said, earlier };
        return statementIn(piece, sentence, place, { isTask, setting }).map((one) =>
          withTitle(withSubject(one, around), about, said),
        );
      });
    }),
  );
}

/** `YYYY-MM-DD`, UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

// What the user typed.

/** Characters of a sentence that may be an item, and of one a part of which may be: a request often goes before it. */
const bounds = { least: 12, refusing: 8, most: 300, whole: 600 };
/** Of a script without spaces a sentence says more in fewer characters. */
const dense = new RegExp(`[${denseRange}]`);
/** A command; what is typed behind it is of this one run. */
const command = /^\s*(?:\/[\w-]+(?::[\w-]+)?|[\w-]+:[\w-]+)\s+/;

/** At most one. */
function statementIn(
  { kind, about = "", text: sent }: Evidence,
  { text, bare, isSure }: OwnSentence,
  place: Place,
  { isTask, setting }: { isTask: boolean; setting: Omit<Setting, "isSure"> },
): Found[] {
  const whole = bare.replace(command, "");
  const laid = laidDown(whole, { ...setting, isSure });
  // A question may propose something; it lays nothing down.
  if (!laid || isQuestion(whole)) return [];
  const { isUnsure, lasts, at } = laid;
  const isOfRun = command.test(sent);
  // What a session begins with is its task, however general, unless it says that it lasts or takes one of several ways.
  const isMeant = lasts || (laid.kind === "decisions" ? setting.isDone : !isTask);
  const stands = laid.stands && !isOfRun && isMeant;
  // Up to a quotation, which both do not have alike.
  const [begin = ""] = whole.slice(at, at + 20).split(/\P{L}?…/u, 1);
  const from = Math.max(0, text.indexOf(begin));
  const settled = withoutDoubt(text.slice(from));
  const isLeft = laidDown(settled, { ...setting, isSure })?.kind === laid.kind;
  const said = isLeft ? settled : text.slice(from);
  const content = oneLine(said.replace(/^[\s,;]+/, "")).replace(/^([^(]*)\)$/, "$1");
  if (content.length > bounds.most) return [];
  const refused = kind === "refusal" && about !== "" ? `Refused: ${titleOf(about, 160)}` : "";
  const item: NewMemoryItem = {
    ...place,
    kind: laid.kind,
    content,
    context: cut(oneLine(refused), 240),
    state: stands && isSure ? "standing" : "candidate",
    quote: content,
  };
  // A refusal has what was refused.
  const lack = lackOf(content, laid.kind) ?? (laid.answers ? "answers" : undefined);
  const lacks = kind === "refusal" ? {} : { lack };
  return [{ item, isUnsure: isUnsure || !isSure, sent: oneLine(sent), ...lacks }];
}

/** With its session's title, where that speaks of what the item, or the agent before it, speaks of: else it is of something else. */
function withTitle(found: Found, title: string, said: string): Found {
  const { item } = found;
  const own = title.replace(/^Session: /, "");
  const spoken = meaningOf(withoutNames(said));
  const isOfIt = speaksOf(own, item.content) || sharedWith(spoken, withoutNames(own)) >= sameThing;
  if (!isOfIt || item.context !== "") return found;
  return { ...found, item: { ...item, context: cut(oneLine(title), 240) } };
}

/** Sentences of a text in which nobody speaks; fewer say nothing of who wrote it. */
const leastWritten = 3;

function settingOf(
  own: readonly OwnSentence[],
  turn: Turn,
  at: number,
  earlier: Turn | undefined,
  isDone: boolean,
): Omit<Setting, "isSure"> {
  const { kind: piece, about = "" } = turn.pieces[at] as Evidence;
  const last = lastSaid(turn, at, earlier);
  return {
    piece,
    before: meaningOf(`${last} ${piece === "refusal" ? about : ""}`),
    isAnswering: questionsIn(last).length > 0,
    isAsked: own.some(({ text }) => isQuestion(text)),
    isTalk: own.some(({ bare }) => isSpoken(bare) || isQuestion(bare)),
    isLong: own.length >= leastWritten,
    isDone,
  };
}

/** What the agent said last before this piece. */
function lastSaid({ pieces }: Turn, at: number, earlier: Turn | undefined): string {
  const said = ({ kind, agent }: Evidence) => agents.has(kind) && agent === undefined;
  return (pieces.slice(0, at).findLast(said) ?? earlier?.pieces.findLast(said))?.text ?? "";
}

/** The user's own sentences that could be read alone; a question is never sure. */
function sentencesOf(own: readonly OwnSentence[], { kind }: Evidence): OwnSentence[] {
  const least = kind === "refusal" ? bounds.refusing : bounds.least;
  return own
    .map(({ text, bare, isSure, point }) => ({
      ...{ point, text: ended(text) },
      bare: ended(bare),
      isSure: isSure && !isQuestion(text),
    }))
    .filter(
      ({ text }) =>
        text.length <= bounds.whole &&
        (named.test(text) || (text.length >= (dense.test(text) ? 5 : least) && !isFiller(text))),
    );
}

function questionsIn(text: string): OwnSentence[] {
  return ownSentences(text).filter((one) => isQuestion(one.text));
}

export function isQuestion(text: string): boolean {
  return /[?？؟]["')]*$/.test(text);
}

function ended(text: string): string {
  return text.replace(/[.!。！\s]+$/u, "");
}

// What a statement is about, where it does not say so itself.

/** What stands around a statement: its message's sentences, what the agent said last, and the turn before. */
interface Surroundings {
  own: readonly OwnSentence[];
  said: string;
  earlier: Turn | undefined;
}

/**
 * A statement that names its subject nowhere, with the words that do: the user's own beside it, what the agent asked, or what the
 * user asked before a reply. One that points at what nobody named waits, and so does an answer to a question that names nothing.
 */
function withSubject({ lack, ...found }: Found, around: Surroundings): Found {
  const { item } = found;
  const { content } = item;
  if (lack === undefined) return found;
  const whole = besideIt(content, around.own, lack);
  if (whole !== undefined && whole.length <= bounds.most)
    return { ...found, item: { ...item, content: whole, quote: whole } };
  const asked = askedBefore(content, around);
  if (!asked) return lack === "short" ? found : { ...found, item: { ...item, state: "candidate" } };
  const question = titleOf(asked.text, 160);
  // The user's own was typed as well, one prompt before.
  const typed = `${question} … ${content}`;
  const said = asked.isAgents
    ? { content: `${question} → ${content}` }
    : { content: typed, quote: typed };
  return { ...found, item: { ...item, ...said } };
}

/** With the sentence before it or those behind it: what it points at stands before, and a short choice shares a word with either. */
function besideIt(content: string, own: readonly OwnSentence[], lack: Lack): string | undefined {
  const at = own.findIndex(({ text }) => oneLine(text).includes(content));
  if (at < 0) return undefined;
  const [before = ""] = own.slice(Math.max(0, at - 1), at).map(told);
  const isNamed = lack === "points" ? lackOf(before) !== lack : speaksOf(before, content);
  if (before !== "" && isNamed) return `${before}. ${content}`;
  if (lack !== "short") return undefined;
  let whole = content;
  for (const behind of own.slice(at + 1).map(told)) {
    const more = `${whole}. ${behind}`;
    if (!speaksOf(behind, content) || more.length > bounds.most) break;
    whole = more;
  }
  return whole === content ? undefined : whole;
}

/** A sentence that says something; "" for what asks or announces, and for what may have been pasted. */
function told({ text, isSure }: OwnSentence): string {
  const isTelling = isSure && !asks(text) && meaningOf(text).size >= leastAsked;
  return isTelling ? ended(oneLine(text)) : "";
}

function speaksOf(text: string, other: string): boolean {
  return sharedWith(meaningOf(withoutNames(other)), withoutNames(text)) > 0;
}

/** With each word of a name by itself: `steps_count` speaks of steps. */
function withoutNames(text: string): string {
  return nameWords(text).replace(/[_./-]+/g, " ");
}

/**
 * The agent's last question, or the user's before a reply. "Shall I go on?" asks about the next step, and is of what is said only
 * where both speak of the same.
 */
function askedBefore(
  content: string,
  { own, said, earlier }: Surroundings,
): { text: string; isAgents: boolean } | undefined {
  const agent = questionsIn(said).at(-1)?.text ?? "";
  const isOther = isOfNext(agent) && sharedWith(meaningOf(content), agent) === 0;
  const [first = ""] = own.map(({ text }) => text);
  const typedLast = earlier?.pieces.findLast(({ kind }) => kind === "prompt")?.text ?? "";
  const user = isReplying(first) && first.includes(content) ? questionsIn(typedLast) : [];
  return [
    { text: isOther ? "" : agent, isAgents: true },
    { text: user.findLast(({ isSure }) => isSure)?.text ?? "", isAgents: false },
  ].find(({ text }) => meaningOf(text).size >= leastAsked && lackOf(text) === undefined);
}

// What the agent proposed, and the user took.

const asProposed: Setting = {
  ...{ piece: "said", before: new Set<string>(), isAnswering: false, isAsked: false },
  ...{ isSure: true, isTalk: true, isLong: false, isDone: false },
};

/** "yes" to "Shall I always …?". */
function proposalIn(closing: string, { text }: Evidence, place: Place): NewMemoryItem[] {
  const question = ownSentences(closing).findLast(({ text }) => /[?？؟]$/.test(text))?.text;
  const laid = question === undefined ? undefined : laidDown(question.slice(0, -1), asProposed);
  if (!question || !laid?.stands) return [];
  const context = "The agent proposed it, and the user agreed.";
  const item = { ...place, kind: laid.kind, content: question, context, quote: oneLine(text) };
  return [{ ...item, state: "standing" }];
}

/** "option B", "B)", and where one is all that is said of: "let's do 2", "2 is fine". */
const named =
  /\boption ([a-z]|\d{1,2})\b|(?<!\S)([a-z])\)(?![\w(])|^(?:\S+\s+){0,3}(\d)(?=$|,|\s(?:is|seems|sounds)\b)/i;

/**
 * "I'll go with option B", "A) is fine", "let's do 2": what had been asked, with the words that the agent gave the option. "B) yes, JSON",
 * or a list's second point, where the agent's B or 2 was a question, or something that is wanted otherwise: that, with the answer.
 */
function optionIn(
  { text, bare, isSure, point }: OwnSentence,
  earlier: readonly Turn[],
  place: Place,
  later: readonly Turn[],
): NewMemoryItem | undefined {
  const before = earlier.at(-1);
  const [mentioned = "", byWord, byMark, byNumber] = named.exec(text) ?? [];
  const name = byWord ?? byMark ?? byNumber ?? point;
  if (name === undefined || !before || isRequest(text)) return undefined;
  const begins = byMark !== undefined && bare.startsWith(mentioned);
  // Whoever answers by the agent's marks speaks, whatever stands around it.
  if (!isSure && !begins) return undefined;
  const mark = markOf(name);
  const said = (wanted: EvidenceKind) =>
    before.pieces.findLast(({ kind }) => kind === wanted)?.text;
  const lines = said("closing")?.split("\n") ?? [];
  // Of several of this mark, what it shares most with.
  const words = meaningOf(text);
  const [at] = lines
    .flatMap((one, at) => (mark.test(one) ? at : []))
    .toSorted(
      (one, other) =>
        sharedWith(words, lines[other]) - sharedWith(words, lines[one]) || other - one,
    );
  if (at === undefined) return undefined;
  const offered = plainLine((lines[at] ?? "").replace(mark, ""));
  const isQuestioned = asks(offered);
  const isAsked = lines.some((line) => isQuestion(plainLine(line)));
  const isPointless = name === point && !isAsked;
  if (isQuestioned ? byWord !== undefined || isPointless : name === point) return undefined;
  if (byNumber !== undefined && (isQuestioned || !isAsked)) return undefined;
  const isEmpty = isQuestioned && (asks(text) || meaningOf(offered).size < leastAsked);
  const isAnswer = isQuestioned || (begins && !isTaken(text, offered) && !denied(text));
  if (isEmpty || (!isAnswer && !isTaken(text, offered))) return undefined;
  const own = ownSentences(said("prompt") ?? "").flatMap(({ text, isSure }) =>
    isSure ? text : [],
  );
  const above = lines.slice(0, at);
  const lead = plainLine(above.findLast((line) => !isPoint(line)) ?? "");
  const isTelling = asks(lead) && meaningOf(lead).size >= leastAsked;
  const question = isTelling
    ? lead
    : (offeredFor(lines, at, name) ??
      own.findLast(isQuestion) ??
      above.map(plainLine).findLast(asks) ??
      own.join(" "));
  // What the agent is to do next is no decision.
  if (!isAnswer && isOfNext(`${question} ${offered}`)) return undefined;
  const asked = titleOf(isAnswer ? offered : withoutLabel(question), 120);
  const answer = isAnswer ? oneLine(text.replace(mentioned, "")) : titleOf(offered, 160);
  const short = asked === "" ? answer : `${asked} → ${answer}`;
  const request = namesCode(short) ? "" : requestOf(earlier, short);
  const content = request === "" ? short : `${request} … ${short}`;
  const item = { ...place, kind: "decisions" as const, content, context: "", quote: text };
  const isNamed = request !== "" || lackOf(asked) === undefined;
  const isWhole = question !== "" && isNamed && !isHalfTaken(text);
  const isTakenUp = isSure && !isAnswer && isWhole && isDoneIn(later);
  return { ...item, state: isTakenUp || isCommitted(answer, later) ? "standing" : "candidate" };
}

/** What was asked for before that is about something else. */
const turnsAsked = 2;

/**
 * What the user last said of the same, where it names it: options that name no code are of what was asked for before them, and not
 * of another option.
 */
function requestOf(earlier: readonly Turn[], option: string): string {
  const words = meaningOf(option);
  const isOfIt = ({ text, isSure }: OwnSentence) =>
    isSure && !named.test(text) && lackOf(text) === undefined && isOfSame(words, text);
  let last: OwnSentence | undefined;
  for (const { pieces } of earlier.slice(-turnsAsked).reverse()) {
    const prompts = pieces.filter(({ kind }) => kind === "prompt");
    last ??= prompts.flatMap(({ text }) => ownSentences(text)).findLast(isOfIt);
    if (last) break;
  }
  const own = titleOf(last?.text ?? "", 120);
  return meaningOf(own).difference(words).size < leastAsked ? "" : own;
}

/** So many words in common are one thing: `add` alone is not. */
const sameThing = 2;
/** Of fewer letters a word that begins another is another. */
const leastBeginning = 4;

/** True where a text has these words, in whatever form: `merged` is `merge`. */
function isOfSame(words: ReadonlySet<string>, text: string): boolean {
  const said = [...meaningOf(text)];
  const isForm = (one: string, other: string) =>
    one === other || (one.length >= leastBeginning && other.startsWith(one));
  const shared = [...words].filter((word) =>
    said.some((other) => isForm(word, other) || isForm(other, word)),
  );
  return shared.length >= sameThing;
}

/** What an option of this name begins with: "**Option B**: ", "2. ". */
function markOf(name: string): RegExp {
  return new RegExp(`^[\\s#*>|-]*(?:option )?${name}\\b(?=\\s*[*:.)–—-])[\\s*:.)–—-]+(?=\\S)`, "i");
}

/** What the agent said above the first of its options that they are for: "For showing the merge status, I see three ways:". */
function offeredFor(lines: readonly string[], at: number, name: string): string | undefined {
  const first = markOf(/\d/.test(name) ? "1" : "a");
  const from = lines.slice(0, at + 1).findLastIndex((line) => first.test(line));
  const above = plainLine(lines.slice(0, from).findLast((line) => line.trim() !== "") ?? "");
  const clauses = /[:：]$/.test(above) ? above.slice(0, -1).split(/[,，]\s*/) : [];
  return clauses.find((text) => meaningOf(text).size >= leastAsked && !isOfNext(text));
}

/** "One question: Should it be …": a few words before a colon only announce what is asked. */
function withoutLabel(question: string): string {
  const [label = "", announced = ""] = /^([^:：]+)[:：]\s+/.exec(question) ?? [];
  return announced !== "" && meaningOf(announced).size < leastAsked
    ? question.slice(label.length)
    : question;
}

/** What was chosen and nobody did was only talked of. */
function isDoneIn(turns: readonly Turn[]): boolean {
  // What lies outside the project is none of its work.
  return turns.some(
    ({ files, pieces }) =>
      files.some(({ path, changed }) => changed && !isAbsolutePath(path)) ||
      pieces.some(({ kind }) => kind === "commit"),
  );
}

function sharedWith(words: ReadonlySet<string>, line = ""): number {
  return words.intersection(meaningOf(line)).size;
}

/** True for a line that is no lead: blank, set in, or a point of a list. */
function isPoint(line: string): boolean {
  return /^\s*$|^\s+\S|^[\s#*>|-]*(?:option )?(?:[a-z]|\d{1,2})\b\s*[*:.)–—-]/i.test(line);
}

/** A question of fewer words of meaning says nothing of what it is about. */
const leastAsked = 3;

/** True for a question, and for what leads up to its options. */
function asks(text: string): boolean {
  return isQuestion(text) || /[:：]$/.test(text);
}

/** More words of one's own than these say something else of an option than that it is taken. */
const mostOwnWords = 4;

function isTaken(text: string, option: string): boolean {
  const own = meaningOf(text.replace(named, "")).difference(meaningOf(option));
  return own.size <= mostOwnWords && !denied(text);
}

// Answers in dialogs.

/** Most of an answer's words, in one text. */
const takenUp = 0.6;

/** A choice is of its task, and waits, until what was committed says it: an interview decides nothing that stands. */
function choiceIn(
  { text, about = "" }: Evidence,
  place: Place,
  turns: readonly Turn[],
): NewMemoryItem[] {
  const answer = plainLine(text.split("\n")[0] ?? "");
  const question = plainLine(withoutOptions(about));
  if (answer === "" || isFiller(answer) || question === "") return [];
  const content = oneLine(cut(`${question} ${answer}`, bounds.most));
  const context = cut(oneLine(plainLine(about)), 240);
  const state = isCommitted(answer, turns) ? "standing" : "candidate";
  return [{ ...place, kind: "decisions", content, context, state, quote: cut(text.trim(), 600) }];
}

/** True where a commit says it. */
function isCommitted(answer: string, turns: readonly Turn[]): boolean {
  const wanted = meaningOf(answer);
  return turns.some(({ pieces }) =>
    pieces.some((piece) => {
      const shared = piece.kind === "commit" ? wanted.intersection(meaningOf(piece.text)).size : 0;
      return shared > 1 && shared >= wanted.size * takenUp;
    }),
  );
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
