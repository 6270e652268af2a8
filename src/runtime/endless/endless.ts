// The room of Endless Mode: what strategies are offered, what was taken out and how it comes back, and the books.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { damagedFiles } from "../../home/database/set-aside.ts";
import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import type { openDatabase } from "../../host/sqlite.ts";
import { writeAnew } from "../../host/write-anew.ts";
import { memoirCommand } from "../../sdk/command.ts";
import type { EndlessClient, KeepRequest, Kept, ToolFigures } from "../../sdk/endless.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent, PostToolUseEvent } from "../../sdk/events.ts";
import type { Settled } from "../../sdk/work.ts";
import { estimateTokens } from "../../text/text.ts";
import type { Config } from "../config/schema.ts";
import type { TimeOfSession } from "../journal/counts.ts";
import type { JournalSession } from "../ports.ts";
import { type Booking, type BookQuery, book, bookDays, bookLines } from "./books.ts";
import {
  forgetKept,
  type KeptPart,
  type KeptSize,
  keepRow,
  keptSize,
  keptValue,
  packContent,
  referencesOf,
  takenOutOf,
  toolUsesLike,
} from "./kept-rows.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import {
  type AskedBack,
  createMeasuring,
  createSecondLooks,
  type SecondLook,
  type SecondLooks,
  type TakenOut,
} from "./measuring.ts";
import { type EndlessMetrics, endlessMetrics } from "./metrics.ts";
import { createEndlessFile, type EndlessFile } from "./open-store.ts";
import {
  type Capture,
  createOriginals,
  type Originals,
  sameJson,
  textLength,
} from "./originals.ts";
import { findKept, type Recalled, type RecallQuery, recalledPage } from "./recall.ts";
import { createRetention } from "./retention.ts";
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

// Keeps what a strategy takes out, and books it once the client has the answer that leaves it out.

interface KeepingDeps {
  file: EndlessFile;
  originals: Originals;
  ledger: Ledger;
  looks: SecondLooks;
  capture: Capture;
  session: (id: string) => JournalSession | undefined;
  now: () => number;
  /** So many bytes more are kept. */
  grew: (bytes: number) => void;
}

/** What may follow `memoir recall ` in a shell as it is. What cannot be asked for must not be taken out. */
const recallableId = /^\w[\w.:-]{0,199}$/;

/** What is noted once the client has its answer. */
interface Unanswered {
  booking: Booking;
  took(): void;
}

/** Holds what waits for its answer. */
function createKeeping(deps: KeepingDeps) {
  const { file, originals, ledger, capture, now } = deps;
  const unanswered = new Map<string, Unanswered[]>();

  /** Where bookings wait while a hook is answered; undefined where nobody waits. */
  function unansweredOf(session: string, toolUseId: string): Unanswered[] | undefined {
    if (!originals.holds(session, toolUseId)) return undefined;
    const key = JSON.stringify([session, toolUseId]);
    const bookings = unanswered.get(key) ?? [];
    unanswered.set(key, bookings);
    return bookings;
  }

  return {
    /** False where it may not be kept, and must not be taken out therefore. */
    async keep(strategy: string, request: KeepRequest): Promise<boolean> {
      const { session, toolUseId, value, before, after, tool, part, kind = "" } = request;
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
        ...{ strategy, kind: "kept", session, project, tool, part, reason: kind },
        whole: before.length,
        characters: before.length - after.length,
        tokens: estimateTokens(before) - estimateTokens(after),
      };
      const input =
        part === "input"
          ? value
          : (request.otherHalf ?? (await originals.original(toolUseId))?.input);
      const took = () =>
        deps.looks.took({ strategy, kind, session, project, tool, part }, request, input);
      await file.write((db) => {
        const own = { ...request, ...(project === undefined ? {} : { project }) };
        const isNew = keepRow(db, strategy, own, packed, now());
        if (isNew && waiting) waiting.push({ booking, took });
        else if (isNew) {
          book(db, [booking]);
          took();
        }
      });
      deps.grew(packed.data.byteLength);
      return true;
    },
    /** A hook was answered. Unless `isTaken`, the client goes on with the whole result: nothing was kept out. */
    answered(event: ClientEvent, isTaken: boolean): void {
      if (event.name !== "PostToolUse") return;
      const key = JSON.stringify([event.session, event.toolUseId]);
      const bookings = unanswered.get(key) ?? [];
      // A strategy that was too late writes into a list that nobody reads any more.
      unanswered.delete(key);
      if (!isTaken) return;
      for (const { booking, took } of bookings) {
        ledger.note(booking);
        took();
      }
    },
  };
}

// May a value be kept? Only what the capture plugins leave as it is.

/** A longer value stays where it is. */
const mostCharacters = 8 * 1024 * 1024;

/** Sends the value through capture as a tool use's input or output; false when that drops, withholds or changes it. */
async function mayBeKept(
  { session, toolUseId, tool, part, value, otherHalf = {} }: KeepRequest,
  capture: Capture,
  about: Pick<PostToolUseEvent, "client" | "time" | "cwd" | "project">,
): Promise<boolean> {
  if (textLength([value, otherHalf], mostCharacters) > mostCharacters) return false;
  const id = `endless:${session}:${toolUseId}:${part}`;
  const event: PostToolUseEvent = {
    ...about,
    name: "PostToolUse",
    id,
    key: id,
    session,
    toolUseId,
    toolName: tool,
    toolInput: part === "input" ? value : otherHalf,
    toolResponse: part === "output" ? value : otherHalf,
  };
  const captured = await capture(event);
  if ("drop" in captured || captured.event.withheld || captured.event.name !== event.name)
    return false;
  const { toolInput, toolResponse } = captured.event;
  return sameJson(part === "input" ? toolInput : toolResponse, value);
}
