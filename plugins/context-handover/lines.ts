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
  endWanted,
  hasCommit,
  isOffTrunk,
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
/** In a project with fewer sessions the last one gets the lines that the missing ones would have had. */
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
  const writing: Writing = {
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
  const worked = (one: PastSession) => ends(one).some((turn) => isWork(turn, writing));
  // On the trunk the last one of all comes first, wherever it was.
  const isAway = isOffTrunk(material);
  const ofBranch = isAway ? sessions.filter(({ isHere }) => isHere) : [];
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
  const openLines = open(found, { own, sessions, last }, writing);
  // Right after a session that ended with a plan it is about that plan.
  const inHand = found.find(
    ({ kind, turn }) => kind === "plan" && turn === sessions[0]?.turns.at(-1),
  );
  const plan = inHand?.whole ?? "";
  const work = plan === "" ? (last?.turns ?? []).map(workOf).join("\n") : plan;
  const standing = material.laidDownItems.filter(stands);
  const all = [...own, ...material.turns];
  const ruled = decided(material.laidDownItems, everyone, { own, turns: all, work }, writing);
  const lines = [
    ...pinned(material.pinned, writing),
    ...own.flatMap((turn, at) => [
      // It no longer knows what it was asked.
      {
        ...wholeLine(turn, "own", 1 - at * 0.02, writing),
        head: placeOf(turn, writing) + (askedIn(turn) || titleOf(turn, writing)),
      },
      ...answersIn(turn, standing, writing).map(
        ({ head, said }): Line => ({
          ...{ section: "own", worth: 0.99 - at * 0.02, ids: [turn.id] },
          ...{ head: `${placeOf(turn, writing)} · ${head}`, said },
        }),
      ),
    ]),
    ...lastSession(last, Math.max(leastLines, youngSessions - sessions.length), writing),
    ...uncommitted(here, seen, material, writing),
    ...(plan === "" ? openLines : openLines.filter(({ ids }) => ids[0] === inHand?.turn.id)),
    ...otherSessions(
      sessionsOf(theirs, {}),
      "others",
      { plan: "", found, isOffTrunk: false },
      writing,
    ),
    ...ruled,
    ...sessions.flatMap((session) => refusals(session, ruled, writing)),
    ...commands(all, material, writing),
    ...habits(material.laidDownItems),
    ...repairs(all, material.practice, writing),
    ...otherSessions(sessions, "earlier", { last, plan, found, isOffTrunk: isAway }, writing),
    ...notes(material, writing),
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
  writing: Writing,
): Line & { said: string } {
  const said = closingOf(turn, writing);
  const { came } = writing.outcomeOf(turn);
  const isSaid = came !== "" && said.includes(came.replace(/…$/, ""));
  const head =
    placeOf(turn, writing) + (isSaid && turn !== writing.newest ? "" : aboutOf(turn, writing));
  return { section, worth, ids: [turn.id], head, said, wanted: wholeClosing };
}

/** What a turn committed or planned, else what it was asked: last, or without an answer; what was answered is over, a first guess too. */
function aboutOf(turn: Turn, writing: Writing, most = askedShown): string {
  const { basis } = writing.outcomeOf(turn);
  const asked = askedIn(turn, most);
  const isLast = turn === writing.newest && (turn.promptNumber > 1 || /[?？؟]”$/.test(asked));
  const isOver = !isLast && closingOf(turn, writing) !== "";
  const isTitled = basis === "commit" || ((isOver || asked === "") && basis === "plan");
  return isTitled ? titleOf(turn, writing) : isOver ? "" : asked;
}

/** The turns of a session that may have ended something, newest first. */
function ends({ turns }: PastSession): Turn[] {
  const last = new Set(turns.slice(-endsRead));
  return turns
    .filter((turn) => last.has(turn) || turn.pieces.some(({ kind }) => kind === "commit"))
    .toReversed();
}

/** The last session: which it was, how it ended, and what else it laid down. */
function lastSession(last: PastSession | undefined, most: number, writing: Writing): Line[] {
  if (!last) return [];
  // With few sessions each of their turns matters.
  const isYoung = most > leastLines;
  const results = ends(last).filter((turn) => isWork(turn, writing));
  const end = results[0] ?? last.turns.at(-1);
  if (!end) return [];
  const whole = wholeLine(end, "now", 1, writing);
  const isTitled = laysDown(writing.outcomeOf(end));
  // "Commit this" closes the work before it, and that says what was done.
  const isCommitAlone = isTitled && hasCommit(end) && !changesFiles(end);
  const closed = isCommitAlone ? workBefore(last, end, writing) : undefined;
  const asked = askedIn(end);
  const isAbout = meaningOf(asked).size >= leastWords.laidDown;
  // "Done." says nothing; what was asked does, and before a "yes" what was asked last.
  const isBare =
    (end !== writing.newest || !isAbout) &&
    resultOf(end, writing) === "" &&
    meaningOf(whole.said).size < leastWords.said;
  const until = last.turns.slice(0, last.turns.indexOf(end) + 1);
  const topic = topicOf({ ...last, turns: until.toReversed() }, end, writing);
  const isYes = end === writing.newest && asked === "";
  const about = isBare ? (isTitled ? "" : isAbout ? asked : topic) : isYes ? topic : "";
  const isElsewhere = !isOurs(last, writing) && !isBare;
  const ownHead = about === "" ? whole.head.slice(placeOf(end, writing).length) : about;
  const head = isElsewhere
    ? topicOf(last, end, writing, true)
    : withBeginning({ ...last, turns: until }, ownHead, writing);
  // What was only found out before a later change may be what that change mended.
  const changed = last.turns.findLastIndex(changes);
  const stillHolds = (turn: Turn) =>
    laysDown(writing.outcomeOf(turn)) || changes(turn) || last.turns.indexOf(turn) >= changed;
  const before = results.filter(
    (turn, at) =>
      at > 0 &&
      turn !== closed &&
      !(turn.end !== "closed" && results.slice(0, at).some(hasCommit)) &&
      tells(turn, writing) &&
      (isYoung || stillHolds(turn) || (isBare && about !== "")),
  );
  return [
    {
      ...whole,
      head: sessionOf(last, end, writing) + head,
      ...(isBare && (isTitled || (!isYes && about !== "")) && { said: "" }),
      ...(closed && { said: resultOf(closed, writing), from: [end.id, closed.id] }),
      ...(isCommitAlone && !closed && bodyOf(end) !== "" && { said: bodyOf(end) }),
      wanted: isElsewhere ? strandWanted : endWanted,
    },
    ...distinct([end, ...before], writing)
      .slice(1, most)
      .map((turn) => {
        // What it laid down stands; what else it said comes after the other sessions.
        const isTitled = laysDown(writing.outcomeOf(turn));
        const whole = wholeLine(turn, "earlier", isTitled ? 0.85 : 0.45, writing);
        const isBare = whole.head === placeOf(turn, writing);
        return {
          ...whole,
          // An answer alone does not say what it is about.
          ...(isBare && { head: whole.head + topicOf(last, turn, writing, true) }),
          ...(isTitled && resultOf(turn, writing) === "" && { said: "" }),
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
function workBefore({ turns }: PastSession, end: Turn, writing: Writing): Turn | undefined {
  const before = turns.slice(0, turns.indexOf(end));
  const work = before.slice(before.findLastIndex(hasCommit) + 1).findLast(changesFiles);
  return work && resultOf(work, writing) !== "" ? work : undefined;
}

/** Characters of a plan in hand, and of what another session came to. */
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
function withBeginning({ turns }: PastSession, asked: string, writing: Writing): string {
  const [end, ...before] = turns.toReversed();
  // A commit says what all of it was for.
  if (!end || laysDown(writing.outcomeOf(end))) return asked;
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
const otherSessionWorth = { base: 0.4, fresh: 0.4 };
const tellsMore = 0.3;
/** Of that for a session about something else. */
const away = 0.65;
/** So many other sessions are told where as many are, whatever they were about. */
const leastShown = 2;
/** True for a title that says by itself what was done. */
function isTitled(outcome: Outcome): boolean {
  return (
    laysDown(outcome) ||
    (outcome.basis === "said" && meaningOf(outcome.title).size >= leastWords.said)
  );
}
/** Work that was left: a question is over once other work began. */
const atWork: ReadonlySet<OpenKind> = new Set(["stopped", "plan", "todo", "failure"]);

/** What stands in the note besides: the last session, the plan in hand, and what is open. */
interface Beside {
  last?: PastSession | undefined;
  plan: string;
  found: ReadonlyArray<OpenEnd<Turn>>;
  /** The branch is none that all work ends on: what was done on others is of no use there. */
  isOffTrunk: boolean;
}

/** Each other session in a line: what it was about, and what came of it. */
function otherSessions(
  sessions: readonly PastSession[],
  section: "earlier" | "others",
  { last, plan, found, isOffTrunk }: Beside,
  writing: Writing,
): Line[] {
  // Beside a plan only what touched its files matters.
  const isMeant = (turn: Turn) =>
    plan === "" || turn.files.some(({ path, changed }) => changed && plan.includes(baseName(path)));
  const isYoung = sessions.length <= youngSessions;
  const isAll = section === "others" || isYoung || plan !== "";
  const near = isAll ? sessions : nearTo(last, sessions, writing);
  // Of work on something else only its title, where it has one.
  const isNear = (turn: Turn) => near.some(({ turns }) => turns.includes(turn));
  const saidIn = (turn: Turn) => (isNear(turn) ? resultOf(turn, writing, isYoung) : "");
  const chosen = sessions.flatMap((session) => {
    if (session === last || session.fresh < freshLeast) return [];
    const worthOf = (turn: Turn) =>
      basisWorth[writing.outcomeOf(turn).basis] + (resultOf(turn, writing) === "" ? 0 : tellsMore);
    const results = ends(session).filter((turn) => isWork(turn, writing) && isMeant(turn));
    // A commit closes what was planned and found out before it.
    const commit = results.findIndex((turn) => writing.outcomeOf(turn).basis === "commit");
    const best = results
      .slice(0, commit < 0 ? results.length : commit + 1)
      .sort((one, other) => worthOf(other) - worthOf(one))[0];
    const isTelling = best && (saidIn(best) !== "" || isTitled(writing.outcomeOf(best)));
    return isTelling && !(isOffTrunk && !isNear(best)) ? [{ turn: best, session }] : [];
  });
  const turns = chosen.map(({ turn }) => turn);
  const kept = distinct(turns, writing);
  const [tied, untied] = [kept.filter(isNear), kept.filter((turn) => !isNear(turn))];
  // What has nothing to do with the last session only keeps a start on something new from being blind.
  const shown = [...tied, ...untied.slice(0, Math.max(0, leastShown - tied.length))];
  return chosen
    .filter(({ turn }) => shown.includes(turn))
    .map(({ turn, session }) => {
      const { base, fresh } = otherSessionWorth;
      // What was stopped beside it was something else.
      const left = found.find(
        (end) =>
          (end.kind === "stopped" ? end.turn === turn : atWork.has(end.kind)) &&
          session.turns.includes(end.turn),
      );
      const what = left?.kind === "plan" ? `: “${cut(left.text, askedAbout)}”` : "";
      const state = left ? ` · ${writing.labels[labelOf(left)]}${what}` : "";
      return {
        ...{ section, ids: [turn.id], wanted: strandWanted, said: saidIn(turn) },
        worth: (base + fresh * session.fresh) * (isNear(turn) ? 1 : away),
        head:
          placeOf(turn, writing) +
          (isNear(turn) ? topicOf(session, turn, writing, true) + state : titleOf(turn, writing)),
      };
    });
}

/** What came of a turn, where that is not what it said, else what its session was asked until then that says what it is about. */
function topicOf({ turns }: PastSession, turn: Turn, writing: Writing, isShort = false): string {
  const outcome = writing.outcomeOf(turn);
  const isSaid = resultOf(turn, writing).includes(outcome.came.replace(/…$/, ""));
  if (laysDown(outcome) && !isSaid) return titleOf(turn, writing);
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
  writing: Writing,
): Line[] {
  const { labels } = writing;
  const { own, sessions, last } = past;
  // What another branch left open waits there, but for what the session left that is shown first.
  const endings = [last, sessions.find(({ isHere }) => isHere)].filter(
    (one) => one !== undefined && isOurs(one, writing),
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
      kind !== "plan" && kind !== "failure" && (session !== last || !isWork(turn, writing));
    const titled = isNamed ? aboutOf(turn, writing, askedAbout) || titleOf(turn, writing) : "";
    const line: Line = {
      section: "open",
      worth: openWorth[kind] * fresh,
      ids: [turn.id],
      head: `${placeOf(turn, writing)}${titled} · ${label}${what}${text === "" ? "" : ":"}`,
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
