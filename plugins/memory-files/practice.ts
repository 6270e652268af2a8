// How a project is worked with: the commands that pass, failures with what they were due to, what is asked for again and again. Pure.
import type { Evidence, NewMemoryItem, NewTurn, Turn } from "../../src/sdk/index.ts";
import { projectCommands, ranIn } from "../../src/strategy/index.ts";
import {
  cut,
  meaningOf,
  oneLine,
  ownSentences,
  stopWords,
  tellings,
  tellingWords,
} from "../../src/text/index.ts";
import { isReport } from "./cues.ts";

const mostCommands = 8;
/** A command that checks nothing is how work is done here when so many sessions ran it. */
const often = 3;
const running: ReadonlySet<Evidence["kind"]> = new Set(["passed", "repair", "failure", "ran"]);
const mostOutput = 200;

/** A turn as far as commands go, each in its place: readings are kept, and turns are large. */
export function runsOf(turn: Turn): NewTurn {
  const pieces = turn.pieces.map(({ kind, text, about, agent }) =>
    running.has(kind) && agent === undefined
      ? { kind, text: text.slice(0, mostOutput), ...(about !== undefined && { about }) }
      : { kind: "said" as const, text: "" },
  );
  return { ...turn, pieces, files: [] };
}

/** Of all turns, those of several sessions; each is its last session's. */
export function workflowsOf(turns: readonly NewTurn[]): NewMemoryItem[] {
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

export function gotchasIn(
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

/** `YYYY-MM-DD`, UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

// What is asked for session after session: an observed habit, which nobody laid down. Pure.

/** Something short that was asked for. */
export interface Asked {
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

/** A session, as far as it asked for something. */
interface Asking {
  session: string;
  project: string;
  /** How its conversation began. */
  opening: string;
  asked: readonly Asked[];
}

/** Words of a request that is made in passing; what is longer is of its task. */
const mostWords = 12;
/** In so many sessions it is a habit. */
const leastSessions = 4;
const mostHabits = 4;
/** Share of all words of two requests that are one. */
const alike = 0.75;

export function askedIn(turn: Turn): Asked[] {
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

type Request = Asked & Omit<Asking, "asked">;

/** The most frequent first, each with a place in every session, and of its last. Sessions oldest first. */
export function habitsOf(sessions: readonly Asking[]): NewMemoryItem[] {
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
