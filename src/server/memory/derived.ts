// What was made of turns that go, or quotes them, and would stay.
import { hasWordsOnlyOf } from "../../runtime/events/forgotten.ts";
import { type MemoryItem, summaryTextNames } from "../../sdk/model.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import type { Turn } from "../../sdk/turn.ts";
import { wordsOf } from "../../text/words-of.ts";
import { type Asked, all, projectOf } from "./records.ts";

interface Quoting {
  session: string;
  evidence?: Array<{ session?: string | undefined; turn: number }> | undefined;
}

/** Ids of what stays and says something of it; none of what goes itself. */
export async function derivedFrom(
  runtime: Asked,
  going: readonly StoredRecord[],
): Promise<string[]> {
  const sessions = new Set(
    going.flatMap(({ kind, record }) => (kind === "session" ? record.id : [])),
  );
  const turns = going.flatMap(({ kind, record }) => (kind === "turn" ? [record] : []));
  const ids = new Set(going.map(({ record }) => record.id));
  const derived: string[] = [];
  for (const [session, own] of Map.groupBy(turns, (turn) => turn.session))
    derived.push(...(await ofTurns(runtime, session, own)));
  const whole = await Promise.all(
    [...sessions].map((session) => all(runtime, "turn", { session })),
  );
  const gone = [...turns, ...whole.flat()];
  const projects = new Set([
    ...gone.map(({ project }) => project),
    ...going.flatMap((one) => (one.kind === "session" ? projectOf(one) : [])),
  ]);
  for (const project of projects) {
    const items = (await all(runtime, "memory", { project })).filter(
      ({ id, session }) => !ids.has(id) && !sessions.has(session),
    );
    derived.push(...(await quoting(runtime, items, gone, sessions)));
  }
  return [...new Set(derived)].filter((id) => !ids.has(id));
}

/** Of a prompt, and of its session as a whole. */
async function ofTurns(runtime: Asked, session: string, turns: readonly Turn[]): Promise<string[]> {
  const numbers = new Set(turns.map(({ promptNumber }) => promptNumber));
  const [observations, summaries] = await Promise.all([
    all(runtime, "observation", { session }),
    all(runtime, "summary", { session }),
  ]);
  const says = await hasWordsOnlyOf(runtime.hooks, session, turns);
  return [
    ...observations.filter((one) => numbers.has(one.promptNumber) || isFrom(one, numbers, session)),
    ...summaries.filter((one) =>
      one.scope === "prompt"
        ? numbers.has(one.promptNumber)
        : isFrom(one, numbers, session) ||
          says(summaryTextNames.map((name) => one[name]).join("\n")),
    ),
  ].map(({ id }) => id);
}

function isFrom(
  { session, evidence = [] }: Quoting,
  turns: ReadonlySet<number>,
  of: string,
): boolean {
  return evidence.some((place) => (place.session ?? session) === of && turns.has(place.turn));
}

/** By their evidence; or by a word that what goes has, and their own session has not once that is gone. */
async function quoting(
  runtime: Asked,
  items: readonly MemoryItem[],
  gone: readonly Turn[],
  sessions: ReadonlySet<string>,
): Promise<string[]> {
  const isGone = new Set(gone.map(({ session, promptNumber }) => `${session} ${promptNumber}`));
  const words = wordsOf(gone.flatMap(({ pieces }) => pieces.map(({ text }) => text)).join("\n"));
  const tellers = new Map<string, (text: string) => boolean>();
  const found: string[] = [];
  for (const item of items) {
    const { evidence = [], session, content, quote = "", context } = item;
    const places = evidence.map((place) => [place.session ?? session, place.turn] as const);
    if (places.some(([of, turn]) => sessions.has(of) || isGone.has(`${of} ${turn}`))) {
      found.push(item.id);
      continue;
    }
    // What a person stored by their own word quotes nobody.
    const text = [content, quote, context].join("\n");
    if (evidence.length === 0 || ![...wordsOf(text)].some((word) => words.has(word))) continue;
    const says = tellers.get(session) ?? (await hasWordsOnlyOf(runtime.hooks, session, gone));
    tellers.set(session, says);
    if (says(text)) found.push(item.id);
  }
  return found;
}
