// The room of Endless Mode: what strategies are offered, what was taken out and how it comes back, and the books.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { damagedFiles } from "../../home/database-file.ts";
import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import type { openDatabase } from "../../host/sqlite.ts";
import { memoirCommand } from "../../sdk/command.ts";
import type { EndlessClient, KeepRequest, Kept, ToolFigures } from "../../sdk/endless.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { Settled } from "../../sdk/work.ts";
import { estimateTokens } from "../../text/tokens.ts";
import type { Config } from "../config/schema.ts";
import { trustedTranscript } from "../context/trusted-transcript.ts";
import type { JournalSession } from "../ports.ts";
import { type Booking, type BookQuery, book, bookLines } from "./books.ts";
import { packContent } from "./content.ts";
import { firstKeptAt, type KeptSize, keepRow, keptSize, keptValue } from "./kept-rows.ts";
import { createLedger } from "./ledger.ts";
import { type EndlessMetrics, endlessMetrics } from "./metrics.ts";
import { createEndlessFile } from "./open-store.ts";
import { type Capture, createOriginals, type Originals } from "./originals.ts";
import { type Found, findKept, type Recalled, type RecallQuery, recalledPage } from "./recall.ts";
import { createRetention } from "./retention.ts";
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
  /** A hook was answered. Unless `isTaken`, the client goes on with the whole result: nothing was kept out. */
  answered(event: ClientEvent, isTaken: boolean): void;
  /** Counts what the session took so far, after a Stop or at its end; off the hook's path. */
  measure(event: ClientEvent): void;
  /** Takes out what is too old or too much. */
  prune(): Promise<void>;
  /** Writes what is left to write. */
  stop(): Promise<void>;
}

/** What may follow `memoir recall ` in a shell as it is. What cannot be asked for must not be taken out. */
const recallableId = /^\w[\w.:-]{0,199}$/;
/** One complaint a minute is enough. */
const quietMs = 60_000;

/**
 * Opens nothing before it is needed.
 * Long because it is the list of what Endless Mode offers, over the parts it is made of.
 */
export function createEndless(deps: EndlessDeps): Endless {
  const { path, now, log, config, capture } = deps;
  const file = createEndlessFile(path, deps);
  const originals = createOriginals();
  const meter = createSessionMeter();
  const ledger = createLedger(file, { now, orElse });
  const retention = createRetention(file, { now, log, config, orElse });
  const unanswered = new Map<string, Booking[]>();
  let measuring: Promise<void> = Promise.resolve();
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

  /** What is kept while a hook is answered is booked once the client has the answer; undefined where nobody waits. */
  function unansweredOf(session: string, toolUseId: string): Booking[] | undefined {
    if (!originals.holds(session, toolUseId)) return undefined;
    const key = JSON.stringify([session, toolUseId]);
    const bookings = unanswered.get(key) ?? [];
    unanswered.set(key, bookings);
    return bookings;
  }

  async function keep(strategy: string, request: KeepRequest): Promise<boolean> {
    const { session, toolUseId, value, before, after, tool, part } = request;
    if (!recallableId.test(toolUseId)) return false;
    const known = deps.session(session);
    const waiting = part === "output" ? unansweredOf(session, toolUseId) : undefined;
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
      const isNew = keepRow(db, strategy, own, packed, now());
      if (isNew && waiting) waiting.push(booking);
      else if (isNew) book(db, [booking]);
    });
    retention.grew(packed.data.byteLength);
    return true;
  }

  /** Under whom it is booked: who took it out last. */
  function bookRecall({ last }: Found, text: string): void {
    const { strategy, session, project, tool, part } = last;
    ledger.note({
      ...{ at: now(), strategy, kind: "recalled", session, project, tool, part },
      characters: text.length,
      tokens: estimateTokens(text),
    });
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
    const page = await recalledPage(found, query, await memoirCommand(dirname(path)), deps.now);
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
    const firstReduced = () =>
      file.read((db) => knownFirstReduced(db, session) ?? firstKeptAt(db, session));
    let first = await firstReduced();
    let measured = await meter.measure(trusted.path, first);
    const since = await firstReduced();
    // Something was left out for the first time while the file was read: turns after that stand on the wrong side.
    if (since !== first) {
      first = since;
      meter.forget(trusted.path);
      measured = await meter.measure(trusted.path, first);
    }
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
        ledger.note({ ...note, at: now(), strategy: plugin, project, tokens });
      },
      figures: (project) => ledger.figures(plugin, project),
      settled: (toolUseId, timeoutMs) =>
        orElse(() => deps.waitFor(toolUseId, timeoutMs), undefined),
    }),
    recall,
    async recallValue({ id, part }) {
      const found = await asked(() => findKept(file, id, part));
      bookRecall(found, JSON.stringify(found.kept.value));
      return found.kept;
    },
    figures: ledger.figures,
    async metrics(query) {
      await ledger.flush();
      const found = await asked(() =>
        file.read((db) => ({
          lines: bookLines(db, query),
          sessions: sessionUsages(db, query),
        })),
      );
      return endlessMetrics(query.since, found?.lines ?? [], found?.sessions ?? []);
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
    answered(event, isTaken) {
      if (event.name !== "PostToolUse") return;
      const key = JSON.stringify([event.session, event.toolUseId]);
      const bookings = unanswered.get(key) ?? [];
      // A strategy that was too late writes into a list that nobody reads any more.
      unanswered.delete(key);
      if (isTaken) for (const booking of bookings) ledger.note(booking);
    },
    measure(event) {
      if (stopped || event.agent || (event.name !== "Stop" && event.name !== "SessionEnd")) return;
      // One at a time: a transcript can be long.
      measuring = measuring.then(() => orElse(() => measureNow(event), undefined));
    },
    prune: retention.prune,
    async stop() {
      stopped = true;
      await Promise.all([ledger.stop(), retention.stop(), measuring]);
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
