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
  purposeOf,
} from "../../src/strategy/index.ts";
import {
  askedOf,
  baseName,
  codeNames,
  cut,
  type Language,
  languages,
  meaningOf,
  overlap,
  plainLine,
} from "../../src/text/index.ts";
import {
  answersIn,
  byHand,
  commands,
  decided,
  habits,
  namesIn,
  notes,
  otherBranch,
  pinned,
  placeOf,
  repairs,
  sessionsOf,
  stands,
  uncommitted,
  withoutUndone,
  workOf,
} from "./items.ts";
import labelTable from "./labels.txt" with { type: "text" };
import {
  alike,
  type Labels,
  type Line,
  labelNames,
  type Material,
  type PastSession,
  sectionNames,
  turnsRead,
  type Writing,
} from "./note.ts";

/** Of a session its commits and so many of its last turns are looked at. */
const endsRead = 6;
/** With fewer sessions the last one has the lines of those that are not there. */
const youngSessions = 6;
/** Sessions of less worth are history. */
const freshLeast = 0.2;
/** Two titles that share more say the same. */
const same = 0.6;
/** A title of fewer words of meaning says nothing: "Init", "All tests pass". */
const leastWords = { laidDown: 2, said: 4 };
/** Characters of what was asked. */
const askedShown = 200;
const askedAbout = 80;

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
  // Who has done nothing here yet goes on from the others.
  const turns = mine.length + own.length > 0 ? mine : material.turns;
  const recent = [...own, ...turns.slice(0, turnsRead)];
  const seen = [...recent, ...byHand({ ...material, turns })];
  const newest = seen.toSorted((one, other) => other.startedAt - one.startedAt)[0];
  const note: Writing = {
    ...how,
    ...(newest && { newest }),
    outcomeOf: (turn) => {
      const key = `${turn.id} ${turn.time} ${turn.pieces.length}`;
      const outcome = outcomes.get(key) ?? outcomeOf(turn);
      if (outcomes.size >= mostOutcomes) outcomes.clear();
      outcomes.set(key, outcome);
      return outcome;
    },
  };
  const left = withoutUndone(turns, seen, material.missing ?? new Set());
  const sessions = sessionsOf(left, material.branch);
  const nearest = sessions.toSorted((one, other) => other.fresh - one.fresh);
  const last =
    nearest.find((one) => ends(one).some((turn) => isWork(turn, note))) ??
    nearest.find((one) => one.turns.at(-1)?.end === "closed");
  const here = last && last.fresh > otherBranch ? last : undefined;
  const since = sessions.find(({ turns: [first] }) => first && !isTheirs(first))?.turns[0];
  const theirs = material.turns.filter(
    (turn) => turns !== material.turns && isTheirs(turn) && turn.time > (since?.startedAt ?? 0),
  );
  const everyone = theirs.length > 0 ? sessionsOf(material.turns, material.branch) : sessions;
  const found = openEnds(seen);
  const openLines = open(found, sessions, last, note);
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
    ...standing(last, Math.max(2, youngSessions - sessions.length), note),
    ...uncommitted(here, seen, material.missing ?? new Set(), note),
    ...(plan === "" ? openLines : openLines.filter(({ ids }) => ids[0] === inHand?.turn.id)),
    ...strands(sessionsOf(theirs, undefined), "others", { plan: "", found }, note),
    ...ruled,
    ...sessions.flatMap((session) => refusals(session, ruled, note)),
    ...commands(all, material, note),
    ...habits(material.standingItems),
    ...repairs(all, material.practice, note),
    ...strands(sessions, "earlier", { last, plan, found }, note),
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

// What came of turns.

/** How much an outcome is worth by what it rests on; nothing where nothing came of the turn. */
const basisWorth = {
  ...{ commit: 1, plan: 0.95, repair: 0.8, changed: 0.75, said: 0.8 },
  ...{ answer: 0.45, asked: 0 },
};

function isWork(turn: Turn, note: Writing): boolean {
  return basisWorth[note.outcomeOf(turn).basis] > 0;
}

/** True for a commit or plan whose title says by itself what it is. */
function laysDown({ title, basis }: Outcome): boolean {
  return (basis === "commit" || basis === "plan") && meaningOf(title).size >= leastWords.laidDown;
}

/** A turn by what it committed or planned, else by what was asked, and by what was said at its end. */
function wholeLine(
  turn: Turn,
  section: Line["section"],
  worth: number,
  note: Writing,
): Line & { said: string } {
  const head = placeOf(turn, note) + aboutOf(turn, note);
  return {
    ...{ section, worth, ids: [turn.id], head },
    ...{ said: closingOf(turn, note), wanted: wholeClosing },
  };
}

/** ` · committed a81be3f: Round the prices`. */
function titleOf({ pieces, ...turn }: Turn, note: Writing): string {
  const { title, basis } = note.outcomeOf({ pieces, ...turn });
  const { about = "" } = pieces.findLast(({ kind }) => kind === "commit") ?? {};
  const commit = basis === "commit" ? about.split(" ", 1)[0] : "";
  const named = basis === "asked" ? `“${title}”` : title;
  if (title === "") return "";
  return ` · ${commit ? `${note.labels.committed} ${commit}: ` : ""}${named}`;
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

/** ` · “what the user typed”`; "" where the prompt is none of their own words. */
function askedIn({ pieces }: Turn, most = askedShown): string {
  const prompt = pieces.find(({ kind }) => kind === "prompt")?.text ?? "";
  const asked = plainLine(askedOf(prompt).replace(/^\s*>.*$/gm, ""));
  return asked === "" ? "" : ` · “${cut(asked, most)}”`;
}

/** The turns of a session that may have ended something, newest first. */
function ends({ turns }: PastSession): Turn[] {
  const last = new Set(turns.slice(-endsRead));
  return turns
    .filter((turn) => last.has(turn) || turn.pieces.some(({ kind }) => kind === "commit"))
    .toReversed();
}

/** The last session: which it was, how it ended, and what else it laid down. */
function standing(last: PastSession | undefined, most: number, note: Writing): Line[] {
  if (!last) return [];
  const results = ends(last).filter((turn) => isWork(turn, note));
  const end = results[0] ?? last.turns.at(-1);
  if (!end) return [];
  const whole = wholeLine(end, "now", 1, note);
  const head = whole.head.replace(placeOf(end, note), sessionOf(last, end, note));
  const before = results.filter((turn) => turn !== end && tells(turn, note));
  return [
    { ...whole, head, wanted: endWanted },
    ...distinct([end, ...before], note)
      .slice(1, most)
      .map((turn) => ({
        // What it laid down stands; what else it said comes after the other sessions.
        ...wholeLine(turn, "now", laysDown(note.outcomeOf(turn)) ? 0.85 : 0.45, note),
        wanted: strandWanted,
      })),
  ];
}

const sentenceEnd = /(?<=[.!?。！？])\s+|(?<=[。！？])/u;
/** A closing that is not longer is shown whole where there is room. */
const wholeClosing = 450;
/** Characters of what the last session said at its end, and of what another one came to. */
const endWanted = 320;
const strandWanted = 170;

/**
 * What a turn said at its end: all of a short closing; of a longer one its result, and its last paragraph where that is prose.
 * Of all but the newest turn without the last sentence: it said what came next, and that came.
 */
function closingOf(turn: Turn, note: Writing): string {
  const closing = turn.pieces.findLast(({ kind }) => kind === "closing")?.text.trim() ?? "";
  const isNewest = turn === note.newest;
  if (closing.length <= wholeClosing) return isNewest ? closing : withoutLast(closing);
  const { said } = note.outcomeOf(turn);
  const last = closing.split(/\n\s*\n/).at(-1) ?? "";
  const isProse = !/^\s*(?:```|~~~|\||#|>)/m.test(last);
  const isNew = isNewest && isProse && overlap(last, said) <= alike;
  return [said, isNew ? plainLine(last) : ""].join(" ").trim();
}

function withoutLast(text: string): string {
  const sentences = text.split(sentenceEnd);
  return sentences.length > 1 ? sentences.slice(0, -1).join(" ") : text;
}

/** `t12 · 2026-11-20 14:05 · main · prompts: 4`. */
function sessionOf({ turns }: PastSession, turn: Turn, { clock, labels }: Writing): string {
  const { id, time, branch } = turn;
  const ended = [`${clock.day(time)} ${clock.time(time)}`, ...makerOf(turn)].join(" · ");
  const prompts = labels.prompts.replace("{n}", String(turns.length));
  return [id, ended, ...(branch === undefined ? [] : [branch]), prompts].join(" · ");
}

/** Without those whose title says what one before it says. */
function distinct(turns: readonly Turn[], { outcomeOf: of }: Writing): Turn[] {
  const kept: Turn[] = [];
  for (const turn of turns) {
    const { title } = of(turn);
    if (!kept.some((one) => overlap(of(one).title, title) > same)) kept.push(turn);
  }
  return kept;
}

/** What a session in a line is worth, the more the newer it is; and how much more a turn is that says what came of it. */
const strandWorth = { base: 0.4, fresh: 0.4 };
const tellsMore = 0.3;
/** Work that was left: a question is over once other work began. */
const atWork: ReadonlySet<OpenKind> = new Set(["stopped", "plan", "todo", "failure"]);

/** What stands in the note besides: the last session, the plan in hand, and what is open. */
interface Beside {
  last?: PastSession | undefined;
  plan: string;
  found: ReadonlyArray<OpenEnd<Turn>>;
}

/** Each other session in a line: what it was about, and what came of it. */
function strands(
  sessions: readonly PastSession[],
  section: "earlier" | "others",
  { last, plan, found }: Beside,
  note: Writing,
): Line[] {
  // Beside a plan only what touched its files matters.
  const isMeant = (turn: Turn) =>
    plan === "" || turn.files.some(({ path, changed }) => changed && plan.includes(baseName(path)));
  const isYoung = sessions.length <= youngSessions;
  const saidIn = (turn: Turn) => resultOf(turn, note, isYoung);
  const chosen = sessions.flatMap((session) => {
    if (session === last || session.fresh < freshLeast) return [];
    const worthOf = (turn: Turn) =>
      basisWorth[note.outcomeOf(turn).basis] + (resultOf(turn, note) === "" ? 0 : tellsMore);
    const best = ends(session)
      .filter((turn) => isWork(turn, note) && isMeant(turn))
      .sort((one, other) => worthOf(other) - worthOf(one))[0];
    return best && (saidIn(best) !== "" || tells(best, note)) ? [{ turn: best, session }] : [];
  });
  const turns = chosen.map(({ turn }) => turn);
  const kept = distinct(turns, note);
  return chosen
    .filter(({ turn }) => kept.includes(turn))
    .map(({ turn, session }) => {
      const { base, fresh } = strandWorth;
      const left = found.find((end) => atWork.has(end.kind) && session.turns.includes(end.turn));
      const what = left?.kind === "plan" ? `: “${cut(left.text, askedAbout)}”` : "";
      const state = left ? ` · ${note.labels[labelOf(left)]}${what}` : "";
      return {
        ...{ section, ids: [turn.id], wanted: strandWanted, said: saidIn(turn) },
        worth: base + fresh * session.fresh,
        head: placeOf(turn, note) + topicOf(session, turn, note) + state,
      };
    });
}

/**
 * What a turn said at its end, where that is about its work: "Clean." and "All tests pass." stand after any. Where `each` session matters,
 * so does a short answer in other words than its question.
 */
function resultOf(turn: Turn, note: Writing, each = false): string {
  const said = closingOf(turn, note);
  const words = [...meaningOf(said)].filter((word) => purposeOf(word) === undefined);
  const work = meaningOf(workOf(turn).replace(/[/_.-]+/g, " "));
  const isBacked = codeNames(said).length > 0 || words.some((word) => work.has(word));
  if (words.length >= leastWords.said && isBacked) return said;
  const isAnswer = each && /^(?:answer|said)$/.test(note.outcomeOf(turn).basis);
  return isAnswer && words.length >= leastWords.said - 1 ? said : "";
}

function tells(turn: Turn, note: Writing): boolean {
  return laysDown(note.outcomeOf(turn)) || resultOf(turn, note) !== "";
}

/** What a turn committed or planned, else what its session was asked that says what it is about. */
function topicOf({ turns }: PastSession, turn: Turn, note: Writing): string {
  const outcome = note.outcomeOf(turn);
  const isSaid = resultOf(turn, note).includes(outcome.title.replace(/…$/, ""));
  if (laysDown(outcome) && !isSaid) return titleOf(turn, note);
  const asked = [turn, ...turns].map((one) => askedIn(one, askedAbout));
  return asked.find((text) => meaningOf(text).size >= leastWords.said) ?? "";
}

// What is open.

const openWorth = {
  ...{ stopped: 0.95, plan: 0.94, failure: 0.93 },
  ...{ question: 0.9, todo: 0.9, next: 0.86 },
};
/** What was begun stays open beyond the turns and sessions after it; anything else is over as soon as work went on. */
const begun: ReadonlySet<string> = new Set(["todo", "plan"]);
/** Sessions since in which nobody took up what was begun. */
const begunLeast = 0.6;

function open(
  found: ReadonlyArray<OpenEnd<Turn>>,
  sessions: readonly PastSession[],
  last: PastSession | undefined,
  note: Writing,
): Line[] {
  const { labels } = note;
  const endings = [sessions.find(({ fresh }) => fresh > otherBranch), last];
  return found.flatMap((end): Line[] => {
    const { kind, text, about, whole, turn } = end;
    const session = sessions.find(({ turns }) => turns.some(({ id }) => id === turn.id));
    const isBegun = begun.has(kind) && about !== "proposed";
    // Work that was stopped stays so while the user and the agent only talk.
    const isLast = kind === "stopped" || turn.id === session?.turns.at(-1)?.id;
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
      ...(whole !== undefined && { wanted: endWanted }),
    };
    return [line];
  });
}

function labelOf({ kind, about, turn }: OpenEnd<Turn>): OpenKind | "unended" | "proposed" {
  if (kind === "stopped" && turn.end === "open") return "unended";
  return kind === "plan" && about === "proposed" ? "proposed" : kind;
}

// The note's own words; everything else in it is quoted as it was said. Pure.

/** By label: a line for each language, in their order. */
const table = new Map(
  labelTable
    .trim()
    .split("\n\n")
    .map((block) => {
      const [name = "", ...words] = block.split("\n");
      return [name, words] as const;
    }),
);

/** The labels of a language. */
export function labelsOf(language: Language): Labels {
  const column = languages.indexOf(language);
  const pick = <Name extends string>(names: readonly Name[], kind = "") =>
    Object.fromEntries(
      names.map((name) => [name, table.get(kind + name)?.[column] ?? ""]),
    ) as Record<Name, string>;
  return { ...pick(labelNames), sections: pick(sectionNames, "section ") };
}

/** What was not to be done in a session, where the reason names what it was about: "Keep a.ts: b imports it". */
function refusals({ turns, fresh }: PastSession, ruled: readonly Line[], note: Writing): Line[] {
  return turns.flatMap((turn) => {
    const pieces = turn.pieces.filter(({ kind, text, about = "" }) => {
      const names = new Set(namesIn(about));
      const isRuled = ruled.some(({ said = "" }) => overlap(said, text) > alike);
      return kind === "refusal" && !isRuled && namesIn(text).some((name) => names.has(name));
    });
    return answersIn({ ...turn, pieces }, [], note).map(
      ({ head, said }): Line => ({
        ...{ section: "decided", worth: 0.4 * fresh, ids: [turn.id], said },
        head: `${placeOf(turn, note)} · ${head}`,
      }),
    );
  });
}
