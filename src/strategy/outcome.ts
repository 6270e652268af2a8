// What came of a turn, in a line: the words of a commit, a plan or the agent's closing before the prompt's own. Pure.
import type { Evidence, NewTurn } from "../sdk/turn.ts";
import { isNextHeading, isNextLine, phrases } from "../text/prose/phrases.ts";
import {
  askedOf,
  codeNames,
  commandKey,
  failureLine,
  handedPlan,
  headingOf,
  isFiller,
  linesOf,
  meaningOf,
  overlap,
  plainLine,
  requestOf,
  startsDangling,
  stopWords,
  tellingWords,
  withoutGreeting,
  wordsOf,
} from "../text/prose/plain.ts";
import { isAnnouncement, outlineOf, type Statement } from "../text/prose/telling.ts";

import { baseName, capitalize, hasUnspaced } from "../text/text.ts";
import { openEnds } from "./open-ends.ts";

/** What a title rests on, the strongest first; `asked` where nothing came of the turn. */
export type OutcomeBasis = "commit" | "plan" | "said" | "answer" | "repair" | "changed" | "asked";

/** What came of a turn. */
export interface Outcome {
  /** 3 to 12 words of plain text; "" where not even the prompt says anything. */
  title: string;
  basis: OutcomeBasis;
  /** The one to three sentences of the closing that carry the result; "" where none does. */
  said: string;
}

/** Words that are no names of code or places. */
const leastPlain = 2;
/** A line that introduces a list with so many words is a sentence. */
const sentenceWords = 6;
/** A sentence must be worth so much to be the result. */
const least = 1.5;
const mostSaid = 3;
const mostBacking = 1.25;
/** Two sentences that share more than this say the same. */
const alike = 0.75;
/** Statements of a closing that are looked at. */
const mostRead = 60;

/** `inText` shortens the paths in a text. */
export function outcomeOf(
  turn: NewTurn,
  inText: (text: string) => string = (text) => text,
): Outcome {
  const prompt = textOf(turn.pieces, "prompt");
  const results = resultsOf(turn, inText);
  const said = saidOf(results);
  const because = { said };
  const made = commitOf(turn, said);
  if (made !== "") return { title: titleIn(inText(made)), basis: "commit", ...because };
  const plan = planIn(turn.pieces, prompt);
  if (plan !== "") return { title: titleIn(inText(plan)), basis: "plan", ...because };
  const [first] = results;
  const worked = turn.files.some(({ changed }) => changed);
  if (first)
    return {
      title: first.title,
      basis: worked ? "said" : "answer",
      ...because,
    };
  const repaired = turn.pieces.findLast(({ kind }) => kind === "repair");
  const failed = failureLine(repaired?.text.split("\n\n→ ")[0] ?? "");
  if (failed !== "")
    return {
      title: titleIn(`Fixed: ${inText(failed).replace(failureLabel, "")}`),
      basis: "repair",
      said: "",
    };
  if (worked) return { title: titleIn(inText(changedText(turn))), basis: "changed", said: "" };
  const asked = titleIn(inText(requestOf(prompt)));
  const isQuestion = asked === "" || /[?？؟…]$/.test(asked);
  return { title: isQuestion ? asked : `${asked}?`, basis: "asked", said: "" };
}

/** What outranks what, of several turns. */
const ranks: readonly OutcomeBasis[] = ["commit", "plan", "said", "repair", "changed", "answer"];

/** What came of a session: of its strongest outcomes that of the turn that did most. Undefined without turns. */
export function outcomeOfSession(
  turns: readonly NewTurn[],
  inText?: (text: string) => string,
): Outcome | undefined {
  const all = turns.map((turn) => ({ turn, outcome: outcomeOf(turn, inText) }));
  const closed = all.findLast(({ turn }) => turn.pieces.some(isPublished));
  if (closed) {
    const made = { pieces: closed.turn.pieces.filter(isPublished), files: [] };
    return { title: titleIn(commitOf(made, "")), basis: "commit", said: closed.outcome.said };
  }
  const told = all.filter(({ outcome }) => outcome.title !== "");
  const basis = ranks.find((rank) => told.some(({ outcome }) => outcome.basis === rank));
  return told
    .filter(({ outcome }) => outcome.basis === (basis ?? "asked"))
    .sort((left, right) => workOf(right.turn) - workOf(left.turn))[0]?.outcome;
}

/** A pull request, a tag or a release names all the work that it takes along. */
function isPublished({ kind, agent }: Evidence): boolean {
  return kind === "published" && agent === undefined;
}

/** How much a turn did: names that it changed before files, files before words. */
function workOf({ files, pieces }: NewTurn): number {
  const changed = files.filter((file) => file.changed);
  const names = changed.reduce((sum, { symbols = [] }) => sum + 1 + symbols.length, 0);
  return names + Math.min(0.9, textOf(pieces, "closing").length / 10_000);
}

/** What a test runner puts before the name of what failed. */
const failureLabel = /^[^\p{L}\p{N}]*(?:FAIL\w*[:\s]+)?/u;

/** The results as they were said, in the closing's order. */
function saidOf(results: readonly Candidate[]): string {
  const best = results.filter(({ kind }) => kind !== "heading").slice(0, mostSaid);
  return best
    .filter(
      ({ whole }, at) => !best.some((one, of) => of !== at && saysAll(one.whole, whole, of < at)),
    )
    .sort((left, right) => left.at - right.at)
    .map(({ whole }) => whole.replace(/[\s:：…]+$/u, ""))
    .map((text) => (/[.!。！]["')\]]*$/u.test(text) ? text : `${text}.`))
    .join(" ");
}

/** True where one says what the other says, and more; or as much, and comes first. */
function saysAll(one: string, other: string, isFirst: boolean): boolean {
  const isLonger = one.length > other.length || (one.length === other.length && isFirst);
  return isLonger && overlap(one, other) > alike;
}

/** A commit's subject without its conventional prefix, its tag and the pull request's number; "" without a commit. */
export function subjectOf(message: string | undefined): string {
  const subject = message?.split("\n")[0] ?? "";
  return capitalize(
    plainLine(
      subject
        .replace(/^[a-z]+(?:\([^)]*\))?!?:\s+/, "")
        .replace(/^\[[^\]]+\]\s*/, "")
        .replace(/\s*\(?#\d+\)?$/, ""),
    ),
  );
}

/** The commit that shares most with what was asked and said; else a pull request's title, or a tag. */
function commitOf({ pieces, files }: Pick<NewTurn, "pieces" | "files">, said: string): string {
  const own = pieces.filter(({ agent }) => agent === undefined);
  const changed = files.filter((file) => file.changed);
  const names = changed.flatMap(({ path, symbols = [] }) => [path, ...symbols]);
  const about = [textOf(own, "prompt"), said, ...names].join(" ");
  const [subject = ""] = own
    .filter(({ kind, text }) => kind === "commit" && !/^Merge\b/.test(text))
    .map(({ text }) => subjectOf(text))
    // A commit in another repository, beside the work, has nothing of it.
    .filter(
      (text) => text !== "" && (said === "" || changed.length === 0 || overlap(text, about) > 0),
    )
    .sort((left, right) => overlap(right, about) - overlap(left, about));
  if (subject !== "") return subject;
  const made = own.findLast(({ kind }) => kind === "published");
  const tag = /^tag (\S+)/.exec(made?.about ?? "")?.[1];
  return tag === undefined ? subjectOf(made?.text) : `Tagged ${tag}`;
}

/** The title of the plan that the turn accepted or carried out. */
function planIn(pieces: readonly Evidence[], prompt: string): string {
  const plan = pieces.findLast(({ kind }) => kind === "plan")?.text ?? handedPlan(prompt)?.plan;
  return plan === undefined ? "" : headingOf(plan);
}

/** True for a choice, an accepted plan, and a refusal in words that decide: no question, and no change that was then made in another way. */
export function decides({ kind, text, about = "" }: Evidence, files: NewTurn["files"]): boolean {
  if (kind !== "refusal") return kind === "choice" || kind === "plan";
  const isMade = files.some(({ path, changed }) => changed && about.endsWith(` ${path}`));
  return text.trim() !== "" && !isQuestion(text) && !isMade;
}

const isQuestion = (text: string) => /[?？؟]["'”’)\]*_\s]*$/u.test(text);

/** A statement of the closing, the line that introduces a list, or a heading. */
interface Candidate {
  text: string;
  title: string;
  code: readonly string[];
  kind: Statement["kind"];
  /** The closing begins with it, as a document does, or is nothing else. */
  isHead: boolean;
  at: number;
  /** A line that introduces a list, and what the list begins with: it says half of it alone. */
  whole: string;
}

/** What a closing is measured against. */
interface Measure {
  /** Words of what was asked. */
  asked: readonly string[];
  /** Files and symbols that the turn changed, lower-case. */
  names: readonly string[];
  /** Something was changed. */
  worked: boolean;
  /** Command lines that ran. */
  ran: readonly string[];
}

/** Words of runs and checks: a line of these alone says that it passed, not what came of it. */
const checkWords: ReadonlySet<string> = new Set(
  linesOf("checks").flatMap(([, lines]) => wordsOf(lines)),
);
/** A sentence that begins so goes on with another one's matter. */
const connecting = phrases(
  linesOf("connects")
    .flatMap(([, lines]) => wordsOf(lines))
    .join("|"),
  "start",
);
/** What a line is worth for what it is, beside where it stands. */
const worthOfKind = { sentence: 1, lead: 0.25, heading: 0.25, item: -0.75, row: -2 };
/** Entries of a list are details of work; of an answer they are seldom the answer. */
const entryOfAnswer = -0.75;

/** The closing's statements that may be the result, the most telling first. */
function resultsOf(turn: NewTurn, inText: (text: string) => string): Candidate[] {
  const closing = inText(textOf(turn.pieces, "closing"));
  const changed = turn.files.filter((file) => file.changed);
  const measure: Measure = {
    asked: tellingWords(askedOf(textOf(turn.pieces, "prompt"))),
    names: changed
      .flatMap(({ path, symbols = [] }) => [baseName(path), ...symbols])
      .map((name) => name.toLowerCase()),
    worked: changed.length > 0,
    ran: turn.pieces.flatMap(({ about = "" }) => (about === "" ? [] : [commandKey(about)])),
  };
  const left = openEnds([turn]).flatMap(({ kind, text }) => (kind === "next" ? inText(text) : []));
  return candidatesOf(outlineOf(closing, mostRead))
    .filter(({ text }) => !left.some((end) => end.includes(text)))
    .flatMap((one) => {
      const merit = meritOf(one, measure);
      return merit === undefined ? [] : { ...one, merit };
    })
    .map((one, at) => ({ ...one, at, worth: 4 / (1 + at * 0.3) + one.merit }))
    .filter(({ worth }) => worth >= least)
    .sort((left, right) => right.worth - left.worth);
}

function candidatesOf(statements: readonly Statement[]): Candidate[] {
  return statements
    .map((statement, at, { length }) => ({
      ...statement,
      isHead: at === 0 && (statement.kind === "heading" || length === 1),
    }))
    .filter(
      ({ text, state, section, lead }) =>
        state === undefined &&
        !isFiller(text) &&
        !isQuestion(text) &&
        ![section, lead, text].some(isNextHeading) &&
        !isNextLine(text),
    )
    .map(({ text, kind, code, isHead }) => {
      const title = titleIn(kind === "heading" ? headingOf(`# ${text}`) : text, code);
      const isSentence = kind === "lead" && title.split(" ").length >= sentenceWords;
      const below = statements.find(
        (one) =>
          kind === "lead" && one.kind === "item" && one.lead === text && !isQuestion(one.text),
      );
      return {
        text,
        title: kind === "lead" ? withoutLast(title) : title,
        kind: isSentence ? "sentence" : kind,
        ...{ code, isHead, at: 0 },
        whole: below ? `${text}: ${below.text}` : text,
      };
    });
}

/** A lead without the words that only lead on: "it works since:". */
function withoutLast(title: string): string {
  const words = title.split(" ");
  const last = words.findLastIndex((word) => !connecting.test(word));
  return words.slice(0, last + 1).join(" ");
}

/** What a line is worth wherever it stands; undefined where it says nothing of the work. */
function meritOf(one: Candidate, measure: Measure): number | undefined {
  const { text, title, kind, code, isHead } = one;
  if ([text, ...text.split(/\s[-–—]\s/).slice(1)].some(isAnnouncement)) return undefined;
  const words = [...meaningOf(title)];
  const plain = words.filter((word) => !/[\d./_]/.test(word) && codeNames(word).length === 0);
  const hasCode = codeNames(title).length > 0 || code.some((span) => title.includes(span));
  if (kind === "heading" && !isHead && plain.length < leastWords - 1) return undefined;
  const naming = hasCode && kind === "sentence";
  const count = title.split(" ").length;
  if (count < leastWords - (naming ? 2 : 1) && !isDense(title)) return undefined;
  if (plain.length < leastPlain && !naming) return undefined;
  const isRun = (word: string) => checkWords.has(word) || stopWords.has(word);
  if (plain.every(isRun) && (!hasCode || plain.length > 0)) return undefined;
  const shared = words.filter((word) => measure.asked.some((one) => isAlike(one, word))).length;
  const lower = text.toLowerCase();
  const isNamed = measure.names.some((name) => name.length > 3 && lower.includes(name));
  const backing =
    Math.min(shared, 3) * 0.5 +
    (isNamed ? 1 : 0) +
    (hasCode ? 0.5 : 0) +
    (/\d/.test(title) ? 0.5 : 0);
  const introduces = kind === "lead" || kind === "heading";
  const isBacked = introduces && !(measure.worked && hasCode) ? backing >= 1 : backing > 0;
  const isLoose = !isBacked && !isHead;
  if (isLoose && (words.length < leastWords || introduces)) return undefined;
  const isCheck = code.some((span) => measure.ran.some((line) => line.startsWith(span)));
  const goesOn = connecting.test(title) || startsDangling(title);
  return (
    (isHead ? 1 : worthOfKind[kind]) +
    (kind === "item" && !measure.worked ? entryOfAnswer : 0) +
    (isLoose ? -1.5 : Math.min(backing, mostBacking)) -
    (isCheck ? 2.5 : 0) -
    (goesOn ? 1.5 : 0)
  );
}

/** Inflections of one word: what the longer one adds is short. */
function isAlike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const stem = short.length > 4 ? short.slice(0, -1) : short;
  return short.length > 2 && long.startsWith(stem) && long.length - short.length < 4;
}

/** `name.ts (symbol): what was asked` of the file that changed with the most symbols. */
function changedText({ files, pieces }: NewTurn): string {
  const [file] = files
    .filter(({ changed }) => changed)
    .sort((left, right) => (right.symbols?.length ?? 0) - (left.symbols?.length ?? 0));
  if (!file) return "";
  const [first, ...more] = file.symbols ?? [];
  const name = `${baseName(file.path)}${first === undefined ? "" : ` (${first}${more.length > 0 ? ", …" : ""})`}`;
  const asked = requestOf(textOf(pieces, "prompt"));
  return asked === "" ? name : `${name}: ${asked}`;
}

function textOf(pieces: readonly Evidence[], kind: Evidence["kind"]): string {
  return pieces.find((piece) => piece.kind === kind)?.text ?? "";
}

// A sentence as a title: 3 to 12 words on one line, cut at a clause, never inside a span of code. Pure.

const most = { words: 12, characters: 90, denseCharacters: 44 };
/** A clause of fewer words is no title. */
export const leastWords = 4;

/** A path of a file three folders deep says enough by its name. */
const deepPath = /(?<![\w:/.~-])[~./]*(?:[\w.-]+\/){3,}[\w-]+\.\w+(?::[\d-]+)?/g;

/** A file at the front says where; what was done comes first: `src/a.ts - Two tests added` is `Two tests added (a.ts)`. */
const fileFirst = /^(\S+\.[a-z]\w{0,4}(?::[\d-]+)?)\s+[-–—]\s+(\p{L}\S*(?:\s+\S+){2,})$/u;
/** `Good news: …`: words before a colon that only announce; one word alone ("Fixed: …") may be the news itself. */
const labelled = /^\p{L}+(?: \p{L}+){1,4}: (?=\S+(?: \S+){3})/u;

/** The text in a title's length: to the end of a clause, or with "…" behind its last whole word. */
export function titleIn(text: string, code: readonly string[] = []): string {
  const plain = plainLine(text);
  const bare = /^\p{L}/u.test(plain) ? withoutGreeting(plain) : plain;
  const [first = ""] = bare.split(" ", 1);
  const whole = (bare === plain || code.includes(first) ? bare : capitalize(bare))
    .replace(/^#?\d{1,3}[.):]\s+/, "")
    .replace(deepPath, (path) => baseName(path))
    .replace(labelled, (label) => (codeNames(label).length > 0 ? label : ""))
    .replace(/[\s:：,;。.…]+$/u, "")
    .replace(fileFirst, (_, path: string, rest: string) => `${rest} (${baseName(path)})`);
  // What stands in parentheses can be left out.
  const line = fits(whole) ? whole : whole.replace(/ \([^()]*\)(?=\s|$)/g, "");
  if (fits(line)) return line;
  const spans = code
    .map((one) => one.replace(deepPath, (path) => baseName(path)))
    .map((span) => [line.indexOf(span), span.length] as const);
  const isWhole = (end: number) => !spans.some(([from, size]) => from < end && end < from + size);
  const before = clauseOf(whole, /\s\(/g, isWhole);
  const cuts = [
    before !== undefined && before.split(" ").length > leastWords ? before : undefined,
    clauseOf(line, /[;；：]\s?|[:]\s|\s[-–—]\s|。/gu, isWhole),
    clauseOf(line, /[,،]\s|[，、]/gu, isWhole),
    beginningOf(line, isWhole),
  ].filter((cut) => cut !== undefined);
  const isLong = (cut: string) => cut.split(/\s+/).length * 2 > most.words || isDense(cut);
  const names = (cut: string) =>
    codeNames(cut).length > 0 || code.some((span) => cut.includes(span));
  return cuts.find((cut) => isLong(cut) || names(cut)) ?? cuts[0] ?? line;
}

/** The longest beginning that ends before such a mark and has a title's length. */
function clauseOf(
  line: string,
  mark: RegExp,
  isWhole: (end: number) => boolean,
): string | undefined {
  return [...line.matchAll(mark)]
    .filter(({ index }) => isWhole(index))
    .map(({ index }) => line.slice(0, index))
    .findLast((clause) => {
      const words = clause.split(/\s+/).length;
      const isOpen = clause.lastIndexOf("(") > clause.lastIndexOf(")");
      return fits(clause) && !isOpen && (words >= leastWords || isDense(clause));
    });
}

/** As many words as a title holds, none of which only leads on to the next. */
function beginningOf(line: string, isWhole: (end: number) => boolean): string {
  const ends = [...line.matchAll(/(?<=\S)(?=\s|$)/g)].map(({ index }) => index);
  const end = ends.findLast((at) => {
    const word = /\S+$/.exec(line.slice(0, at))?.[0].toLowerCase() ?? "";
    return isWhole(at) && !stopWords.has(word) && fits(`${line.slice(0, at)}…`);
  });
  const kept = line.slice(0, end ?? most.denseCharacters - 1);
  return `${kept.replace(/[\s,;:([{–—-]+$/u, "")}…`;
}

function fits(text: string): boolean {
  const words = text.split(/\s+/).length;
  return (
    words <= most.words && text.length <= (isDense(text) ? most.denseCharacters : most.characters)
  );
}

/** Written without blanks between words. */
export function isDense(text: string): boolean {
  return hasUnspaced(text) && text.length > text.split(/\s+/).length * 8;
}
