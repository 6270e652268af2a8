// The work in the background: sessions that were just stored first, then all turns, the newest first, as often as any are missing.
import type { StorageClient, Turn } from "../../src/sdk/index.ts";
import { BudgetSpent, type Embedding } from "./embedding.ts";
import type { VectorStore } from "./store.ts";

export interface WorkOptions {
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
export interface Pauses {
  start: number;
  /** Between pages of turns. */
  page: number;
  /** Between looks at how many turns there are. */
  look: number;
  /** After a failure; twice as long after each further one. */
  retry: number;
  longestRetry: number;
}

/** Work under way. */
export interface Work {
  /** This session has something new. */
  wake(session: string): void;
  /** Stops; nothing is written afterwards. */
  stop(): Promise<void>;
}

const pageSize = 50;
const defaults: Pauses = {
  start: 2_000,
  page: 20,
  look: 600_000,
  retry: 5_000,
  longestRetry: 600_000,
};

/** Begins at once, in the background. Long because all of it shares what is under way. */
export function startWork(options: WorkOptions): Work {
  const { storage, store, embedding, failed, caughtUp } = options;
  const pauses = { ...defaults, ...options.pauses };
  const changed = new Set<string>();
  let isStopped = false;
  let wakeUp: (() => void) | undefined;
  let mayWake = false;

  function pause(ms: number, isWoken = false): Promise<void> {
    if (isStopped || (isWoken && changed.size > 0)) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      timer.unref?.();
      mayWake = isWoken;
      wakeUp = done;
      function done() {
        clearTimeout(timer);
        wakeUp = undefined;
        resolve();
      }
    });
  }

  const sweepNow = () => Number(store.note("sweep") ?? 0);

  async function newSessions(): Promise<void> {
    for (const session of [...changed]) {
      changed.delete(session);
      try {
        for (let offset = 0; !isStopped; offset += pageSize) {
          const page = await storage.turns({ session, order: "newest", limit: pageSize, offset });
          await keep(page ?? []);
          if ((page ?? []).length < pageSize) break;
        }
      } catch (error) {
        changed.add(session);
        throw error;
      }
    }
  }

  async function keep(turns: readonly Turn[]): Promise<void> {
    if (!isStopped && turns.length > 0) await embedding.keep(turns, sweepNow());
  }

  async function unfinished(): Promise<void> {
    const records = await storage.get({ ids: store.open(pageSize) });
    await keep((records ?? []).flatMap((one) => (one.kind === "turn" ? one.record : [])));
  }

  function beginSweep(): void {
    store.setNote("sweep", String(sweepNow() + 1));
    store.setNote("sweeping", "");
  }

  /** From where a look that was broken off stopped. */
  async function sweep(): Promise<void> {
    if (store.note("sweeping") === undefined) beginSweep();
    let until = store.note("sweeping") ?? "";
    for (let offset = 0; !isStopped; ) {
      const page = await storage.turns({
        order: "newest",
        limit: pageSize,
        offset,
        ...(until === "" ? {} : { until: Number(until) }),
      });
      const turns = page ?? [];
      await keep(turns);
      if (isStopped) return;
      const last = turns.at(-1);
      if (!last || turns.length < pageSize) break;
      // Exclusive: turns of the same moment come once more.
      const next = String(last.startedAt + 1);
      offset = next === until ? offset + pageSize : 0;
      until = next;
      store.setNote("sweeping", until);
      await pause(pauses.page);
      await newSessions();
    }
    if (isStopped) return;
    await forgetMissing();
    store.setNote("sweeping", "done");
    caughtUp();
  }

  /** What the look did not meet may have come meanwhile: only what storage does not know goes. */
  async function forgetMissing(): Promise<void> {
    const missed = store.missedBy(sweepNow());
    for (let at = 0; at < missed.length && !isStopped; at += pageSize) {
      const ids = missed.slice(at, at + pageSize);
      const there = new Set(
        ((await storage.get({ ids })) ?? []).flatMap((one) =>
          one.kind === "turn" ? one.record.id : [],
        ),
      );
      store.remove(ids.filter((id) => !there.has(id)));
    }
  }

  async function round(): Promise<void> {
    await newSessions();
    if (isStopped) return;
    const stored = (await storage.stats({}))?.turns ?? 0;
    if (store.note("sweeping") !== "done") await sweep();
    else if (stored !== store.turns()) {
      beginSweep();
      await sweep();
    }
    if (!isStopped) await unfinished();
  }

  async function run(): Promise<void> {
    let retry = pauses.retry;
    await pause(pauses.start, true);
    while (!isStopped)
      try {
        await round();
        retry = pauses.retry;
        await pause(pauses.look, true);
      } catch (error) {
        if (isStopped) return;
        const wait = error instanceof BudgetSpent ? pauses.look : Math.max(retry, laterOf(error));
        failed(error, wait);
        await pause(wait);
        retry = Math.min(retry * 2, pauses.longestRetry);
      }
  }

  const running = run();
  return {
    wake(session) {
      changed.add(session);
      if (mayWake) wakeUp?.();
    },
    async stop() {
      isStopped = true;
      wakeUp?.();
      await running;
    },
  };
}

/** When the endpoint wants to be asked again. */
function laterOf(error: unknown): number {
  const ms = error instanceof Error && "retryAfterMs" in error ? error.retryAfterMs : 0;
  return typeof ms === "number" ? ms : 0;
}
