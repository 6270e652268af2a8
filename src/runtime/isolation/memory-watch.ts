// Looks at what plugins' workers hold. They share the process, which no engine caps: who holds too much is ended.
import process from "node:process";

/** A worker as the watch sees it. */
export interface Watched {
  maxBytes: number;
  /** Calls are under way. */
  isBusy(): boolean;
  /** Asks what it holds; undefined when it does not answer within `ms`. */
  ping(ms: number): Promise<number | undefined>;
  tooLarge(megabytes: number): void;
}

const busyEveryMs = 250;
/** A worker may also fill up between two calls, in a timer. */
const quietEveryMs = 5_000;
const megabyte = 1_048_576;

const all = new Set<Watched>();
/** Those that have not answered the last question yet, with what the process held when it was put. */
const silent = new Map<Watched, number>();
let timer: ReturnType<typeof setTimeout> | undefined;
let quietSince = 0;

/** Begins to look at a worker; gives the end of it. */
export function watchMemory(one: Watched): () => void {
  all.add(one);
  if (timer === undefined) plan();
  return () => {
    all.delete(one);
    silent.delete(one);
    if (all.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

function plan(): void {
  timer = undefined;
  if (all.size === 0) return;
  timer = setTimeout(look, busyEveryMs);
  timer.unref?.();
}

function look(): void {
  quietSince += busyEveryMs;
  const askAll = quietSince >= quietEveryMs;
  if (askAll) quietSince = 0;
  const held = silent.size > 0 ? process.memoryUsage().rss : undefined;
  for (const one of all) {
    const before = silent.get(one);
    // It hangs, and since then the process has grown by more than this one may hold: nobody else is as likely.
    if (before !== undefined && held !== undefined && held - before > one.maxBytes)
      one.tooLarge(Math.round((held - before) / megabyte));
    else if (before === undefined && (askAll || one.isBusy())) void ask(one);
  }
  plan();
}

async function ask(one: Watched): Promise<void> {
  silent.set(one, process.memoryUsage().rss);
  // Longer than any deadline: a worker that is stuck is seen by the growth of the process.
  const bytes = await one.ping(150_000);
  silent.delete(one);
  if (bytes !== undefined && bytes > one.maxBytes) one.tooLarge(Math.round(bytes / megabyte));
}
