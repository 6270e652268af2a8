// What is asked for session after session: an observed habit, which nobody laid down. Pure.
import type { NewMemoryItem, Turn } from "../../src/sdk/index.ts";
import { oneLine, ownSentences, stopWords, tellingWords } from "../../src/text/index.ts";
import { isReport } from "./cues.ts";
import { dayOf } from "./practice.ts";

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

interface Session {
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

type Request = Asked & Omit<Session, "asked">;

/** The most frequent first, each with a place in every session, and of its last. Sessions oldest first. */
export function habitsOf(sessions: readonly Session[]): NewMemoryItem[] {
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
