// The candidates for a note: each line with what it is worth for this start; here those that turns give. Pure.
import type { Turn } from "../../src/sdk/index.ts";
import {
  code,
  isTheirs,
  makerOf,
  type OpenEnd,
  type OpenKind,
  type Outcome,
  openEnds,
  outcomeOf,
} from "../../src/strategy/index.ts";
import {
  baseName,
  cut,
  headingOf,
  meaningOf,
  overlap,
  plainLine,
  sentencesOf,
} from "../../src/text/index.ts";
import {
  answersIn,
  byHand,
  commands,
  decided,
  habits,
  notes,
  pinned,
  placeOf,
  refusals,
  repairs,
  stands,
  uncommitted,
} from "./items.ts";
import {
  alike,
  askedAbout,
  askedIn,
  askedShown,
  basisWorth,
  changes,
  closingOf,
  distinct,
  hasCommit,
  isWork,
  type Line,
  laysDown,
  leastWords,
  type Material,
  nearTo,
  type PastSession,
  requestOf,
  resultOf,
  sentenceEnd,
  sessionsOf,
  tells,
  titleOf,
  turnsRead,
  type Writing,
  wholeClosing,
  withoutUndone,
  workOf,
} from "./material.ts";

/** Of a session its commits and so many of its last turns are looked at. */
const endsRead = 6;
/** With fewer sessions the last one has the lines of those that are not there. */
const youngSessions = 6;
const leastLines = 2;
/** Sessions of less worth are history. */
const freshLeast = 0.2;
/** What came of turns, kept from start to start: working it out takes a millisecond a turn. */
export type Outcomes = Map<string, Outcome>;
const mostOutcomes = 500;

/** Every candidate. Long because each kind of line is listed, with what it is made of. */
export function candidates(
  material: Material,
  how: Pick<Writing, "clock" | "labels">,
  outcomes: Outcomes = new Map(),
): Line[] {
  const { own } = material;
  const mine = material.turns.filter((turn) => !isTheirs(turn));
  // Who has not worked here yet goes on from what the others did.
  const turns = mine.length + own.length > 0 ? mine : material.turns;
  const recent = [...own, ...turns.slice(0, turnsRead)];
  const seen = [...recent, ...byHand({ ...material, turns })];
  const newest = seen.toSorted((one, other) => other.startedAt - one.startedAt)[0];
  const note: Writing = {
    ...how,
    ...(newest && { newest }),
    ...(material.branch !== undefined && { branch: material.branch }),
    ...(material.trunk !== undefined && { trunk: material.trunk }),
    outcomeOf: (turn) => {
      const key = `${turn.id} ${turn.time} ${turn.pieces.length}`;
      const outcome = outcomes.get(key) ?? outcomeOf(turn);
      if (outcomes.size >= mostOutcomes) outcomes.clear();
      outcomes.set(key, outcome);
      return outcome;
    },
  };
  const left = withoutUndone(turns, seen, material.missing ?? new Set());
  const sessions = sessionsOf(left, material);
  const worked = (one: PastSession) => ends(one).some((turn) => isWork(turn, note));
  // On the trunk the last one of all comes first, wherever it was.
  const isStrand = material.branch !== material.trunk;
  const ofBranch = isStrand ? sessions.filter(({ isHere }) => isHere) : [];
  const last =
    [...ofBranch, ...sessions].find(worked) ??
    sessions.find((one) => one.turns.at(-1)?.end === "closed");
  const here = last?.isHere ? last : undefined;
  const since = sessions.find(({ turns: [first] }) => first && !isTheirs(first))?.turns[0];
  const theirs = material.turns.filter(
    (turn) => turns !== material.turns && isTheirs(turn) && turn.time > (since?.startedAt ?? 0),
  );
  const everyone = theirs.length > 0 ? sessionsOf(material.turns, material) : sessions;
  const found = openEnds(seen);
  const openLines = open(found, { own, sessions, last }, note);
  // Right after a session that ended with a plan it is about that plan.
  const inHand = found.find(
    ({ kind, turn }) => kind === "plan" && turn === sessions[0]?.turns.at(-1),
  );
  const plan = inHand?.whole ?? "";
  const work = plan === "" ? (last?.turns ?? []).map(workOf).join("\n") : plan;
  const known = material.standingItems.filter(stands);
  const all = [...own, ...material.turns];
  const ruled = decided(material.standingItems, everyone, { own, turns: all, work }, note);
  const lines = [
    ...pinned(material.pinned, note),
    ...own.flatMap((turn, at) => [
      // It no longer knows what it was asked.
      {
        ...wholeLine(turn, "own", 1 - at * 0.02, note),
        head: placeOf(turn, note) + (askedIn(turn) || titleOf(turn, note)),
      },
      ...answersIn(turn, known, note).map(
        ({ head, said }): Line => ({
          ...{ section: "own", worth: 0.99 - at * 0.02, ids: [turn.id] },
          ...{ head: `${placeOf(turn, note)} · ${head}`, said },
        }),
      ),
    ]),
    ...lastSession(last, Math.max(leastLines, youngSessions - sessions.length), note),
    ...uncommitted(here, seen, material, note),
    ...(plan === "" ? openLines : openLines.filter(({ ids }) => ids[0] === inHand?.turn.id)),
    ...strands(sessionsOf(theirs, {}), "others", { plan: "", found, isStrand: false }, note),
    ...ruled,
    ...sessions.flatMap((session) => refusals(session, ruled, note)),
    ...commands(all, material, note),
    ...habits(material.standingItems),
    ...repairs(all, material.practice, note),
    ...strands(sessions, "earlier", { last, plan, found, isStrand }, note),
    ...notes(material, note),
  ];
  const ofOpen = lines.filter(({ section }) => section === "open");
  const isOpen = new Set(ofOpen.flatMap(({ ids }) => ids));
  const pins = new Set(material.pinned.map(({ record }) => record.id));
  const asks = ofOpen.map(({ said = "" }) => said);
  const shown = lines.map((line) => (line.section === "now" ? withoutSaid(line, asks) : line));
  return shown.filter(
    ({ section, ids }) =>
      section === "pinned" ||
      ids.length === 0 ||
      !ids.every((id) => pins.has(id) || (section === "earlier" && isOpen.has(id))),
  );
}

/** Without sentences that another line says. */
function withoutSaid({ said = "", ...line }: Line, others: readonly string[]): Line {
  const kept = said
    .split(sentenceEnd)
    .filter((sentence) => !others.some((other) => overlap(sentence, other) > alike));
  return { ...line, said: kept.length === 0 ? said : kept.join(" ") };
}

/** A turn by what it committed or planned, else by what was asked, and by what was said at its end. */
function wholeLine(
  turn: Turn,
  section: Line["section"],
  worth: number,
  note: Writing,
): Line & { said: string } {
  const said = closingOf(turn, note);
  const { came } = note.outcomeOf(turn);
  const isSaid = came !== "" && said.includes(came.replace(/…$/, ""));
  const head = placeOf(turn, note) + (isSaid && turn !== note.newest ? "" : aboutOf(turn, note));
  return { section, worth, ids: [turn.id], head, said, wanted: wholeClosing };
}

/** What a turn committed or planned, else what it was asked: last, or without an answer; what was answered is over, a first guess too. */
function aboutOf(turn: Turn, note: Writing, most = askedShown): string {
  const { basis } = note.outcomeOf(turn);
  const asked = askedIn(turn, most);
  const isLast = turn === note.newest && (turn.promptNumber > 1 || /[?？؟]”$/.test(asked));
  const isOver = !isLast && closingOf(turn, note) !== "";
  const isTitled = basis === "commit" || ((isOver || asked === "") && basis === "plan");
  return isTitled ? titleOf(turn, note) : isOver ? "" : asked;
}

/** The turns of a session that may have ended something, newest first. */
function ends({ turns }: PastSession): Turn[] {
  const last = new Set(turns.slice(-endsRead));
  return turns
    .filter((turn) => last.has(turn) || turn.pieces.some(({ kind }) => kind === "commit"))
    .toReversed();
}

/** The last session: which it was, how it ended, and what else it laid down. */
function lastSession(last: PastSession | undefined, most: number, note: Writing): Line[] {
  if (!last) return [];
  // With few sessions each of their turns matters.
  const isYoung = most > leastLines;
  const results = ends(last).filter((turn) => isWork(turn, note));
  const end = results[0] ?? last.turns.at(-1);
  if (!end) return [];
  const whole = wholeLine(end, "now", 1, note);
  const isTitled = laysDown(note.outcomeOf(end));
  // "Commit this" closes the work before it, and that says what was done.
  const isCommitAlone = isTitled && hasCommit(end) && !changesFiles(end);
  const closed = isCommitAlone ? workBefore(last, end, note) : undefined;
  const asked = askedIn(end);
  const isAbout = meaningOf(asked).size >= leastWords.laidDown;
  // "Done." says nothing; what was asked does, and before a "yes" what was asked last.
  const isBare =
    (end !== note.newest || !isAbout) &&
    resultOf(end, note) === "" &&
    meaningOf(whole.said).size < leastWords.said;
  const until = last.turns.slice(0, last.turns.indexOf(end) + 1);
  const topic = topicOf({ ...last, turns: until.toReversed() }, end, note);
  const isYes = end === note.newest && asked === "";
  const about = isBare ? (isTitled ? "" : isAbout ? asked : topic) : isYes ? topic : "";
  const isElsewhere = !isOurs(last, note) && !isBare;
  const ownHead = about === "" ? whole.head.slice(placeOf(end, note).length) : about;
  const head = isElsewhere
    ? topicOf(last, end, note, true)
    : withBeginning({ ...last, turns: until }, ownHead, note);
  // What was only found out before a later change may be what that change mended.
  const changed = last.turns.findLastIndex(changes);
  const stillHolds = (turn: Turn) =>
    laysDown(note.outcomeOf(turn)) || changes(turn) || last.turns.indexOf(turn) >= changed;
  const before = results.filter(
    (turn, at) =>
      at > 0 &&
      turn !== closed &&
      !(turn.end !== "closed" && results.slice(0, at).some(hasCommit)) &&
      tells(turn, note) &&
      (isYoung || stillHolds(turn) || (isBare && about !== "")),
  );
  return [
    {
      ...whole,
      head: sessionOf(last, end, note) + head,
      ...(isBare && (isTitled || (!isYes && about !== "")) && { said: "" }),
      ...(closed && { said: resultOf(closed, note), from: [end.id, closed.id] }),
      ...(isCommitAlone && !closed && bodyOf(end) !== "" && { said: bodyOf(end) }),
      wanted: isElsewhere ? strandWanted : endWanted,
    },
    ...distinct([end, ...before], note)
      .slice(1, most)
      .map((turn) => {
        // What it laid down stands; what else it said comes after the other sessions.
        const isTitled = laysDown(note.outcomeOf(turn));
        return {
          ...wholeLine(turn, "earlier", isTitled ? 0.85 : 0.45, note),
          ...(isTitled && resultOf(turn, note) === "" && { said: "" }),
          wanted: strandWanted,
        };
      }),
  ];
}

/** What a turn's last commit says below its subject, without the lines for machines. */
function bodyOf({ pieces }: Turn): string {
  const [, body = ""] =
    pieces.findLast(({ kind }) => kind === "commit")?.text.split(/\n\s*\n/) ?? [];
  return /^[A-Z][\w-]+: \S/.test(body) ? "" : plainLine(body);
}

const changesFiles = ({ files }: Turn) => files.some(({ changed }) => changed);

/** True for a session that this one may go on from; of one on another branch, or that left the trunk for one, a line is enough. */
function isOurs({ turns, isHere, isNamed }: PastSession, { branch, trunk }: Writing): boolean {
  const end = turns.at(-1)?.branch ?? branch;
  return branch === undefined || isNamed || (isHere && (branch !== trunk || end === branch));
}

/** The turn that made what a later one committed; undefined where nothing says it. */
function workBefore({ turns }: PastSession, end: Turn, note: Writing): Turn | undefined {
  const before = turns.slice(0, turns.indexOf(end));
  const work = before.slice(before.findLastIndex(hasCommit) + 1).findLast(changesFiles);
  return work && resultOf(work, note) !== "" ? work : undefined;
}

/** Characters of what the last session said at its end, of a plan in hand, and of what another session came to. */
const endWanted = 560;
const planWanted = 320;
const strandWanted = 170;

/** `t12 · 2026-11-20 14:05 · main · prompts: 4`. */
function sessionOf({ turns }: PastSession, turn: Turn, { clock, labels }: Writing): string {
  const { id, time, branch } = turn;
  const ended = [`${clock.day(time)} ${clock.time(time)}`, ...makerOf(turn)].join(" · ");
  const prompts = labels.prompts.replace("{n}", String(turns.length));
  return [id, ended, ...(branch === undefined ? [] : [branch]), prompts].join(" · ");
}

/** What a session began with, before what it was asked last: the end of a long one says nothing of what it was for. */
function withBeginning({ turns }: PastSession, asked: string, note: Writing): string {
  const [end, ...before] = turns.toReversed();
  // A commit says what all of it was for.
  if (!end || laysDown(note.outcomeOf(end))) return asked;
  const first = before.toReversed().map(beginningOf).find(Boolean) ?? "";
  return first === "" || overlap(first, asked) > alike
    ? asked
    : first + asked.replace(/^ · “/, " … “");
}

/** The plan that a turn was begun with, or the first sentence of what it was asked that says something. */
function beginningOf(turn: Turn): string {
  const [first] = turn.pieces;
  if (first?.kind === "plan") return ` · ${headingOf(first.text)}`;
  const said = sentencesOf(requestOf(turn)).find((text) => meaningOf(text).size >= leastWords.said);
  return said === undefined ? "" : ` · “${cut(said, askedAbout)}”`;
}

/** What a session in a line is worth, the more the newer it is; and how much more a turn is that says what came of it. */
const strandWorth = { base: 0.4, fresh: 0.4 };
const tellsMore = 0.3;
/** Of that for a session about something else. */
const away = 0.65;
/** Work that was left: a question is over once other work began. */
const atWork: ReadonlySet<OpenKind> = new Set(["stopped", "plan", "todo", "failure"]);

/** What stands in the note besides: the last session, the plan in hand, and what is open. */
interface Beside {
  last?: PastSession | undefined;
  plan: string;
  found: ReadonlyArray<OpenEnd<Turn>>;
  /** The branch is none that all work ends on: what was done on others is of no use there. */
  isStrand: boolean;
}

/** Each other session in a line: what it was about, and what came of it. */
function strands(
  sessions: readonly PastSession[],
  section: "earlier" | "others",
  { last, plan, found, isStrand }: Beside,
  note: Writing,
): Line[] {
  // Beside a plan only what touched its files matters.
  const isMeant = (turn: Turn) =>
    plan === "" || turn.files.some(({ path, changed }) => changed && plan.includes(baseName(path)));
  const isYoung = sessions.length <= youngSessions;
  const isAll = section === "others" || isYoung || plan !== "" || note.branch === undefined;
  const near = isAll ? sessions : nearTo(last, sessions);
  // Of work on something else only its title, where it has one.
  const isNear = (turn: Turn) => near.some(({ turns }) => turns.includes(turn));
  const saidIn = (turn: Turn) => (isNear(turn) ? resultOf(turn, note, isYoung) : "");
  const chosen = sessions.flatMap((session) => {
    if (session === last || session.fresh < freshLeast) return [];
    const worthOf = (turn: Turn) =>
      basisWorth[note.outcomeOf(turn).basis] + (resultOf(turn, note) === "" ? 0 : tellsMore);
    const results = ends(session).filter((turn) => isWork(turn, note) && isMeant(turn));
    // A commit closes what was planned and found out before it.
    const commit = results.findIndex((turn) => note.outcomeOf(turn).basis === "commit");
    const best = results
      .slice(0, commit < 0 ? results.length : commit + 1)
      .sort((one, other) => worthOf(other) - worthOf(one))[0];
    const isTelling = best && (saidIn(best) !== "" || laysDown(note.outcomeOf(best)));
    return isTelling && !(isStrand && !isNear(best)) ? [{ turn: best, session }] : [];
  });
  const turns = chosen.map(({ turn }) => turn);
  const kept = distinct(turns, note);
  return chosen
    .filter(({ turn }) => kept.includes(turn))
    .map(({ turn, session }) => {
      const { base, fresh } = strandWorth;
      // What was stopped beside it was something else.
      const left = found.find(
        (end) =>
          (end.kind === "stopped" ? end.turn === turn : atWork.has(end.kind)) &&
          session.turns.includes(end.turn),
      );
      const what = left?.kind === "plan" ? `: “${cut(left.text, askedAbout)}”` : "";
      const state = left ? ` · ${note.labels[labelOf(left)]}${what}` : "";
      return {
        ...{ section, ids: [turn.id], wanted: strandWanted, said: saidIn(turn) },
        worth: (base + fresh * session.fresh) * (isNear(turn) ? 1 : away),
        head:
          placeOf(turn, note) +
          (isNear(turn) ? topicOf(session, turn, note, true) + state : titleOf(turn, note)),
      };
    });
}

/** What came of a turn, where that is not what it said, else what its session was asked until then that says what it is about. */
function topicOf({ turns }: PastSession, turn: Turn, note: Writing, isShort = false): string {
  const outcome = note.outcomeOf(turn);
  const isSaid = resultOf(turn, note).includes(outcome.came.replace(/…$/, ""));
  if (laysDown(outcome) && !isSaid) return titleOf(turn, note);
  // What was changed says what it was about; an answer needs its question.
  if (isShort && isSaid && changes(turn)) return "";
  // A later request beside it would read as what it answers.
  const before = turns.filter((one) => one.startedAt < turn.startedAt);
  const asked = [turn, ...before].map((one) => askedIn(one, askedAbout));
  const [own = "", last = ""] = asked;
  // A yes is to the question right before it, however short that is.
  const isYes = own === "" && turns[0] === turn && /[?？؟]”$/.test(last);
  if (isYes && meaningOf(last).size >= leastWords.asked) return last;
  return asked.find((text) => meaningOf(text).size >= leastWords.said) ?? "";
}

// What is open.

const openWorth = {
  ...{ stopped: 0.95, plan: 0.94, failure: 0.93 },
  ...{ question: 0.9, todo: 0.9, next: 0.86 },
};
/** What was begun stays open beyond the turns and sessions after it; anything else is over as soon as work went on. */
const begun: ReadonlySet<string> = new Set(["todo", "plan"]);
const standsOpen: ReadonlySet<OpenKind> = new Set(["stopped", "failure"]);
/** Sessions since in which nobody took up what was begun. */
const begunLeast = 0.6;

function open(
  found: ReadonlyArray<OpenEnd<Turn>>,
  past: { own: readonly Turn[]; sessions: readonly PastSession[]; last: PastSession | undefined },
  note: Writing,
): Line[] {
  const { labels } = note;
  const { own, sessions, last } = past;
  // What another branch left open waits there, but for what the session left that is shown first.
  const endings = [last, sessions.find(({ isHere }) => isHere)].filter(
    (one) => one !== undefined && isOurs(one, note),
  );
  return found.flatMap((end): Line[] => {
    const { kind, text, about, whole, turn } = end;
    const session = sessions.find(({ turns }) => turns.some(({ id }) => id === turn.id));
    // All of its files are gone, or it is older than what is read.
    if (!session && !own.includes(turn)) return [];
    const isBegun = begun.has(kind) && about !== "proposed";
    // Work that was stopped stays so while the user and the agent only talk, and a check that failed until it passes.
    const isLast = standsOpen.has(kind) || turn.id === session?.turns.at(-1)?.id;
    const isOpen = isBegun
      ? (session?.fresh ?? 1) >= begunLeast
      : isLast && endings.includes(session);
    // A session that lost its memory gets all that it left open itself.
    if (session && !isOpen) return [];
    const fresh = session?.fresh ?? 1;
    const label = labels[labelOf(end)];
    const what =
      about === "" || kind === "plan" ? "" : kind === "todo" ? ` (${about})` : `: ${code(about)}`;
    // What the last session was about stands above.
    const isNamed =
      kind !== "plan" && kind !== "failure" && (session !== last || !isWork(turn, note));
    const titled = isNamed ? aboutOf(turn, note, askedAbout) || titleOf(turn, note) : "";
    const line: Line = {
      section: "open",
      worth: openWorth[kind] * fresh,
      ids: [turn.id],
      head: `${placeOf(turn, note)}${titled} · ${label}${what}${text === "" ? "" : ":"}`,
      said: whole === undefined ? text : whole.replace(/^#+\s*/gm, ""),
      // The question stands behind its options.
      ...((whole !== undefined || kind === "question") && { wanted: planWanted }),
    };
    return [line];
  });
}

function labelOf({ kind, about, turn }: OpenEnd<Turn>): OpenKind | "unended" | "proposed" {
  if (kind === "stopped" && turn.end === "open") return "unended";
  return kind === "plan" && about === "proposed" ? "proposed" : kind;
}
