// The books: what strategies note, and what an agent does to have back what was taken out.
import type { ClientEvent, PostToolUseEvent } from "../../sdk/events.ts";
import {
  type Booking,
  type BookQuery,
  book,
  bookDays,
  bookLines,
  missCases,
  sessionUsages,
  writeMiss,
} from "./books.ts";
import { referencesOf, toolUsesLike } from "./kept-rows.ts";
import { type EndlessMetrics, endlessMetrics, figuresFor, toolFigures } from "./metrics.ts";
import type { EndlessFile } from "./open-store.ts";
import { createSecondLooks, type Miss, type TakenOut } from "./second-looks.ts";

/** Figures look back so far, so that a tool that did not pay once is tried again. */
const figureMs = 30 * 86_400_000;

type LookKind = "recalled" | "reread" | "missed";

interface BooksDeps {
  now: () => number;
  /** What costs only the books: a failure is logged. */
  orElse: <Value>(work: () => Promise<Value>, otherwise: Value) => Promise<Value>;
}

/** What is booked of a session's reductions. Long because what is taken out, looked at again and missed is one account. */
export function createBooks(file: EndlessFile, { now, orElse }: BooksDeps) {
  const looks = createSecondLooks();
  let written: Promise<unknown> = Promise.resolve();

  /** Nobody waits for it. */
  function later(work: () => Promise<unknown>): Promise<unknown> {
    const own = orElse(work, undefined);
    written = Promise.all([written, own]);
    return own;
  }

  function add(booking: Omit<Booking, "at">): Promise<unknown> {
    const bookings = [{ at: now(), ...booking }];
    return later(() => file.write((db) => book(db, bookings)));
  }

  function addLook(taken: TakenOut, kind: LookKind, characters: number): Promise<unknown> {
    const { kind: reason, ...about } = taken;
    return add({ ...about, kind, reason, characters, tokens: Math.ceil(characters / 4) });
  }

  function addMiss(miss: Omit<Miss, "used"> & { used: string | null }): Promise<unknown> {
    const { taken, toolUseId, used, characters } = miss;
    const { strategy, session } = taken;
    const shown = { at: now(), strategy, session, toolUseId, used };
    const kind = used === null ? "recalled" : "missed";
    return Promise.all([
      addLook(taken, kind, characters),
      later(() => file.write((db) => writeMiss(db, shown))),
    ]);
  }

  /** Its words are compared once the hook has its answer. */
  async function addHeard(event: ClientEvent): Promise<void> {
    await new Promise(setImmediate);
    const heard = looks.heard(event);
    await Promise.all([
      ...heard.looks.map(({ taken, characters }) => addLook(taken, "reread", characters)),
      ...heard.misses.map(addMiss),
    ]);
  }

  /** What was asked back is booked under whom took it out last. */
  async function addAsked(event: PostToolUseEvent): Promise<void> {
    const back = looks.asked(event);
    if (!back) return;
    const found = await file.read((db) =>
      back.ids.flatMap((beginning) => {
        const [id, ...others] = toolUsesLike(db, beginning, 2);
        return id === undefined || others.length > 0 ? [] : referencesOf(db, id).slice(-1);
      }),
    );
    for (const { toolUseId, keptAt: _, ...last } of found ?? []) {
      looks.forget(last.session, toolUseId);
      const { characters } = back;
      // It comes into the context of who asks.
      const taken = { ...last, agent: event.agent?.id };
      await addMiss({ taken, toolUseId, characters, used: null });
    }
  }

  return {
    add,
    took: (...taken: Parameters<ReturnType<typeof createSecondLooks>["took"]>) =>
      looks.took(...taken),
    /** What a strategy notes; a second look that is known is booked under who took it out. */
    note(strategy: string, note: Omit<Booking, "at" | "strategy">, toolUseId?: string): void {
      const { kind, session, characters = 0 } = note;
      const again = kind === "reread" && toolUseId !== undefined;
      const taken = again ? looks.noted(session, toolUseId, characters) : undefined;
      if (taken) addLook(taken, "reread", characters);
      else add({ ...note, strategy, tokens: Math.ceil(characters / 4) });
    },
    heard(event: ClientEvent): void {
      if (event.recovered) return;
      void later(() => addHeard(event));
      if (event.name === "PostToolUse") void later(() => addAsked(event));
    },
    /** Does a strategy's reducing of each tool pay? */
    async figures(strategy: string, project?: string) {
      await written;
      return readFigures(file, { since: now() - figureMs, strategy }, project);
    },
    async metrics(query: BookQuery): Promise<EndlessMetrics> {
      await written;
      return readMetrics(file, query);
    },
    written: (): Promise<unknown> => written,
  };
}

async function readFigures(file: EndlessFile, scope: BookQuery, project: string | undefined) {
  const lines = await file.read((db) => ({
    all: bookLines(db, scope),
    own: project === undefined ? [] : bookLines(db, { ...scope, project }),
  }));
  return figuresFor(toolFigures(lines?.own ?? []), toolFigures(lines?.all ?? []));
}

async function readMetrics(file: EndlessFile, query: BookQuery): Promise<EndlessMetrics> {
  const found = await file.read((db) => ({
    lines: bookLines(db, query),
    sessions: sessionUsages(db, query),
    byDay: bookDays(db, query),
    misses: missCases(db, query),
  }));
  const { lines = [], sessions = [], byDay, misses } = found ?? {};
  return endlessMetrics(query.since, lines, sessions, byDay, misses);
}
