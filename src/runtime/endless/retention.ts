// Takes out what was kept for long enough, or is too much, in the background and in small steps.

import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../home/log.ts";
import type { Config } from "../config/schema.ts";
import { pruneBooks } from "./books.ts";
import { pruneKept } from "./kept-rows.ts";
import type { OrElse } from "./ledger.ts";
import type { EndlessFile } from "./open-store.ts";

interface RetentionDeps {
  now: () => number;
  log: Log;
  config: () => Pick<Config["endless"], "keepDays" | "keepBytes">;
  orElse: OrElse;
}

const dayMs = 86_400_000;
const everyMs = 60 * 60_000;
/** A server that just starts has better things to do. */
const firstMs = 60_000;
/** So much more kept brings the next look before its time. */
const afterBytes = 4 * 1024 * 1024;
/** References that go at a time; between two steps others may keep. */
const step = 200;
/** The books are kept for a year. */
const bookDays = 366;

/** Looks every hour, also where Endless Mode has been off for long. */
export function createRetention(file: EndlessFile, { now, log, config, orElse }: RetentionDeps) {
  let running: Promise<void> | undefined;
  let newBytes = 0;
  let stopped = false;

  function soon(): void {
    if (running || stopped) return;
    running = orElse(pruneNow, undefined).finally(() => {
      running = undefined;
    });
  }

  async function pruneNow(): Promise<void> {
    newBytes = 0;
    if (!(await file.read(() => true))) return;
    const { keepDays, keepBytes } = config();
    const limits = { keepFrom: now() - keepDays * dayMs, keepBytes };
    let gone = 0;
    for (;;) {
      const went = await file.write((db) => pruneKept(db, limits, step));
      gone += went;
      if (went < step || stopped) break;
      await pause(0);
    }
    await file.write((db) => pruneBooks(db, now() - bookDays * dayMs));
    if (gone === 0) return;
    await file.read((db) => db.exec("PRAGMA incremental_vacuum"));
    log.info("Old originals of Endless Mode were deleted.", { references: gone });
  }

  const every = setInterval(soon, everyMs);
  every.unref?.();
  const first = setTimeout(soon, firstMs);
  first.unref?.();

  return {
    /** So many bytes were kept: it may be time to look. */
    grew(bytes: number): void {
      newBytes += bytes;
      if (newBytes >= afterBytes) soon();
    },
    /** Looks now. */
    async prune(): Promise<void> {
      await running;
      await pruneNow();
    },
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(every);
      clearTimeout(first);
      await running;
    },
  };
}
