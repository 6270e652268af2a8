// Brings a home of an earlier version up to date in the background: session after session, newest first, once each, going on where it was left.

import { setTimeout as sleep } from "node:timers/promises";
import { makeTurn } from "../evidence/make-turn.ts";
import { relativeTo } from "../evidence/tools.ts";
import type { TranscriptMark } from "../runtime/journal/sessions.ts";
import type { Prompt, Session } from "../sdk/model.ts";
import type { NewTurn } from "../sdk/turn.ts";
import { listOf, readStored } from "./add-missing.ts";
import { type MakingAgain, makeAgain } from "./rebuild.ts";

interface TurnMigrationDeps extends Omit<TurnFiller, "signal"> {
  marks(reader: string, paths?: readonly string[]): Map<string, TranscriptMark>;
  mark(reader: string, marks: readonly TranscriptMark[]): void;
  /** Something that goes first. */
  after?: Promise<void>;
  /** Before the first session: a server that has just started has others to answer. Default 5 s. */
  waitMs?: number;
  /** Between two sessions. Default 20 ms. */
  pauseMs?: number;
}

interface TurnMigration {
  /** Resolves when all sessions were looked at, or it was stopped. Never rejects. */
  done: Promise<void>;
  stop(): Promise<void>;
}

const reader = "turns";
/** Under this name an import marks the sessions that it brings, by `sessionMark`. */
export const importedSessions = "imported";
const page = 200;

/** What a session is marked by. */
export function sessionMark({ client, id }: Pick<Session, "client" | "id">): string {
  return `${client}:${id}`;
}

/**
 * A session is looked at once for each number of prompts it has had; one that goes on meanwhile is no earlier version's, its turns are on
 * their way. So are an imported one's: they may come with a later line.
 */
export function startTurnMigration(deps: TurnMigrationDeps): TurnMigration {
  const { hooks, log, now, waitMs = 5_000, pauseMs = 20 } = deps;
  const startedAt = now();
  const stopping = new AbortController();
  const { signal } = stopping;

  async function look(): Promise<void> {
    // What a memory that began empty gets from elsewhere has its turns, and may be very much.
    if ((await sessionsFrom(0, 1)).length === 0) return;
    await sleep(waitMs, undefined, { signal, ref: false });
    await deps.after;
    signal.throwIfAborted();
    const marks = deps.marks(reader);
    const sum = { sessions: 0, turns: 0 };
    for (let offset = 0; ; offset += page) {
      const sessions = await sessionsFrom(offset);
      for (const session of sessions) {
        const path = sessionMark(session);
        if (session.lastActiveAt > startedAt || marks.get(path)?.bytes === session.prompts)
          continue;
        // Its maker's memory makes its turns.
        if (session.from) continue;
        if (deps.marks(importedSessions, [path]).size > 0) continue;
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

  async function sessionsFrom(offset: number, limit = page): Promise<Session[]> {
    const answer = await hooks().first("storage.sessions", { limit, offset });
    return answer?.result ?? [];
  }

  /** How many turns it made; undefined when it has to be looked at again. */
  async function fill(session: Session): Promise<number | undefined> {
    try {
      return await fillTurns(session, { ...deps, signal });
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

// Makes the turns that a session of an earlier version lacks, as whatever is lost is made again; of prompts of which nobody tells more, of the prompt alone.

/** What filling needs of the runtime. */
type TurnFiller = Omit<MakingAgain, "isDeep" | "stamp">;

/** Leaves turns that are there alone, unless they have gaps and there is more to tell now. Answers how many it made. */
export async function fillTurns(session: Session, filler: TurnFiller): Promise<number> {
  const { hooks, signal, now } = filler;
  const { id, client, transcriptPath } = session;
  const name = { session: id, client, transcriptPath };
  const before = await readStored(hooks(), name, session);
  const isLacking = ({ number }: { number: number }) => !before.turns.has(number);
  if (!before.texts.some(isLacking)) return 0;
  await makeAgain(name, session, { ...filler, isDeep: false, stamp: "turns" });
  const turns = await listOf(hooks(), "storage.turns", name);
  const there = new Set(turns.map(({ promptNumber }) => promptNumber));
  const records = (await listOf(hooks(), "storage.prompts", name))
    // The turn of another member's prompt is theirs: it comes with a later change.
    .filter(({ promptNumber, from }) => !from && !there.has(promptNumber))
    .flatMap((prompt) => turnOf(session, prompt) ?? []);
  signal.throwIfAborted();
  if (records.length > 0)
    await hooks().first("storage.put", {
      key: `turns:${client}:${id}:${now()}`,
      records: { turns: records },
    });
  return turns.filter(({ gaps }) => !gaps).length - before.turns.size + records.length;
}

function turnOf({ id, client, project }: Session, prompt: Prompt): NewTurn | undefined {
  const { promptNumber, text, time } = prompt;
  return makeTurn(
    {
      ...{ session: id, client, project: prompt.project, promptNumber },
      ...{ startedAt: time, gaps: true },
    },
    [{ what: "prompt", text, time }],
    relativeTo(project.root),
  );
}
