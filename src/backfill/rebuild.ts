// Makes again in the background what storage or the journal lost: of the journal's events, else of the clients' transcripts. Session by session, the newest first, and nothing twice.
import { setTimeout as sleep } from "node:timers/promises";
import {
  addFinding,
  type Finding,
  type RebuildWanted,
  readFindings,
  rebuildDone,
  rebuildsWanted,
  retell,
} from "../home/findings.ts";
import type { Log } from "../home/log.ts";
import type { Past, PastPrompts, SessionName } from "../runtime/events/transcripts.ts";
import { allSessions } from "../runtime/hooks/ask-storage.ts";
import type { HeardSession, TranscriptMark } from "../runtime/journal/sessions.ts";
import type { Captured, Hooks } from "../runtime/ports.ts";
import type { ClientEvent } from "../sdk/events.ts";
import type { Session } from "../sdk/model.ts";
import { addMissing, type ReadSession, readStored } from "./add-missing.ts";
import { foldersOf, sessionNamed, sessionsIn } from "./plan.ts";

interface RebuildDeps {
  home: string;
  past: Past;
  hooks: () => Pick<Hooks, "first">;
  /** Runs the capture plugins over an event that is not kept. */
  capture(event: ClientEvent): Promise<Captured>;
  marks(reader: string): Map<string, TranscriptMark>;
  mark(reader: string, marks: readonly TranscriptMark[]): void;
  /** Sessions that hooks delivered events of. */
  heard(): HeardSession[];
  /** Drops the texts of a session's events from transcripts that are worked off. */
  release(session: string, client?: string): void;
  log: Log;
  /** Epoch ms. */
  now(): number;
  /** Before the first session: a server that has just started has others to answer. Default 1 s. */
  waitMs?: number;
}

/** How it is doing. */
export interface RebuildProgress {
  sessions: { done: number; total: number };
  /** Made so far. */
  records: number;
}

interface Rebuild {
  /** Begins where something is wanted and nothing runs; resolves when nothing is any more. Never rejects. */
  look(): Promise<void>;
  /** Undefined while nothing is made. */
  progress(): RebuildProgress | undefined;
  stop(): Promise<void>;
}

/** Its marks in the journal: sessions that are looked at in this rebuild. */
const reader = "rebuild";
const pauseMs = 20;
/** Between two looks whether a session's work is done: waiting by `drain` would go before hooks. */
const workLookMs = 40;
const workMs = 10 * 60_000;
/** Storage may be carrying over what can be read of a damaged file. */
const storageRetryMs = 2_000;
/** After a failure of the journal's. */
const retryMs = 60_000;

/** Nothing runs before the first look. */
export function createRebuild(deps: RebuildDeps): Rebuild {
  const { home, log } = deps;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let progress: RebuildProgress | undefined;
  let notBefore = 0;

  async function run(): Promise<void> {
    const { signal } = stopping;
    for (let wanted = rebuildsWanted(home); wanted.length > 0; wanted = rebuildsWanted(home)) {
      progress = { sessions: { done: 0, total: 0 }, records: 0 };
      await sleep(deps.waitMs ?? 1_000, undefined, { signal, ref: false });
      const rebuilt = await rebuild(wanted, progress, deps, signal);
      sayRebuilt(home, wanted, rebuilt, deps.now());
      await rebuildDone(home, wanted);
      if (rebuilt.records > 0) log.info("What was lost was made again.", { ...rebuilt });
    }
  }

  return {
    look() {
      if (stopping.signal.aborted || deps.now() < notBefore) return Promise.resolve();
      running ??= run()
        .catch((error: unknown) => {
          notBefore = deps.now() + retryMs;
          if (!stopping.signal.aborted)
            log.warn("What was lost could not be made again; it is tried again.", { error });
        })
        .finally(() => {
          running = undefined;
          progress = undefined;
        });
      return running;
    },
    progress: () => progress && structuredClone(progress),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function rebuild(
  wanted: readonly RebuildWanted[],
  progress: RebuildProgress,
  deps: RebuildDeps,
  signal: AbortSignal,
): Promise<Rebuilt> {
  const stored = await storedWhenThere(deps, signal);
  /** The journal may not know all that happened: the transcripts are asked. */
  const isDeep = wanted.some(({ file, why }) => file === "journal.db" || why === "restore");
  if (isDeep) deps.past.adopt([...stored.values()]);
  const sessions = await sessionsOf(stored, deps, isDeep);
  // Marks of one rebuild are not those of the next.
  const stamp = Math.max(...wanted.map(({ time }) => time));
  const sum: Rebuilt = { records: 0, journal: 0, transcripts: 0, known: sessions.length };
  const marks = deps.marks(reader);
  progress.sessions.total = sessions.length;
  for (const session of sessions) {
    signal.throwIfAborted();
    const path = `${session.client}:${session.session}`;
    if (marks.get(path)?.changedAt !== stamp) {
      const made = await oneSession(session, stored.get(path), {
        ...{ ...deps, signal, isDeep, stamp },
      });
      sum.records += made.records;
      if (made.records > 0) sum[made.from]++;
      progress.records = sum.records;
      deps.mark(reader, [{ path, bytes: made.records, changedAt: stamp, offset: 0, lines: 0 }]);
      await sleep(pauseMs, undefined, { signal, ref: false });
    } else sum.records += marks.get(path)?.bytes ?? 0;
    progress.sessions.done++;
  }
  return sum;
}

async function storedWhenThere(
  { hooks, log }: RebuildDeps,
  signal: AbortSignal,
): Promise<Map<string, Session>> {
  for (;;) {
    try {
      const sessions = await allSessions(hooks());
      return new Map(sessions.map((session) => [`${session.client}:${session.id}`, session]));
    } catch (error) {
      log.info("What was lost is made again once storage answers.", { error });
      await sleep(storageRetryMs, undefined, { signal, ref: false });
    }
  }
}

interface KnownSession extends SessionName {
  transcriptPath?: string | undefined;
}

/** All that the journal or storage knows; `isDeep`: also those whose transcripts lie beside theirs. */
async function sessionsOf(
  stored: ReadonlyMap<string, Session>,
  { past, heard }: RebuildDeps,
  isDeep: boolean,
): Promise<KnownSession[]> {
  const known = new Map<string, KnownSession>();
  const add = ({ session, client, transcriptPath }: KnownSession) => {
    const key = `${client}:${session}`;
    const path = transcriptPath ?? known.get(key)?.transcriptPath;
    known.set(key, { session, client, transcriptPath: path });
  };
  for (const session of past.sessions()) add(session);
  for (const { id: session, ...more } of stored.values()) add({ session, ...more });
  /** When a hook first fired in a folder: what was before is `memoir backfill`'s, which asks. */
  if (isDeep)
    for (const { folder, client, since } of foldersOf(heard()))
      for (const { session, main, changedAt } of await sessionsIn(folder, client))
        if (main && changedAt >= since && !known.has(`${client}:${session}`))
          known.set(`${client}:${session}`, { session, client, transcriptPath: main.path });
  return [...known.values()];
}

/** What making one session again needs. */
export interface MakingAgain
  extends Pick<RebuildDeps, "home" | "past" | "hooks" | "capture" | "release" | "log" | "now"> {
  signal: AbortSignal;
  /** Its transcript is asked whatever is missing. */
  isDeep: boolean;
  /** Of the run: what it makes is not taken for what another made. */
  stamp: number | string;
}

/** How many records a session got, and what they were made of. */
interface MadeAgain {
  records: number;
  from: "journal" | "transcripts";
}

const nothing: MadeAgain = { records: 0, from: "journal" };

async function oneSession(
  name: KnownSession,
  session: Session | undefined,
  deps: MakingAgain,
): Promise<MadeAgain> {
  try {
    return await makeAgain(name, session, deps);
  } catch (error) {
    deps.signal.throwIfAborted();
    deps.log.warn("What a session lost could not be made again.", { session: name.session, error });
    return nothing;
  }
}

/** What storage lacks of a session goes through the journal once more: what that has of it, else its transcript. */
export async function makeAgain(
  name: KnownSession,
  session: Session | undefined,
  deps: MakingAgain,
): Promise<MadeAgain> {
  const { past, hooks, signal, isDeep, stamp } = deps;
  await workDone(name, past, signal);
  const stored = await readStored(hooks(), name, session);
  const journaled = past.prompts(name);
  const isAsked = isDeep || hasGaps(stored, journaled, session);
  const files = isAsked ? await sessionNamed(name) : undefined;
  const added = files ? await addMissing(files, stored, journaled, deps) : 0;
  if (past.makeAgain(name, stored, `${stamp}-${deps.now()}`) === 0) return nothing;
  await workDone(name, past, signal);
  if (added > 0) deps.release(name.session, name.client);
  const { records } = await readStored(hooks(), name, session);
  return {
    records: Math.max(0, records - stored.records),
    from: added > 0 ? "transcripts" : "journal",
  };
}

/** True where a prompt is missing, or part of it, that the journal does not have. */
function hasGaps(
  { prompts, turns, summaries, observed }: ReadSession,
  { count, whole, waiting, isForgotten }: PastPrompts,
  session: Session | undefined,
): boolean {
  for (let number = 1; number <= Math.max(count, session?.prompts ?? 0); number++) {
    if (whole.has(number) || waiting.has(number) || isForgotten(number)) continue;
    const isDerived = summaries.has(number) || observed.has(number);
    if (!prompts.has(number) || !turns.has(number) || !isDerived) return true;
  }
  return false;
}

async function workDone(name: SessionName, past: Past, signal: AbortSignal): Promise<void> {
  for (let waited = 0; past.isOpen(name) && waited < workMs; waited += workLookMs)
    await sleep(workLookMs, undefined, { signal });
}

// Says what was made again, in the findings about the loss.

/** What a rebuild came to. */
interface Rebuilt {
  /** Records that storage has since. */
  records: number;
  /** Sessions made of the journal's events alone, and with their transcripts. */
  journal: number;
  transcripts: number;
  /** Sessions that were known at all. */
  known: number;
}

/** Completes each damage's finding; what had none has one only where something was made. */
function sayRebuilt(
  home: string,
  wanted: readonly RebuildWanted[],
  rebuilt: Rebuilt,
  now: number,
): void {
  const said = rebuilt.records > 0 ? [madeAgain(rebuilt)] : [];
  const findings = readFindings(home);
  for (const { file, time, why } of wanted) {
    const finding = findings.find((one) => one.file === file && one.time === time);
    if (finding) {
      const { id, shown: _, fix: __, ...about } = finding;
      const fix = rebuilt.known === 0 ? { fix: asked } : {};
      addFinding(home, { ...about, from: [...(about.from ?? []), ...said], ...fix });
      if (said.length > 0) retell(home, id);
    } else if (said.length > 0 && why !== "damage" && !isSaid(why, file, wanted))
      addFinding(home, { time: now, file, what: reasons[why], from: said } satisfies Finding);
  }
}

/** Another reason says more. */
function isSaid(why: RebuildWanted["why"], file: string, wanted: readonly RebuildWanted[]) {
  return why === "fewer" && wanted.some((one) => one.file === file && one.why !== "fewer");
}

const reasons = {
  restore:
    "was gone back to an older copy; what came after it was made again as far as it could be",
  fewer: "held fewer records than when they were last counted",
} as const;

/** With no session known, nobody knows either which projects memory was wanted for. */
const asked = "`memoir backfill` reads what your client's transcripts still have.";

function madeAgain({ records, journal, transcripts }: Rebuilt): string {
  const from = [
    ...(journal > 0 ? ["the journal"] : []),
    ...(transcripts > 0 ? [transcripts === 1 ? "1 transcript" : `${transcripts} transcripts`] : []),
  ].join(" and ");
  return `${records === 1 ? "1 record" : `${records} records`}, made again from ${from}`;
}
