// What is asked for and refused again and again, session after session: an observed habit, which nobody laid down. Pure.
import type { NewMemoryItem, Turn } from "../../src/sdk/index.ts";
import { oneLine, ownSentences, stopWords, tellingWords } from "../../src/text/index.ts";
import { isReport } from "./cues.ts";
import { commandsIn, dayOf } from "./practice.ts";

/** Something short that was asked for, or a command that was refused. */
export interface Asked {
  /** As it was typed; of a refusal its command, named so. */
  text: string;
  /** What it is known again by: each two of its words, or the command. */
  keys: readonly string[];
  /** The reason of a refusal. */
  refused?: string;
  date: string;
  evidence: NonNullable<NewMemoryItem["evidence"]>;
}

interface Session {
  session: string;
  project: string;
  asked: readonly Asked[];
}

/** Words of a request that is made in passing; what is longer is of its task. */
const mostWords = 12;
/** In so many sessions it is a habit. */
const least = { asked: 4, refused: 3 };
const mostHabits = 6;

export function askedIn(turn: Turn): Asked[] {
  return turn.pieces.flatMap(({ kind, text: said, about = "", time }, piece): Asked[] => {
    const evidence = [{ turn: turn.promptNumber, piece }];
    const place = { date: dayOf(time ?? turn.startedAt), evidence };
    if (kind === "refusal")
      return commandsIn(about).map((one) => {
        const text = `Refused: \`${one}\``;
        return { text, keys: [text], refused: said, ...place };
      });
    if (kind !== "prompt" && kind !== "typed") return [];
    return ownSentences(said).flatMap(({ text, isSure }) => {
      // It begins with what is to be done: "can we add a test" with "add".
      const telling = tellingWords(text).filter((word) => !stopWords.has(word));
      const [act, ...words] = [...new Set(telling.map(stem))];
      if (!isSure || isReport(text) || text.split(/\s+/).length > mostWords) return [];
      const keys = words.map((word) => `${act} ${word}`);
      return [{ text: oneLine(text), keys, ...place }];
    });
  });
}

/** `tests` is `test`. */
function stem(word: string): string {
  return word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word;
}

/** The most frequent first; each is its last session's. Sessions oldest first. */
export function habitsOf(sessions: readonly Session[]): NewMemoryItem[] {
  const known = new Map<string, Array<Asked & Session>>();
  for (const session of sessions)
    for (const one of session.asked)
      for (const key of one.keys) {
        const all = known.get(key) ?? [];
        known.set(key, [...all, { ...one, ...session }]);
      }
  const habits = [...known.values()]
    .map((all) => ({ all, count: new Set(all.map(({ session }) => session)).size }))
    .filter(
      ({ all, count }) => count >= (all[0]?.refused === undefined ? least.asked : least.refused),
    )
    .sort((one, other) => other.count - one.count);
  const taken = new Set<string>();
  const items: NewMemoryItem[] = [];
  for (const { all, count } of habits) {
    // Of several words for one request those that it was made with most are told, and none of its parts.
    const places = all.map(({ session, evidence }) => `${session} ${JSON.stringify(evidence)}`);
    if (places.filter((place) => taken.has(place)).length * 2 > places.length) continue;
    for (const place of places) taken.add(place);
    const last = all.toSorted((one, other) => one.text.length - other.text.length)[0];
    const newest = all.at(-1);
    if (!last || !newest || items.length >= mostHabits) continue;
    const { session, project, date, evidence } = newest;
    const why = all.findLast(({ refused = "" }) => refused !== "")?.refused;
    const how = last.refused === undefined ? "Asked for" : "Refused";
    const context = `${how} in ${count} sessions${why ? `: “${oneLine(why)}”` : ""}`;
    const item = { kind: "preferences" as const, content: last.text, context, quote: last.text };
    items.push({ ...item, session, project, date, evidence });
  }
  return items;
}
