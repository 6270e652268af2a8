// Brings a home of an earlier version up to date in the background: session after session, newest first, once each, going on where it was left.

import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { RecordedEvent } from "../clients/normal/transcript-events.ts";
import { createTurnReader } from "../evidence/from-transcript.ts";
import { makeTurn } from "../evidence/make-turn.ts";
import { type Moment, mergeMoments, momentsOfEvent, scrubMoments } from "../evidence/moment.ts";
import { relativeTo } from "../evidence/tools.ts";
import type { Log } from "../home/log.ts";
import { scrubThrough } from "../runtime/context/read-contexts.ts";
import type { TranscriptMark } from "../runtime/journal/sessions.ts";
import type { Captured, Hooks } from "../runtime/ports.ts";
import type { ClientEvent } from "../sdk/events.ts";
import type { Prompt, Session } from "../sdk/model.ts";
import type { NewTurn } from "../sdk/turn.ts";
import { listOf } from "./add-missing.ts";
import { recordedSession } from "./feed-session.ts";
import { sessionNamed } from "./plan.ts";

interface TurnMigrationDeps extends Omit<TurnFiller, "signal"> {
  marks(reader: string, paths?: readonly string[]): Map<string, TranscriptMark>;
  mark(reader: string, marks: readonly TranscriptMark[]): void;
  log: Log;
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

// Makes the turns that a session of an earlier version lacks: of the journal's events where they are still there, else of its transcript, else of the prompt alone.

/** What filling needs of the runtime. */
interface TurnFiller {
  hooks: () => Pick<Hooks, "first">;
  /** Runs the capture plugins over an event that is not kept. */
  capture(event: ClientEvent): Promise<Captured>;
  /** Plans the turns whose events the journal still has; answers their numbers. */
  remakeTurns(session: string, client: string, numbers: readonly number[]): number[];
  /** Whether something of a session was forgotten: its transcript says it still. */
  isPartlyForgotten(session: string, client: string): boolean;
  drain(request: { session: string; timeoutMs: number }): Promise<boolean>;
  signal: AbortSignal;
  /** Epoch ms. */
  now(): number;
}

/** What became of a session. */
interface Filled {
  /** Turns. */
  made: number;
}

const drainMs = 60_000;

/** Leaves turns that are there alone, unless they have gaps and there is a transcript now. */
export async function fillTurns(session: Session, filler: TurnFiller): Promise<Filled> {
  const { id, client } = session;
  const prompts = await listOf(filler.hooks(), "storage.prompts", { session: id, client });
  // What was before any prompt may be a compaction.
  const missing = new Set([0, ...prompts.map(({ promptNumber }) => promptNumber)]);
  const gaps = new Set<number>();
  for (const { promptNumber, gaps: has } of await listOf(filler.hooks(), "storage.turns", {
    session: id,
    client,
  }))
    if (has) gaps.add(promptNumber);
    else missing.delete(promptNumber);
  if (missing.size === 0 || (missing.size === 1 && missing.has(0))) return { made: 0 };

  const fresh = [...missing].filter((number) => !gaps.has(number));
  const remade = filler.remakeTurns(id, client, fresh);
  if (remade.length > 0) await filler.drain({ session: id, timeoutMs: drainMs });
  for (const number of remade) missing.delete(number);

  // Words of a prompt that is not known any more would be taken for those of the prompt before it.
  const recorded = filler.isPartlyForgotten(id, client)
    ? undefined
    : await readRecorded(session, prompts, filler);
  const turns = [undefined, ...prompts].flatMap((prompt): NewTurn[] => {
    const number = prompt?.promptNumber ?? 0;
    if (!missing.has(number) || (!recorded && (!prompt || gaps.has(number)))) return [];
    const turn = turnOf(session, prompt, recorded?.get(number));
    return turn ? [turn] : [];
  });
  filler.signal.throwIfAborted();
  if (turns.length > 0)
    await filler.hooks().first("storage.put", {
      key: `turns:${client}:${id}:${filler.now()}`,
      records: { turns },
    });
  return { made: remade.length + turns.length };
}

/** What a transcript tells of one turn. */
interface Recorded {
  events: Moment[];
  words: Moment[];
}

/** Without a prompt: what was before any, where only a compaction counts. */
function turnOf(
  session: Session,
  prompt: Prompt | undefined,
  recorded: Recorded | undefined,
): NewTurn | undefined {
  const asked = prompt && { what: "prompt" as const, text: prompt.text, time: prompt.time };
  const words = prompt
    ? recorded?.words
    : recorded?.words.filter(({ what }) => what === "compaction");
  return makeTurn(
    {
      session: session.id,
      client: session.client,
      project: prompt?.project ?? session.project.id,
      promptNumber: prompt?.promptNumber ?? 0,
      startedAt: prompt?.time ?? words?.[0]?.time ?? session.startedAt,
      ...(!recorded && { gaps: true }),
    },
    mergeMoments([...(asked ? [asked] : []), ...((prompt && recorded?.events) ?? [])], words),
    relativeTo(session.project.root),
  );
}

/** By prompt number; undefined without a transcript, or where its texts could not be scrubbed. */
async function readRecorded(
  session: Session,
  prompts: readonly Prompt[],
  filler: TurnFiller,
): Promise<Map<number, Recorded> | undefined> {
  const { id, client, transcriptPath } = session;
  const files = await sessionNamed({ session: id, client, transcriptPath });
  const main = files?.main;
  if (!files || !main) return undefined;
  const relative = relativeTo(session.project.root);
  const byTime = [...prompts].sort((one, other) => one.time - other.time);
  const reader = createTurnReader(
    [
      { number: 0, text: "", time: Number.NEGATIVE_INFINITY },
      ...byTime.map(({ promptNumber: number, text, time }) => ({ number, text, time })),
    ],
    relative,
  );
  const turns = new Map<number, Recorded>(
    [0, ...prompts.map(({ promptNumber }) => promptNumber)].map((number) => [
      number,
      { events: [], words: [] },
    ]),
  );
  const tools = new Map<string, Moment[]>();

  /** Of the main agent's tool uses the reader knows the turn; what a subagent did belongs to the turn of its time. */
  async function take(
    events: Iterable<RecordedEvent> | AsyncIterable<RecordedEvent>,
  ): Promise<void> {
    for await (const { event, use } of events) {
      if (!isRecorded(event)) continue;
      filler.signal.throwIfAborted();
      const captured = await filler.capture(event);
      // A hook that waits for its answer goes first.
      await setImmediate();
      if ("drop" in captured) continue;
      const moments = momentsOfEvent(captured.event, relative);
      if (event.agent === undefined && "toolUseId" in event)
        tools.set(use ?? event.toolUseId, moments);
      else {
        const at = byTime.findLast(({ time }) => time <= event.time)?.promptNumber;
        turns.get(at ?? -1)?.events.push(...moments);
      }
    }
  }

  const recorded = await recordedSession(files);
  const events = recorded.begin(main);
  for await (const entry of recorded.entries(main)) {
    reader.add(entry);
    await take(events.add(entry));
  }
  await take(events.end(false));
  for (const file of files.agents) await take(recorded.events(file, false));

  const scrub = scrubThrough(filler.capture);
  for (const [number, moments] of reader.moments()) {
    const own = turns.get(number);
    const about = {
      key: `turns:${session.id}:${number}`,
      session: { id: session.id, client: session.client, project: session.project },
      cwd: session.project.root,
      time: moments[0]?.time ?? session.startedAt,
    };
    const words = await scrubMoments(moments, (texts) => scrub(texts, about));
    if (!own) continue;
    if (!words) return undefined;
    own.words = words;
    for (const moment of moments)
      if (moment.what === "use") own.events.push(...(tools.get(moment.toolUseId) ?? []));
  }
  return turns;
}

/** Words of the main agent are read as they stand; its Stops only repeat them. */
function isRecorded({ name }: ClientEvent): boolean {
  return name === "PostToolUse" || name === "PostToolUseFailure" || name === "SubagentStop";
}
