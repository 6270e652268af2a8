// What a project's finished sessions come to: statements, choices, commands, habits and gotchas, and which of them stand. A pure function
// of their turns and of what people stored by their own word: whatever order sessions arrive in, the items are the same.
//
// What a person laid down stands at once (cues.ts says how that is known); what only may be meant so waits as a suggestion until it is
// said again in another session, or confirmed. What is done again and again is a habit, and judged by nobody.
import type {
  Evidence,
  MemoryItem,
  NewMemoryItem,
  NewTurn,
  Place,
  Session,
  Turn,
} from "../../src/sdk/index.ts";
import { projectCommands, ranIn } from "../../src/strategy/index.ts";
import {
  codeNames,
  cut,
  denied,
  dropOldest,
  handedPlan,
  headingOf,
  isCited,
  isReversed,
  meaningOf,
  oneLine,
  ownSentences,
  plainLine,
  saysOtherwise,
  sentencesOf,
  stopWords,
  takenOut,
  tellings,
  tellingWords,
  undoes,
} from "../../src/text/index.ts";
import { isHedged, isReport, withoutCues } from "./cues.ts";
import { dayOf, type Found, isQuestion, saidIn } from "./said.ts";

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
  /** Where the user spoke last before it. */
  place: Place;
  date: string;
  /** What something else is done instead of; absent where the text says what is taken out. */
  passedOver?: string;
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
  const found = saidIn(turns, common, title !== "" && isOwn ? `Session: ${title}` : "");
  // Agents say much that is done instead of something; few of it is what was decided.
  const counts = (one: Withdrawal) =>
    one.passedOver === undefined || found.flat().some(({ item }) => isReplaced(item, one));
  return {
    ...common,
    startedAt: turns[0]?.startedAt ?? startedAt,
    found,
    runs: turns.map(runsOf),
    asked: turns.flatMap(askedIn),
    gotchas: turns.flatMap((turn) => gotchasIn(turn, common)),
    withdrawn: turns.flatMap(withdrawalsIn).filter(counts),
    opening: openingOf(prompts.map(({ text }) => text)) ?? id,
  };
}

/** What of a turn takes something back. */
function withdrawalsIn({ pieces, files, promptNumber, startedAt }: Turn): Withdrawal[] {
  const isDone = files.some(({ changed }) => changed);
  const isUsers = ({ kind }: Evidence) => kind === "prompt" || kind === "typed";
  return pieces.flatMap((piece, at) => {
    const spoken = pieces.slice(0, at + 1).findLastIndex(isUsers);
    const place = { turn: promptNumber, piece: spoken };
    const own = isUsers(piece) ? ownSentences(piece.text) : [];
    const sentences = own.flatMap(({ text, isSure }) =>
      // Whether to remove something was only asked, where nothing was changed.
      isSure && (isDone || !isQuestion(text)) ? text : [],
    );
    // Agents say much that is done instead of something: their first words in reply take up what the user said.
    const isReply = isSaid(piece) && !pieces.slice(spoken + 1, at).some(isSaid) && isDone;
    const replaced = (isReply ? sentencesOf(plainLine(piece.text)) : sentences).flatMap(replacedIn);
    const removed = [...titlesOf(piece), ...sentences]
      .filter((text) => takenOut(text).length > 0)
      .map((text) => ({ text }));
    return [...removed, ...replaced].map((one) => ({ ...one, place, date: dayOf(startedAt) }));
  });
}

function isSaid({ kind, agent }: Evidence): boolean {
  return agent === undefined && (kind === "said" || kind === "closing");
}

/** What a sentence says that something else is done instead of; what it asks, supposes, denies or keeps all the same is none. */
function replacedIn(text: string): Array<Required<Pick<Withdrawal, "text" | "passedOver">>> {
  if (isQuestion(text) || denied(text) || isHedged(text)) return [];
  return [...text.matchAll(insteadOf)].flatMap(([phrase, passedOver = ""]) =>
    holds(text.replace(phrase, " "), passedOver) ? [] : { text, passedOver },
  );
}

/** The title of a plan, of a commit, of what was published. */
function titlesOf({ kind, text }: Evidence): string[] {
  const plan = kind === "prompt" ? handedPlan(text)?.plan : kind === "plan" ? text : undefined;
  const isTitled = plan !== undefined || kind === "commit" || kind === "published";
  return isTitled ? [headingOf(plan ?? text)] : [];
}

/** "… instead of a git hook"; by language, for each an example is in the tests. */
const insteadOf =
  /(?<!\p{L})(?:instead of|rather than|statt|plutôt que|au lieu de|en lugar de|en vez de)((?: [\p{L}\p{N}_.`'-]+){1,6})/giu;
/** Such a share of what was passed over is in what is taken back by it. */
const ofPassedOver = 0.5;

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
    for (const one of withdrawn) withdraw(items, { session, said }, one);
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

/** So does what was removed since in any session, and a decision in its own, where something else is done instead. */
function withdraw(
  items: Found[],
  { session, said }: { session: string; said: readonly Found[] },
  by: Withdrawal,
): void {
  const after = said.filter(({ item, isUnsure }) => !isUnsure && isAfter(item, by));
  waitAgain(items, by.date, by.text, (item) => {
    // What is laid down again stands.
    if (after.some((again) => isSameItem(again.item, item))) return false;
    const isOther = item.session !== session;
    if (by.passedOver !== undefined) return !isOther && isReplaced(item, by);
    const isLater = item.kind !== "workflows" && (isOther || isBefore(item, by));
    return isLater && undoes(by.text, item.content);
  });
}

function isAfter({ evidence = [] }: NewMemoryItem, { place }: Withdrawal): boolean {
  const { turn, piece } = evidence.at(-1) ?? place;
  return turn > place.turn || (turn === place.turn && piece > place.piece);
}

function isBefore({ evidence = [] }: NewMemoryItem, { place }: Withdrawal): boolean {
  const { turn, piece } = evidence.at(-1) ?? { turn: 0, piece: 0 };
  return turn < place.turn || (turn === place.turn && piece < place.piece);
}

/** True for a decision that was made before the user spoke, and whose words something else is then done instead of. */
function isReplaced(item: NewMemoryItem, by: Withdrawal): boolean {
  // Of a choice what was chosen, and not what was asked.
  const chosen = item.content.split(" → ").at(-1) ?? "";
  return item.kind === "decisions" && isBefore(item, by) && holds(chosen, by.passedOver ?? "");
}

/** True where a statement speaks of what stands first in some words: "a git hook" of "a git hook that runs it". One common word names nothing. */
function holds(content: string, words: string): boolean {
  const meant = words.trim().split(" ").map(meaningOf);
  const from = meant.findIndex(({ size }) => size > 0);
  const to = meant.findIndex(({ size }, at) => at > from && size === 0);
  const own = meaningOf(content);
  const said = meant.slice(Math.max(0, from), to < 0 ? undefined : to);
  const shared = said.filter((word) => word.isSubsetOf(own)).length;
  if (said.length < 2 && codeNames(words).length === 0) return false;
  return said.at(-1)?.isSubsetOf(own) === true && shared >= said.length * ofPassedOver;
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
  const [now, then] = [stanceOf(newer.content), stanceOf(older.content)];
  const [is, was] = [now.preferred, then.preferred];
  const isSwapped = is && was && is.first === was.second && is.second === was.first;
  return isSwapped || (now.isDenied !== then.isDenied && isReversed(newer.content, older.content));
}

function agrees(one: string, other: string): boolean {
  const [a, b] = [stanceOf(one), stanceOf(other)];
  const [small, large] = a.about.size <= b.about.size ? [a.about, b.about] : [b.about, a.about];
  // Every item is compared with every other: most are told apart by their lengths.
  if (small.size < large.size * share.longer) return false;
  const shared = small.intersection(large).size;
  const isAlike =
    shared > 1 && shared > small.size * share.shorter && shared >= large.size * share.longer;
  if (!isAlike && (shared === 0 || shared < large.size)) return false;
  const [now, then] = [a.preferred, b.preferred];
  const isOpposite = now && then && (now.first === then.second || now.second === then.first);
  return !isOpposite && !saysOtherwise(one, other);
}

/** What is compared of a statement: what it is about, whether it denies that, and what it prefers to what. */
interface Stance {
  about: ReadonlySet<string>;
  isDenied: boolean;
  preferred: Preference | undefined;
}

const mostStances = 5_000;
const stances = new Map<string, Stance>();

/** Each statement is looked at once, and compared with all others. */
function stanceOf(text: string): Stance {
  const known = stances.get(text) ?? {
    about: meaningOf(withoutCues(text)),
    isDenied: denied(text),
    preferred: preferred(text),
  };
  stances.set(text, known);
  dropOldest(stances, mostStances);
  return known;
}

interface Preference {
  first: string;
  second: string;
}

/** Between what is wanted and what is not; by language, for each an example is in the tests. */
const over =
  /([\p{L}\p{N}_.-]+),? (?:over|instead of|rather than|not|statt|plutôt que|au lieu de|en lugar de|en vez de) ([\p{L}\p{N}_.-]+)/iu;

/** `tabs over spaces`. */
function preferred(text: string): Preference | undefined {
  const [, first, second] = over.exec(text.toLowerCase()) ?? [];
  return first && second ? { first, second } : undefined;
}

/** The choice that an item holds: an answer, and what was asked; undefined where it holds a statement. */
function choiceOf({ content, quote = "" }: Stated): { answer: string } | undefined {
  const answer = plainLine(quote.split("\n")[0] ?? "");
  return answer === "" || content === answer || !content.endsWith(answer) ? undefined : { answer };
}

// How a project is worked with: the commands that pass, failures with what they were due to, what is asked for again and again.

const mostCommands = 8;
/** A command that checks nothing is how work is done here when so many sessions ran it. */
const often = 3;
const running: ReadonlySet<Evidence["kind"]> = new Set(["passed", "repair", "failure", "ran"]);
const mostOutput = 200;

/** A turn as far as commands go, each in its place: readings are kept, and turns are large. */
function runsOf(turn: Turn): NewTurn {
  const pieces = turn.pieces.map(({ kind, text, about, agent }) =>
    running.has(kind) && agent === undefined
      ? { kind, text: text.slice(0, mostOutput), ...(about !== undefined && { about }) }
      : { kind: "said" as const, text: "" },
  );
  return { ...turn, pieces, files: [] };
}

/** Of all turns, those of several sessions; each is its last session's. */
function workflowsOf(turns: readonly NewTurn[]): NewMemoryItem[] {
  return projectCommands(turns)
    .filter(({ sessions, purpose }) => sessions >= (purpose === undefined ? often : 2))
    .slice(0, mostCommands)
    .map(({ line, sessions, last }) => {
      const piece = last.pieces.findIndex(({ about }) => about?.includes(line));
      return {
        ...{ session: last.session, project: last.project, kind: "workflows", state: "standing" },
        ...{ date: dayOf(last.time), content: line, context: ranIn(sessions) },
        quote: last.pieces[piece]?.about ?? line,
        evidence: [{ turn: last.promptNumber, piece: Math.max(0, piece) }],
      };
    });
}

// Failures with what they were due to: a command failed, passed after a change, and the closing words say why.

/** So many words of the failure stand in the sentence that explains it. */
const leastShared = 3;
const failing =
  /error|exception|fail|panic|not found|cannot|denied|refused|undefined|mismatch|unexpected/i;
const gotchasOfTurn = 2;

function gotchasIn(
  turn: Turn,
  common: Pick<NewMemoryItem, "session" | "project">,
): NewMemoryItem[] {
  const closing = turn.pieces.findIndex(({ kind }) => kind === "closing");
  const isMended = ({ kind, agent }: Evidence) => kind === "repair" && agent === undefined;
  if (closing < 0 || !turn.pieces.some(isMended)) return [];
  const sentences = tellings(turn.pieces[closing]?.text ?? "", { names: [], asked: "" })
    .filter(({ worth, statement }) => worth > 0 && statement.kind === "sentence")
    .map(({ text }) => ({ text, words: meaningOf(text) }));
  const found = turn.pieces.flatMap((piece, at): NewMemoryItem[] => {
    if (!isMended(piece)) return [];
    const [failed = "", changed = ""] = piece.text.split("\n\n→ ");
    const all = failed
      .split("\n")
      .map(oneLine)
      .filter((line) => line !== "");
    const named = all.filter((line) => failing.test(line));
    const lines = named.length > 0 ? named : all.slice(-1);
    const wanted = meaningOf(lines.join(" "));
    const shared = ({ words }: (typeof sentences)[number]) =>
      [...words].filter((word) => word.length > 3 && wanted.has(word)).length;
    const best = sentences.toSorted((one, other) => shared(other) - shared(one))[0];
    if (!best || shared(best) < leastShared) return [];
    const command = cut(oneLine(piece.about ?? ""), 100);
    const files = changed.split("\n").slice(0, 3).join(", ");
    return [
      {
        ...common,
        kind: "gotchas",
        date: dayOf(turn.time),
        content: cut(best.text, 300),
        context: `\`${command}\` failed: ${cut(lines[0] ?? "", 160)}; it passed after changes to ${files}`,
        state: "candidate",
        quote: cut(failed.trim(), 400),
        evidence: [at, closing].map((piece) => ({ turn: turn.promptNumber, piece })),
      },
    ];
  });
  return found.slice(0, gotchasOfTurn);
}

// What is asked for session after session: an observed habit, which nobody laid down. Pure.

/** Something short that was asked for. */
interface Asked {
  /** As it was typed. */
  text: string;
  /** All that was sent with it. */
  sent: string;
  /** What is to be done first, with its other words. */
  words: readonly string[];
  date: string;
  /** Where it was typed. */
  place: { turn: number; piece: number };
}

/** Words of a request that is made in passing; what is longer is of its task. */
const mostWords = 12;
/** In so many sessions it is a habit. */
const leastSessions = 4;
const mostHabits = 4;
/** Share of all words of two requests that are one. */
const alike = 0.75;

function askedIn(turn: Turn): Asked[] {
  return turn.pieces.flatMap(({ kind, text: sent, time }, piece): Asked[] => {
    if (kind !== "prompt" && kind !== "typed") return [];
    const place = { turn: turn.promptNumber, piece };
    return ownSentences(sent).flatMap(({ text, isSure }) => {
      if (!isSure || isReport(text) || text.split(/\s+/).length > mostWords) return [];
      // It begins with what is to be done: "can we add a test" with "add".
      const telling = tellingWords(text).filter((word) => !stopWords.has(word));
      // What is asked of another number is another request.
      const words = [...new Set([...telling.map(stem), ...(text.match(/\d+/g) ?? [])])];
      const date = dayOf(time ?? turn.startedAt);
      return words.length < 2
        ? []
        : [{ text: oneLine(text), sent: oneLine(sent), words, date, place }];
    });
  });
}

/** `tests` is `test`. */
function stem(word: string): string {
  return word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word;
}

type Request = Asked & Pick<Reading, "session" | "project" | "opening">;

/** The most frequent first, each with a place in every session, and of its last. Sessions oldest first. */
function habitsOf(sessions: readonly Reading[]): NewMemoryItem[] {
  const all = sessions.flatMap(({ asked, ...session }) =>
    asked.map((one): Request => ({ ...one, ...session })),
  );
  const groups = [...Map.groupBy(all, ({ words: [act = ""] }) => act).values()];
  const found = groups
    .flatMap((same) => same.map((one) => ({ one, again: timesOf(one, same) })))
    .filter(({ again }) => again.length >= leastSessions)
    // In the words of the one that most of them are like; of several the shortest.
    .sort(
      (left, right) =>
        right.again.length - left.again.length || left.one.text.length - right.one.text.length,
    );
  const habits: typeof found = [];
  for (const next of found)
    if (!habits.some(({ one }) => isAlike(one, next.one))) habits.push(next);
  return habits.slice(0, mostHabits).flatMap(({ one: { text: content }, again }) => {
    const last = again.at(-1);
    if (!last) return [];
    const { session, project, date } = last;
    const evidence = again.map(({ session: of, place }) =>
      of === session ? place : { session: of, ...place },
    );
    const context = `Asked for in ${again.length} sessions`;
    const item = { kind: "preferences" as const, content, context, quote: content };
    return [{ ...item, session, project, date, evidence }];
  });
}

/** The last of each conversation that asks for the same; what stands in a text that was sent twice was said once. */
function timesOf(request: Request, requests: readonly Request[]): Request[] {
  const again = requests.filter((other) => isAlike(request, other));
  const lastOf = (key: (one: Request) => string, all: readonly Request[]) => [
    ...new Map(all.map((one) => [key(one), one])).values(),
  ];
  const texts = lastOf(
    ({ text, sent, session }) => (sent.length > 2 * text.length ? sent : session),
    again,
  );
  return lastOf(({ opening }) => opening, texts);
}

function isAlike({ words }: Request, { words: own }: Request): boolean {
  const shared = new Set(words).intersection(new Set(own)).size;
  return shared >= alike * (words.length + own.length - shared);
}
