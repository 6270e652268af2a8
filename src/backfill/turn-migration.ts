// Brings a home of an earlier version up to date in the background: session after session, newest first, once each, going on where it was left.
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../home/log.ts";
import type { TranscriptMark } from "../runtime/journal/recovery-rows.ts";
import type { Session } from "../sdk/model.ts";
import { fillTurns, type TurnFiller } from "./fill-turns.ts";

export interface TurnMigrationDeps extends Omit<TurnFiller, "signal"> {
  marks(reader: string): Map<string, TranscriptMark>;
  mark(reader: string, marks: readonly TranscriptMark[]): void;
  log: Log;
  /** Something that goes first. */
  after?: Promise<void>;
  /** Before the first session: a server that has just started has others to answer. Default 5 s. */
  waitMs?: number;
  /** Between two sessions. Default 20 ms. */
  pauseMs?: number;
}

export interface TurnMigration {
  /** Resolves when all sessions were looked at, or it was stopped. Never rejects. */
  done: Promise<void>;
  stop(): Promise<void>;
}

const reader = "turns";
const page = 200;

/** A session is looked at once for each number of prompts it has had; one that goes on meanwhile is no earlier version's, its turns are on their way. */
export function startTurnMigration(deps: TurnMigrationDeps): TurnMigration {
  const { hooks, log, now, waitMs = 5_000, pauseMs = 20 } = deps;
  const startedAt = now();
  const stopping = new AbortController();
  const { signal } = stopping;

  async function look(): Promise<void> {
    await sleep(waitMs, undefined, { signal, ref: false });
    await deps.after;
    signal.throwIfAborted();
    const marks = deps.marks(reader);
    const sum = { sessions: 0, turns: 0 };
    for (let offset = 0; ; offset += page) {
      const sessions = await sessionsFrom(offset);
      for (const session of sessions) {
        const path = `${session.client}:${session.id}`;
        if (session.lastActiveAt > startedAt || marks.get(path)?.bytes === session.prompts)
          continue;
        signal.throwIfAborted();
        const made = await fill(session);
        if (made === undefined) continue;
        if (made > 0) sum.sessions++;
        sum.turns += made;
        const bytes = session.prompts;
        deps.mark(reader, [{ path, bytes, changedAt: now(), offset: 0, lines: 0 }]);
        await sleep(pauseMs, undefined, { signal, ref: false });
      }
      if (sessions.length < page) break;
    }
    if (sum.turns > 0) log.info("Turns were made of sessions that had none.", sum);
  }

  async function sessionsFrom(offset: number): Promise<Session[]> {
    const answer = await hooks().first("storage.sessions", { limit: page, offset });
    return answer?.result ?? [];
  }

  /** How many turns it made; undefined when it has to be looked at again. */
  async function fill(session: Session): Promise<number | undefined> {
    try {
      return (await fillTurns(session, { ...deps, signal })).made;
    } catch (error) {
      signal.throwIfAborted();
      log.warn("The turns of a session could not be made.", { session: session.id, error });
      return undefined;
    }
  }

  const done = look().catch((error: unknown) => {
    if (!signal.aborted) log.warn("Turns could not be made of earlier sessions.", { error });
  });
  return {
    done,
    async stop() {
      stopping.abort();
      await done;
    },
  };
}
