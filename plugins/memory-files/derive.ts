// What a project's finished sessions come to: statements, choices, commands, habits and gotchas, and which of them stand. A pure function
// of their turns and of what people stored by their own word: whatever order sessions arrive in, the items are the same.
//
// What a person laid down stands at once (cues.ts says how that is known); what only may be meant so waits as a suggestion until it is
// said again in another session, or confirmed. What is done again and again is a habit (practice.ts), and judged by nobody.
import type { MemoryItem, NewMemoryItem, NewTurn, Session, Turn } from "../../src/sdk/index.ts";
import {
  cut,
  dropOldest,
  handedPlan,
  headingOf,
  isCited,
  isReversed,
  meaningOf,
  ownSentences,
  plainLine,
  saysOtherwise,
  undoes,
} from "../../src/text/index.ts";
import { withoutCues } from "./cues.ts";
import {
  type Asked,
  askedIn,
  dayOf,
  gotchasIn,
  habitsOf,
  runsOf,
  workflowsOf,
} from "./practice.ts";
import { type Found, isQuestion, saidIn } from "./said.ts";

/** What one session says by itself. */
export interface Reading {
  session: string;
  project: string;
  /** Epoch ms of its first turn. */
  startedAt: number;
  /** What may be an item, by the piece that says it. */
  found: ReadonlyArray<readonly Found[]>;
  /** What was run, turn by turn. */
  runs: readonly NewTurn[];
  asked: readonly Asked[];
  gotchas: readonly NewMemoryItem[];
  /** What may take back what stood until then. */
  withdrawn: readonly Withdrawal[];
  /** How its conversation began: a session that goes on from it repeats its words, and nobody says them twice. */
  opening: string;
}

interface Withdrawal {
  text: string;
  turn: number;
  date: string;
}

const mostOfPiece = 4;
const mostOfSession = 24;

/** Reads a session; its turns oldest first. */
export function readSession(
  session: Pick<Session, "id" | "project" | "title" | "startedAt">,
  turns: readonly Turn[],
): Reading {
  const { id, project, title, startedAt } = session;
  const common = { session: id, project: project.id };
  const prompts = turns.flatMap(({ pieces }) => pieces.filter(({ kind }) => kind === "prompt"));
  const isOwn = !prompts.some(({ text }) => isCited(title.replace(/…$/, ""), text));
  return {
    ...common,
    startedAt: turns[0]?.startedAt ?? startedAt,
    found: saidIn(turns, common, title !== "" && isOwn ? `Session: ${title}` : ""),
    runs: turns.map(runsOf),
    asked: turns.flatMap(askedIn),
    gotchas: turns.flatMap((turn) => gotchasIn(turn, common)),
    withdrawn: turns.flatMap((turn) =>
      withdrawalsIn(turn).map((text) => ({
        ...{ text, turn: turn.promptNumber, date: dayOf(turn.startedAt) },
      })),
    ),
    opening: openingOf(prompts.map(({ text }) => text)) ?? id,
  };
}

/** What of a turn may take something back: its user's own sentences, the title of its plan, what it committed. */
function withdrawalsIn({ pieces, files }: Turn): string[] {
  const isDone = files.some(({ changed }) => changed);
  return pieces.flatMap(({ kind, text }) => {
    const plan = kind === "prompt" ? handedPlan(text)?.plan : kind === "plan" ? text : undefined;
    if (plan !== undefined || kind === "commit" || kind === "published")
      return [headingOf(plan ?? text)];
    if (kind !== "prompt" && kind !== "typed") return [];
    return ownSentences(text).flatMap(({ text, isSure }) =>
      // Whether to remove something was only asked, where nothing was changed.
      isSure && (isDone || !isQuestion(text)) ? text : [],
    );
  });
}

/** Fewer characters may begin any conversation. */
const leastOpening = 80;

/** The first prompt, with more of them where it is short; undefined where many may begin so. */
function openingOf(prompts: readonly string[]): string | undefined {
  let opening = "";
  for (const text of prompts) {
    opening += `${text}\n`;
    if (opening.length >= leastOpening) return opening;
  }
  return undefined;
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
  const seen = [...workflowsOf(ordered.flatMap(({ runs }) => runs)), ...habitsOf(ordered)];
  const openings = new Map(ordered.map(({ session, opening }) => [session, opening]));
  const items: Found[] = [];
  for (const { session, found, gotchas, withdrawn } of ordered) {
    const said = found.flatMap((piece) => best(piece, mostOfPiece));
    const observed = [...seen.filter((one) => one.session === session), ...gotchas];
    const all = [...said, ...observed.map((item) => ({ item, isUnsure: false, sent: "" }))];
    for (const one of best(all, mostOfSession))
      if (!given.some((other) => isSameItem(other, one.item))) addTo(items, one, openings);
    for (const one of withdrawn) withdraw(items, session, one);
  }
  return items.flatMap((one) => (one.isQuiet && !isStanding(one) ? [] : one.item));
}

/** In their order; what stands before what waits. */
function best(found: readonly Found[], most: number): readonly Found[] {
  if (found.length <= most) return found;
  const [waiting = [], standing = []] = [false, true].map((stands) =>
    found.filter((one) => isStanding(one) === stands),
  );
  const chosen = new Set([...standing, ...waiting].slice(0, most));
  return found.filter((one) => chosen.has(one));
}

function addTo(items: Found[], found: Found, openings: ReadonlyMap<string, string>): void {
  const { item, isUnsure, sent } = found;
  const at = items.findIndex((other) => isSameItem(other.item, item));
  const before = items[at];
  const isAgain =
    openings.get(before?.item.session ?? "") === openings.get(item.session) ||
    (sent !== "" && before?.sent === sent);
  if (before && (isUnsure || (isAgain && !isStanding(found)))) return;
  if (!isUnsure) takeBack(items, item);
  if (!before) items.push(found);
  // Over what nobody is sure of, and what was only observed, goes what was said.
  else if (before.isUnsure || before.item.state === undefined) items[at] = found;
  else if (!isStanding(before) && item.state !== undefined) {
    const own = before.item;
    const places = (own.evidence ?? []).map((place) => ({ session: own.session, ...place }));
    const { session, date, context } = item;
    const evidence = [...places, ...(item.evidence ?? [])];
    items[at] = { ...found, item: { ...own, session, date, context, evidence, state: "standing" } };
  }
}

function isStanding({ item }: Found): boolean {
  return item.state === "standing";
}

/** What stood until this said the opposite waits again, with what came after it. */
function takeBack(items: Found[], newer: NewMemoryItem): void {
  const isBack = (item: NewMemoryItem) => item.date <= newer.date && takesBack(newer, item);
  waitAgain(items, newer.date, newer.content, isBack);
}

/** So does what was removed since, in a later turn or session. */
function withdraw(items: Found[], session: string, { text, turn, date }: Withdrawal): void {
  const isLater = ({ session: of, evidence = [] }: NewMemoryItem) =>
    of !== session || (evidence.at(-1)?.turn ?? 0) < turn;
  waitAgain(
    items,
    date,
    text,
    (item) => item.kind !== "workflows" && isLater(item) && undoes(text, item.content),
  );
}

function waitAgain(
  items: Found[],
  date: string,
  by: string,
  isBack: (item: NewMemoryItem) => boolean,
): void {
  for (const [at, found] of items.entries()) {
    const { item } = found;
    if (!isStanding(found) || !isBack(item)) continue;
    const context = cut(`Taken back ${date}: “${by}”`, 240);
    items[at] = { ...found, item: { ...item, context, state: "candidate" } };
  }
}

// Whether two statements say the same, or the opposite. Agreement is in what they are about: a cue that both have is none. Pure.

/** What is compared of an item. */
type Stated = Pick<MemoryItem, "kind" | "content" | "quote">;

/** So much of the shorter statement's words in the longer one, and so much of the longer one's in the shorter. */
const share = { shorter: 0.6, longer: 0.4 };
/** What the user settles may be worded as either. */
const settled: ReadonlySet<MemoryItem["kind"]> = new Set(["decisions", "preferences"]);

/** True when both say the same; a change of mind does not. */
export function isSameItem(one: Stated, other: Stated): boolean {
  const isAsLong = one.content.length === other.content.length;
  if (isAsLong && one.content.toLowerCase() === other.content.toLowerCase()) return true;
  if (one.kind === "workflows" || one.kind === "projects") return false;
  const alike = one.kind === other.kind || (settled.has(one.kind) && settled.has(other.kind));
  if (!alike || !agrees(one.content, other.content)) return false;
  const [chosen, before] = [choiceOf(one), choiceOf(other)];
  return !chosen || !before || agrees(chosen.answer, before.answer);
}

/** True when a newer item turns an older one round: what was to be is not, or what was put behind is put first. */
function takesBack(newer: Stated, older: Stated): boolean {
  if (!settled.has(newer.kind) || !settled.has(older.kind)) return false;
  const [now, then] = [preferred(newer.content), preferred(older.content)];
  const isSwapped = now && then && now.first === then.second && now.second === then.first;
  return isSwapped || isReversed(newer.content, older.content);
}

function agrees(one: string, other: string): boolean {
  const [a, b] = [subjectOf(one), subjectOf(other)];
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  // Every item is compared with every other: most are told apart by their lengths.
  if (small.size < large.size * share.longer) return false;
  const shared = small.intersection(large).size;
  const isAlike =
    shared > 1 && shared > small.size * share.shorter && shared >= large.size * share.longer;
  if (!isAlike && (shared === 0 || shared < large.size)) return false;
  const [now, then] = [preferred(one), preferred(other)];
  const isOpposite = now && then && (now.first === then.second || now.second === then.first);
  return !isOpposite && !saysOtherwise(one, other);
}

const mostSubjects = 5_000;
const subjects = new Map<string, ReadonlySet<string>>();

/** What a statement is about; each is looked at once, and compared with all others. */
function subjectOf(text: string): ReadonlySet<string> {
  const known = subjects.get(text) ?? meaningOf(withoutCues(text));
  subjects.set(text, known);
  dropOldest(subjects, mostSubjects);
  return known;
}

/** Between what is wanted and what is not; by language, for each an example is in the tests. */
const over =
  /([\p{L}\p{N}_.-]+),? (?:over|instead of|rather than|not|statt|plutôt que|au lieu de|en lugar de|en vez de) ([\p{L}\p{N}_.-]+)/iu;

/** `tabs over spaces`. */
function preferred(text: string): { first: string; second: string } | undefined {
  const [, first, second] = over.exec(text.toLowerCase()) ?? [];
  return first && second ? { first, second } : undefined;
}

/** The choice that an item holds: an answer, and what was asked; undefined where it holds a statement. */
function choiceOf({ content, quote = "" }: Stated): { answer: string } | undefined {
  const answer = plainLine(quote.split("\n")[0] ?? "");
  return answer === "" || content === answer || !content.endsWith(answer) ? undefined : { answer };
}
