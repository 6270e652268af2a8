// The journal: every accepted event and every piece of work, committed to a file of its own before anyone is answered.
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import { type Database, openDatabase } from "../../host/sqlite.ts";
import { writeAnew } from "../../host/write-anew.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { NoteChange } from "../ports.ts";
import { type Appended, addPast, appendEvent, pruneStep } from "./append.ts";
import * as counts from "./counts.ts";
import * as events from "./events.ts";
import { forgetPrompts, forgetSession } from "./forget.ts";
import { type JournalFile, keepJournalOpen } from "./open-journal.ts";
import * as planning from "./planning.ts";
import * as seen from "./seen-before.ts";
import * as sessions from "./sessions.ts";
import * as work from "./work.ts";

export interface JournalDeps {
  /** Epoch ms. */
  now: () => number;
  log: Log;
  /** Called with what was committed; absent where nobody looks on. */
  changed?: NoteChange | undefined;
  /** Opens the file; replaceable to see what a failing disk does. */
  open?: typeof openDatabase;
}

/**
 * The local, durable record of everything that was accepted. Every call that answers no promise is one read or one
 * transaction, and throws MemoirError. A killed process loses nothing of it; a power failure, what was written since the
 * last append or `flushed`.
 */
export type Journal = Awaited<ReturnType<typeof createJournal>>;

/** Each is one read of the open file. */
const reads = {
  unfinished: planning.unfinishedRows,
  rows: planning.sessionRows,
  rowsOfProject: planning.projectRows,
  state: planning.sessionState,
  session: planning.sessionById,
  knownSessions: sessions.knownSessions,
  heardSessions: sessions.heardSessions,
  isModelFree: sessions.isModelFree,
  pending: planning.pendingEvents,
  past: planning.promptPasts,
  pastEvents: events.pastEvents,
  prompt: events.promptEvent,
  toolEvents: events.toolEvents,
  turnEvents: events.turnEvents,
  laterPrompts: events.laterPrompts,
  lastStop: events.lastStop,
  toolUse: events.toolUse,
  lateText: events.lateText,
  hasOpenWork: planning.hasOpenWork,
  knownKey: seen.knownKey,
  hasKnown: seen.hasKnown,
  isBuried: seen.isBuried,
  isForgotten: seen.isForgotten,
  hasForgotten: seen.hasForgotten,
  transcriptMarks: sessions.transcriptMarks,
};

/** Each is one transaction, in which what was gathered to be written is written first. */
const writes = {
  putsIn: work.putsIn,
  renew: work.renewLease,
  releaseLeases: work.releaseLeases,
  adopt: sessions.adoptSessions,
  rememberPast: seen.rememberPast,
  bury: seen.bury,
  forgetSession,
  markTranscripts: sessions.markTranscripts,
  // These read, so that what was given this moment is among it.
  givenTo: counts.givenTo,
  injections: counts.injectionsSince,
  noted: counts.notedSince,
  unnotified: events.unnotified,
  /** Sessions that are open and were heard of since (epoch ms), the newest events, and what the last session was given. */
  lately: (db: Database, since: number, limit: number) => ({
    sessions: sessions.openSessions(db, since),
    happened: events.lateEvents(db, limit),
    given: counts.lastGiven(db),
  }),
};

/** Opens (or begins) the journal at `path`; see `keepJournalOpen`. Long because it is the list of what the journal does. */
export async function createJournal(path: string, deps: JournalDeps) {
  const { now, log, changed = () => undefined, open = openDatabase } = deps;
  const file = await keepJournalOpen(path, { now, log, open });
  const { use } = file;
  const gathered = createGathered();
  const write: JournalFile["use"] = (change) =>
    use((db) => gathered.transaction(db, () => change(db)));

  const plans = createPlanFlush(file);

  const appends = createGroupCommit<{ event: ClientEvent; payload: string }, Appended>(
    (group) =>
      file.insist(() =>
        write((db) =>
          group.map(({ event, payload }) => {
            const appended = appendEvent(db, event, payload, now());
            if (appended.isNew) gathered.count(`event:${event.name}`);
            return appended;
          }),
        ),
      ),
    { flush: file.flushed },
  );

  return {
    ...bound(reads, use),
    ...bound(writes, write),
    ...removing(file, write, now),
    isBehind: file.isBehind,
    flushed: file.flushed,
    adoptFrom: file.adoptFrom,
    /** Resolves once the event is committed to disk; rejects with `journal_unwritable`. Appends of one tick share a transaction. */
    async append(event: ClientEvent): Promise<Appended> {
      const appended = await appends.add({ event, payload: jsonOf(event) });
      if (appended.isNew) changed("captured", event.session);
      return appended;
    },
    addPast(promptNumber: number, past: readonly ClientEvent[]): number | undefined {
      const texts = past.map((event) => ({ event, payload: jsonOf(event) }));
      return write((db) => addPast(db, promptNumber, texts, now()));
    },
    plan(row: number, plan: planning.Plan): void {
      write((db) => planning.writePlan(db, row, plan, now()));
      plans.written();
      if (plan.works.length + plan.settled.length > 0) changed("worked");
    },
    again(row: number, works: readonly planning.PlannedWork[]): void {
      write((db) => planning.planAgain(db, row, works, now()));
      plans.written();
    },
    planned: plans.onDisk,
    lease: (row: number, until: number, storage: string) =>
      write((db) => work.leaseNext(db, row, { until, storage, now: now() })),
    finish(piece: work.LeasedWork, outcomes: ReadonlyMap<number, work.ToolOutcome>) {
      const ended = write((db) => work.finishWork(db, gathered.count, piece, outcomes, now()));
      changed("worked", piece.session);
      return ended;
    },
    fail(piece: work.LeasedWork, reason: string, at: number | null, mayBeStored = false) {
      const how = { reason, at, mayBeStored };
      const ended = write((db) => work.failWork(db, gathered.count, piece, how, now()));
      changed("worked", piece.session);
      return ended;
    },
    retryParked(ids?: readonly number[]): number[] {
      const rows = write((db) => work.unparkWork(db, ids, now()));
      changed("worked");
      return rows;
    },
    /** Adds to a counter of `status`; written with the next transaction. */
    count(name: string, by?: number): void {
      gathered.count(name, by);
      if (name.startsWith("drop:")) changed("captured");
    },
    /** Notes what a session was given to read; written with the next transaction. */
    inject: gathered.inject,
    /** Listeners heard how these tool uses ended; written with the next transaction. */
    markNotified: gathered.markNotified,
    /** Counts what a plugin gave and what became of it; written with the next transaction. */
    note: gathered.note,
    status: () => write((db) => counts.journalStatus(db, path, gathered.counts(db), now())),
    /** Commits what is queued, then closes the file. */
    async close(): Promise<void> {
      await appends.idle();
      await file.close(() => write(() => undefined));
    },
  };
}

/** Takes rows out, and their bytes out of the file and its log. */
function removing(file: JournalFile, write: JournalFile["use"], now: () => number) {
  const { use } = file;
  return {
    /** Empties the events of these prompts, or of all up to now; nothing is made of them from here on. Answers their tool uses. */
    forget(row: number, numbers?: readonly number[]): string[] {
      // Overwritten and emptied: else the words would stay in the files.
      use((db) => db.exec("PRAGMA secure_delete = ON"));
      const toolUses = write((db) => forgetPrompts(db, row, numbers));
      use((db) =>
        db.exec(
          "PRAGMA secure_delete = OFF; PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)",
        ),
      );
      return toolUses;
    },
    /** Makes what was forgotten final: no file of the journal's holds a word of it, and its hashes stand in a second place. */
    async purge(): Promise<void> {
      use(writeAnew);
      await file.writeCopy();
    },
    /** Drops the texts of a session's recovered events that are worked off. */
    releaseRecovered(session: string, client: string): void {
      write((db) => sessions.releaseRecovered(db, session, client));
      use((db) => db.exec(`PRAGMA incremental_vacuum(${freedPages})`));
    },
    /** Deletes events of finished work settled more than `keepMs` ago, in small steps; answers how many. Parked work keeps its events four times as long. */
    async prune(keepMs: number): Promise<number> {
      let deleted = 0;
      // What stood in a page that others still use is overwritten with it.
      use((db) => db.exec("PRAGMA secure_delete = FAST"));
      for (;;) {
        const step = write((db) => pruneStep(db, keepMs, now(), pruneBatch));
        deleted += step;
        if (step < pruneBatch) break;
        await pause(0);
      }
      write((db) => counts.pruneGiven(db, now() - givenMs));
      await giveBack(use);
      use((db) => db.exec("PRAGMA secure_delete = OFF"));
      return deleted;
    },
  };
}

const pruneBatch = 500;
/** Given back to the file system at a time, 2 MB: a hook may be waiting. */
const freedPages = 512;
/** So few are used again sooner than they are worth moving others for. */
const fewPages = 64;
/** What sessions were given, and what was counted of it, is kept for a year. */
const givenMs = 366 * 24 * 60 * 60_000;

/** Pages that are free go back to the file system, and their texts with them, those in the log too. */
async function giveBack(use: JournalFile["use"]): Promise<void> {
  const freePages = () => use((db) => db.get<{ freelist_count: number }>("PRAGMA freelist_count"));
  let free = freePages()?.freelist_count ?? 0;
  if (free < fewPages) return;
  while (free > 0) {
    use((db) => db.all(`PRAGMA incremental_vacuum(${freedPages})`));
    const left = freePages()?.freelist_count ?? 0;
    // A file that an earlier version made without this way of keeping pages.
    if (left >= free) break;
    free = left;
    await pause(0);
  }
  use((db) => db.all("PRAGMA wal_checkpoint(TRUNCATE)"));
}

/** A capture plugin may have put something into the event that is not valid JSON. */
function jsonOf(event: ClientEvent): string {
  try {
    return JSON.stringify(event);
  } catch (cause) {
    const message = `A ${event.name} event cannot be written as JSON: ${errorMessage(cause)}`;
    throw new MemoirError("payload_invalid", message, { cause });
  }
}

// Group commit: items that arrive in the same ticks, or while a commit is under way, share the next transaction.

interface GroupCommitOptions {
  /** Waits until what was committed is on disk, where a commit itself does not. When it fails, the whole group rejects. */
  flush?(): Promise<void>;
  maxGroup?: number;
}

/** How long a group gathers. */
const ticks = 2;

/**
 * `commit` writes a group in one transaction and answers a result for each item, in order. Items that come until a group
 * is on disk are the next group.
 */
export function createGroupCommit<Item, Result>(
  commit: (items: Item[]) => Promise<Result[]>,
  { flush, maxGroup = 512 }: GroupCommitOptions = {},
) {
  interface Queued {
    item: Item;
    resolve(result: Result): void;
    reject(error: unknown): void;
  }
  const queue: Queued[] = [];
  let running: Promise<void> | undefined;

  /** False when a group of several failed: nobody was answered. */
  async function settle(group: Queued[]): Promise<boolean> {
    let results: Result[];
    try {
      results = await commit(group.map(({ item }) => item));
    } catch (error) {
      if (group.length > 1) return false;
      group[0]?.reject(error);
      return true;
    }
    try {
      await flush?.();
      for (const [index, result] of results.entries()) group[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    return true;
  }

  async function run(): Promise<void> {
    while (queue.length > 0) {
      await gathered();
      const group = queue.splice(0, maxGroup);
      if (!(await settle(group))) for (const queued of group) await settle([queued]);
    }
    running = undefined;
  }

  /**
   * A commit costs as much for one as for many. But a group that waits for all who are under way leaves nobody to work on
   * while it is brought to the disk: it takes what comes in two ticks, and the next group gathers meanwhile.
   */
  async function gathered(): Promise<void> {
    let seen = 0;
    for (let tick = 0; tick < ticks && queue.length > seen && queue.length < maxGroup; tick++) {
      seen = queue.length;
      await setImmediate();
    }
  }

  return {
    /** Resolves with the item's own result once it is committed and on disk. A group that fails is committed one by one, so that an item rejects for its own reasons only. */
    add: (item: Item) =>
      new Promise<Result>((resolve, reject) => {
        queue.push({ item, resolve, reject });
        running ??= run();
      }),
    /** Resolves when nothing is queued or under way. */
    idle: async (): Promise<void> => {
      while (running) await running;
    },
  };
}

/** Pieces of one plan wait for the disk once. */
function createPlanFlush({ flushed }: Pick<JournalFile, "flushed">) {
  let flushing: Promise<void> | undefined;
  return {
    written: (): void => {
      flushing = undefined;
    },
    /** Resolves once every plan is on disk; rejects with `journal_unwritable`. */
    async onDisk(): Promise<void> {
      flushing ??= flushed();
      const mine = flushing;
      try {
        await mine;
      } catch (error) {
        if (flushing === mine) flushing = undefined;
        throw error;
      }
    },
  };
}

// What is gathered in memory and written along with the next transaction, so that counting costs no write of its own.

function createGathered() {
  let counted = new Map<string, number>();
  let injected: counts.Injection[] = [];
  let noted: counts.Noted[] = [];
  let notified: number[] = [];
  const count: work.Count = (name, by = 1) => {
    counted.set(name, (counted.get(name) ?? 0) + by);
  };
  return {
    count,
    inject: (injection: counts.Injection) => void injected.push(injection),
    note: (one: counts.Noted) => void noted.push(one),
    markNotified: (seqs: readonly number[]) => void notified.push(...seqs),
    /** Stored and gathered counters together. */
    counts(db: Database): Record<string, number> {
      const rows = db.all<{ name: string; n: number }>(
        "SELECT name, n FROM counters ORDER BY name",
      );
      const all: Record<string, number> = Object.fromEntries(rows.map(({ name, n }) => [name, n]));
      for (const [name, n] of counted) all[name] = (all[name] ?? 0) + n;
      return all;
    },
    /** Runs `change` and writes what was gathered in one transaction; a throw leaves both as they were. */
    transaction<Result>(db: Database, change: () => Result): Result {
      const before = new Map(counted);
      try {
        const result = db.transaction(() => {
          if (injected.length > 0) counts.addInjections(db, injected);
          if (noted.length > 0) counts.addNoted(db, noted);
          if (notified.length > 0) events.markNotified(db, notified);
          const result = change();
          const upsert = db.prepare(
            "INSERT INTO counters (name, n) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET n = n + excluded.n",
          );
          for (const counter of counted) upsert.run(counter);
          return result;
        });
        counted = new Map();
        injected = [];
        noted = [];
        notified = [];
        return result;
      } catch (error) {
        counted = before;
        throw error;
      }
    },
  };
}

type Operation = (db: Database, ...args: never[]) => unknown;
type Bound<Operations> = {
  [Name in keyof Operations]: Operations[Name] extends (
    db: Database,
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Result
    : never;
};

/** Each operation, over whichever file is open when it is called. */
function bound<Operations extends Record<string, Operation>>(
  operations: Operations,
  run: JournalFile["use"],
): Bound<Operations> {
  const all = Object.entries(operations).map(([name, operation]) => [
    name,
    (...args: never[]) => run((db) => operation(db, ...args)),
  ]);
  return Object.fromEntries(all);
}
