// How people lay something down: whether a sentence says that it holds beyond the task at hand, and how sure that is. Pure.
import type { EvidenceKind, NewMemoryItem } from "../../src/sdk/index.ts";
import { codeNames, denied, denseRange, meaningOf, tellingWords } from "../../src/text/index.ts";
import cueTable from "./cues.txt" with { type: "text" };

type Kind = NewMemoryItem["kind"];

/** A row of the table: what its expressions say, and examples, which are its tests. */
interface Cue {
  name: string;
  /** Of what says that it lasts. */
  kind: Kind;
  pattern: RegExp;
  examples: readonly string[];
}

/** In this order: the first that fits names the kind. */
export const cues: readonly Cue[] = cueTable
  .replace(/^#.*\n/gm, "")
  .trim()
  .split(/\n{2,}/)
  .map((row) => {
    const [[name = "", kind = "preferences"] = [], ...lines] = row
      .split("\n")
      .map((line, at) => (at === 0 ? line.split(" ") : [line.trim()]));
    const cells = lines.map(([cell = ""]) => cell);
    const examples = cells.flatMap((cell) => (cell.startsWith("e.g. ") ? cell.slice(5) : []));
    const parts = cells.filter((cell) => !cell.startsWith("e.g. "));
    return { name, kind: kind as Kind, pattern: new RegExp(parts.join("|"), "iu"), examples };
  });

const never = /$^/;
const byName = Map.groupBy(cues, ({ name }) => name);
const lastingCues = byName.get("lasts") ?? [];
const [scope = never, front = never, heads = never] = ["scope", "front", "heads"].map(
  (name) => byName.get(name)?.[0]?.pattern,
);

/** The first row of a name that a text has. */
function rowIn(name: string, text: string): Cue | undefined {
  return byName.get(name)?.find(({ pattern }) => pattern.test(text));
}

function has(name: string, text: string): boolean {
  return rowIn(name, text) !== undefined;
}

/** What a sentence lays down. */
interface LaidDown {
  kind: Kind;
  /** Where in the sentence it begins: what stands before is of the task at hand. */
  at: number;
  /** It says so by itself; else it waits until it is said again or confirmed. */
  stands: boolean;
  /** Nothing confirms it, and it confirms nothing. */
  isUnsure: boolean;
  /** By a word for what lasts: it may wait even where it may have been pasted. */
  lasts: boolean;
  /** It is of each one of what the agent asked about. */
  answers?: boolean;
}

/** True where a reply takes what was proposed. */
export function isYes(text: string): boolean {
  return has("yes", text.trim());
}

/** True for a sentence that goes on with what was said before it: "ok, let's …". */
export function isReplying(text: string): boolean {
  return front.test(text);
}

/** True for a question about what the agent is to do. */
export function isOfNext(text: string): boolean {
  return has("addresses", text);
}

/** True for an answer that holds for a while, only guesses, or takes something else than was offered; "I think B is fine" takes it. */
export function isHalfTaken(text: string): boolean {
  return has("passing", text) || has("guesses", text) || has("reserves", text);
}

/** True for a text that holds for a while, or is not sure of itself. */
function isOfNow(text: string): boolean {
  return has("passing", text) || isHedged(text);
}

export function isHedged(text: string): boolean {
  return has("hedge", text) || has("guesses", text);
}

/** Without what it leaves open at its end: "log it … not sure if we need a page for it". */
export function withoutDoubt(text: string): string {
  const doubt = rowIn("opens", text)?.pattern;
  return doubt ? text.replace(doubt, "") : text;
}

/** True for a text in which somebody speaks, or is spoken to. */
export function isSpoken(text: string): boolean {
  return has("speaks", text);
}

/** True for a text that asks for something. */
export function isRequest(text: string): boolean {
  return has("asks", text.replace(front, ""));
}

/** True for a text that says how something is, and asks for nothing. */
export function isReport(text: string): boolean {
  return has("reports", text) && !has("asks", text);
}

/** What is left of a statement without the words that make it one. */
export function withoutCues(text: string): string {
  return lastingCues.reduce((left, { pattern }) => left.replace(pattern, " "), text);
}

/**
 * How a statement leaves its subject out: it points at what stands elsewhere, is a choice of so few words that it names one side only,
 * or answers what was asked.
 */
export type Lack = "points" | "short" | "answers";

/** Fewer words of meaning before a pointing word, in its clause, name nothing that it could point at. */
const leastNamed = 2;

/** Undefined for what names its subject. Only a choice can be too short: a rule of a few words is whole. */
export function lackOf(text: string, kind?: Kind): Lack | undefined {
  if (dense.test(text)) return undefined;
  const own = text.replace(front, "").replace(scope, " ");
  const at = rowIn("points", own)?.pattern.exec(own)?.index;
  const before = withoutCues(own.slice(0, at ?? 0)).replace(/^[\s,]+/, "");
  if (at !== undefined && before.search(clauseEnd) < 0 && named(before) < leastNamed)
    return "points";
  return kind === "decisions" && named(own) <= leastNamed ? "short" : undefined;
}

/** Words of meaning beside those that make it a statement: "from now on, never …" is two of them. */
function named(text: string): number {
  const chooses = rowIn("chooses", text)?.pattern ?? never;
  return meaningOf(withoutCues(withoutCues(text.replace(chooses, " ")).trim())).size;
}

const clauseEnd = /[,;:：，；、()]\s*|\s[-–—]\s|\s(?=(?:but|so|because)\b)/gu;
/** Words set in front of a clause that belong to it: "Früher, …". */
const setInFront = 2;
/** So many words of meaning are in a statement, at least. */
const leastWords = 3;
/** Of a script without spaces a cue and what it is about are one word. */
const dense = new RegExp(`[${denseRange}]`);

/** Undefined for what lays nothing down, which is most. */
export function laidDown(whole: string, setting: Setting): LaidDown | undefined {
  if (/[:：]\s*$/.test(whole) || has("passing", whole)) return undefined;
  const begin = heads.exec(whole)?.[0].length ?? 0;
  const sentence = whole.slice(begin);
  const laid = has("lasts", sentence) ? lasting(sentence, setting) : general(sentence, setting);
  return laid && { ...laid, at: laid.isUnsure ? 0 : laid.at + begin };
}

/** Of a sentence with a word for what lasts: what the words before it, in its clause, leave of its rule. */
function lasting(sentence: string, { isAsked }: Setting): LaidDown | undefined {
  const cue = rowIn("lasts", sentence);
  const found = cue?.pattern.exec(sentence);
  if (!cue || !found) return undefined;
  const isBare = tellingWords(sentence.replace(found[0], " ")).length === 0;
  if (isBare && cue.kind === "preferences" && !dense.test(sentence)) return undefined;
  const before = sentence.slice(0, found.index);
  const clauses = before.split(clauseEnd);
  const first = clauses.at(-2)?.trim() ?? "";
  const clause = clauses.slice(first.split(/\s+/).length <= setInFront ? -2 : -1).join(" ");
  if (has("takes", clause)) return undefined;
  const isUnsure = has("doubts", clause) || /[:：]\s/.test(before);
  const at = beginOf(sentence, found.index);
  // Beside a question, and not what its sentence begins with: it may be part of what is asked.
  const isBeside = isAsked && before.replace(front, "") !== "";
  // "Use this one instead of that", "the one here, too, we always pass a cartId": what is said of what is at hand is of its task.
  const own = sentence.slice(at);
  const isOfMoment =
    cue.kind === "decisions"
      ? has("moment", `${sentence.slice(at, found.index)}${behind(sentence, found)}`)
      : at > 0 && namesCode(own);
  const stands = !isUnsure && !isBeside && !isOfMoment;
  return { kind: cue.kind, at, stands, isUnsure, lasts: true };
}

/** What a cue is followed by: the "that" of "we decided that …" points at nothing. */
function behind(sentence: string, cue: RegExpExecArray): string {
  return sentence.slice(cue.index + cue[0].length).replace(/^ that\b/i, "");
}

/** Where the clause of a place begins, when what stands before it is of the moment. */
function beginOf(sentence: string, at: number): number {
  const isPast = (clause: Clause) => has("moment", sentence.slice(0, clause.at));
  return clausesOf(sentence).findLast((clause) => clause.at <= at && isPast(clause))?.at ?? 0;
}

/** What surrounds a sentence. */
export interface Setting {
  piece: EvidenceKind;
  /** What the agent said last, or was about to do: its words. */
  before: ReadonlySet<string>;
  /** The agent asked something with that. */
  isAnswering: boolean;
  /** Something is asked beside it. */
  isAsked: boolean;
  /** False where the sentence may as well have been pasted. */
  isSure: boolean;
  /** Somebody speaks in what was sent with it, or asks; else it may be a review or a report that was pasted. */
  isTalk: boolean;
  /** So much was sent that somebody would speak in it, had they written it. */
  isLong: boolean;
  /** Files were changed then or later. */
  isDone: boolean;
}

/** What each row says for a sentence, or against it, that may be meant beyond the task; none is enough alone. */
const weights = Object.entries({
  ...{ will: 1, each: 1, general: 1, corrects: 1 },
  ...{ reason: 1, condition: 1, contrast: 1 },
});
/** So much makes a suggestion. */
const enough = 2;
/** Words shared with what the agent said: that is spoken of. */
const leastShared = 2;

function isReplied(text: string, { before }: Setting): boolean {
  return meaningOf(text).intersection(before).size >= leastShared;
}

/** True for what speaks of the same as the agent's question. */
function isAnswer(text: string, setting: Setting): boolean {
  return setting.isAnswering && isReplied(text, setting);
}

/** How much says that a sentence is meant beyond the task. */
function weightOf(sentence: string, setting: Setting): number {
  const { piece, isSure, isTalk, isLong } = setting;
  const own = sentence.replace(front, "");
  const isReply = isReplied(own, setting);
  const isInstead = piece === "refusal" && !isOfNow(own) && !isReport(own);
  const signals = [
    ...weights.map(([name, weight]) => (has(name, own) ? weight : 0)),
    has("chooses", own) && isLasting(own) ? enough : 0,
    // How something is may be guessed; how it should be is not.
    (has("ours", own) || has("states", own) || defines(own)) && !isHedged(own) ? enough : 0,
    isConditional(own) ? 1 : 0,
    isReply ? 1 : 0,
    denied(own) ? 1 : 0,
    isWish(own) && setting.isDone && (isReply || has("contrast", own)) ? 1 : 0,
    // What is typed into the work corrects it.
    piece === "prompt" ? 0 : 1,
    isInstead ? 1 : 0,
    isSure ? 0 : -1,
    isLong && !isTalk ? -enough : 0,
  ];
  return signals.reduce((sum, one) => sum + one, 0);
}

/** Of a sentence without a word that lasts: what is general and is to be, or chosen, stands; what may be meant so waits. */
function general(sentence: string, setting: Setting): LaidDown | undefined {
  const { piece } = setting;
  const clauses = clausesOf(sentence);
  const [first = ""] = clauses[0]?.text.split(clauseEnd, 1) ?? [];
  const isDoubted = isHedged(sentence) || has("asks", first);
  for (const { text, at } of isDoubted ? [] : clauses) {
    const isScoped = scope.test(text);
    const isBacked = ["reason", "condition", "contrast"].some((name) => has(name, text));
    const isGeneral = has("each", text) || (has("general", text) && isBacked);
    // What is said to one call of a tool is about that call, unless it says that it lasts.
    const isWide = isScoped || (piece !== "refusal" && isGeneral && !namesCode(text));
    const chosen = rowIn("chooses", text)?.kind;
    const isToBe = has("will", text) || isConditional(text);
    const kind = chosen ?? (isToBe && isWide ? "preferences" : undefined);
    const answers = chosen === undefined && !isScoped && isAnswer(text, setting);
    if (kind !== undefined && isLasting(text))
      return { at, stands: true, isUnsure: false, lasts: isScoped, kind, answers };
  }
  const own = clauses.map(({ text, at }) => ({ text: text.split(clauseEnd, 1)[0] ?? "", at }));
  const laid = isHedged(sentence) || !setting.isTalk ? [] : own;
  for (const { text, at } of laid)
    if (isLaidDown(text, sentence, setting)) {
      const kind = has("requires", text) ? "decisions" : "facts";
      return { at, stands: true, isUnsure: false, lasts: false, kind };
    }
  const isCondition = ({ text }: Clause, one: number) =>
    one < own.length - 1 && rowIn("condition", text)?.pattern.exec(text)?.index === 0;
  const isCorrection = has("corrects", sentence) && !isPassing(own[0]?.text ?? "");
  const isStatedFirst = isCorrection || isConditional(sentence.replace(front, ""));
  const norm = own.findIndex((one, at) =>
    at === 0 && isStatedFirst ? true : !isCondition(one, at) && isNorm(one.text),
  );
  const { text = "" } = own[norm] ?? {};
  const before = own.slice(0, norm).findLastIndex((one) => isPassing(one.text));
  const { at = 0 } = own[before + 1] ?? {};
  const said = sentence.slice(at);
  if (norm < 0 || meaningOf(said).size < leastWords || weightOf(said, setting) < enough)
    return undefined;
  const isToBe = isStatedFirst ? !isCorrection : has("will", text) || piece === "refusal";
  const other = isToBe ? "preferences" : isWish(text) ? "decisions" : "facts";
  const kind = rowIn("chooses", text)?.kind ?? other;
  return { at, stands: false, isUnsure: false, lasts: false, kind };
}

/** "The mailer should keep …" to an agent that spoke of it and then did it; "we don't … any more", "that is not correct, we …". */
function isLaidDown(text: string, sentence: string, setting: Setting): boolean {
  if (isPassing(text) || meaningOf(text).size < leastWords) return false;
  if (!setting.isDone || setting.piece === "refusal") return false;
  const isRequired = has("requires", text) && isReplied(text, setting);
  return isRequired || (has("ours", text) && (has("settles", text) || has("corrects", sentence)));
}

/** True for what says how something is to be, or is done here, and is not passing: no other statement is worth a person's yes. */
function isNorm(text: string): boolean {
  const isSaid = ["will", "chooses", "ours", "states"].some((name) => has(name, text));
  return ((isSaid || defines(text)) && !isPassing(text)) || isWish(text);
}

/** A wish of fewer words is for what was just spoken of. */
const leastWished = 4;

/** "I'd like …", "let's …": what its speaker wants to have, and not of the moment. */
function isWish(text: string): boolean {
  const wish = rowIn("wishes", text)?.pattern;
  const wished = wish ? text.replace(wish, "") : "";
  return !has("moment", wished) && !has("guesses", wished) && meaningOf(wished).size >= leastWished;
}

/** "When a schema changes, run the generator": of a case, not of the moment, what is then to be or to be done. */
function isConditional(text: string): boolean {
  const [given = "", then = ""] = text.split(/,\s*(?:then\s+)?|\s+then\s+/);
  return (
    rowIn("condition", given)?.pattern.exec(given)?.index === 0 &&
    !["moment", "asks", "narrates"].some((name) => has(name, given)) &&
    !["reports", "predicts", "asks", "narrates", "guesses"].some((name) => has(name, then)) &&
    meaningOf(given).size > 0 &&
    meaningOf(then).size > 0
  );
}

/** "Our hook is `SessionEnd` as well": what is said to be some code, or what stands in quotation marks. */
function defines(text: string): boolean {
  const [, code = ""] = /^(?:[\w-]+ ){1,3}(?:is|are) (\S+)/.exec(text) ?? [];
  return /^[`"“]?…/.test(code) || codeNames(code).length > 0;
}

/** True for what points at something of the moment, asks, tells what its speaker does, or only guesses. */
function isPassing(text: string): boolean {
  return ["moment", "asks", "narrates", "guesses"].some((name) => has(name, text));
}

/** True for what says how some code is to be: that is of its task, however general, and the code says it from then on. */
export function namesCode(text: string): boolean {
  return codeNames(text).length > 0 || /(?<!\S)--?[a-z]|…/i.test(text);
}

/** True for what points at nothing of the moment, asks for nothing, and says enough. */
function isLasting(text: string): boolean {
  return (
    !has("moment", text.replace(scope, "")) &&
    !has("asks", text) &&
    meaningOf(text).size >= leastWords
  );
}

interface Clause {
  text: string;
  at: number;
}

/** From each clause to the sentence's end, behind words that say nothing: what stands before may be of the moment. */
function clausesOf(sentence: string): Clause[] {
  const ends = [...sentence.matchAll(clauseEnd)];
  return [0, ...ends.map(({ 0: mark, index }) => index + mark.length)].map((start) => {
    const at = start + (front.exec(sentence.slice(start))?.[0].length ?? 0);
    return { text: sentence.slice(at), at };
  });
}
