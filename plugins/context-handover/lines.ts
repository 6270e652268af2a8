// The candidates for a note: each line with what it is worth for this start. Pure.
import type { MemoryItem, Observation, Summary, Turn } from "../../src/sdk/index.ts";
import {
  type OpenKind,
  type Outcome,
  openEnds,
  outcomeOf,
  projectCommands,
  refusedCommands,
  workarounds,
} from "../../src/strategy/index.ts";
import { type Clock, meaningOf, overlap, saysOtherwise } from "../../src/text/index.ts";
import { code, type Labels, type Line, whoSaid } from "./line.ts";

/** What the note is made from. Lists are newest first. */
export interface Material {
  /** Name and id of the project, for the reader. */
  project: { id: string; name: string };
  /** The branch that is checked out, where it is known. */
  branch?: string;
  /** Turns of other sessions. */
  turns: Turn[];
  /** This session's own turns from before a compaction; empty otherwise. */
  own: Turn[];
  pinned: Pinned[];
  /** Decisions and preferences from other sessions, with their state. */
  standingItems: MemoryItem[];
  /** Workflows and gotchas of the project. */
  practice: MemoryItem[];
  /** Those that the user edited. */
  observations: Observation[];
  /** Of sessions; shown where their turns are not known. */
  summaries: Summary[];
}

/** A pinned record. */
export type Pinned =
  | { kind: "memory"; record: MemoryItem }
  | { kind: "observation"; record: Observation }
  | { kind: "summary"; record: Summary }
  | { kind: "turn"; record: Turn };

/** What lines are written with. */
export interface Writing {
  clock: Clock;
  labels: Labels;
  /** What came of a turn; worked out once. */
  outcomeOf(turn: Turn): Outcome;
}

/** A session of the past: its turns oldest first. */
interface PastSession {
  turns: Turn[];
  /** What is left of its worth after the sessions that came later, and on another branch. */
  fresh: number;
}

const decay = 0.8;
const otherBranch = 0.7;
/** Turns in which ends, outcomes and files are looked for; commands are looked for in all. */
const turnsRead = 60;
/** Of a session its commits and so many of its last turns are looked at. */
const endsRead = 6;
/** Sessions of less worth are history. */
const freshLeast = 0.3;
const filesNamed = 4;
/** Two titles that share more say the same. */
const same = 0.6;
/** A title of fewer words of meaning says nothing: "Init", "All tests pass". */
const leastWords = { laidDown: 2, said: 4 };

/** Every candidate. */
export function candidates(material: Material, how: Pick<Writing, "clock" | "labels">): Line[] {
  const { turns, own } = material;
  const outcomes = new Map<Turn, Outcome>();
  const note: Writing = {
    ...how,
    outcomeOf: (turn) => {
      const outcome = outcomes.get(turn) ?? outcomeOf(turn);
      outcomes.set(turn, outcome);
      return outcome;
    },
  };
  const recent = [...own, ...turns.slice(0, turnsRead)];
  const sessions = sessionsOf(turns.slice(0, turnsRead), material.branch);
  const nearest = sessions.toSorted((one, other) => other.fresh - one.fresh);
  const last =
    nearest.find((one) => ends(one).some((turn) => isWork(turn, note))) ??
    nearest.find((one) => one.turns.at(-1)?.end === "closed");
  const lines = [
    ...pinned(material.pinned, note),
    ...own.map((turn, at) => outcomeLine(turn, "own", 1 - at * 0.02, note, 400)),
    ...standing(last, note),
    ...uncommitted(last, note),
    ...open(recent, sessions, last, note),
    ...decided(material.standingItems, last, note),
    ...commands([...own, ...turns], material.practice, note),
    ...habits(material.standingItems),
    ...repairs([...own, ...turns], material.practice, note),
    ...earlier(sessions, last, note),
    ...notes(material, note),
  ];
  const isOpen = new Set(lines.flatMap(({ section, ids }) => (section === "open" ? ids : [])));
  const pins = new Set(material.pinned.map(({ record }) => record.id));
  return lines.filter(
    ({ section, ids }) =>
      section === "pinned" ||
      ids.length === 0 ||
      !ids.every((id) => pins.has(id) || (section === "earlier" && isOpen.has(id))),
  );
}

/** Newest first. */
function sessionsOf(turns: readonly Turn[], branch: string | undefined): PastSession[] {
  const found = new Map<string, Turn[]>();
  for (const turn of turns.toSorted((one, other) => other.startedAt - one.startedAt))
    found.set(turn.session, [turn, ...(found.get(turn.session) ?? [])]);
  return [...found.values()].map((own, ago) => {
    const elsewhere =
      branch !== undefined && own.every((turn) => (turn.branch ?? branch) !== branch);
    return { turns: own, fresh: decay ** ago * (elsewhere ? otherBranch : 1) };
  });
}

function placeOf(turn: Turn, { clock }: Writing): string {
  return `${turn.id} · ${clock.day(turn.startedAt)}`;
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

/** A turn by its outcome, and what was said of it beyond that. */
function outcomeLine(
  turn: Turn,
  section: Line["section"],
  worth: number,
  note: Writing,
  wanted = 0,
): Line {
  const { title, said, basis } = note.outcomeOf(turn);
  const isWhole = wanted > 0 && said !== "";
  // A title that was taken from what was said is not said twice.
  const isSaid = isWhole && basis === "said";
  const about = isWhole ? contextOf(turn, note) : { title, basis };
  const named = about.basis === "asked" ? `“${about.title}”` : about.title;
  const shown = isSaid || about.title === "" ? "" : ` · ${named}`;
  return {
    ...{ section, worth, ids: [turn.id], head: placeOf(turn, note) + shown },
    ...(isWhole && { said, wanted }),
  };
}

/** The turns of a session that may have ended something, newest first. */
function ends({ turns }: PastSession): Turn[] {
  const last = new Set(turns.slice(-endsRead));
  return turns
    .filter((turn) => last.has(turn) || turn.pieces.some(({ kind }) => kind === "commit"))
    .toReversed();
}

/** The last session: how it ended, and what else came of it. */
function standing(last: PastSession | undefined, note: Writing): Line[] {
  if (!last) return [];
  const results = ends(last).filter((turn) => isWork(turn, note));
  const [end, ...before] = results;
  if (!end || note.outcomeOf(end).basis === "changed") return unfinished(last, note);
  const shown = distinct(
    [end, ...before.filter((turn) => worthTelling(note.outcomeOf(turn)))],
    note,
  );
  return shown
    .slice(0, 3)
    .map((turn, at) => outcomeLine(turn, "now", 1 - at * 0.15, note, at === 0 ? 320 : 0));
}

/** Where no words say what came of it, what was asked and said last. */
function unfinished({ turns }: PastSession, note: Writing): Line[] {
  const turn = turns.at(-1);
  const closing = turn?.pieces.findLast(({ kind }) => kind === "closing")?.text ?? "";
  if (!turn) return [];
  const { title } = askedOf(turn);
  const head = `${placeOf(turn, note)}${title === "" ? "" : ` · “${title}”`}`;
  return [{ section: "now", worth: 1, ids: [turn.id], head, said: closing, wanted: 160 }];
}

/** Without those whose title says what one before it says. */
function distinct(turns: readonly Turn[], { outcomeOf: of }: Writing): Turn[] {
  const kept: Turn[] = [];
  for (const turn of turns) {
    const { title } = of(turn);
    const isTold = kept.some((one) => overlap(of(one).title, title) > same);
    if (!isTold) kept.push(turn);
  }
  return kept;
}

/** Of each other session what matters most. */
function earlier(
  sessions: readonly PastSession[],
  last: PastSession | undefined,
  note: Writing,
): Line[] {
  const files = filesOf(last);
  const chosen = sessions.flatMap((session) => {
    if (session === last || session.fresh < freshLeast) return [];
    const worthOf = (turn: Turn) =>
      basisWorth[note.outcomeOf(turn).basis] * session.fresh * (isNear(turn, files) ? 1.2 : 1);
    const best = ends(session).sort((one, other) => worthOf(other) - worthOf(one))[0];
    const tells = best && worthTelling(note.outcomeOf(best));
    return tells ? [{ turn: best, worth: worthOf(best) * 0.75 }] : [];
  });
  const kept = new Set(
    distinct(
      chosen.map(({ turn }) => turn),
      note,
    ),
  );
  return chosen
    .filter(({ turn, worth }) => worth > 0 && kept.has(turn))
    .map(({ turn, worth }) => outcomeLine(turn, "earlier", worth, note));
}

function filesOf(session: PastSession | undefined): Set<string> {
  const files = session?.turns.flatMap((turn) => turn.files) ?? [];
  return new Set(files.flatMap(({ path, changed }) => (changed && isInside(path) ? path : [])));
}

/** False for a file outside the project: the client's own memory and plans, a scratch folder. */
function isInside(path: string): boolean {
  return !/^(?:[/\\~]|[a-z]:|\.\.)/i.test(path);
}

function isNear(turn: Turn, files: ReadonlySet<string>): boolean {
  return turn.files.some(({ path, changed }) => changed && files.has(path));
}

// What is open.

const openWorth = {
  ...{ stopped: 0.95, plan: 0.94, failure: 0.93 },
  ...{ question: 0.9, todo: 0.9, next: 0.86 },
};
/** What was only said is over sooner than what was begun. */
const saidOnly: ReadonlySet<OpenKind> = new Set(["question", "next"]);

function open(
  recent: readonly Turn[],
  sessions: readonly PastSession[],
  last: PastSession | undefined,
  note: Writing,
): Line[] {
  const { labels } = note;
  return openEnds(recent).map(({ kind, text, about, turn }) => {
    const session = sessions.find(({ turns }) => turns.some(({ id }) => id === turn.id));
    const fresh = session?.fresh ?? 1;
    const { title, basis } = contextOf(turn, note);
    const label = labels[labelOf(kind, about, turn)];
    const what =
      about === "" || kind === "plan" ? "" : kind === "todo" ? ` (${about})` : `: ${code(about)}`;
    // What the last session was about stands above.
    const isTitled =
      (session !== last || basis === "asked") &&
      kind !== "plan" &&
      kind !== "failure" &&
      title !== "" &&
      overlap(title, text) < same;
    const titled = basis === "asked" ? `“${title}”` : title;
    return {
      section: "open",
      worth: openWorth[kind] * fresh * (saidOnly.has(kind) ? fresh : 1),
      ids: [turn.id],
      head: `${placeOf(turn, note)} · ${isTitled ? `${titled} · ` : ""}${label}${what}${text === "" ? "" : ":"}`,
      said: text,
    };
  });
}

/** What a turn was about: where it only answered, what was asked. */
function contextOf(turn: Turn, { outcomeOf: of }: Writing): Outcome {
  const outcome = of(turn);
  if (outcome.basis !== "answer") return outcome;
  const asked = askedOf(turn);
  return asked.title === "" ? outcome : asked;
}

/** A turn as if nothing had come of it. */
function askedOf(turn: Turn): Outcome {
  const prompts = turn.pieces.filter(({ kind }) => kind === "prompt");
  return outcomeOf({ ...turn, pieces: prompts, files: [] });
}

function labelOf(kind: OpenKind, about: string, { end }: Turn): OpenKind | "unended" | "proposed" {
  if (kind === "stopped" && end === "open") return "unended";
  return kind === "plan" && about === "proposed" ? "proposed" : kind;
}

/** Files that the last session changed after its last commit, where it made any, or nobody committed since. */
function uncommitted(last: PastSession | undefined, { labels }: Writing): Line[] {
  const turns = last?.turns ?? [];
  const at = turns.findLastIndex(({ pieces }) => pieces.some(({ kind }) => kind === "commit"));
  const changing = turns.slice(at + 1).filter(({ files }) => files.some(({ changed }) => changed));
  const files = [...filesOf({ turns: changing, fresh: 1 })];
  if (files.length === 0) return [];
  const more = files.length > filesNamed ? ` +${files.length - filesNamed}` : "";
  return [
    {
      section: "now",
      worth: 0.55,
      ids: [],
      from: changing.map(({ id }) => id).toReversed(),
      head: `${labels.uncommitted}: ${files.slice(-filesNamed).join(", ")}${more}`,
    },
  ];
}

// What people laid down.

/** Kinds that a model words for the user. */
const settled: ReadonlySet<MemoryItem["kind"]> = new Set(["decisions", "preferences"]);

/** What stands alone: what was said once waits until somebody confirms it. */
function decided(
  items: readonly MemoryItem[],
  last: PastSession | undefined,
  note: Writing,
): Line[] {
  const work = meaningOf(
    (last?.turns ?? [])
      .flatMap(({ pieces, files }) => [
        ...pieces.flatMap(({ kind, text }) => (kind === "prompt" ? text.slice(0, 1_000) : [])),
        ...files.map(({ path }) => path),
      ])
      .join("\n"),
  );
  const stands = items.filter(({ kind, state, evidence }) =>
    // What a model found out of the project is there to be searched.
    state === undefined ? evidence === undefined && settled.has(kind) : state === "standing",
  );
  return stands
    .filter((item, at) => !stands.slice(0, at).some((newer) => overtakes(newer, item)))
    .map((item, at): Line => {
      const shared = [...meaningOf(item.content)].filter((word) => work.has(word)).length;
      return {
        section: "decided",
        worth: 0.7 + Math.min(shared, 5) * 0.03 - at * 0.02 + (item.edited ? 0.1 : 0),
        ids: [item.id],
        head: `${item.id} · ${item.date} · ${whoSaid(item, note.labels)}:`,
        said: item.content,
      };
    });
}

/** True for what was observed, and nobody judged. */
function isHabit({ state, evidence }: MemoryItem): boolean {
  return state === undefined && evidence !== undefined;
}

/** What the user asks for again and again, with the sessions in which they did. */
function habits(items: readonly MemoryItem[]): Line[] {
  return items.filter(isHabit).map(({ id, content, evidence = [] }, at) => ({
    section: "habits",
    worth: 0.5 - at * 0.05,
    ids: [id],
    head: `${id} · ×${evidence.length}`,
    said: content,
  }));
}

/** True for a newer word about the same: another answer to one question, another name or number in one statement. */
function overtakes(newer: MemoryItem, older: MemoryItem): boolean {
  if (saysOtherwise(newer.content, older.content)) return true;
  const question = questionOf(newer);
  return question !== "" && question === questionOf(older) && newer.content !== older.content;
}

function questionOf({ content, quote = "" }: MemoryItem): string {
  const [answer = ""] = quote.split("\n");
  return answer !== "" && content.endsWith(answer) ? content.slice(0, -answer.length).trim() : "";
}

// How the project is worked with.

const commandsShown = 6;
/** A command that checks nothing is shown when so many sessions ran it. */
const sessionsLeast = 3;

/** What tests, lints, formats and builds it, in one line, and what the user did not want to be run. */
function commands(turns: readonly Turn[], practice: readonly MemoryItem[], note: Writing): Line[] {
  const stored = practice.filter(
    ({ kind, state }) => kind === "workflows" && state !== "candidate",
  );
  const known = projectCommands(turns).filter(
    ({ purpose, sessions }, at, all) =>
      sessions >= sessionsLeast ||
      (purpose !== undefined && all.findIndex((one) => one.purpose === purpose) === at),
  );
  const added = stored.filter(({ content }) => !known.some(({ line }) => line === content));
  const shown = [
    ...known.map(({ line, sessions, last }) => ({
      ...{ text: `${code(line)} ×${sessions}`, from: last.id },
      id: stored.find(({ content }) => content === line)?.id,
    })),
    ...added.map(({ content, id }) => ({ text: code(content), from: id, id })),
  ].slice(0, commandsShown);
  const refused = refusedCommands(turns.slice(0, turnsRead)).map(
    ({ line, reason, turn }): Line => ({
      section: "build",
      worth: 0.6,
      ids: [turn.id],
      head: `${placeOf(turn, note)} · ${note.labels.refused}: ${code(line)}`,
      said: reason,
    }),
  );
  if (shown.length === 0) return refused;
  const line: Line = {
    section: "build",
    worth: 0.85,
    ids: shown.flatMap(({ id }) => id ?? []),
    from: [...new Set(shown.map(({ from }) => from))],
    head: shown.map(({ text }) => text).join(" · "),
  };
  return [line, ...refused];
}

/** A command that never works here and the one that does; failures whose cause is stored. */
function repairs(turns: readonly Turn[], practice: readonly MemoryItem[], note: Writing): Line[] {
  const instead = workarounds(turns).map(
    ({ fails, works, sessions, last }): Line => ({
      section: "repairs",
      worth: 0.84,
      ids: [last.id],
      head: `${code(fails)} ${note.labels.instead} ${code(works)} ×${sessions}`,
    }),
  );
  const stored = practice
    .filter(({ kind, state }) => kind === "gotchas" && state !== "candidate")
    .map(
      ({ id, date, content }, at): Line => ({
        section: "repairs",
        worth: 0.5 - at * 0.02,
        ids: [id],
        head: `${id} · ${date}`,
        said: content,
      }),
    );
  return [...instead.slice(0, 2), ...stored.slice(0, 2)];
}

// What the user pinned or wrote, and sessions of which only a summary is left.

function pinned(all: readonly Pinned[], note: Writing): Line[] {
  return all.map((one, at) => ({
    ...{ section: "pinned", worth: 2 - at * 0.01, ids: [one.record.id] },
    ...pinnedText(one, note),
  }));
}

function pinnedText(one: Pinned, note: Writing): Pick<Line, "head" | "said" | "plain"> {
  const { clock, labels } = note;
  const day = (time: number) => `${one.record.id} · ${clock.day(time)} ·`;
  if (one.kind === "memory")
    return {
      head: `${one.record.id} · ${one.record.date} · ${whoSaid(one.record, labels)}:`,
      said: one.record.content,
    };
  if (one.kind === "turn") {
    const closing = one.record.pieces.findLast(({ kind }) => kind === "closing")?.text ?? "";
    const { title, said } = note.outcomeOf(one.record);
    return { head: `${day(one.record.startedAt)} ${title}`, said: said || closing };
  }
  if (one.kind === "summary") {
    const { time, completed, learned, request, nextSteps } = one.record;
    const said = joined([completed, learned, request, nextSteps]);
    return { head: `${day(time)} ${labels.summary}:`, said, plain: true };
  }
  const { time, type, title, facts, narrative } = one.record;
  const said = joined([title, ...(facts.length > 0 ? facts : [narrative])]);
  return { head: `${day(time)} ${type}:`, said, plain: true };
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(" — ");
}

function notes({ observations, summaries, turns }: Material, note: Writing): Line[] {
  const { clock, labels } = note;
  const edited = observations.map(
    ({ id, time, type, title, facts }, at): Line => ({
      section: "notes",
      worth: 0.66 - at * 0.02,
      ids: [id],
      head: `${id} · ${clock.day(time)} · ${type} · ${labels.typed}:`,
      said: joined([title, ...facts.slice(0, 1)]),
      plain: true,
    }),
  );
  if (turns.length > 0) return edited;
  const told = summaries.map(
    ({ id, time, request, completed, learned, nextSteps }, at): Line => ({
      section: "notes",
      worth: 0.9 * decay ** at,
      ids: [id],
      head: `${id} · ${clock.day(time)} · ${labels.summary}:`,
      said: joined([completed, nextSteps, learned, request]),
      plain: true,
      wanted: 400,
    }),
  );
  return [...told, ...edited];
}
