// The room of Endless Mode: what strategies are offered, what was taken out and how it comes back, and the books.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { damagedFiles } from "../../home/database/open-file.ts";
import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import type { openDatabase } from "../../host/sqlite.ts";
import { memoirCommand } from "../../sdk/command.ts";
import type { EndlessClient, KeepRequest, Kept, ToolOriginal } from "../../sdk/endless.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { Settled } from "../../sdk/work.ts";
import { estimateTokens, field } from "../../text/text.ts";
import type { Price } from "../budget/prices.ts";
import type { Config } from "../config/schema.ts";
import type { TimeOfSession } from "../journal/counts.ts";
import type { JournalSession } from "../ports.ts";
import type { EndlessStatus } from "../status-schema.ts";
import { createBooks } from "./bookkeeping.ts";
import type { BookQuery } from "./books.ts";
import { decisionsOf, writeDecisions } from "./decisions.ts";
import {
  createRetention,
  type ForgottenPart,
  forgetAll,
  type KeptPart,
  keepRow,
  keptSize,
  keptValue,
  packContent,
  takenOutOf,
} from "./kept-rows.ts";
import type { EndlessMetrics } from "./metrics.ts";
import { createEndlessFile, type EndlessFile } from "./open-store.ts";
import { findKept, type Recalled, type RecallQuery, recalledPage } from "./recall.ts";
import type { TakenOut } from "./second-looks.ts";
import { createMeasuring } from "./switch.ts";
import { type Capture, holdsJson, isUntouched, mayBeKept } from "./untouched.ts";

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
  /** What a user says that models cost. */
  prices?: () => Readonly<Record<string, Partial<Price>>>;
  open?: typeof openDatabase;
}

export interface Endless {
  /** What a plugin is offered. Nothing of it ever rejects. */
  client(plugin: string): EndlessClient;
  /**
   * Keeps a tool use that is being answered, whole, until the returned function is called. `before` and `after` are the
   * event as it went into capture, perhaps shortened, and as it came out.
   */
  keepOriginal(
    whole: ToolOriginal | undefined,
    before: ClientEvent,
    after: ClientEvent,
    capture: Capture,
  ): () => void;
  /** A page of what was kept. Rejects with `recall_not_found`, `recall_ambiguous`, `usage`. */
  recall(query: RecallQuery): Promise<Recalled>;
  /** The whole value. */
  recallValue(query: Pick<RecallQuery, "id" | "part">): Promise<Kept>;
  /** What was taken out of a session, the oldest first. Rejects with `endless_unwritable`. */
  takenOut(of: TimeOfSession): Promise<KeptPart[]>;
  /** Takes out what these tool uses of a session left, which can be recalled no more, or what has words of these records. */
  forget(gone: ForgottenPart): Promise<void>;
  metrics(query: Omit<BookQuery, "strategy">): Promise<EndlessMetrics>;
  status(): Promise<EndlessStatus>;
  /**
   * A hook was answered. Unless `isTaken`, the client goes on with the whole result: nothing was kept out. After a Stop
   * and at its end the session is counted, off the hook's path.
   */
  answered(event: ClientEvent, isTaken: boolean): void;
  /**
   * Books what the agent did to have back what had been kept out. For each event once its hook was answered, also for one
   * that capture drops, as it does with what asks memoir.
   */
  heard(event: ClientEvent): void;
  /** Takes out what is too old or too much. */
  prune(): Promise<void>;
  /** Writes what is left to write. */
  stop(): Promise<void>;
}

/** Opens nothing before it is needed. */
export function createEndless(deps: EndlessDeps): Endless {
  const { path, now, log, config } = deps;
  const file = createEndlessFile(path, deps);
  const { orElse, asked } = createFailures(deps);
  const books = createBooks(file, { now, orElse });
  const held = createHeld();
  const retention = createRetention(file, { now, log, config, orElse });
  const keeping = createKeeping(deps, { file, books, held, grew: retention.grew });
  const measure = createMeasuring(file, deps);
  let measuring: Promise<void> = Promise.resolve();
  let stopped = false;
  /** A strategy looked at something: what agents are shown from then on is followed. */
  let isWatching = false;

  function client(plugin: string): EndlessClient {
    return {
      original(toolUseId) {
        isWatching = true;
        return orElse(() => held.original(toolUseId), undefined);
      },
      keep(request) {
        isWatching = true;
        return orElse(() => keeping.keep(plugin, request), false);
      },
      kept: (toolUseId, part) =>
        orElse(() => file.read((db) => keptValue(db, toolUseId, part)), undefined),
      async note({ toolUseId, ...note }) {
        const project = note.project ?? deps.session(note.session)?.project.id;
        books.note(plugin, { ...note, project }, toolUseId);
      },
      decide: (session, decisions) =>
        orElse(async () => {
          await file.write((db) => writeDecisions(db, plugin, session, decisions, now()));
          return true;
        }, false),
      decided: (of) =>
        orElse(async () => (await file.read((db) => decisionsOf(db, plugin, of))) ?? [], undefined),
      figures: (project) => orElse(() => books.figures(plugin, project), []),
      settled: (toolUseId, timeoutMs) =>
        orElse(() => deps.waitFor(toolUseId, timeoutMs), undefined),
    };
  }

  return {
    client,
    keepOriginal: held.keepOriginal,
    async recall(query) {
      const found = await asked(() => findKept(file, query.id, query.part));
      return recalledPage(found, query, await memoirCommand(dirname(path)), now);
    },
    async recallValue({ id, part }) {
      return (await asked(() => findKept(file, id, part))).kept;
    },
    takenOut: async (of) => (await asked(() => file.read((db) => takenOutOf(db, of)))) ?? [],
    forget: (gone) => orElse(() => forgetAll(file, gone), undefined),
    metrics: (query) => asked(() => books.metrics(query)),
    status: () => statusOf(path, file),
    answered(event, isTaken) {
      keeping.answered(event, isTaken);
      if (stopped || event.agent || (event.name !== "Stop" && event.name !== "SessionEnd")) return;
      if (!isOnSomewhere(config())) return;
      // One transcript at a time: it can be long.
      measuring = measuring.then(() => orElse(() => measure(event), undefined));
    },
    heard(event) {
      if (isWatching || mayAskMemoir(event)) books.heard(event);
    },
    prune: retention.prune,
    async stop() {
      stopped = true;
      await Promise.all([books.written(), retention.stop(), measuring]);
      await file.close();
    },
  };
}

/** Most homes switch it on for nothing: then no session is counted. */
function isOnSomewhere({ everywhere, projects, sessions }: Config["endless"]): boolean {
  const scopes = [everywhere, ...Object.values(projects), ...Object.values(sessions)];
  return scopes.some((strategies) => strategies.length > 0);
}

/** Most events ask memoir nothing. */
function mayAskMemoir(event: ClientEvent): boolean {
  if (event.name !== "PostToolUse") return false;
  return `${event.toolName} ${field(event.toolInput, "command")}`.includes("recall");
}

/** One complaint a minute is enough. */
const quietMs = 60_000;

/** What a file that cannot be read or written costs. */
function createFailures({ now, log }: Pick<EndlessDeps, "now" | "log">) {
  let complainedAt = Number.NEGATIVE_INFINITY;
  return {
    /** What costs only the books, or only this one reduction. */
    async orElse<Value>(work: () => Promise<Value>, otherwise: Value): Promise<Value> {
      try {
        return await work();
      } catch (error) {
        if (now() - complainedAt < quietMs) return otherwise;
        complainedAt = now();
        log.warn("What Endless Mode keeps could not be read or written.", { error });
        return otherwise;
      }
    },
    /** Whoever asks learns that the file is the trouble. */
    async asked<Value>(work: () => Promise<Value>): Promise<Value> {
      try {
        return await work();
      } catch (cause) {
        if (cause instanceof MemoirError) throw cause;
        const message = `What Endless Mode keeps cannot be read: ${errorMessage(cause)}`;
        throw new MemoirError("endless_unwritable", message, { cause });
      }
    },
  };
}

async function statusOf(path: string, file: EndlessFile): Promise<EndlessStatus> {
  const sizes = await Promise.all(["", "-wal"].map((ending) => sizeOf(path + ending)));
  const fileBytes = sizes.reduce((sum, size) => sum + size, 0);
  const about = { fileBytes, damaged: damagedFiles(path) };
  try {
    return { kept: (await file.read(keptSize)) ?? null, ...about };
  } catch (error) {
    return { kept: null, ...about, error: errorMessage(error) };
  }
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

// The tool uses that are being answered now, whole; given out only where capture left them as they are.

/** Whose tool use it is, and what gives it. */
interface Holding {
  of: string;
  session: string;
  give(): Promise<ToolOriginal | undefined>;
}

function createHeld() {
  const held = new Map<string, Holding[]>();

  /** Undefined for what is not held, for an id that two sessions or agents have, and where capture changes any of it. */
  // Not every model's ids are unlike those of its other sessions. Whose is meant cannot be known here, so nobody's is.
  async function original(toolUseId: string): Promise<ToolOriginal | undefined> {
    const [first, ...others] = held.get(toolUseId) ?? [];
    return others.every(({ of }) => of === first?.of) ? first?.give() : undefined;
  }

  const keepOriginal: Endless["keepOriginal"] = (whole, before, after, capture) => {
    if (!whole || before.name !== "PostToolUse" || after.name !== "PostToolUse") return () => {};
    let verdict: Promise<boolean> | undefined;
    const give = async () => {
      verdict ??= isUntouched(whole, before, after, capture);
      return (await verdict) ? whole : undefined;
    };
    const { toolUseId, session, agent } = before;
    const own: Holding = { of: JSON.stringify([session, agent?.id]), session, give };
    held.set(toolUseId, [...(held.get(toolUseId) ?? []), own]);
    return () => {
      const others = (held.get(toolUseId) ?? []).filter((other) => other !== own);
      if (others.length > 0) held.set(toolUseId, others);
      else held.delete(toolUseId);
    };
  };

  return {
    keepOriginal,
    original,
    /** Whether this tool use of this session is being answered. */
    holds: (session: string, toolUseId: string): boolean =>
      held.get(toolUseId)?.some((one) => one.session === session) ?? false,
    /** True when the value is a held original that capture leaves alone, or part of one. */
    async covers(toolUseId: string, value: unknown): Promise<boolean> {
      const whole = await original(toolUseId);
      return (
        whole !== undefined && (holdsJson(whole.response, value) || holdsJson(whole.input, value))
      );
    },
  };
}

// Keeps what a strategy takes out, and books it once the client has the answer that leaves it out.

interface KeepingParts {
  file: EndlessFile;
  books: ReturnType<typeof createBooks>;
  held: ReturnType<typeof createHeld>;
  /** So many bytes more are kept. */
  grew: (bytes: number) => void;
}

/** What may follow `memoir recall ` in a shell as it is. What cannot be asked for must not be taken out. */
const recallableId = /^\w[\w.:-]{0,199}$/;

function createKeeping(deps: EndlessDeps, { file, books, held, grew }: KeepingParts) {
  /** What is booked once the client has its answer, by session and tool use. */
  const unanswered = new Map<string, Array<() => void>>();
  const keyOf = (session: string, toolUseId: string) => JSON.stringify([session, toolUseId]);

  /** Where bookings wait while a hook is answered; undefined where nobody waits. */
  function waitingFor(session: string, toolUseId: string): Array<() => void> | undefined {
    if (!held.holds(session, toolUseId)) return undefined;
    const key = keyOf(session, toolUseId);
    const waiting = unanswered.get(key) ?? [];
    unanswered.set(key, waiting);
    return waiting;
  }

  async function isAllowed(request: KeepRequest, known: JournalSession | undefined) {
    if (await held.covers(request.toolUseId, request.value)) return true;
    return mayBeKept(request, deps.capture, {
      client: known?.client ?? "",
      time: deps.now(),
      cwd: known?.project.root ?? "",
      ...(known && { project: known.project }),
    });
  }

  return {
    /** False where it may not be kept, and must not be taken out therefore. */
    async keep(strategy: string, request: KeepRequest): Promise<boolean> {
      const { session, toolUseId, value, before, after, tool, part, kind = "" } = request;
      if (!recallableId.test(toolUseId)) return false;
      const known = deps.session(session);
      const waiting = part === "output" ? waitingFor(session, toolUseId) : undefined;
      if (!(await isAllowed(request, known))) return false;
      const packed = packContent(value);
      if (!packed) return false;
      const project = request.project ?? known?.project.id;
      const otherInput = async () => request.otherHalf ?? (await held.original(toolUseId))?.input;
      const input = part === "input" ? value : await otherInput();
      const { agent } = request;
      const taken: TakenOut = { strategy, kind, session, project, agent, tool, part };
      const took = () => {
        books.add({
          ...{ strategy, kind: "kept", session, project, agent, tool, part, reason: kind },
          whole: before.length,
          characters: before.length - after.length,
          tokens: estimateTokens(before) - estimateTokens(after),
        });
        books.took(taken, request, input);
      };
      const own = { ...request, ...(project !== undefined && { project }) };
      const isNew = await file.write((db) => keepRow(db, strategy, own, packed, deps.now()));
      if (isNew && waiting) waiting.push(took);
      else if (isNew) took();
      grew(packed.data.byteLength);
      return true;
    },
    answered(event: ClientEvent, isTaken: boolean): void {
      if (event.name !== "PostToolUse") return;
      const key = keyOf(event.session, event.toolUseId);
      const waiting = unanswered.get(key) ?? [];
      // A strategy that was too late writes into a list that nobody reads any more.
      unanswered.delete(key);
      if (isTaken) for (const took of waiting) took();
    },
  };
}
