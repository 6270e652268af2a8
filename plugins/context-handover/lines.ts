// The candidates for a note: each line with what it is worth for this start; here those that turns give. Pure.
import type { MemoryItem, Turn } from "../../src/sdk/index.ts";
import {
  changingTools,
  decides,
  isTheirs,
  makerOf,
  type OpenEnd,
  type OpenKind,
  type Outcome,
  openEnds,
  outcomeOf,
  purposeOf,
} from "../../src/strategy/index.ts";
import { askedOf, baseName, cut, meaningOf, overlap, plainLine } from "../../src/text/index.ts";
import {
  byHand,
  code,
  commands,
  decided,
  filesOf,
  habits,
  hasCommit,
  notes,
  pinned,
  placeOf,
  repairs,
  stands,
  uncommitted,
  withoutUndone,
} from "./items.ts";
import {
  alike,
  type Line,
  type Material,
  type PastSession,
  turnsRead,
  type Writing,
} from "./note.ts";

const decay = 0.8;
const otherBranch = 0.5;
/** What is left at least of a session about what the branch is named after; such a word is in so many of the sessions at most. */
const named = 0.45;
const rare = 0.2;
/** Of a session its commits and so many of its last turns are looked at. */
const endsRead = 4;
/** Sessions of less worth are history. */
const freshLeast = 0.4;
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
  const left = withoutUndone(turns, seen);
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
    ...standing(last, note),
    ...uncommitted(here, seen, material.missing ?? new Set(), note),
    ...(plan === "" ? openLines : openLines.filter(({ ids }) => ids[0] === inHand?.turn.id)),
    ...others(theirs, note),
    ...decided(material.standingItems, everyone, { own, turns: all, work }, note),
    ...commands(all, material, note),
    ...habits(material.standingItems),
    ...repairs(all, material.practice, note),
    ...earlier(sessions, last, plan, note),
    ...course(here, known, note),
    ...beginnings(sessions, last, note),
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

/** The words that say what a turn worked on. */
function workOf({ pieces, files, branch = "" }: Turn): string {
  const asked = pieces.flatMap(({ kind, text }) =>
    /^(?:prompt|plan|commit|published)$/.test(kind) ? text.slice(0, 1_000) : [],
  );
  return [branch.replace(/\W+/g, " "), ...asked, ...files.map(({ path }) => path)].join("\n");
}

/** Without sentences that another line says. */
function withoutSaid({ said = "", grows, ...line }: Line, others: readonly string[]): Line {
  const without = (text: string) => {
    const kept = text
      .split(sentenceEnd)
      .filter((sentence) => !others.some((other) => overlap(sentence, other) > alike));
    return kept.length === 0 ? text : kept.join(" ");
  };
  return {
    ...{ ...line, said: without(said) },
    ...(grows && { grows: { ...grows, said: without(grows.said) } }),
  };
}

/** Newest first: those of the turns read, and older ones about what the branch is named after. */
function sessionsOf(turns: readonly Turn[], branch: string | undefined): PastSession[] {
  const found = new Map<string, Turn[]>();
  for (const turn of turns.toSorted((one, other) => other.startedAt - one.startedAt))
    found.set(turn.session, [turn, ...(found.get(turn.session) ?? [])]);
  const all = [...found.values()];
  const recent = new Set(turns.slice(0, turnsRead));
  const words = all.map((own) => meaningOf(own.map(workOf).join("\n")));
  const isElsewhere = (own: readonly Turn[]) =>
    branch !== undefined && own.every((turn) => (turn.branch ?? branch) !== branch);
  // A word that many sessions share, as the user's own name, tells none from another.
  const telling = [...meaningOf((branch ?? "").replace(/[^\p{L}\p{N}]+/gu, " "))].filter(
    (word) => word.length > 3 && words.filter((one) => one.has(word)).length <= all.length * rare,
  );
  return all.flatMap((own, ago) => {
    const isNamed = telling.some((word) => words[ago]?.has(word));
    // On its own branch only what was done there later makes a session old.
    const fresh = isElsewhere(own)
      ? otherBranch * decay ** ago
      : decay ** all.slice(0, ago).filter((one) => !isElsewhere(one)).length;
    if (!isNamed && !own.some((turn) => recent.has(turn))) return [];
    return { turns: own, fresh: isNamed ? Math.max(fresh, named) : fresh };
  });
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

/** True for a title that says by itself what came of a turn. */
function worthTelling({ title, basis }: Outcome): boolean {
  const isLaidDown = basis === "commit" || basis === "plan";
  const least = isLaidDown ? leastWords.laidDown : leastWords.said;
  return basis !== "answer" && basis !== "changed" && meaningOf(title).size >= least;
}

/** A turn in a line: what it committed, planned or came to. */
function shortLine(turn: Turn, section: Line["section"], worth: number, note: Writing): Line {
  const title = titleOf(turn, note);
  return { section, worth, ids: [turn.id], head: `${placeOf(turn, note)}${title}` };
}

/** A turn by what it committed or planned, else by what was asked, and by what was said at its end. */
function wholeLine(
  turn: Turn,
  section: Line["section"],
  worth: number,
  note: Writing,
): Line & NonNullable<Line["grows"]> {
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

/** The last session: which it was, how it ended, and what else came of it. */
function standing(last: PastSession | undefined, note: Writing): Line[] {
  if (!last) return [];
  const results = ends(last).filter((turn) => isWork(turn, note));
  const end = results[0] ?? last.turns.at(-1);
  const before = results.filter((turn) => turn !== end && worthTelling(note.outcomeOf(turn)));
  return distinct(end ? [end, ...before] : [], note)
    .slice(0, 3)
    .map((turn, at) => {
      const whole = wholeLine(turn, "now", 1 - at * 0.15, note);
      if (at > 0) return { ...shortLine(turn, "now", whole.worth, note), grows: whole };
      const head = whole.head.replace(placeOf(turn, note), sessionOf(last, turn, note));
      return { ...whole, head, wanted: endWanted, grows: { ...whole, head } };
    });
}

const sentenceEnd = /(?<=[.!?。！？])\s+|(?<=[。！？])/u;
/** A closing that is not longer is shown whole where there is room. */
const wholeClosing = 450;
/** What the end of the last session gets at least. */
const endWanted = 320;

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

/** What a turn's refusals and choices decided, but what one of the items says; a check that was refused has a line of its own. */
function answersIn(
  { pieces, files }: Turn,
  items: readonly MemoryItem[],
  { labels }: Writing,
): Array<{ head: string; said: string }> {
  return pieces.flatMap((piece) => {
    const { kind, text, about = "" } = piece;
    const isShown =
      kind === "plan" ||
      purposeOf(about) !== undefined ||
      items.some(({ content }) => overlap(content, text) > alike);
    if (isShown || !decides(piece, files)) return [];
    const head = kind === "choice" ? `${labels.chosen}:` : `${labels.refused}: ${code(about)}`;
    return [{ head, said: text }];
  });
}

/** The last session as it went, turn by turn; where there is little else. */
function course(
  last: PastSession | undefined,
  items: readonly MemoryItem[],
  note: Writing,
): Line[] {
  if (!last) return [];
  const whole = last.turns.toReversed().flatMap((turn, at): Line[] => {
    const worth = 0.275 - at * 0.01;
    // A commit stands above, and that checks passed tells nothing.
    const tells =
      !hasCommit(turn) &&
      (note.outcomeOf(turn).said !== "" || meaningOf(askedIn(turn)).size >= leastWords.said);
    return tells ? [{ ...wholeLine(turn, "now", worth, note), fills: true }] : [];
  });
  return [...answers(last, items, note), ...whole];
}

/** In a young project each session matters: what its last turn came to. */
const youngSessions = 6;

function beginnings(
  sessions: readonly PastSession[],
  last: PastSession | undefined,
  note: Writing,
): Line[] {
  if (sessions.length > youngSessions) return [];
  return sessions.flatMap((session): Line[] => {
    const turn = session.turns.findLast((one) => note.outcomeOf(one).said !== "");
    if (session === last || !turn) return [];
    return [{ ...wholeLine(turn, "earlier", 0.26 * session.fresh, note), fills: true }];
  });
}

/** What the user decided in a session by choosing, or by what is to be written instead; where there is little else. */
function answers(
  { turns, fresh }: PastSession,
  items: readonly MemoryItem[],
  note: Writing,
): Line[] {
  return turns.toReversed().flatMap((turn, at) => {
    // That a command was not to run was of that moment.
    const pieces = turn.pieces.filter(
      ({ kind, about = "" }) =>
        kind !== "refusal" || changingTools.has(about.split(" ", 1)[0] ?? ""),
    );
    return answersIn({ ...turn, pieces }, items, note).map(
      ({ head, said }): Line => ({
        ...{ section: "decided", worth: (0.28 - at * 0.01) * fresh, ids: [turn.id], fills: true },
        ...{ head: `${placeOf(turn, note)} · ${head}`, said },
      }),
    );
  });
}

/** Of each other session what matters most. */
function earlier(
  sessions: readonly PastSession[],
  last: PastSession | undefined,
  plan: string,
  note: Writing,
): Line[] {
  const files = filesOf(last?.turns ?? []);
  // Beside a plan only what touched its files matters.
  const isMeant = (turn: Turn) =>
    plan === "" || turn.files.some(({ path, changed }) => changed && plan.includes(baseName(path)));
  const chosen = sessions.flatMap((session) => {
    if (session === last || session.fresh < freshLeast) return [];
    const worthOf = (turn: Turn) =>
      basisWorth[note.outcomeOf(turn).basis] * session.fresh * (isNear(turn, files) ? 1.2 : 1);
    const best = ends(session).sort((one, other) => worthOf(other) - worthOf(one))[0];
    const tells = best && worthTelling(note.outcomeOf(best)) && isMeant(best);
    return tells ? [{ turn: best, worth: worthOf(best) * 0.75, fresh: session.fresh }] : [];
  });
  const told = chosen.map(({ turn }) => turn);
  const kept = new Set(distinct(told, note));
  return chosen
    .filter(({ turn, worth }) => worth > 0 && kept.has(turn))
    .map(({ turn, worth, fresh }) => ({
      ...shortLine(turn, "earlier", worth, note),
      // Only what came right before the last session is worth more than a line.
      ...(fresh >= decay && { grows: wholeLine(turn, "earlier", worth, note) }),
    }));
}

/** What of another's session is shown, at most. */
const othersWanted = 200;

/** What others did since, each session by what it came to. */
function others(turns: readonly Turn[], note: Writing): Line[] {
  const found = sessionsOf(turns, undefined).flatMap((session) => {
    const worthOf = (turn: Turn) => basisWorth[note.outcomeOf(turn).basis] * session.fresh;
    const best = ends(session).sort((one, other) => worthOf(other) - worthOf(one))[0];
    return best && isWork(best, note) ? [{ turn: best, worth: worthOf(best) }] : [];
  });
  const kept = new Set(
    distinct(
      found.map(({ turn }) => turn),
      note,
    ),
  );
  return found
    .filter(({ turn }) => kept.has(turn))
    .map(({ turn, worth }) => ({
      ...wholeLine(turn, "others", worth, note),
      wanted: othersWanted,
    }));
}

function isNear(turn: Turn, files: ReadonlySet<string>): boolean {
  return turn.files.some(({ path, changed }) => changed && files.has(path));
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
  return found.flatMap(({ kind, text, about, whole, turn }): Line[] => {
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
    const label = labels[labelOf(kind, about, turn)];
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
      said: text,
      ...(kind === "plan" && {
        grows: {
          head: `${placeOf(turn, note)} · ${label}:`,
          said: (whole ?? "").replace(/^#+\s*/gm, ""),
          wanted: wholeClosing,
        },
      }),
    };
    return [line];
  });
}

function labelOf(kind: OpenKind, about: string, { end }: Turn): OpenKind | "unended" | "proposed" {
  if (kind === "stopped" && end === "open") return "unended";
  return kind === "plan" && about === "proposed" ? "proposed" : kind;
}
