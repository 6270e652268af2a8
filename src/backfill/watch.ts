// Keeps up with sessions whose hooks did not fire: looks, now and then, at transcripts that went quiet in folders that hooks deliver from.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../home/log.ts";
import type { HeardSession, TranscriptMark } from "../runtime/journal/sessions.ts";
import type { SessionFiles } from "../transcript/discover.ts";
import { feedSession, isRead, overMs, type Recoverer } from "./feed-session.ts";
import { foldersOf, sessionsIn } from "./plan.ts";

export interface WatchDeps {
  runtime: Recoverer & { heard(): HeardSession[] };
  home: string;
  log: Log;
  /** Epoch ms. */
  now(): number;
  /** Resolves when nothing that was lost is being made again: it would be taken for news. */
  ready?(): Promise<void>;
  /** Milliseconds between two looks. */
  everyMs: number;
  /** Replaceable in tests; answers a function that cancels. */
  timer?(callback: () => void, ms: number): () => void;
}

export interface Watch {
  /** Looks now; resolves when what was found is in memory. Looks wait for one another. */
  look(): Promise<void>;
  /** Ends the looks, also one under way. */
  stop(): Promise<void>;
}

/**
 * Only folders in which a hook fired are looked at, so that a project where memoir is not registered stays out. Only
 * what happened since a hook first fired there is taken: everything before is `memoir backfill`'s, which asks. No model
 * is asked. A look costs one listing a folder; between two looks nothing runs.
 */
export function startWatch(deps: WatchDeps): Watch {
  const { runtime, log, now, timer = systemTimer } = deps;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let cancel = (): void => {};

  async function take(files: SessionFiles, since: number): Promise<void> {
    try {
      const { counts } = await feedSession(files, {
        ...deps,
        reader: "watch",
        modelFree: true,
        since,
        signal: stopping.signal,
      });
      if (counts.committed > 0)
        log.info("a session was taken from its transcript", { session: files.session, ...counts });
    } catch (error) {
      if (stopping.signal.aborted) return;
      log.warn("a transcript could not be taken in", { session: files.session, error });
    }
  }

  async function look(): Promise<void> {
    const heard = runtime.heard();
    const heardAt = new Map(heard.map((one) => [one.session, one.heardAt]));
    /** What is still being written is left to its hooks, or to a later look. */
    const isQuiet = (session: string, changedAt: number) =>
      now() - changedAt > overMs && now() - (heardAt.get(session) ?? 0) > overMs;
    for (const { folder, client, since } of foldersOf(heard)) {
      const marks = runtime.marks("watch");
      if (!(await hasNews(folder, since, marks))) continue;
      for (const files of await sessionsIn(folder, client)) {
        if (stopping.signal.aborted) return;
        const { changedAt, session, main } = files;
        if (main && changedAt >= since && isQuiet(session, changedAt) && !isRead(files, marks))
          await take(files, since);
      }
    }
  }

  function lookInTurn(): Promise<void> {
    cancel();
    running = running
      .then(() => deps.ready?.())
      .then(look)
      .catch((error: unknown) => {
        log.warn("transcripts could not be looked at", { error });
      });
    void running.then(() => {
      // Of two looks in a row each would leave a timer.
      cancel();
      if (!stopping.signal.aborted) cancel = timer(() => void lookInTurn(), deps.everyMs);
    });
    return running;
  }

  cancel = timer(() => void lookInTurn(), deps.everyMs);
  return {
    look: lookInTurn,
    async stop() {
      stopping.abort();
      cancel();
      await running;
    },
  };
}

/** True when a session's file changed since it was read; costs a listing and a look at each file. */
async function hasNews(
  folder: string,
  since: number,
  marks: ReadonlyMap<string, TranscriptMark>,
): Promise<boolean> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(".jsonl")) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (!found) continue;
    const changedAt = Math.round(found.mtimeMs);
    const mark = marks.get(path);
    if (changedAt >= since && (mark?.bytes !== found.size || mark.changedAt !== changedAt))
      return true;
  }
  return false;
}

function systemTimer(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
