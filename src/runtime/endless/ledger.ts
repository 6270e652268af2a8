// Keeps the books of Endless Mode: notes are written soon and together, figures are read anew every few seconds.
import type { ToolFigures } from "../../sdk/endless.ts";
import { plural } from "../../text/text.ts";
import type { BookLine } from "./books.ts";
import { type Booking, book, bookLines } from "./books.ts";
import type { EndlessFile } from "./open-store.ts";

/** What costs only the books: a failure is told, and `otherwise` stands in. */
export type OrElse = <Value>(work: () => Promise<Value>, otherwise: Value) => Promise<Value>;

const noteDelayMs = 200;
/** Figures this young are given again. */
const figuresMs = 5_000;
/** Figures look back so far, so that a tool that did not pay once is tried again. */
const figureMs = 30 * 86_400_000;

export type Ledger = ReturnType<typeof createLedger>;

/** Starts with nothing noted. */
export function createLedger(
  file: EndlessFile,
  { now, orElse }: { now: () => number; orElse: OrElse },
) {
  const known = new Map<string, { at: number; figures: Promise<ToolFigures[]> }>();
  let notes: Booking[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  /** Writes what is noted. */
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
    /** Written within a fraction of a second, with what comes meanwhile. */
    note(booking: Booking): void {
      if (stopped) return;
      notes.push(booking);
      if (timer) return;
      timer = setTimeout(() => void flush(), noteDelayMs);
      timer.unref?.();
    },
    /** Does a strategy's reducing of each tool pay? */
    figures(strategy: string, project?: string): Promise<ToolFigures[]> {
      const key = JSON.stringify([strategy, project]);
      const last = known.get(key);
      if (last && Math.abs(now() - last.at) < figuresMs) return last.figures;
      const figures = orElse(() => read(strategy, project), []);
      known.set(key, { at: now(), figures });
      return figures;
    },
    /** Writes what is noted, and takes no more. */
    async stop(): Promise<void> {
      stopped = true;
      await flush();
    },
  };
}

// Does reducing a tool pay? Pure: what was kept out against what had to be fetched back.

/** Before so many reductions, or so many second looks, nothing is said. */
const fewestReductions = 20;
const fewestLooks = 8;
/** Fetching back a larger share of what was kept out, or of the times, means that reducing does not pay. */
const mostFetchedBack = 0.25;

type Verdict = Pick<ToolFigures, "judged" | "profits" | "why">;
type Sums = Omit<ToolFigures, keyof Verdict>;

/** By tool and kind, the most kept out first. What nothing was kept out of is left out. */
export function toolFigures(lines: readonly BookLine[]): ToolFigures[] {
  const tools = new Map<string, Sums>();
  for (const { kind, tool, reason, count, characters } of lines) {
    const key = JSON.stringify([tool, reason]);
    const sums = tools.get(key) ?? {
      tool,
      kind: reason,
      reduced: 0,
      charactersOut: 0,
      fetchedBack: 0,
      charactersBack: 0,
    };
    if (kind === "kept") {
      sums.reduced += count;
      sums.charactersOut += characters;
    } else if (kind === "recalled" || kind === "reread") {
      sums.fetchedBack += count;
      sums.charactersBack += characters;
    } else continue;
    tools.set(key, sums);
  }
  return [...tools.values()]
    .filter(({ reduced }) => reduced > 0)
    .map((sums) => ({ ...sums, ...judge(sums) }))
    .sort(
      (a, b) =>
        b.charactersOut - a.charactersOut ||
        a.tool.localeCompare(b.tool) ||
        a.kind.localeCompare(b.kind),
    );
}

/** The project's own figures where they say enough, else those of all projects together. */
export function figuresFor(
  own: readonly ToolFigures[],
  all: readonly ToolFigures[],
): ToolFigures[] {
  const enough = own.filter(({ judged }) => judged);
  return all.map(
    (one) => enough.find((own) => own.tool === one.tool && own.kind === one.kind) ?? one,
  );
}

function judge(sums: Sums): Verdict {
  const { reduced, charactersOut, fetchedBack, charactersBack } = sums;
  const out = `${plural(reduced, "reduction")} kept out ${number(charactersOut)} characters`;
  if (charactersOut > 0 && reduced < fewestReductions && fetchedBack < fewestLooks)
    return {
      judged: false,
      profits: true,
      why: `${out}; too few to judge (${fewestReductions} are wanted)`,
    };
  if (charactersOut <= 0)
    return { judged: true, profits: false, why: `${out}: nothing was gained` };
  const share = Math.max(charactersBack / charactersOut, fetchedBack / reduced);
  const profits = share <= mostFetchedBack;
  const back = `${plural(fetchedBack, "second look", "second looks")} brought ${number(charactersBack)} back`;
  const limit = `${Math.round(share * 100)} %, ${profits ? "at most" : "over"} ${mostFetchedBack * 100} %`;
  return { judged: true, profits, why: `${out}; ${back} (${limit})` };
}

function number(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
