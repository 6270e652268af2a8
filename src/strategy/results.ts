// The statements of a closing that may be the result of a turn, each as a title, the most telling first. Pure.
import type { NewTurn } from "../sdk/turn.ts";
import { denied, isNextHeading, isNextLine } from "../text/prose/phrases.ts";
import {
  allWordsOf,
  codeNames,
  headingOf,
  isFiller,
  meaningOf,
  stopWords,
  withoutGreeting,
} from "../text/prose/plain.ts";
import {
  beginsPlainly,
  connecting,
  fits,
  introducesWork,
  isAnnouncement,
  isDoing,
  isQuestion,
  label,
  leastWords,
  longClause,
  outlineOf,
  presented,
  type Statement,
  saysDoing,
  titleIn,
  turning,
} from "../text/prose/telling.ts";
import { capitalize } from "../text/text.ts";
import {
  afterCut,
  type Candidate,
  isCheck,
  isNews,
  isReserve,
  isTurn,
  type Measure,
  meritOf,
  namesOf,
  placed,
  textOf,
} from "./merit.ts";
import { nextStep } from "./open-ends.ts";

/** A sentence must be worth so much to be the result. */
const least = 1.5;
const mostRead = 60;
/** Sentences behind a result among which one may take it back. */
const mostBehind = 2;
/** Characters of a list that is told whole. */
const mostListed = 240;
const mostNamed = 6;
/** The closing's statements that may be the result, the most telling first. */
export function resultsOf(
  turn: NewTurn,
  measure: Measure,
  inText: (text: string) => string,
): Candidate[] {
  const closing = inText(textOf(turn.pieces, "closing"));
  const left = inText(nextStep(turn));
  const found = candidatesOf(outlineOf(closing, mostRead))
    .filter(({ text }) => !left.includes(text))
    .flatMap((one) => {
      const isCause = measure.worked && one.isCause && !namesOf(measure, one.text);
      const merit = meritOf({ ...one, isCause }, measure);
      return merit === undefined ? [] : { ...one, isCause, merit };
    });
  const places = [...new Set(found.map(({ at }) => at))];
  const ranked = found
    .map((one) => ({ ...one, worth: 4 / (1 + places.indexOf(one.at) * 0.3) + one.merit }))
    .sort((left, right) => right.worth - left.worth);
  const isEnough = ranked.filter(({ worth }) => worth >= least);
  // "4" asks for nothing that could be shown instead.
  return isEnough.length > 0 || measure.asked.length > 0 ? isEnough : ranked.slice(0, 1);
}

function candidatesOf(statements: readonly Statement[]): Candidate[] {
  return statements.flatMap((statement, at): Candidate[] => {
    const { text, kind } = statement;
    // A heading says what a section is about; only a document's own says what the document is.
    if (
      statement.isQuoted ||
      saysNothing(statement) ||
      (kind === "heading" && at > 0 && !isNews(text))
    )
      return [];
    const below = kind === "lead" ? belowOf(statements, at) : statements.slice(at + 1, at + 2);
    const isLed =
      isEntry(statement) && introducesWork(statement.lead, titleIn(text, statement.code));
    const whole =
      kind === "lead" ? wholeOf(text, below) : isLed ? `${statement.lead}: ${text}` : text;
    const led = `${statement.lead}: ${titleIn(text, statement.code)}`;
    const title = isLed && fits(led) ? led : titleFrom(statement, below);
    if (title === "") return [];
    const isCause = isFirstLabelled(statements, at) || isOfWrong(statements, at);
    const isConceded = statements
      .slice(at + 1)
      .some((one) => one.section === statement.section && isTurn(one));
    const next = reserveOf(statements, at);
    const isFormer = isOver(statements, at);
    const to = Math.max(
      at,
      statements.findLastIndex(({ under }) => under?.includes(text)),
    );
    return [
      {
        ...statement,
        title,
        at,
        to,
        whole,
        isCause,
        isFormer,
        isConceded,
        reserve: next?.text ?? "",
        isTopic: kind === "heading" && !statements.slice(0, at).some((one) => one.kind === kind),
        isAlone: statements.length === 1,
      },
    ];
  });
}

/** The sentence behind a statement or its list that takes it back, or one of its paragraph's next. */
function reserveOf(statements: readonly Statement[], at: number): Statement | undefined {
  const rest = statements.slice(at + 1);
  const from = Math.max(
    0,
    rest.findIndex((one) => !isEntry(one)),
  );
  const end = rest.findIndex(
    (one, of) =>
      of > from &&
      (isEntry(one) || one.section !== statements[at]?.section || of > from + mostBehind),
  );
  return rest
    .slice(from, end < 0 ? rest.length : end)
    .find((one) => one.section === statements[at]?.section && isReserve(one));
}

/** True between the first two labels of a section: what was wrong stands before what was done about it. */
function isFirstLabelled(statements: readonly Statement[], at: number): boolean {
  const own = statements[at];
  const isSaid = ({ kind }: Statement) => kind === "sentence" || kind === "lead";
  if (!own || !isSaid(own) || (label.test(own.text) && own.text.split(" ").length <= longClause))
    return false;
  const [first = statements.length, second = -1] = statements.flatMap((one, of) => {
    const isLabelled = isSaid(one) && label.test(one.kind === "lead" ? `${one.text}: …` : one.text);
    return isLabelled && one.section === own.section ? [of] : [];
  });
  return first <= at && at < second;
}

const wrong = new Set(allWordsOf("wrong"));
const mended = new Set(allWordsOf("mended"));
/** Words of a heading of which one says what its section is: "The Root Cause". */
const mostOfHeading = 3;

/** True in a section about what was wrong, where a later one says what was done about it. */
function isOfWrong(statements: readonly Statement[], at: number): boolean {
  const isOf = (words: ReadonlySet<string>) => (one: Statement) =>
    (one.section.toLowerCase().match(/\p{L}+/gu) ?? [])
      .slice(0, mostOfHeading)
      .some((word) => words.has(word));
  const own = statements[at];
  const isWrong = own !== undefined && isOf(wrong)(own) && !isOf(mended)(own);
  return isWrong && statements.slice(at + 1).some(isOf(mended));
}

/** A line that introduces a list with its entries, as many as there is room for; where not all find room, with their names. */
function wholeOf(lead: string, below: readonly Statement[]): string {
  const [first] = below;
  if (!first || first.kind === "sentence") return lead;
  const entries = below.filter(({ isMore }) => !isMore);
  const names = entries.map(nameOf);
  const all = entries.map(({ text }) => text.replace(/(?<!\.)[.;]$/, ""));
  const isWhole =
    all.join("; ").length <= mostListed && entries.every(({ kind }) => kind !== "lead");
  const isNamed = entries.length > 1 && names.every((name) => name !== "");
  const begun = entries.length > 1 ? `${all[0]}, …` : first.text;
  const listed = isWhole ? all.join("; ") : isNamed ? listOf(names, mostNamed) : begun;
  return `${lead}: ${listed}`;
}

/** An entry of a list or table. */
export function isEntry({ kind }: Pick<Statement, "kind">): boolean {
  return kind === "item" || kind === "row";
}

/** True for a text with a numbered entry; it does not cross lines, so each is read once. */
export function isNumbered(text: string): boolean {
  return /^[ \t]*\*{0,2}\d{1,2}[.)]\s/m.test(text);
}

const former = new Set(allWordsOf("former"));
const latter = new Set(allWordsOf("latter"));
/** The words that a statement, its heading or the line above it begins with, where they name it: "Before: …", "## After the change". */
function sidesOf({ text, kind, section, lead }: Statement): string[] {
  const own = kind === "heading" || kind === "lead" || label.test(text) ? text : "";
  return [own, lead, section].flatMap(
    (one) => /^\p{L}+(?=$|[\s:：(])/u.exec(one)?.[0].toLowerCase() ?? [],
  );
}

/** True on the side of a comparison that no longer holds, where the other follows. */
function isOver(statements: readonly Statement[], at: number): boolean {
  const own = statements[at];
  return (
    own !== undefined &&
    sidesOf(own).some((one) => former.has(one)) &&
    statements.slice(at + 1).some((later) => sidesOf(later).some((one) => latter.has(one)))
  );
}

/** What is open or failed, asks, or is left to do. */
function saysNothing({ text, state, section, lead, isOption = false }: Statement): boolean {
  const isLeft = [section, lead, text].some(isNextHeading) || isNextLine(text);
  return isOption || state !== undefined || isFiller(text) || isQuestion(text) || isLeft;
}

/** The entries that a line leads to, without those that they lead to themselves. */
function belowOf(statements: readonly Statement[], at: number): Statement[] {
  const lead = statements[at]?.text ?? "";
  const leads = new Set([lead]);
  const rest = statements.slice(at + 1);
  const end = rest.findIndex((one) => {
    if (one.kind === "lead" && one.lead === lead) leads.add(one.text);
    return !leads.has(one.lead);
  });
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .filter((one) => one.lead === lead && !saysNothing(one));
}

/** `Line 988: `, `a.ts:12: `: a place, which says nothing of what stands there. */
const place = /^(?:\p{L}+ \d{2,}(?:-\d+)?(?::| [-–—])|\S+:\d[\d-]*:) (?=\S)/u;
/** A single word in front of a whole sentence, which only greets it. */
const opener = /^\p{Lu}\p{Ll}+ [-–—] (?=\p{L}\S*(?: \S+){3})/u;

/** "Looking at `a.ts`, …", "Based on my analysis, …": what the sentence rests on, before it begins. */
const ground = /^(?:\p{L}+ing|Based)\b[^,:]{3,90}, (?=\p{L}\S*(?: \S+){3})/u;

/** "So, to answer you directly: …": it goes on, up to a colon. */
const leading = /^[^:：]{3,60}[:：] (?=\p{L}\S*(?: \S+){4})/u;

/** A statement without its place, what it greets with or rests on, or the word with which it takes back. */
function withoutFront(statement: Statement): string {
  const { text, kind, code } = statement;
  const opens =
    (kind === "sentence" || kind === "lead") && withoutGreeting(text) === text && !isDoing(text);
  const fronts = [
    place,
    ...(opens ? [opener, ground] : []),
    ...(isTurn(statement) ? [turning] : []),
    ...(connecting.test(text) && beginsPlainly(text.replace(leading, "")) ? [leading] : []),
  ];
  const bare = fronts.reduce((left, front) => left.replace(front, ""), text).replace(/^,?\s+/, "");
  return bare === text || code.some((span) => bare.startsWith(span)) ? bare : capitalize(bare);
}

/** Fewer words of meaning, "touched it", name nothing that was done. */
const leastConcluded = 3;

/** ", so I added a directive to both", and not ", but I have not changed them". */
function isConclusion(clause: string): boolean {
  return connecting.test(clause) && !denied(clause) && meaningOf(clause).size >= leastConcluded;
}

/** A statement as a title: whole or its first clause, with what it leads to, or what explains it. */
function titleFrom(statement: Statement, below: readonly Statement[]): string {
  const { kind, code } = statement;
  if (kind === "heading") {
    const bare = headingOf(`# ${statement.text}`);
    const news = bare.replace(/^\p{L}+: /u, "");
    return titleIn(isDoing(news) ? news : bare, code);
  }
  // `a.ts: Added a mark`: an entry's file goes to the end.
  const text = withoutFront(statement).replace(/^(\S+\.[a-z]\w{0,4}): (?=\p{L})/u, "$1 - ");
  const title = withAnswer(titleIn(presented(text), code), statement.text);
  // "The change is small - added a mark, and split the loop"
  const [before = "", later = ""] = kind === "sentence" ? text.split(/ [-–—] (.*)/u, 2) : [];
  const isSaid = before.split(" ").length >= leastWords && codeNames(before).length === 0;
  // "They were interfaces by design, so I added a directive"
  const last = title.split(", ").slice(1).at(-1) ?? "";
  const concludes = kind === "sentence" && !saysDoing(title) && isConclusion(last);
  const then = [isSaid ? later : "", concludes ? last : "", afterCut(text, title)].map((one) =>
    one.replace(connecting, "").trimStart(),
  );
  const doing = isDoing(title) ? undefined : then.find(isDoing);
  if (doing !== undefined) return titleIn(capitalize(doing), code);
  if (kind === "lead")
    return ledBy(
      title,
      below.filter(({ isMore }) => !isMore),
      presented(text) !== text,
    );
  const isShort =
    kind === "sentence" && /^[^\s:]+(?: [^\s:]+){1,2}\.$/.test(text) && !isCheck(text);
  const [next] = below.filter((one) => isShort && one.kind === kind && !saysNothing(one));
  const both = `${title}. ${titleIn(next?.text ?? "")}`;
  if (
    next &&
    !isAnnouncement(next.text) &&
    codeNames(next.text).length + next.code.length === 0 &&
    fits(both)
  )
    return both;
  return title;
}

/** "Yes, it works": a title of few words with the word that answers before it. */
function withAnswer(title: string, text: string): string {
  const rest = withoutGreeting(text);
  const front = text.slice(0, text.length - rest.length);
  const words = title.split(" ").length;
  const isShort = /^\p{L}+, $/u.test(front) && words >= leastWords && words < longClause;
  return isShort && title.slice(1) === rest.slice(1, title.length)
    ? `${front}${rest.charAt(0)}${title.slice(1)}`
    : title;
}

/** A line that introduces a list with the names of its entries, or with the one that it begins with. */
function ledBy(title: string, entries: readonly Statement[], presents: boolean): string {
  const lead = withoutLast(title);
  const words = lead.split(" ").length;
  if (words < leastWords - Number(presents)) return "";
  const [first] = entries;
  // "I added the following tests" says nothing that its entries do not.
  const says = codeNames(lead).length > 0 || /\d/.test(lead) || words >= longClause;
  const names = entries.map(nameOf);
  const unnamed = names.indexOf("");
  const named = entries.slice(0, unnamed < 0 ? entries.length : unnamed);
  const lists = named.map((_, at) => `${lead}: ${listOf(names, at + 1)}`);
  const listed = lists.slice(1).findLast(fits);
  const isListed = listed && (says || named.some(({ code }) => code.length > 0));
  // A line of a file says nothing of what stands there.
  if (isListed && !names.some((name) => /\S:\d/.test(name))) return listed;
  const gists = gistsOf(entries);
  const told = gists.map((_, at) => `${title}: ${gists.slice(0, at + 1).join("; ")}`);
  const most = told.findLastIndex(fits);
  const isEnough = entries.length === 1 || (gists[most] ?? "").split(" ").length >= leastWords;
  if (most > 0 || (most === 0 && !isListed && isEnough)) return told[most] ?? title;
  if (isListed) return listed;
  // "It looks like this:" is a fragment without what it shows.
  const left = title.slice(lead.length).trim();
  const isEnded = (presents && words >= longClause) || left === "" || connecting.test(left);
  if (saysDoing(lead) || (isEnded && (!first || says))) return lead;
  return !first && words >= longLead ? title : "";
}

/** A line of so many words says it without what it leads to, whatever word it ends with. */
export const longLead = 10;

/** What the entries of a list say, up to one that only leads on or is too long for a title; of a place what is said of it. */
function gistsOf(entries: readonly Statement[]): string[] {
  const ends = entries.findIndex(({ kind }) => kind === "lead");
  const said = entries
    .slice(0, ends < 0 ? entries.length : ends)
    .filter(
      ({ kind, text, isQuoted }, at) =>
        kind !== "sentence" || (isQuoted && at === 0) || placed.test(text),
    )
    .map(({ text, code }) =>
      titleIn(text.replace(place, ""), code)
        .replace(/ \([^()]*\)$/, "")
        .replace(/,\s+(\S+)$/, (end, word: string) =>
          stopWords.has(word.toLowerCase()) ? "" : end,
        ),
    );
  const end = said.findIndex((text) => /…$|:(?:\s|$)|^[^\p{L}\p{N}]/u.test(text));
  return said.slice(0, end < 0 ? said.length : end);
}

/** What an entry of a list is about, where it begins with that or says no more: `totalOf()` of "`totalOf()` - counts once". */
function nameOf({ text, code: [span = ""] }: Statement): string {
  const label = /^(.{2,40}?)(?: \([^()]*\))?(?:\s[-–—]\s|:\s)/u.exec(text)?.[1];
  const name = label ?? (span !== "" && text.startsWith(span) ? span : text);
  return name.split(" ").length < leastWords ? name : "";
}

/** A lead without the words that only lead on: "it works since:". */
function withoutLast(title: string): string {
  const words = title.split(" ");
  const last = words.findLastIndex(
    (word) => !connecting.test(word) && !stopWords.has(word.toLowerCase()),
  );
  return words.slice(0, last + 1).join(" ");
}

export function listOf(names: readonly string[], most: number): string {
  return [...names.slice(0, most), ...(names.length > most ? ["…"] : [])].join(", ");
}
