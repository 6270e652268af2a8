// The room of Endless Mode: what strategies are offered, what was taken out and how it comes back, and the books.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { damagedFiles } from "../../home/database/set-aside.ts";
import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import type { openDatabase } from "../../host/sqlite.ts";
import { writeAnew } from "../../host/write-anew.ts";
import { memoirCommand } from "../../sdk/command.ts";
import type { EndlessClient, Kept, ToolFigures } from "../../sdk/endless.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { Settled } from "../../sdk/work.ts";
import type { Config } from "../config/schema.ts";
import type { TimeOfSession } from "../journal/told.ts";
import type { JournalSession } from "../ports.ts";
import { type BookQuery, bookDays, bookLines } from "./books.ts";
import { createKeeping } from "./keeping.ts";
import {
  forgetKept,
  type KeptPart,
  type KeptSize,
  keptSize,
  keptValue,
  referencesOf,
  takenOutOf,
  toolUsesLike,
} from "./kept-rows.ts";
import { createLedger } from "./ledger.ts";
import { createMeasuring } from "./measuring.ts";
import { type EndlessMetrics, endlessMetrics } from "./metrics.ts";
import { createEndlessFile, type EndlessFile } from "./open-store.ts";
import { type Capture, createOriginals, type Originals } from "./originals.ts";
import { findKept, type Recalled, type RecallQuery, recalledPage } from "./recall.ts";
import { createRetention } from "./retention.ts";
import {
  type AskedBack,
  createSecondLooks,
  type SecondLook,
  type TakenOut,
} from "./second-looks.ts";
import { sessionUsages } from "./usage-rows.ts";

export interface EndlessDeps {
  /** The database; made when something is first kept. */
  path: string;
  now: () => number;
  log: Log;
  /** The part of config that is in force. */
  config: () => Config["endless"];
  /** Runs the capture plugins in force over an event that is never kept. */
  capture: Capture;
  /** What the journal knows of a session. */
  session: (id: string) => JournalSession | undefined;
  waitFor: (toolUseId: string, timeoutMs: number) => Promise<Settled | undefined>;
  /** Where clients keep transcripts. */
  folders: readonly string[];
  open?: typeof openDatabase;
}

/** What `status` and `doctor` say about it. */
export interface EndlessStatus {
  /** Null where nothing was ever kept. */
  kept: KeptSize | null;
  /** The file and its write-ahead log. */
  fileBytes: number;
  /** Files that were found damaged and put aside. */
  damaged: string[];
  error?: string;
}

export interface Endless {
  /** What a plugin is offered. Nothing of it ever rejects. */
  client(plugin: string): EndlessClient;
  /** The tool uses that are being answered. */
  originals: Originals;
  /** A page of what was kept. Rejects with `recall_not_found`, `recall_ambiguous`, `usage`. */
  recall(query: RecallQuery): Promise<Recalled>;
  /** The whole value. */
  recallValue(query: Pick<RecallQuery, "id" | "part">): Promise<Kept>;
  /** What was taken out of a session, the oldest first. Rejects with `endless_unwritable`. */
  takenOut(of: TimeOfSession): Promise<KeptPart[]>;
  /** Takes out what these tool uses of a session left: they can be recalled no more. */
  forget(session: string, toolUseIds: readonly string[]): Promise<void>;
  metrics(query: Omit<BookQuery, "strategy">): Promise<EndlessMetrics>;
  /** Does a strategy's reducing of each tool pay? */
  figures(strategy: string, project?: string): Promise<ToolFigures[]>;
  status(): Promise<EndlessStatus>;
  /** A hook was answered. Unless `isTaken`, the client goes on with the whole result: nothing was kept out. */
  answered(event: ClientEvent, isTaken: boolean): void;
  /**
   * Books what the agent did to have back what had been kept out. For each event once its hook was answered, also for one
   * that capture drops, as it does with what asks memoir.
   */
  heard(event: ClientEvent): void;
  /** Counts what the session took so far, after a Stop or at its end; off the hook's path. */
  measure(event: ClientEvent): void;
  /** Takes out what is too old or too much. */
  prune(): Promise<void>;
  /** Writes what is left to write. */
  stop(): Promise<void>;
}

/** One complaint a minute is enough. */
const quietMs = 60_000;

/**
 * Opens nothing before it is needed.
 * Long because it is the list of what Endless Mode offers, over the parts it is made of.
 */
export function createEndless(deps: EndlessDeps): Endless {
  const { path, now, log, config } = deps;
  const file = createEndlessFile(path, deps);
  const originals = createOriginals();
  const ledger = createLedger(file, { now, orElse });
  const retention = createRetention(file, { now, log, config, orElse });
  const looks = createSecondLooks();
  const keeping = createKeeping({ ...deps, file, originals, ledger, looks, grew: retention.grew });
  const measuring = createMeasuring({ ...deps, file, orElse });
  let complainedAt = Number.NEGATIVE_INFINITY;

  function complain(error: unknown): void {
    if (now() - complainedAt < quietMs) return;
    complainedAt = now();
    log.warn("What Endless Mode keeps could not be read or written.", { error });
  }

  /** What costs only the books, or only this one reduction. */
  async function orElse<Value>(work: () => Promise<Value>, otherwise: Value): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      complain(error);
      return otherwise;
    }
  }

  function bookLook(
    { strategy, kind, session, project, tool, part }: TakenOut,
    how: SecondLook["how"],
    characters: number,
  ): void {
    ledger.note({
      ...{ at: now(), strategy, kind: how, session, project, tool, part, reason: kind },
      ...{ characters, tokens: Math.ceil(characters / 4) },
    });
  }

  /** What was asked back is booked under whom took it out last. */
  async function bookAsked({ ids, characters }: AskedBack): Promise<void> {
    const found = await file.read((db) =>
      ids.flatMap((beginning) => {
        const [id, ...others] = toolUsesLike(db, beginning, 2);
        const last = id === undefined || others.length > 0 ? [] : referencesOf(db, id).slice(-1);
        return last;
      }),
    );
    for (const last of found ?? []) {
      looks.noted(last.session, last.toolUseId);
      bookLook(last, "recalled", characters);
    }
  }

  function hearAgent(event: ClientEvent): void {
    for (const { taken, how, characters } of looks.heard(event)) bookLook(taken, how, characters);
    const back = looks.asked(event);
    if (back) void orElse(() => bookAsked(back), undefined);
  }

  /** Whoever asks is told that the file is the trouble. */
  async function asked<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof MemoirError) throw cause;
      const message = `What Endless Mode keeps cannot be read: ${errorMessage(cause)}`;
      throw new MemoirError("endless_unwritable", message, { cause });
    }
  }

  async function recall(query: RecallQuery): Promise<Recalled> {
    const found = await asked(() => findKept(file, query.id, query.part));
    return recalledPage(found, query, await memoirCommand(dirname(path)), deps.now);
  }

  return {
    originals,
    client: (plugin) => ({
      original: (toolUseId) => orElse(() => originals.original(toolUseId), undefined),
      keep: (request) => orElse(() => keeping.keep(plugin, request), false),
      kept: (toolUseId, part) =>
        orElse(() => file.read((db) => keptValue(db, toolUseId, part)), undefined),
      async note({ toolUseId, ...note }) {
        const again = note.kind === "reread" && toolUseId !== undefined;
        const taken = again ? looks.noted(note.session, toolUseId) : undefined;
        if (taken) return bookLook(taken, "reread", note.characters ?? 0);
        const tokens = note.characters === undefined ? 0 : Math.ceil(note.characters / 4);
        const project = note.project ?? deps.session(note.session)?.project.id;
        ledger.note({ ...note, at: now(), strategy: plugin, project, tokens });
      },
      figures: (project) => ledger.figures(plugin, project),
      settled: (toolUseId, timeoutMs) =>
        orElse(() => deps.waitFor(toolUseId, timeoutMs), undefined),
    }),
    recall,
    async recallValue({ id, part }) {
      return (await asked(() => findKept(file, id, part))).kept;
    },
    takenOut: async (of) => (await asked(() => file.read((db) => takenOutOf(db, of)))) ?? [],
    async forget(session, toolUseIds) {
      if (toolUseIds.length === 0 || !(await orElse(() => file.read(() => true), false))) return;
      await orElse(() => forgetAll(file, session, toolUseIds), undefined);
    },
    figures: ledger.figures,
    async metrics(query) {
      await ledger.flush();
      const found = await asked(() =>
        file.read((db) => ({
          lines: bookLines(db, query),
          sessions: sessionUsages(db, query),
          byDay: bookDays(db, query),
        })),
      );
      return endlessMetrics(query.since, found?.lines ?? [], found?.sessions ?? [], found?.byDay);
    },
    async status() {
      const sizes = await Promise.all(["", "-wal"].map((ending) => sizeOf(path + ending)));
      const fileBytes = sizes.reduce((sum, size) => sum + size, 0);
      const about = { fileBytes, damaged: damagedFiles(path) };
      try {
        return { kept: (await file.read(keptSize)) ?? null, ...about };
      } catch (error) {
        return { kept: null, ...about, error: errorMessage(error) };
      }
    },
    answered: keeping.answered,
    heard: hearAgent,
    measure: measuring.measure,
    prune: retention.prune,
    async stop() {
      await Promise.all([ledger.stop(), retention.stop(), measuring.stop()]);
      await file.close();
    },
  };
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The file is written anew: else the words would stay in it. */
async function forgetAll(
  file: EndlessFile,
  session: string,
  toolUseIds: readonly string[],
): Promise<void> {
  await file.write((db) => forgetKept(db, session, toolUseIds));
  await file.read((db) => writeAnew(db));
}
