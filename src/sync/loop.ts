// The rounds of a running server: when something was stored here, when the hub has something, and again after a failure.
import type { Log } from "../home/log.ts";
import { within } from "../sdk/within.ts";
import type { ExchangeDeps } from "./ask-hub.ts";
import type { SyncState } from "./state.ts";

/** After something was stored: what follows at once goes out with it. */
const gatherMs = 150;
/** Between two rounds at least, so that a hub that always has something is not asked without end. */
const leastMs = 200;
/** How long one wait at the hub takes at most. */
const waitMs = 25_000;
/** After a failure, and twice as long after each more. */
const retryMs = { first: 1_000, most: 60_000 };
/** At a stop: what was captured last still goes out, if the hub is quick. */
const lastRoundMs = 1_500;
/** Between two looks whether it is switched on again. */
const offMs = 1_000;

interface Opened {
  state: SyncState;
  deps: ExchangeDeps;
}

/** Changes of a round. */
interface Exchanged {
  came: number;
  went: number;
}

export interface LoopOptions {
  open(): Promise<Opened>;
  log: Log;
  now(): number;
  /** Called as the rounds begin, with what to call from then on when something was stored here; it returns at once. */
  began?: ((note: () => void) => void) | undefined;
  /** The feature is switched off: nothing goes in or out as long as that is so. */
  isOff?: (() => boolean) | undefined;
}

export type Loop = ReturnType<typeof createLoop>;

/** Nothing goes on before `begin`. Long because what wakes it, what stops it and what it waits for are one state. */
export function createLoop({ open, log, now, began, isOff = () => false }: LoopOptions) {
  const stopped = Promise.withResolvers<void>();
  let isOver = false;
  let wake = Promise.withResolvers<void>();
  let turns: Promise<unknown> = Promise.resolve();
  let running: Promise<void> | undefined;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  const seen = { lastAt: null as number | null, trouble: null as string | null };

  /** One after the other: two rounds at once would seal the same changes twice. */
  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const mine = turns.then(work);
    turns = mine.catch(() => undefined);
    return mine;
  }

  async function round(): Promise<Exchanged> {
    const all = await exchangeAll(await open(), inTurn);
    seen.lastAt = now();
    seen.trouble = null;
    return all;
  }

  /** Repeats `work` until the stop, with longer pauses as long as it fails; until it is done where `isDone` says so. */
  async function repeat(what: string, work: () => Promise<{ isDone: boolean }>): Promise<void> {
    let pause = retryMs.first;
    while (!isOver) {
      if (isOff()) {
        await sleep(offMs);
        continue;
      }
      try {
        if ((await work()).isDone) return;
        pause = retryMs.first;
      } catch (error) {
        if (isOver) return;
        seen.trouble = error instanceof Error ? error.message : String(error);
        log.warn(what, { error });
        await sleep(pause);
        pause = Math.min(retryMs.most, pause * 2);
      }
    }
  }

  function sleep(ms: number): Promise<void> {
    return within(ms, stopped.promise, undefined);
  }

  async function roundAndWait(): Promise<{ isDone: boolean }> {
    // Before the round: what is stored meanwhile may be too late for it.
    const { promise } = wake;
    await round();
    const news = Promise.all([waitForNews(await open(), promise), sleep(leastMs)]);
    await Promise.race([news, stopped.promise]);
    return { isDone: false };
  }

  /** Something was stored here. */
  function note(): void {
    if (gathering || isOver) return;
    gathering = setTimeout(() => {
      gathering = undefined;
      wake.resolve();
      wake = Promise.withResolvers();
    }, gatherMs);
  }

  return {
    inTurn,
    round,
    seen,
    repeat,
    note,
    begin(): void {
      if (running) return;
      began?.(note);
      running = repeat("no exchange with the hub", roundAndWait);
    },
    /** Ends all after a last round, for which a hub has a moment. Never rejects. */
    async stop(): Promise<void> {
      isOver = true;
      clearTimeout(gathering);
      stopped.resolve();
      if (!running) return;
      if (!isOff()) await within(lastRoundMs, round(), undefined).catch(() => undefined);
      await within(lastRoundMs, running, undefined);
    },
  };
}

/** Every space has its turn; then the first failure is thrown. */
async function exchangeAll(
  { state, deps }: Opened,
  inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>,
): Promise<Exchanged> {
  const { exchange } = await import("./exchange.ts");
  const all = { came: 0, went: 0 };
  const failures: unknown[] = [];
  for (const { id, lost } of state.spaces()) {
    if (lost) continue;
    try {
      const { came, went } = await inTurn(() => exchange(deps, id));
      all.came += came;
      all.went += went;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return all;
}

/** Until the hub has something for a space, or somebody wakes who waits. */
async function waitForNews({ state, deps }: Opened, woken: Promise<void>): Promise<void> {
  const spaces = state.spaces().flatMap(({ id, lost }) => (lost ? [] : [id]));
  if (spaces.length === 0) return woken;
  const { askHub } = await import("./ask-hub.ts");
  const heard = askHub(deps.hooks, "hub.wait", { spaces, ms: waitMs });
  // Whoever is woken otherwise leaves this question to end by itself.
  heard.catch(() => undefined);
  await Promise.race([heard, woken]);
}
