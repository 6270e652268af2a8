// What came of a turn, in a line: the words of a commit, a plan or the agent's closing before the prompt's own. Pure.
import type { Evidence, NewTurn } from "../sdk/turn.ts";
import { denied } from "../text/prose/phrases.ts";
import {
  askedOf,
  codeNames,
  failureLine,
  handedPlan,
  headingOf,
  languageOf,
  meaningOf,
  overlap,
  plainLine,
  requestOf,
  sentencesOf,
  startsDangling,
} from "../text/prose/plain.ts";
import {
  bestOf,
  conditional,
  connecting,
  fits,
  isDoing,
  isQuestion,
  label,
  longClause,
  outlineOf,
  presented,
  saysDoing,
  type Telling,
  tellings,
  titleIn,
  turning,
} from "../text/prose/telling.ts";
import { baseName, capitalize } from "../text/text.ts";
import { type Candidate, isAlike, isCheck, measureOf, placed, textOf } from "./merit.ts";
import { openEnds } from "./open-ends.ts";
import { isStoppedAtLastCheck } from "./project-commands.ts";
import { isEntry, isNumbered, listOf, resultsOf } from "./results.ts";

/** What a title rests on, the strongest first; `asked` where nothing came of the turn. */
export type OutcomeBasis = "commit" | "plan" | "said" | "answer" | "repair" | "changed" | "asked";

/** What came of a turn. */
export interface Outcome {
  /** 3 to 24 words of plain text; "" where not even the prompt says anything. */
  title: string;
  /** The title without the request, or the other finding, that it may end with. */
  came: string;
  basis: OutcomeBasis;
  /** The one to three sentences of the closing that carry the result, and what takes one back; "" where none does. */
  said: string;
  /** Of these the sentences that say what was wrong before; "" where none does. */
  cause: string;
  /** What says it: the closing, or else something said on the way. */
  from?: Evidence;
  /** The title is one of several things that are said to be done, and names no whole. */
  isPart: boolean;
  /** The commit or pull request whose words are the title. */
  message: Evidence | undefined;
}

const mostSaid = 3;
/** What carries out a plan shares so much with its title. */
const ofIt = 0.4;
/** Two sentences that share more than this say the same. */
const alike = 0.75;
const mostAsked = 300;
/** Of a prompt whose questions are looked for. */
const mostTyped = 4_000;
/** Names of what was changed that are shown where the work was stopped. */
const mostNames = 3;

/** `inText` shortens the paths in a text. */
export function outcomeOf(
  turn: NewTurn,
  inText: (text: string) => string = (text) => text,
): Outcome {
  const isDone = turn.end === "interrupted" && isStoppedAtLastCheck(turn);
  const ended = isDone ? { ...turn, end: "closed" as const } : turn;
  const prompt = textOf(turn.pieces, "prompt");
  const plan = planIn(turn.pieces, prompt);
  const { results, from } = resultsIn(ended, plan, inText);
  const worked = turn.files.some(({ changed }) => changed);
  const said = saidOf(worked ? results : wholeOf(results));
  const of = (basis: OutcomeBasis, title: string, came = title): Outcome => ({
    ...{ title, came, basis, said, ...(from && { from }), message: undefined },
    isPart:
      (basis === "said" && (!namesSomething(came) || results.slice(0, 1).some(isOfSeveral))) ||
      (basis === "changed" && !came.includes(": ")),
    cause: saidOf(worked ? results : wholeOf(results), ({ isCause }) => isCause),
  });
  const made = commitOf(turn, said);
  if (made !== "")
    return {
      ...of("commit", withContent(titleIn(inText(made)), turn, inText)),
      message: messageOf(turn.pieces, made),
    };
  // "Fix: vouchers are not counted" says what is wrong, and not that it was mended.
  const isProblem =
    worked && label.test(plan) && denied(plan) && results.some(({ title }) => isDoing(title));
  if (plan !== "" && !isProblem) return of("plan", titleIn(ofPlan(ended, inText(plan), results)));
  const [first] = results;
  const proposed = worked ? undefined : openEnds([turn]).find((end) => end.kind === "plan")?.text;
  if (proposed !== undefined) return of("answer", `Plan: ${titleIn(inText(proposed))}`);
  const shown = worked ? "" : shownIn(textOf(turn.pieces, "closing"));
  if (first && shown === "") {
    const title = withReserve(first, withTopic(first, withNext(first, results, worked), worked));
    const asked = inText(reportOf(prompt).replace(leadingUp, ""));
    const context = inContext({ ...first, title }, { results, turn, asked });
    return of(worked ? "said" : "answer", context.title, context.came);
  }
  const repaired = turn.pieces.findLast(({ kind }) => kind === "repair");
  const failed = failureLine(repaired?.text.split("\n\n→ ")[0] ?? "").replace(failureLabel, "");
  if (failed !== "" && !isCheck(failed)) return of("repair", titleIn(`Fixed: ${inText(failed)}`));
  if (worked) return of("changed", titleIn(inText(changedText(turn))));
  if (shown !== "") return of("answer", shown);
  const asks = openEnds([turn]).find((end) => end.kind === "question")?.text ?? "";
  const asked =
    titleIn(inText(reportOf(prompt).replace(leadingUp, ""))) ||
    titleIn(inText(sentencesOf(asks).find(isQuestion) ?? ""));
  const isMarked = asked === "" || /[?？؟…][\s)"”'\]]*$/u.test(asked);
  return of("asked", isMarked ? asked : `${asked}?`);
}

/** The closing's results; of work whose closing has none, what was last said to be done on the way. */
function resultsIn(
  turn: NewTurn,
  plan: string,
  inText: (text: string) => string,
): { results: Candidate[]; from?: Evidence } {
  const closing = turn.pieces.find(({ kind }) => kind === "closing");
  const before = turn.pieces.filter(({ kind }) => kind !== "closing");
  const isWork = turn.end === "closed" && turn.files.some(({ changed }) => changed);
  const own = before.filter(({ kind, agent }) => isWork && kind === "said" && !agent).toReversed();
  const measure = measureOf({ ...turn, pieces: before }, plan);
  // Work that ends with a question and says of nothing that it was done numbers what there is to choose from.
  const isChoice =
    isWork &&
    isNumbered(closing?.text ?? "") &&
    openEnds([turn]).some(({ kind }) => kind === "question");
  for (const from of closing ? [closing, ...own] : own) {
    const pieces = [...before, { ...from, kind: "closing" as const }];
    const found = resultsOf({ ...turn, pieces }, measure, inText);
    const done = found.filter(({ title }) => isDoing(title));
    const entries = isChoice && done.length === 0 ? found.filter(isEntry) : [];
    const first = Math.min(...entries.map(({ at }) => at));
    const results = from === closing ? found.filter(({ to }) => to < first) : done;
    if (results.length > 0) return { results, from };
  }
  return { results: [] };
}

/** True for a list, an entry of one, a heading below another one, and what is said of a place: one of several things. */
function isOfSeveral({ kind, isTopic, text }: Candidate): boolean {
  return kind === "heading" ? !isTopic : kind !== "sentence" || placed.test(text);
}

const keys = ["kind", "indent", "lead", "section"] as const;
/** An entry of a list of work with the one below it, where both find room; so headings that say what was done; work with what else was done. */
function withNext(
  { title, at, ...one }: Candidate,
  results: readonly Candidate[],
  worked: boolean,
): string {
  const isBelow = (other: Candidate) =>
    (one.kind === "item" ? other.at === at + 1 : other.at > at && isDoing(other.title)) &&
    (one.kind === "heading" ? keys.slice(0, 1) : keys).every((key) => other[key] === one[key]);
  const isOfList =
    one.kind === "item" ||
    (one.kind === "lead" && one.lead !== "") ||
    (one.kind === "heading" && isDoing(title));
  const below = isOfList ? results.find(isBelow) : undefined;
  const isMore = (other: Candidate) =>
    other.at > at &&
    isDoing(other.title) &&
    meaningOf(other.title).size > 2 &&
    overlap(title, other.title) < repeats;
  const others = results.filter(isMore);
  // An entry may be a detail of what it stands below.
  const next =
    below ?? (worked ? (others.find((other) => !isEntry(other)) ?? others[0]) : undefined);
  if (next === undefined) return title;
  const [front = ""] = /^[^:]{1,40}: /u.exec(title) ?? [];
  const more = next.title.startsWith(front) ? next.title.slice(front.length) : next.title;
  const end = one.kind !== "lead" ? / \([^()]*\)$/ : /(?:: | - ).*/;
  const bare = [title, more].map((text) => text.replace(end, ""));
  const pairs = [`${title}; ${more}`, ...(below ? [bare.join("; ")] : [])];
  // A sentence says the whole of which an entry is a part.
  const isWhole = one.kind === "sentence" && !placed.test(one.text) && isEntry(next);
  const most = isWhole ? mostPaired : Infinity;
  const holds = (text: string) => fits(text) && text.length <= most && !text.includes("…");
  return pairs.find(holds) ?? title;
}

const mostPaired = 90;
/** An answer's entry with what its list or section is about: "Where the agent is known: hook_registry.go". */
function withTopic(
  { lead, under = [], kind, text }: Candidate,
  title: string,
  worked: boolean,
): string {
  const isSaid = kind === "sentence" && !placed.test(text) && !isDoing(text);
  if (kind !== "row" && (worked || isSaid || kind === "heading")) return title;
  const told = [lead, ...under.toReversed()]
    .map((topic) => titleIn(presented(topic)))
    .filter((topic) => meaningOf(topic).size > 1 && overlap(topic, title) < repeats)
    .map((topic) => `${topic}: ${title}`);
  return told.find((text) => fits(text) && !text.includes("…")) ?? title;
}

/** A title of fewer words of meaning, without a name or number, could be said of anything. */
const leastTold = 4;
/** What shares so much with the request says what it answers. */
const repeats = 0.5;

/** "It is in `cart.ts` (where are totals rounded?)": what points back, could be said of anything, or answers in other words, with the question; else with what else was said that names something, or with the request. */
function inContext(
  one: Candidate,
  { results, turn, asked }: { results: readonly Candidate[]; turn: NewTurn; asked: string },
): { title: string; came: string } {
  const { title } = one;
  const isPointing = startsDangling(title.split(" ", 1)[0] ?? "");
  const isNamed = !isPointing && namesSomething(title);
  const says = isNamed || (!isPointing && meaningOf(title).size >= leastTold);
  const isAnswer = !turn.files.some(({ changed }) => changed) && !saysDoing(title);
  if (says && !(isAnswer && !shares(title, asked))) return { title, came: title };
  const prompt = askedOf(textOf(turn.pieces, "prompt")).slice(0, mostTyped);
  const sentences = sentencesOf(plainLine(prompt));
  const questions = sentences.filter(isQuestion);
  const requests = (!says || sentences.length < 2 ? [asked, ...questions] : questions)
    .filter((text) => text.length <= mostAsked)
    .map((text) => text.replace(/^\d{1,2}[.)] |[\s:：,;。.]+$/gu, ""))
    .filter(
      (text) => !text.includes("://") && meaningOf(text).size > 1 && overlap(text, title) < repeats,
    );
  const withRequest = (text: string) => ({ title: `${title} (${text})`, came: title });
  const [next] = says ? [] : results.filter((other) => follows(other, one));
  const both = next ? `${title}; ${next.title}` : title;
  const ways = [
    ...requests.filter(isQuestion).map(withRequest),
    ...(next ? [{ title: both, came: both }] : []),
    ...results
      .filter((other) => stands(other, title))
      .map((other) => ({ title: `${title}; ${other.title}`, came: title })),
    // "(ooh, we caught something)" tells nothing beside a name.
    ...(isNamed ? [] : requests.map(withRequest)),
  ];
  return (
    ways.find((way) => fits(way.title) && !/…$|… \(/.test(way.title)) ?? { title, came: title }
  );
}

const namesSomething = (title: string) => codeNames(title).length > 0 || /\d/.test(title);

/** Says at once what a title leaves open. */
function follows({ at, section, title }: Candidate, one: Candidate): boolean {
  const isNext = at > one.at && at <= one.at + mostSaid && section === one.section;
  return isNext && !/:\s/.test(title) && !startsDangling(title);
}

/** A whole sentence that names something, and can be understood beside another. */
function stands({ kind, text, title }: Candidate, beside: string): boolean {
  const words = title.split(" ");
  return (
    kind === "sentence" &&
    words.length >= longClause &&
    !placed.test(text) &&
    namesSomething(title) &&
    !startsDangling(words[0] ?? "") &&
    ![connecting, conditional].some((begins) => begins.test(title)) &&
    overlap(beside, title) < repeats
  );
}

/** True where both have a word of meaning, or a part of a name, in any inflection. */
function shares(one: string, other: string): boolean {
  const [words, others] = [one, other].map((text) => [
    ...meaningOf(text.replace(/(\p{Ll})(?=\p{Lu})|[_./-]/gu, "$1 ")),
  ]);
  return words?.some((word) => others?.some((known) => isAlike(known, word))) === true;
}

/** "Fixed the rounding; however, my fix breaks the checkout", where both find room. */
function withReserve({ reserve }: Candidate, title: string): string {
  const taken = `; ${reserve.charAt(0).toLowerCase()}${titleIn(reserve.slice(1))}`;
  const ways = [`${title}${taken}`, `${title.replace(/(?<=: .*); [^;]*$/, "")}${taken}`];
  return (reserve !== "" && ways.find((both) => fits(both) && !both.includes("…"))) || title;
}

/** The line of code that an answer begins with, where it is the whole block; "" where it begins otherwise. */
function shownIn(closing: string): string {
  const line = /^\s*```[^\n]*\n([^\n]+)\n\s*```/.exec(closing)?.[1]?.trim() ?? "";
  return fits(line) ? line : "";
}

/** "Looking at the tests: …": a request is what follows. */
const leadingUp = /^[^:：]{1,60}[:：] (?=\S+(?: \S+){4})/u;

/** A pull request, a tag or a release names all the work that it takes along. One whose body alone was written has its title from before. */
export function isPublished({ kind, agent, text }: Evidence): boolean {
  return kind === "published" && agent === undefined && !/^#{1,6}\s/.test(text);
}

/** What a test runner puts before the name of what failed. */
const failureLabel = /^[^\p{L}\p{N}]*(?:FAIL\w*[:\s]+)?/u;

/** Of an answer its whole sentences, where it has any: a list's entries, rows and headings may be what is only proposed. */
function wholeOf(results: readonly Candidate[]): readonly Candidate[] {
  const [first, ...others] = results;
  const isWhole = ({ kind, text }: Candidate) =>
    (kind === "sentence" && placed.test(text)) ||
    (/^(?:sentence|item)$/.test(kind) && /[.!。！]["')\]]*$/u.test(text));
  const isEntry = ({ kind }: Candidate) => kind !== "sentence" && kind !== "lead";
  const whole = results.filter(isWhole);
  if (!first || whole.length === 0) return results;
  return isEntry(first) || isWhole(first) ? whole : [first, ...others.filter(isWhole)];
}

/** The results as they were said, in the closing's order: of several sections only what reads as one text. */
function saidOf(
  results: readonly Candidate[],
  isMeant: (one: Candidate) => boolean = () => true,
): string {
  const best = results
    .filter(
      ({ kind, text, whole, code }) =>
        kind !== "heading" &&
        presented(text) === text &&
        (kind !== "lead" ||
          whole !== text ||
          (!conditional.test(text) && (code.length > 0 || text.split(" ").length >= longClause))),
    )
    .slice(0, mostSaid);
  const joined = best.filter((one, at) => best.slice(0, at).every((other) => joins(one, other)));
  return joined
    .filter(
      ({ whole }, at) => !joined.some((one, of) => of !== at && saysAll(one.whole, whole, of < at)),
    )
    .filter(isMeant)
    .sort((left, right) => left.at - right.at)
    .filter((one, at, all) => {
      const before = all[at - 1];
      return !before || before.to === one.at - 1 || !goesOn(one);
    })
    .flatMap((one, at, all) => [one.whole, ...reserveOf(one, all.slice(at + 1))])
    .map((text) => text.replace(/\s*[:：]\s*…?$/u, ""))
    .map((text) => (/[.!。！…]["')\]]*$/u.test(text) ? text : `${text}.`))
    .join(" ");
}

/** What takes a result back, where no later one says it or is taken back by the same. */
function reserveOf({ reserve }: Candidate, later: readonly Candidate[]): string[] {
  const isSaid = later.some((one) => one.reserve === reserve || one.text === reserve);
  return reserve === "" || isSaid ? [] : [reserve];
}

/** True where one sentence may stand beside the other: in one part, or before what its part holds, or each saying what was done. */
function joins(one: Candidate, other: Candidate): boolean {
  const [first, then] = one.at < other.at ? [one, other] : [other, one];
  const holds = ({ under: outer = [] }: Candidate, { under: inner = [] }: Candidate) =>
    outer.every((part, at) => part === inner[at]);
  const isOnePart = holds(first, then) || (first.section === then.section && holds(then, first));
  return isOnePart || (isDoing(one.title) && isDoing(other.title));
}

/** Points back to the sentence before it. */
function goesOn({ text }: Candidate): boolean {
  return connecting.test(text) || startsDangling(text);
}

/** True where one says what the other says, and more; or as much, and comes first. */
function saysAll(one: string, other: string, isFirst: boolean): boolean {
  const isLonger = one.length > other.length || (one.length === other.length && isFirst);
  return isLonger && overlap(one, other) > alike;
}

/** A commit's subject without its conventional prefix, its tag and the pull request's number; "" without a commit. */
export function subjectOf(message: string | undefined): string {
  const lines = message?.split("\n") ?? [];
  // A pull request without a title begins with its body's heading.
  const subject = /^#{1,6}\s/.test(lines[0] ?? "")
    ? lines.find((line) => /^[^#\s]/.test(line))
    : lines[0];
  return capitalize(
    plainLine(
      (subject ?? "")
        .replace(/^[-*]\s+/, "")
        .replace(/^[a-z]+(?:\([^)]*\))?!?:\s+/, "")
        .replace(/^\[[^\]]+\]\s*/, "")
        .replace(/\s*\(?#\d+\)?$/, ""),
    ),
  );
}

/** The commit that shares most with what was asked and said; else a pull request's title, or a tag. */
export function commitOf(
  { pieces, files }: Pick<NewTurn, "pieces" | "files">,
  said: string,
): string {
  const own = pieces.filter(({ agent }) => agent === undefined);
  const changed = files.filter((file) => file.changed);
  const names = changed.flatMap(({ path, symbols = [] }) => [path, ...symbols]).join(" ");
  const about = [textOf(own, "prompt"), said, names].join(" ");
  const words = names.replace(/(\p{Ll})(?=\p{Lu})|[_./-]/gu, "$1 ");
  const spoken = own.flatMap(({ kind, text }) => (/^(?:said|closing)$/.test(kind) ? [text] : []));
  const all = [about, words, ...spoken].join(" ");
  // A commit in another repository, beside the work, has nothing of it.
  const isOwn = (text: string) => said === "" || changed.length === 0 || overlap(text, all) > 0;
  const [subject = ""] = own
    .filter(({ kind, text }) => kind === "commit" && !/^Merge\b/.test(text))
    .filter((piece) => said === "" || !isAmended(piece, own))
    .map(({ text }) => subjectOf(text))
    .filter((text) => /\p{L}/u.test(text) && isOwn(text))
    .sort((left, right) => overlap(right, about) - overlap(left, about));
  if (subject !== "") return subject;
  // Where nothing else is said, its body tells.
  const made = own.findLast(
    (piece) => isPublished(piece) || (said === "" && piece.kind === "published"),
  );
  const tag = /^tag (\S+)/.exec(made?.about ?? "")?.[1];
  return tag === undefined ? subjectOf(made?.text) : `Tagged ${tag}`;
}

/** The one with this subject. */
export function messageOf(pieces: readonly Evidence[], subject: string): Evidence | undefined {
  return pieces.find(
    ({ kind, text }) => /^(?:commit|published)$/.test(kind) && subjectOf(text) === subject,
  );
}

/** Sentences of a message that are told below its title, and what one must be worth. */
const mostBelow = 5;
const leastBelow = 2.5;

/** What a commit or a pull request says below its title: the sentences of its message that tell most. */
export function toldBelow(
  message: Evidence | undefined,
  backing: Parameters<typeof tellings>[1],
  inText: (text: string) => string,
): Telling[] {
  const body = inText(messageBody(message?.text ?? ""));
  return bestOf(tellings(body, backing), mostBelow, leastBelow);
}

/** A commit's message below its subject, without `Signed-off-by:` and the like. */
export function messageBody(message: string): string {
  const [, ...lines] = message.split("\n");
  return lines.filter((line) => !/^[A-Z][a-zA-Z]+(?:-[a-zA-Z]+)+: \S/.test(line)).join("\n");
}

/** An address, a pull request's number or a commit's hash, and what these are called. */
const pointer = /https?:\/\/\S+|#\d+|(?<![\w-])(?=[a-f]*\d)[0-9a-f]{7,40}(?![\w-])/gi;
const pointedAt = /\b(?:PRs?|pull requests?|merge requests?|commits?|issues?)\b/gi;

/** The first of these that shares less than `most` with the title, to stand below it; "" where that only names an address or a commit. */
export function belowTitle(title: string, texts: readonly string[], most: number): string {
  const begun = title.replace(/…$/, "");
  const found = texts.find((text) => overlap(text, title) < most && !text.startsWith(begun)) ?? "";
  const rest = found.replace(pointer, " ");
  const onlyPoints = rest !== found && meaningOf(rest.replace(pointedAt, " ")).size === 0;
  return onlyPoints ? "" : found;
}

/** The words of a commit that was made again are those of the work before. */
function isAmended({ toolUseId }: Evidence, pieces: readonly Evidence[]): boolean {
  return (
    toolUseId !== undefined &&
    pieces.some((one) => one.toolUseId === toolUseId && / --amend(?:\s|$)/.test(one.about ?? ""))
  );
}

/** "Cart: Address the review: totals are rounded once": a subject that could be any commit's, with its scope and the first line of its body that says more. */
function withContent(
  subject: string,
  { pieces, files }: NewTurn,
  inText: (text: string) => string,
): string {
  const names = files.flatMap(({ path, symbols = [] }) => [path, ...symbols]).join(" ");
  const words = meaningOf(names.replace(/(\p{Ll})(?=\p{Lu})|[_./-]/gu, "$1 "));
  const isOwn = codeNames(subject).length > 0 || !meaningOf(subject).isDisjointFrom(words);
  if (isOwn || names === "") return subject;
  const message = pieces.find(
    ({ kind, text }) => kind === "commit" && titleIn(inText(subjectOf(text))) === subject,
  );
  const [first = "", body = ""] = (message?.text ?? "").split(/\n([\s\S]*)/, 2);
  const scope = /^[a-z]+\(([^)]+)\)/.exec(first)?.[1];
  const whole = scope === undefined ? subject : `${capitalize(scope)}: ${subject}`;
  const more = outlineOf(inText(body), mostRead)
    .filter(({ kind }) => kind === "item")
    .map(({ text, code }) => `${whole}: ${titleIn(text, code)}`)
    .find((text) => fits(text) && !text.includes("…"));
  return more ?? subject;
}

/** Statements of a commit's body that are looked at. */
const mostRead = 10;

/** The title of the plan that the turn accepted or carried out. */
function planIn(pieces: readonly Evidence[], prompt: string): string {
  const plan = pieces.findLast(({ kind }) => kind === "plan")?.text ?? handedPlan(prompt)?.plan;
  return plan === undefined ? "" : headingOf(plan).replace(/(?: Implementation)? Plan$/, "");
}

/** The plan as it was carried out, in the words of the closing that share most with it; else by its title. An entry of a list is one detail of it. */
function ofPlan(
  { end, files, pieces }: NewTurn,
  plan: string,
  results: readonly Candidate[],
): string {
  if (!files.some(({ changed }) => changed)) return `Plan: ${plan}`;
  const isTold = isEnglish(pieces);
  if (end !== "closed")
    return isTold && end === "interrupted" ? `Stopped while implementing: ${plan}` : plan;
  const done = results.find(
    (one) => one.kind !== "heading" && !isEntry(one) && overlap(one.title, plan) >= ofIt,
  );
  return done?.title ?? (isTold && !label.test(plan) ? `Implemented: ${plan}` : plan);
}

/** True for a choice, an accepted plan, and a refusal in words that decide: no question, and no change that was then made in another way. */
export function decides({ kind, text, about = "" }: Evidence, files: NewTurn["files"]): boolean {
  if (kind !== "refusal") return kind === "choice" || kind === "plan";
  const isMade = files.some(({ path, changed }) => changed && about.endsWith(` ${path}`));
  return text.trim() !== "" && !isQuestion(text) && !isMade;
}

/** What was changed, of the file with the most symbols: `name.ts (symbol): what was asked`; where it was stopped, that. */
function changedText({ files, pieces, end }: NewTurn): string {
  const [file, ...others] = files
    .filter(({ changed }) => changed)
    .sort((left, right) => (right.symbols?.length ?? 0) - (left.symbols?.length ?? 0));
  if (!file) return "";
  const { symbols = [] } = file;
  const isStopped = end === "interrupted";
  const inIt = symbols.length === 0 ? "" : ` (${listOf(symbols, isStopped ? mostNames : 1)})`;
  const name = `${baseName(file.path)}${inIt}`;
  const names = [file, ...others].map(({ path }) => baseName(path));
  const asked = reportOf(textOf(pieces, "prompt"));
  const listed = isStopped && others.length > 0 ? listOf(names, mostNames) : name;
  const whole = asked === "" ? listed : `${listed}: ${asked}`;
  if ((asked !== "" && !isStopped) || !isEnglish(pieces)) return whole;
  if (!isStopped) return `Changed ${listed}`;
  const stopped = `Stopped after changes to ${whole}`;
  return fits(stopped) ? stopped : `Stopped after changes to ${listed}`;
}

/** The request, or what takes back its first words: "It looks fine, but the total is NaN". */
function reportOf(prompt: string): string {
  const request = requestOf(prompt);
  const text = plainLine(askedOf(prompt).slice(0, mostAsked));
  const whole = text.startsWith(request.slice(0, -1)) ? text : request;
  const turned = [...whole.matchAll(/[,.;!]\s+/g)]
    .map(({ 0: mark, index }) => whole.slice(index + mark.length))
    .find((clause) => turning.test(clause) && connecting.test(clause));
  const [said = ""] = sentencesOf(turned?.replace(turning, "").replace(/^[\s,]+/, "") ?? "");
  return said === "" ? request : capitalize(said);
}

/** Words of memoir's own stand in no other language's titles. */
function isEnglish(pieces: readonly Evidence[]): boolean {
  return languageOf([textOf(pieces, "prompt"), textOf(pieces, "closing")]) === "en";
}
