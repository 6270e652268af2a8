// What a careful colleague would note: is it told to the next session, found by a search, kept at all, or lost?
import { readNotes, type Tokens } from "../cases.ts";
import type { Kept, Memory } from "./memory.ts";
import { type Figure, figure, share } from "./report.ts";
import { carries, carriesNear } from "./text.ts";

/** Looked at of what a search gives. */
const looked = 5;

/** What became of one note. */
export interface NoteFate {
  id: string;
  aside: boolean;
  note: string;
  /** The next session's first context carries it. */
  told: boolean;
  /** One of a search's first five leads to it: the whole record carries it in one place. */
  found: boolean;
  /** It is seen in what the search itself shows of its first five. */
  seen: boolean;
  /** Some record of the session carries it in one place. */
  kept: boolean;
}

/** What is looked for, and where. */
export interface NoteSought {
  id: string;
  aside: boolean;
  note: string;
  ask: string;
  tokens: Tokens;
}

/** Where a note is looked for: the context that was told, the project and the records that may hold it. */
export interface NotePlaces {
  context: string;
  project: string;
  kept: readonly Kept[];
}

/** Looks for a note everywhere. */
export async function fateOf(
  memory: Memory,
  { id, aside, note, ask, tokens }: NoteSought,
  { context, project, kept }: NotePlaces,
): Promise<NoteFate> {
  const hits = await memory.search([ask], { project, limit: looked });
  const whole = await memory.get(hits.slice(0, looked).map((hit) => hit.id));
  return {
    id,
    aside,
    note,
    told: carries(context, tokens),
    found: whole.some(({ text }) => carriesNear(text, tokens)),
    seen: hits.slice(0, looked).some(({ shown }) => carries(shown, tokens)),
    kept: kept.some(({ text }) => carriesNear(text, tokens)),
  };
}

/** Collects what the next session would be told right after each session with notes; used while sessions are taken in. */
export function tellAfter(memory: Memory): {
  afterEach(played: { session: string }): Promise<void>;
  contexts: ReadonlyMap<string, string>;
} {
  const wanted = new Set(readNotes().map(({ session }) => session));
  const contexts = new Map<string, string>();
  return {
    contexts,
    async afterEach({ session }) {
      if (!wanted.has(session)) return;
      const cwd = (await memory.sessions()).get(session)?.cwd;
      if (cwd !== undefined) contexts.set(session, (await memory.atStart(cwd)).context);
    },
  };
}

/** Looks for every note; `contexts` by session, as collected by `tellAfter`. */
export async function followNotes(
  memory: Memory,
  contexts: ReadonlyMap<string, string>,
): Promise<NoteFate[]> {
  const everything = await memory.everything();
  const sessions = await memory.sessions();
  const fates: NoteFate[] = [];
  for (const { session, aside, notes } of readNotes()) {
    const places = {
      context: contexts.get(session) ?? "",
      project: sessions.get(session)?.project ?? "",
      kept: everything.filter((record) => record.session === session),
    };
    for (const note of notes)
      fates.push(
        await fateOf(memory, { ...note, id: `${session.slice(0, 8)}/${note.id}`, aside }, places),
      );
  }
  return fates;
}

/** Shares of notes told, found, kept and lost. */
export function noteFigures(part: string, fates: readonly NoteFate[]): Figure[] {
  const over = (name: string, is: (fate: NoteFate) => boolean) =>
    figure(part, name, fates, ({ aside }) => aside, share(is));
  return [
    over("told to the next session", ({ told }) => told),
    over("found by search, first five", ({ found }) => found),
    over("seen in the first five hits", ({ seen }) => seen),
    over("kept anywhere", ({ kept }) => kept),
    over("lost", ({ told, found, kept }) => !told && !found && !kept),
  ];
}

/** What became of each note that was not told, found and kept; never those set aside. */
export function noteMisses(fates: readonly NoteFate[]): string[] {
  return fates
    .filter(({ aside, told, found, kept }) => !aside && !(told && found && kept))
    .map(({ id, note, told, found, kept }) => {
      const words = [told ? "told" : "", found ? "found" : "", kept ? "kept" : ""];
      return `${id}: ${words.filter(Boolean).join(", ") || "lost"}: ${note}`;
    });
}
