// What is asked for session after session: an observed habit, which nobody laid down. Pure.
import type { NewMemoryItem, Turn } from "../../src/sdk/index.ts";
import { oneLine, ownSentences, stopWords, tellingWords } from "../../src/text/index.ts";
import { isReport } from "./cues.ts";
import { dayOf } from "./practice.ts";

/** Something short that was asked for. */
export interface Asked {
  /** As it was typed. */
  text: string;
  /** What it is known again by: what is to be done, with each of its other words. */
  keys: readonly string[];
  date: string;
  /** Where it was typed. */
  place: { turn: number; piece: number };
}

interface Session {
  session: string;
  project: string;
  asked: readonly Asked[];
}

/** Words of a request that is made in passing; what is longer is of its task. */
const mostWords = 12;
/** In so many sessions it is a habit. */
const leastSessions = 4;
const mostHabits = 4;

export function askedIn(turn: Turn): Asked[] {
  return turn.pieces.flatMap(({ kind, text, time }, piece): Asked[] => {
    if (kind !== "prompt" && kind !== "typed") return [];
    const place = { turn: turn.promptNumber, piece };
    return ownSentences(text).flatMap(({ text, isSure }) => {
      if (!isSure || isReport(text) || text.split(/\s+/).length > mostWords) return [];
      // It begins with what is to be done: "can we add a test" with "add".
      const telling = tellingWords(text).filter((word) => !stopWords.has(word));
      const [act, ...words] = [...new Set(telling.map(stem))];
      const keys = words.map((word) => `${act} ${word}`);
      return [{ text: oneLine(text), keys, date: dayOf(time ?? turn.startedAt), place }];
    });
  });
}

/** `tests` is `test`. */
function stem(word: string): string {
  return word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word;
}

/** The most frequent first, each with a place in every session, and of its last. Sessions oldest first. */
export function habitsOf(sessions: readonly Session[]): NewMemoryItem[] {
  const known = new Map<string, Map<string, Asked & Session>>();
  for (const session of sessions)
    for (const one of session.asked)
      for (const key of one.keys) {
        const all = known.get(key) ?? new Map<string, Asked & Session>();
        known.set(key, all.set(session.session, { ...one, ...session }));
      }
  const taken = new Set<string>();
  const habits = [...known.values()]
    .filter(({ size }) => size >= leastSessions)
    .sort((one, other) => other.size - one.size)
    // Of several words of one request those that it was made with most count.
    .filter((all) => {
      const places = [...all].map(([session, { place }]) => `${session} ${JSON.stringify(place)}`);
      const isPart = places.filter((place) => taken.has(place)).length * 2 > places.length;
      for (const place of places) taken.add(place);
      return !isPart;
    });
  return habits.slice(0, mostHabits).flatMap((habit): NewMemoryItem[] => {
    const all = [...habit.values()];
    const [shortest] = all.toSorted((one, other) => one.text.length - other.text.length);
    const last = all.at(-1);
    if (!shortest || !last) return [];
    const { session, project, date } = last;
    const evidence = all.map(({ session: of, place }) =>
      of === session ? place : { session: of, ...place },
    );
    const context = `Asked for in ${all.length} sessions`;
    const { text: content } = shortest;
    const item = { kind: "preferences" as const, content, context, quote: content };
    return [{ ...item, session, project, date, evidence }];
  });
}
