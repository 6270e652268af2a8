// Keeps the books of Endless Mode: notes are written soon and together, figures are read anew every few seconds.
import type { ToolFigures } from "../../sdk/endless.ts";
import { type Booking, book, bookLines } from "./books.ts";
import { figuresFor, toolFigures } from "./figures.ts";
import type { EndlessFile } from "./open-store.ts";

export interface Ledger {
  /** Written within a fraction of a second, with what comes meanwhile. */
  note(booking: Booking): void;
  /** Does a strategy's reducing of each tool pay? */
  figures(strategy: string, project?: string): Promise<ToolFigures[]>;
  /** Writes what is noted. */
  flush(): Promise<void>;
  /** Writes what is noted, and takes no more. */
  stop(): Promise<void>;
}

/** What costs only the books: a failure is told, and `otherwise` stands in. */
export type OrElse = <Value>(work: () => Promise<Value>, otherwise: Value) => Promise<Value>;

const noteDelayMs = 200;
/** Figures this young are given again. */
const figuresMs = 5_000;
/** Figures look back so far, so that a tool that did not pay once is tried again. */
const figureMs = 30 * 86_400_000;

/** Starts with nothing noted. */
export function createLedger(
  file: EndlessFile,
  { now, orElse }: { now: () => number; orElse: OrElse },
): Ledger {
  const known = new Map<string, { at: number; figures: Promise<ToolFigures[]> }>();
  let notes: Booking[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (notes.length === 0) return;
    const written = notes;
    notes = [];
    await orElse(() => file.write((db) => book(db, written)), undefined);
  }

  async function read(strategy: string, project: string | undefined): Promise<ToolFigures[]> {
    await flush();
    const scope = { since: now() - figureMs, strategy };
    const lines = await file.read((db) => ({
      all: bookLines(db, scope),
      own: project === undefined ? [] : bookLines(db, { ...scope, project }),
    }));
    return figuresFor(toolFigures(lines?.own ?? []), toolFigures(lines?.all ?? []));
  }

  return {
    flush,
    note(booking) {
      if (stopped) return;
      notes.push(booking);
      if (timer) return;
      timer = setTimeout(() => void flush(), noteDelayMs);
      timer.unref?.();
    },
    figures(strategy, project) {
      const key = JSON.stringify([strategy, project]);
      const last = known.get(key);
      if (last && Math.abs(now() - last.at) < figuresMs) return last.figures;
      const figures = orElse(() => read(strategy, project), []);
      known.set(key, { at: now(), figures });
      return figures;
    },
    async stop() {
      stopped = true;
      await flush();
    },
  };
}
