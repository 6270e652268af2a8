// The room of Endless Mode: what strategies are offered, what was taken out and how it comes back, and the books.
import { stat } from "node:fs/promises";
import type { openDatabase } from "../../sdk/database.ts";
import type { EndlessClient, KeepRequest, Kept, ToolFigures } from "../../sdk/endless.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { estimateTokens } from "../../sdk/tokens.ts";
import type { Settled } from "../../sdk/work.ts";
import type { Config } from "../config/schema.ts";
import { trustedTranscript } from "../context/trusted-transcript.ts";
import { errorMessage } from "../describe-error.ts";
import type { JournalSession, Log } from "../ports.ts";
import { type Booking, type BookQuery, book, bookLines, pruneBooks } from "./books.ts";
import { packContent } from "./content.ts";
import { figuresFor, toolFigures } from "./figures.ts";
import {
  firstKeptAt,
  type KeptSize,
  keepRow,
  keptSize,
  keptValue,
  pruneKept,
} from "./kept-rows.ts";
import { type EndlessMetrics, endlessMetrics } from "./metrics.ts";
import { createEndlessFile, damagedFiles } from "./open-store.ts";
import { type Capture, createOriginals, type Originals } from "./originals.ts";
import { type Found, findKept, type Recalled, type RecallQuery, recalledPage } from "./recall.ts";
import { mayBeKept } from "./scrub-kept.ts";
import { createSessionMeter } from "./session-meter.ts";
import { chosenFor, isHeldOut } from "./switch.ts";
import { knownFirstReduced, sessionUsages, writeSessionUsage } from "./usage-rows.ts";

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
  /** A page of what was kept, booked as fetched back. Rejects with `recall_not_found`, `recall_ambiguous`, `usage`. */
  recall(query: RecallQuery): Promise<Recalled>;
  /** The whole value, booked too. */
  recallValue(query: Pick<RecallQuery, "id" | "part">): Promise<Kept>;
  metrics(query: Omit<BookQuery, "strategy">): Promise<EndlessMetrics>;
  /** Does a strategy's reducing of each tool pay? */
  figures(strategy: string, project?: string): Promise<ToolFigures[]>;
  status(): Promise<EndlessStatus>;
  /** Counts what the session took so far, after a Stop or at its end; off the hook's path. */
  measure(event: ClientEvent): void;
  /** Takes out what is too old or too much. */
  prune(): Promise<void>;
  /** Writes what is left to write. */
  stop(): Promise<void>;
}

const dayMs = 86_400_000;
/** Figures look back so far, so that a tool that did not pay once is tried again. */
const figureDays = 30;
/** Figures this young are given again. */
const figuresMs = 5_000;
/** The books are kept for a year. */
const bookDays = 366;
const noteDelayMs = 200;
const pruneEveryMs = 60 * 60_000;
/** A server that just starts has better things to do. */
const firstPruneMs = 60_000;
const pruneStep = 200;
/** A kept MB may bring the next look at how much there is. */
const pruneAfterBytes = 4 * 1024 * 1024;
const quietMs = 60_000;

/** Opens nothing before it is needed. */
export function createEndless(deps: EndlessDeps): Endless {
  const { path, now, log, config, capture } = deps;
  const file = createEndlessFile(path, deps);
  const originals = createOriginals();
  const meter = createSessionMeter();
  const figures = new Map<string, { at: number; figures: Promise<ToolFigures[]> }>();
  let notes: Booking[] = [];
  let noteTimer: ReturnType<typeof setTimeout> | undefined;
  let measuring: Promise<void> = Promise.resolve();
  let pruning: Promise<void> | undefined;
  let prunedAt = 0;
  let keptBytes = 0;
  let complainedAt = Number.NEGATIVE_INFINITY;
  let stopped = false;

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

  async function flushNotes(): Promise<void> {
    clearTimeout(noteTimer);
    noteTimer = undefined;
    if (notes.length === 0) return;
    const written = notes;
    notes = [];
    await orElse(() => file.write((db) => book(db, written)), undefined);
  }

  /** Written soon, with what comes meanwhile. */
  function jot(booking: Booking): void {
    if (stopped) return;
    notes.push(booking);
    if (noteTimer) return;
    noteTimer = setTimeout(() => void flushNotes(), noteDelayMs);
    noteTimer.unref?.();
  }

  async function keep(strategy: string, request: KeepRequest): Promise<boolean> {
    const { session, toolUseId, value, before, after, tool, part } = request;
    const known = deps.session(session);
    if (!(await originals.covers(toolUseId, value))) {
      const about = {
        client: known?.client ?? "",
        time: now(),
        cwd: known?.project.root ?? "",
        ...(known ? { project: known.project } : {}),
      };
      if (!(await mayBeKept(request, capture, about))) return false;
    }
    const packed = packContent(value);
    if (!packed) return false;
    const project = request.project ?? known?.project.id;
    const booking: Booking = {
      at: now(),
      ...{ strategy, kind: "kept", session, project, tool, part },
      whole: before.length,
      characters: before.length - after.length,
      tokens: estimateTokens(before) - estimateTokens(after),
    };
    await file.write((db) => {
      const own = { ...request, ...(project === undefined ? {} : { project }) };
      if (keepRow(db, strategy, own, packed, now())) book(db, [booking]);
    });
    keptBytes += packed.data.byteLength;
    pruneSoon();
    return true;
  }

  async function readFigures(strategy: string, project: string | undefined) {
    const since = now() - figureDays * dayMs;
    await flushNotes();
    const lines = await file.read((db) => ({
      all: bookLines(db, { since, strategy }),
      own: project === undefined ? [] : bookLines(db, { since, strategy, project }),
    }));
    const all = toolFigures(lines?.all ?? []);
    return project === undefined ? all : figuresFor(toolFigures(lines?.own ?? []), all);
  }

  function figuresOf(strategy: string, project?: string): Promise<ToolFigures[]> {
    const key = JSON.stringify([strategy, project]);
    const known = figures.get(key);
    if (known && Math.abs(now() - known.at) < figuresMs) return known.figures;
    const asked = orElse(() => readFigures(strategy, project), []);
    figures.set(key, { at: now(), figures: asked });
    return asked;
  }

  /** Under whom it is booked: who took it out last. */
  function bookRecall({ last }: Found, text: string): void {
    const { strategy, session, project, tool, part } = last;
    jot({
      ...{ at: now(), strategy, kind: "recalled", session, project, tool, part },
      characters: text.length,
      tokens: estimateTokens(text),
    });
  }

  async function recall(query: RecallQuery): Promise<Recalled> {
    const found = await findKept(file, query.id, query.part);
    const page = recalledPage(found, query);
    bookRecall(found, page.text);
    return page;
  }

  async function measureNow(event: ClientEvent): Promise<void> {
    const { session, transcriptPath } = event;
    const project = event.project?.id ?? deps.session(session)?.project.id;
    const { strategies } = chosenFor(config(), session, project);
    if (strategies.length === 0 || transcriptPath === undefined) return;
    const trusted = await trustedTranscript(transcriptPath, session, deps.folders);
    if (!trusted) return;
    const first = await file.read(
      (db) => knownFirstReduced(db, session) ?? firstKeptAt(db, session),
    );
    const measured = await meter.measure(trusted.path, first);
    if (event.name === "SessionEnd") meter.forget(trusted.path);
    await file.write((db) =>
      writeSessionUsage(db, {
        session,
        project: project ?? "",
        strategies,
        heldOut: isHeldOut(session, config().holdOut),
        firstReducedAt: first ?? null,
        updatedAt: now(),
        ...measured,
      }),
    );
  }

  function pruneSoon(): void {
    if (pruning || stopped) return;
    if (now() - prunedAt < pruneEveryMs && keptBytes < pruneAfterBytes) return;
    pruning = orElse(prune, undefined).finally(() => {
      pruning = undefined;
    });
  }

  async function prune(): Promise<void> {
    prunedAt = now();
    keptBytes = 0;
    const isThere = await file.read(() => true);
    if (!isThere) return;
    const { keepDays, keepBytes } = config();
    const limits = { keepFrom: now() - keepDays * dayMs, keepBytes };
    let gone = 0;
    for (;;) {
      const step = await file.write((db) => pruneKept(db, limits, pruneStep));
      gone += step;
      if (step < pruneStep || stopped) break;
      // Between two steps others may keep.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await file.write((db) => pruneBooks(db, now() - bookDays * dayMs));
    if (gone === 0) return;
    await file.read((db) => db.exec("PRAGMA incremental_vacuum"));
    log.info("Old originals of Endless Mode were deleted.", { references: gone });
  }

  // Old originals go also where Endless Mode has been off for long.
  const pruner = setInterval(pruneSoon, pruneEveryMs);
  pruner.unref?.();
  const firstPrune = setTimeout(pruneSoon, firstPruneMs);
  firstPrune.unref?.();

  return {
    originals,
    client: (plugin) => ({
      original: (toolUseId) => orElse(() => originals.original(toolUseId), undefined),
      keep: (request) => orElse(() => keep(plugin, request), false),
      kept: (toolUseId, part) =>
        orElse(() => file.read((db) => keptValue(db, toolUseId, part)), undefined),
      async note({ toolUseId: _toolUseId, ...note }) {
        const tokens = note.characters === undefined ? 0 : Math.ceil(note.characters / 4);
        const project = note.project ?? deps.session(note.session)?.project.id;
        jot({ ...note, at: now(), strategy: plugin, project, tokens });
      },
      figures: (project) => figuresOf(plugin, project),
      settled: (toolUseId, timeoutMs) =>
        orElse(() => deps.waitFor(toolUseId, timeoutMs), undefined),
    }),
    recall,
    async recallValue({ id, part }) {
      const found = await findKept(file, id, part);
      bookRecall(found, JSON.stringify(found.kept.value));
      return found.kept;
    },
    figures: figuresOf,
    async metrics(query) {
      await flushNotes();
      const found = await file.read((db) => ({
        lines: bookLines(db, query),
        sessions: sessionUsages(db, query),
      }));
      return endlessMetrics(query.since, found?.lines ?? [], found?.sessions ?? []);
    },
    async status() {
      const sizes = await Promise.all(["", "-wal"].map((ending) => sizeOf(path + ending)));
      const fileBytes = sizes.reduce((sum, size) => sum + size, 0);
      const about = { fileBytes, damaged: await damagedFiles(path) };
      try {
        return { kept: (await file.read(keptSize)) ?? null, ...about };
      } catch (error) {
        return { kept: null, ...about, error: errorMessage(error) };
      }
    },
    measure(event) {
      if (stopped || event.agent || (event.name !== "Stop" && event.name !== "SessionEnd")) return;
      // One at a time: a transcript can be long.
      measuring = measuring.then(() => orElse(() => measureNow(event), undefined));
    },
    prune: async () => {
      await pruning;
      await prune();
    },
    async stop() {
      stopped = true;
      clearInterval(pruner);
      clearTimeout(firstPrune);
      await flushNotes();
      await Promise.all([measuring, pruning]);
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
