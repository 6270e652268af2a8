// The work in the background: sessions that were just stored first, then all turns, the newest first, as often as any are missing.
import { MemoirError, type StorageClient, type Turn } from "../../src/sdk/index.ts";
import { estimateTokens } from "../../src/text/index.ts";
import { type Asker, embed, type Spending } from "./endpoint.ts";
import { type Passage, passagesOf, turnHash } from "./passages.ts";
import type { VectorStore } from "./store.ts";

interface WorkOptions {
  storage: Pick<StorageClient, "turns" | "get" | "stats">;
  store: VectorStore;
  embedding: Embedding;
  /** Told of every failure with the pause that follows. */
  failed(error: unknown, pauseMs: number): void;
  /** Told when all turns have vectors. */
  caughtUp(): void;
  pauses?: Partial<Pauses>;
}

/** All in ms. */
interface Pauses {
  start: number;
  /** Between pages of turns. */
  page: number;
  /** Between looks at how many turns there are. */
  look: number;
  /** After a failure; twice as long after each further one. */
  retry: number;
  longestRetry: number;
}

const pageSize = 50;
const defaults: Pauses = {
  start: 2_000,
  page: 20,
  look: 600_000,
  retry: 5_000,
  longestRetry: 600_000,
};

/** Begins at once, in the background. */
export function startWork({ failed, ...options }: WorkOptions) {
  const pauses = { ...defaults, ...options.pauses };
  const changed = new Set<string>();
  const rest = createRest();
  const isStopped = () => rest.isOver();
  const keeper = createKeeper(options, changed, isStopped, () => rest.take(pauses.page));

  async function run(): Promise<void> {
    let retry = pauses.retry;
    const look = (ms: number) => rest.take(ms, () => changed.size > 0);
    await look(pauses.start);
    while (!isStopped())
      try {
        await keeper.round();
        retry = pauses.retry;
        await look(pauses.look);
      } catch (error) {
        if (isStopped()) return;
        const wait = error instanceof BudgetSpent ? pauses.look : Math.max(retry, laterOf(error));
        failed(error, wait);
        await rest.take(wait);
        retry = Math.min(retry * 2, pauses.longestRetry);
      }
  }

  const running = run();
  return {
    /** This session has something new. */
    wake(session: string): void {
      changed.add(session);
      rest.wake();
    },
    /** Stops; nothing is written afterwards. */
    async stop(): Promise<void> {
      rest.end();
      await running;
    },
  };
}

/** Pauses, one at a time; those that ask for it end when something is to be done, and all at the end. */
function createRest() {
  let isOver = false;
  let leave: (() => void) | undefined;
  let mayWake = false;
  return {
    isOver: () => isOver,
    /** `isWanted`: whether something is to be done already; where it is given, `wake` ends the pause. */
    take(ms: number, isWanted?: () => boolean): Promise<void> {
      if (isOver || isWanted?.()) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      const done = () => {
        clearTimeout(timer);
        leave = undefined;
        resolve();
      };
      const timer = setTimeout(done, ms);
      timer.unref?.();
      mayWake = isWanted !== undefined;
      leave = done;
      return promise;
    },
    wake(): void {
      if (mayWake) leave?.();
    },
    end(): void {
      isOver = true;
      leave?.();
    },
  };
}

/** Goes through what has to have vectors: new sessions first, then all turns from the newest on, where a look before was broken off. Long because its steps share where it stands. */
function createKeeper(
  { storage, store, embedding, caughtUp }: Omit<WorkOptions, "failed">,
  changed: Set<string>,
  isStopped: () => boolean,
  pause: () => Promise<void>,
) {
  const sweepNow = () => Number(store.note("sweep") ?? 0);

  async function keep(turns: readonly Turn[]): Promise<void> {
    if (!isStopped() && turns.length > 0) await embedding.keep(turns, sweepNow());
  }

  async function newSessions(): Promise<void> {
    for (const session of [...changed]) {
      changed.delete(session);
      try {
        for (let offset = 0; !isStopped(); offset += pageSize) {
          const page =
            (await storage.turns({ session, order: "newest", limit: pageSize, offset })) ?? [];
          await keep(page);
          if (page.length < pageSize) break;
        }
      } catch (error) {
        changed.add(session);
        throw error;
      }
    }
  }

  function beginSweep(): void {
    store.setNote("sweep", String(sweepNow() + 1));
    store.setNote("sweeping", "");
  }

  async function sweep(): Promise<void> {
    if (store.note("sweeping") === undefined) beginSweep();
    let until = store.note("sweeping") ?? "";
    for (let offset = 0; !isStopped(); ) {
      const page = await storage.turns({
        order: "newest",
        limit: pageSize,
        offset,
        ...(until === "" ? {} : { until: Number(until) }),
      });
      const turns = page ?? [];
      await keep(turns);
      if (isStopped()) return;
      const last = turns.at(-1);
      if (!last || turns.length < pageSize) break;
      // Exclusive: turns of the same moment come once more.
      const next = String(last.startedAt + 1);
      offset = next === until ? offset + pageSize : 0;
      until = next;
      store.setNote("sweeping", until);
      await pause();
      await newSessions();
    }
    if (isStopped()) return;
    await forgetMissing();
    store.setNote("sweeping", "done");
    caughtUp();
  }

  /** What the look did not meet may have come meanwhile: only what storage does not know goes. */
  async function forgetMissing(): Promise<void> {
    const missed = store.missedBy(sweepNow());
    for (let at = 0; at < missed.length && !isStopped(); at += pageSize) {
      const ids = missed.slice(at, at + pageSize);
      const there = new Set((await turnsOf(ids)).map(({ id }) => id));
      store.remove(ids.filter((id) => !there.has(id)));
    }
  }

  async function turnsOf(ids: string[]): Promise<Turn[]> {
    const records = (await storage.get({ ids })) ?? [];
    return records.flatMap((one) => (one.kind === "turn" ? one.record : []));
  }

  return {
    async round(): Promise<void> {
      await newSessions();
      if (isStopped()) return;
      const stored = (await storage.stats({}))?.turns ?? 0;
      if (store.note("sweeping") !== "done") await sweep();
      else if (stored !== store.turns()) {
        beginSweep();
        await sweep();
      }
      if (!isStopped()) await keep(await turnsOf(store.open(pageSize)));
    },
  };
}

/** When the endpoint wants to be asked again. */
function laterOf(error: unknown): number {
  const ms = error instanceof Error && "retryAfterMs" in error ? error.retryAfterMs : 0;
  return typeof ms === "number" ? ms : 0;
}

// Passages → vectors, a batch at a time, within the day's budget. What the endpoint takes in no form is left out.

/** The day's tokens are used up. */
class BudgetSpent extends Error {
  override readonly name = "BudgetSpent";
}

interface Wanted {
  turn: string;
  passage: Passage;
}

const mostTokens = 8_000;
/** A turn that still goes on changes; after so long it is taken for cut off. */
const openMs = 3_600_000;
/** A text that every model takes. */
const probe = "text";
/** What may be the fault of one text. */
const refusals = new Set(["provider_request", "provider_context", "provider_too_large"]);

/** Keeps turns. */
export type Embedding = ReturnType<typeof createEmbedding>;

/** `refused` hears of a text that was left out. */
export function createEmbedding(
  asker: Asker,
  store: VectorStore,
  spending: Spending,
  signal: AbortSignal,
  refused: (error: MemoirError) => void,
) {
  async function vectorsOf(batch: readonly Wanted[]): Promise<Array<Float32Array | null>> {
    const texts = batch.map(({ passage }) => asker.config.textPrefix + passage.text);
    try {
      const { vectors, tokens } = await embed(texts, asker, signal);
      spending.add(tokens);
      const due = store.dimensions();
      const length = vectors[0]?.length ?? 0;
      if (due !== 0 && length !== due)
        throw new MemoirError(
          "provider_answer",
          `${asker.plugin} (${asker.config.model}) answers vectors of ${length} numbers; those that are kept have ${due}.`,
          {
            fix: `If the model behind that name is another one now, set \`plugins.${asker.plugin}.dimensions\` to ${length}: everything is embedded again.`,
          },
        );
      return vectors;
    } catch (error) {
      if (!(error instanceof MemoirError) || !refusals.has(error.code)) throw error;
      if (batch.length > 1) {
        const half = batch.length >> 1;
        return [
          ...(await vectorsOf(batch.slice(0, half))),
          ...(await vectorsOf(batch.slice(half))),
        ];
      }
      // It is the text's fault only where another one is taken.
      await embed([probe], asker, signal);
      refused(error);
      return [null];
    }
  }

  return {
    /** Embeds what is new in these turns; rejects with the endpoint's error, or `BudgetSpent`. What was done stays. */
    async keep(turns: readonly Turn[], sweep: number): Promise<void> {
      const settled = turns.flatMap((turn) => {
        const passages = passagesOf(turn);
        const hash = turnHash(passages);
        if (store.hashOf(turn.id) === hash) {
          store.touch(turn.id, sweep);
          return [];
        }
        store.see(turn, sweep);
        const isOpen = turn.end === "open" && asker.now() - turn.time < openMs;
        return isOpen ? [] : [{ turn, passages, hash }];
      });
      const wanted = settled.flatMap(({ turn, passages }): Wanted[] => {
        const known = store.known(turn.id);
        const once = new Map(passages.map((passage) => [passage.hash, passage]));
        return [...once.values()].flatMap((passage) =>
          known.has(passage.hash) ? [] : { turn: turn.id, passage },
        );
      });
      for (const { batch, tokens } of batches(wanted)) {
        if (!spending.allows(tokens)) throw new BudgetSpent();
        const vectors = await vectorsOf(batch);
        store.add(batch.map((one, i) => ({ ...one, vector: vectors[i] ?? null })));
      }
      for (const { turn, passages, hash } of settled) store.finish(turn.id, hash, passages);
    },
  };
}

/** Passages in one call. */
const mostPassages = 32;

/** By count and by length. */
function batches(wanted: readonly Wanted[]) {
  const found: Array<{ batch: Wanted[]; tokens: number }> = [];
  for (const one of wanted) {
    const tokens = estimateTokens(one.passage.text);
    const last = found.at(-1);
    if (last && last.batch.length < mostPassages && last.tokens + tokens <= mostTokens) {
      last.batch.push(one);
      last.tokens += tokens;
    } else found.push({ batch: [one], tokens });
  }
  return found;
}
