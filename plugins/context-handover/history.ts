// Where things stood last, and what was before: each turn with what was asked and how it was closed. Pure.

import type { MemoryItem, Observation, Summary, Turn } from "../../src/sdk/index.ts";
import { baseName, headingOf } from "../../src/text/index.ts";
import { type Line, plain, type Saying, type SectionName } from "./line.ts";
import { checkKey, openFailures, recurring, workflows } from "./open.ts";
import {
  afterTurn,
  afterWords,
  code,
  fresh,
  isOnce,
  type PastTurn,
  piecesOf,
  placeOf,
  sentencesOf,
  stillTrue,
  tellingLine,
  termsOf,
  textOf,
  typed,
  type Writing,
} from "./past.ts";

/** Characters that a turn should get: the newest, the others of its session, the last of an older session, the rest. */
const wanted = { newest: 2_600, sameSession: 700, lastOfSession: 500, other: 350 };
const least = 60;
/** Words of a prompt by which it says something by itself. */
const leastTerms = 2;
const filesNamed = 3;

/** The newest turn: the note begins with it. `rank` is lower where the session's own turns come first. */
export function standing(note: Writing, rank = 1): Line[] {
  const newest = note.turns.at(-1);
  if (!newest) return [];
  return [turnLine(newest, note, "now", rank, wanted.newest)];
}

/** All turns but the newest, newest first. */
export function earlier(note: Writing): Line[] {
  return note.turns
    .slice(0, -1)
    .toReversed()
    .map((past, at) => {
      const base = past.isLast || past.sessionsAgo === 0 ? 0.8 : 0.6;
      const rank = (base + weightOf(past) - Math.min(at, 30) * 0.002) * fresh(past);
      const size =
        past.sessionsAgo === 0
          ? wanted.sameSession
          : past.isLast
            ? wanted.lastOfSession
            : wanted.other;
      return turnLine(past, note, "earlier", rank, size);
    });
}

/** Turns of this session from before its compaction, newest first. */
export function ownTurns(own: readonly PastTurn[], note: Writing): Line[] {
  return own.toReversed().map((past, at) => turnLine(past, note, "own", 1 - at * 0.01, 600));
}

/** What backs a turn and what is only in it: a commit, changed files, words that no other turn has. */
function weightOf(past: PastTurn): number {
  const committed = piecesOf(past, "commit").length > 0 ? 0.03 : 0;
  const changed = past.turn.files.some((file) => file.changed) ? 0.02 : 0;
  return committed + changed + Math.min(past.novel, 40) * 0.002;
}

function turnLine(
  past: PastTurn,
  note: Writing,
  section: SectionName,
  rank: number,
  size: number,
): Line {
  const { labels } = note;
  const sayings = (): Saying[] => {
    const prompt = asked(past, note);
    const end = ending(past, note);
    const commits = piecesOf(past, "commit")
      .map(({ text, about = "" }): Saying => {
        const [subject = ""] = text.split("\n", 1);
        return {
          text: subject,
          label: `${labels.committed} ${about.split(" ")[0] ?? ""}:`,
          as: "user",
        };
      })
      .slice(-2);
    const isBare = commits.length === 0 && end.every(({ text }) => text === labels.stopped);
    // "yes" and "exit" tell nothing where nothing is left of what came of them.
    if (isBare && past.later.length > 0 && saysLittle(prompt)) return [];
    return [...prompt, ...commits, ...end];
  };
  const changedLater = section === "own" ? [] : filesChangedAgain(past);
  const before = changedLater.length === 0 ? "" : ` (${labels.before} ${changedLater.join(", ")})`;
  const head = placeOf(past, note) + before;
  return {
    section,
    rank,
    ids: [past.turn.id],
    time: past.turn.startedAt,
    head,
    sayings,
    needsSaying: true,
    wanted: size,
    least,
  };
}

function saysLittle(sayings: readonly Saying[]): boolean {
  return termsOf(sayings.map(({ text }) => text).join("\n")).size < leastTerms;
}

function asked(past: PastTurn, note: Writing): Saying[] {
  const plans = piecesOf(past, "plan").map((plan) => plan.text);
  const texts = piecesOf(past, "prompt", "typed").map(({ text }) => {
    // A prompt that hands over an accepted plan is not typed by anybody.
    const plan = plans.find((one) => text.includes(one));
    return plan === undefined ? typed(text, note) : headingOf(plan);
  });
  const text = texts.join("\n").trim();
  return text === "" ? [] : [{ text, label: `${note.labels.asked}:`, as: "user" }];
}

function ending(past: PastTurn, note: Writing): Saying[] {
  const { labels } = note;
  const stop = piecesOf(past, "interrupted", "refusal").at(-1);
  const closing = stillTrue(textOf(past, "closing"), afterTurn(past));
  const stopped: Saying[] =
    past.turn.end === "interrupted" || stop?.kind === "interrupted"
      ? [
          {
            text: stop?.about ? `${labels.stopped}: ${code(stop.about)}` : labels.stopped,
            as: "plain",
          },
        ]
      : [];
  if (closing !== "") return [...stopped, { text: closing, label: "→", as: "quote" }];
  const said = piecesOf(past, "said").at(-1)?.text ?? "";
  if (past.turn.end === "open" && said !== "" && past.later.length === 0)
    return [{ text: said, label: `${labels.unended}:`, as: "quote" }];
  return stopped;
}

/** Files of the turn that a later one changed: what was said of them may not hold any more. */
function filesChangedAgain({ turn, later }: PastTurn): string[] {
  const changed = new Set(
    later.flatMap((one) => one.turn.files.flatMap((file) => (file.changed ? file.path : []))),
  );
  const again = turn.files.filter((file) => file.changed && changed.has(file.path));
  return again.slice(0, filesNamed).map(({ path }) => baseName(path));
}

// What was said on the way: at turning points, by subagents, in commits and the client's own summaries. Shown where there is room. Pure.

const sessionsLooked = 3;
const saidLeast = 40;
/** Of what was said on the way in one turn, so many pieces are shown. */
const saidShown = 4;
/** Shorter reports say only that something is over. */
const reportLeast = 120;
const summaryHeading = "\nSummary:\n";
/** Lines at the end of a commit's body that name people. */
const trailer = /^[\w-]+-by: .*$/gim;
const leastAside = 80;

/** Said on the way, newest turn first. */
export function asides(note: Writing): Line[] {
  return note.turns
    .filter(({ sessionsAgo }) => sessionsAgo < sessionsLooked)
    .toReversed()
    .flatMap((past) => [
      ...commits(past, note),
      ...said(past, note),
      ...reports(past, note),
      ...summaries(past, note),
    ]);
}

/** Commits with a body: their subjects stand with their turn. */
function commits(past: PastTurn, note: Writing): Line[] {
  return piecesOf(past, "commit")
    .filter(({ text }) => text.includes("\n"))
    .toReversed()
    .map(({ text, about = "" }, at) =>
      lineOf(past, note, 0.6 - at * 0.02, 500, {
        text: () => text.replace(trailer, "").trim(),
        label: `${note.labels.committed} ${about.split(" ")[0] ?? ""}:`,
      }),
    );
}

/**
 * What says most, in the order it was said. Without the last sentence of each: it said what came next, and that came.
 */
function said(past: PastTurn, note: Writing): Line[] {
  const pieces = piecesOf(past, "said");
  if (pieces.length === 0) return [];
  const text = () => {
    const after = afterWords(past, textOf(past, "closing"));
    const left = pieces.map(({ text }) => {
      const end = text.lastIndexOf(sentencesOf(text).at(-1) ?? "");
      const kept = stillTrue(text.slice(0, Math.max(0, end)).trim(), after);
      return { kept, worth: kept.length < saidLeast ? 0 : termsOf(kept).size };
    });
    const least = left.map(({ worth }) => worth).sort((a, b) => b - a)[saidShown - 1] ?? 0;
    const shown = left.flatMap(({ kept, worth }) => (worth > 0 && worth >= least ? kept : []));
    return [...new Set(shown)].join("\n");
  };
  return [lineOf(past, note, 0.55, 500, { text, label: "…" })];
}

function reports(past: PastTurn, note: Writing): Line[] {
  return piecesOf(past, "report")
    .filter(({ text }) => text.length >= reportLeast)
    .map(({ text, about = "" }) => {
      const label = `${note.labels.report}${about === "" ? "" : ` (${about})`}:`;
      return lineOf(past, note, 0.48, 500, { text: () => stillTrue(text, afterTurn(past)), label });
    });
}

/** The newest of the client's own summaries of the conversation; the turn went on after it. */
function summaries(past: PastTurn, note: Writing): Line[] {
  return piecesOf(past, "compaction")
    .slice(-1)
    .map(({ text }) => {
      // The client thinks aloud before it.
      const summary = text.slice(Math.max(0, text.indexOf(summaryHeading)));
      return lineOf(past, note, 0.5, 900, {
        text: () => stillTrue(summary, afterWords(past, textOf(past, "closing"))),
        label: `${note.labels.summary}:`,
      });
    });
}

function lineOf(
  past: PastTurn,
  note: Writing,
  rank: number,
  wanted: number,
  { text, label }: { text: () => string; label: string },
): Line {
  return {
    section: "earlier",
    rank: rank * fresh(past),
    ids: [past.turn.id],
    time: past.turn.startedAt,
    head: `${past.turn.id} · ${note.clock.day(past.turn.startedAt)}`,
    sayings: () => {
      const left = text();
      return left === "" ? [] : [{ text: left, label, as: "quote" }];
    },
    needsSaying: true,
    wanted,
    least: leastAside,
  };
}

// Notes that were derived from the evidence, one line each with its id; what their turn says is not said twice. Pure.

/** What notes were derived from, and the notes. */
export interface Noted {
  /** Turns of other sessions. */
  turns: Turn[];
  /** This session's own turns from before a compaction; empty otherwise. */
  own: Turn[];
  /** Of other sessions, and of this one from before a compaction. */
  observations: Observation[];
  /** Summaries of sessions and prompts; of this session as well after a compaction. */
  summaries: Summary[];
}

/** Observations, and summaries of sessions whose turns are not known. */
export function derived(material: Noted, note: Writing): Line[] {
  const { observations, summaries, turns, own } = material;
  const evidence = [...turns, ...own];
  const known = new Set(evidence.map(({ session }) => session));
  const placeOf = (one: { session: string; promptNumber: number }) =>
    `${one.session} ${one.promptNumber}`;
  const turnAt = new Map(evidence.map((turn) => [placeOf(turn), turn]));
  const { clock, labels } = note;
  const lines = observations.map((observation, at): Line => {
    const { id, time, type, title, subtitle, facts, edited } = observation;
    const turn = turnAt.get(placeOf(observation));
    return {
      section: "notes",
      rank: (edited ? 0.66 : 0.38) - at * 0.004,
      ids: [id],
      head: `${id} · ${clock.day(time)} · ${type}${edited ? ` · ${labels.typed}` : ""}:`,
      // What a turn says itself is not said again, neither in its words nor in others; the user's own words are.
      sayings: () => {
        if (turn && !edited && says(turn, title)) return [];
        return [title, ...(turn && !edited ? [] : [subtitle, ...facts.slice(0, 1)])]
          .filter((text) => text !== "")
          .map((text, i) => ({ text, ...(i > 0 && { label: "—" }), as: "plain" as const }));
      },
      needsSaying: true,
      wanted: 320,
      least: 60,
    };
  });
  const unknown = summaries.filter(
    ({ session, scope }) => scope === "session" && !known.has(session),
  );
  const ofSessions = unknown.map(
    ({ id, time, request, completed, learned, nextSteps }, at): Line => ({
      section: "notes",
      rank: (at === 0 && turns.length === 0 ? 0.95 : 0.6) - at * 0.02,
      ids: [id],
      head: `${id} · ${clock.day(time)} · ${labels.summary}:`,
      sayings: () =>
        [request, completed, learned, nextSteps]
          .filter((text) => text !== "")
          .map((text) => ({ text, as: "plain" as const })),
      wanted: 600,
      least: 60,
    }),
  );
  return [...ofSessions, ...lines];
}

/** True for a title that was taken from what the turn says, or was asked to do. */
function says({ pieces }: Turn, title: string): boolean {
  const words = plain(title).trimEnd();
  return pieces.some(({ text, about = "" }) => plain(`${about}\n${text}`).includes(words));
}

// How the project is built and tested, what fails again and again, and which files were worked on. Pure.

const filesListed = 12;
const gotchasShown = 4;
const commandsShown = 6;

/** Commands that pass here: those stored as workflows, what stands first; or, as long as none is stored, those that passed again and again. One line each, in the order they are run in. */
export function build(note: Writing, practice: readonly MemoryItem[]): Line[] {
  const seen = workflows(note.turns);
  const newest = note.turns.at(-1)?.turn.session;
  const failing = new Set(openFailures(note.turns).map(({ piece }) => checkKey(piece.about ?? "")));
  const stored = practice
    .filter(({ kind, content }) => kind === "workflows" && !failing.has(checkKey(content)))
    .filter((item, _, all) => !isOnce(item) || item.session === newest || all.every(isOnce))
    .toSorted((one, other) => Number(isOnce(one)) - Number(isOnce(other)))
    .slice(0, commandsShown)
    .map((item) => {
      const known = seen.find(({ line }) => line === checkKey(item.content));
      const place = known?.place ?? item.evidence?.at(-1)?.piece ?? 0;
      return { item, known, place };
    })
    .sort((one, other) => one.place - other.place);
  const line = (id: string[], command: string, times: number | undefined, when: string): Line => ({
    section: "build",
    rank: 0.75,
    ids: id,
    head: `${code(command)}${times === undefined ? "" : ` ×${times}`} (${when})`,
    sayings: () => [],
    wanted: 240,
    least: 20,
  });
  if (stored.length > 0)
    return stored.map(({ item, known }) => ({
      ...line([item.id], item.content, known?.passed, item.date),
      rank: isOnce(item) ? 0.68 : 0.75,
    }));
  return seen.map(({ line: command, passed, last }) => ({
    ...line([], command, passed, note.clock.day(last.turn.time)),
    from: [last.turn.id],
    rank: 0.75 * Math.max(0.8, fresh(last)),
  }));
}

/** Failures whose cause is stored, and those that came again and again: the telling line, and what was changed until it passed. */
export function gotchas(note: Writing, practice: readonly MemoryItem[]): Line[] {
  const stored = practice
    .filter(({ kind }) => kind === "gotchas")
    .map(
      ({ id, date, content, quote = "" }, at): Line => ({
        section: "repairs",
        rank: 0.7 - at * 0.01,
        ids: [id],
        head: `${id} · ${date}`,
        sayings: () => [
          { text: tellingLine(quote), as: "user" },
          { text: content, label: "→", as: "user" },
        ],
        wanted: 400,
        least: 60,
      }),
    );
  const again = recurring(note.turns).map(
    ({ command, line, turns, files, past }, at): Line => ({
      section: "repairs",
      rank: (0.72 - at * 0.01) * fresh(past),
      ids: [past.turn.id],
      head: `${placeOf(past, note)} · ${code(command)} ×${turns}`,
      sayings: () => [
        { text: line, as: "user" },
        { text: files, label: note.labels.mended, as: "plain" },
      ],
      wanted: 400,
      least: 60,
    }),
  );
  return [...stored, ...again].slice(0, gotchasShown);
}

/** Files changed in the newest sessions, those that changed last first. */
export function files(note: Writing): Line[] {
  const counts = new Map<string, number>();
  const from = new Set<string>();
  for (const { turn, sessionsAgo } of note.turns.toReversed())
    for (const { path, changed } of turn.files)
      if (changed && sessionsAgo < 3) {
        counts.set(path, (counts.get(path) ?? 0) + 1);
        from.add(turn.id);
      }
  const named = [...counts].slice(0, filesListed);
  if (named.length === 0) return [];
  const text = named.map(([path, count]) => (count > 1 ? `${path} ×${count}` : path));
  return [
    {
      section: "files",
      rank: 0.68,
      ids: [],
      from: [...from],
      head: text.join(", "),
      sayings: () => [],
      wanted: 700,
      least: 20,
    },
  ];
}
