// What a host and a plugin's worker send each other: numbered questions with one answer each, log lines, and the last word.
//
// Measured for this: birpc 4.2 (269 lines). It carries calls and a deadline for each, and lacks what most of this file is: taking one
// question back after it was sent, saying during which call something was asked, a limit of questions under way, answers that are
// checked before they are believed, and errors with code, fix and blame. Its part would be the map of open questions, some 40 lines.
import * as v from "valibot";
import type { Reach } from "../../host/hold-to.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { PackedErrorSchema, packError, unpackError } from "./thrown.ts";

/** A plugin's options as config has them. */
export type Options = Readonly<Record<string, unknown>>;

/** A worker's first message: everything it needs to know at its beginning. */
export interface Setup {
  type: "setup";
  /** Drawn for each worker; it marks messages that memoir's part of the worker sent. */
  token: string;
  /** Absolute path of the plugin's module. */
  source: string;
  /** What it is called here, where that is not its own name. */
  name?: string | undefined;
  home: string;
  /** What the host's clock is ahead of `Date.now()`. */
  clockMs: number;
  /** What it is held to, where its package.json says what it reaches. */
  reach?: Reach;
}

// A plugin shares its worker's thread and may have bent what is sent from there, so the host checks it by these.
const number = v.pipe(v.number(), v.finite());

const AskSchema = v.object({
  type: v.literal("ask"),
  id: number,
  /** Of the host: a hook's name, `start`, `stop`, …; of a plugin: `next`, `complete`, `storage.get`, … */
  what: v.string(),
  input: v.array(v.unknown()),
  /** The host's question that a plugin was answering when it asked; 0 for none. */
  during: number,
});
const AnswerSchema = v.object({
  type: v.literal("answer"),
  id: number,
  value: v.optional(v.unknown()),
  error: v.optional(PackedErrorSchema),
});
const LogSchema = v.object({
  type: v.literal("log"),
  level: v.picklist(["debug", "info", "warn", "error"]),
  message: v.string(),
  fields: v.optional(
    v.custom<Record<string, unknown>>(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    ),
  ),
});
/** An error that nobody caught. `before`: how many were left out since the last one that was reported. */
const StraySchema = v.object({
  type: v.literal("stray"),
  error: PackedErrorSchema,
  before: number,
});
const ExitSchema = v.object({
  type: v.literal("exit"),
  code: number,
  place: v.optional(v.string()),
});

export type Ask = v.InferOutput<typeof AskSchema>;
/** `abort`: nobody waits for the answer any more. */
type PeerMessage = Ask | v.InferOutput<typeof AnswerSchema> | { type: "abort"; id: number };
export type ToWorker = Setup | PeerMessage;

export const SaidSchema = v.variant("type", [
  AskSchema,
  AnswerSchema,
  LogSchema,
  StraySchema,
  ExitSchema,
]);
export type Said = PeerMessage | v.InferOutput<typeof SaidSchema>;
export type LogLevel = v.InferOutput<typeof LogSchema>["level"];

/** A worker's message: what it says, and the token. */
export interface FromWorker {
  token: string;
  said: Said;
}

// Questions and answers: both sides use this.

interface PeerOptions {
  /** Throws for what cannot be cloned. */
  post(message: PeerMessage): void;
  /** Answers the other side; `signal` is aborted when nobody waits for it any more. */
  answer(ask: Ask, signal: AbortSignal): unknown;
  /** A question was taken back; `what` was asked. */
  takenBack?(what: string): void;
  /** So many questions are under way at once; more wait here. Default: any number. */
  atOnce?: number;
  /** Errors name places in this folder only. */
  ownFolder?: string;
}

/** How something is asked. */
interface AskOptions<Context> {
  /** What belongs to the question: the other side asks something of it. */
  context?: Context;
  /** The other side's question that is being answered meanwhile. */
  during?: number;
  /** Takes the question back. */
  signal?: AbortSignal;
}

export interface Peer<Context> {
  /** Resolves or rejects with the other side's answer. */
  ask(what: string, input: unknown[], options?: AskOptions<Context>): Promise<unknown>;
  hear(message: PeerMessage): void;
  contextOf(id: number): Context | undefined;
  /** What was asked and has no answer yet. */
  waiting(): string[];
  /** Fails every question that has no answer yet, and all that come after. */
  end(why: (what: string) => Error): void;
}

const late = new MemoirError("plugin_deadline", "the deadline has passed");

/** One question under way. */
interface Asked<Context> {
  what: string;
  context: Context | undefined;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export function createPeer<Context = undefined>(options: PeerOptions): Peer<Context> {
  const { post, atOnce = Number.POSITIVE_INFINITY, ownFolder } = options;
  const asked = new Map<number, Asked<Context>>();
  const queue: Array<() => void> = [];
  const answering = new Map<number, AbortController>();
  let lastId = 0;
  let ended: ((what: string) => Error) | undefined;

  function settle(id: number): Asked<Context> | undefined {
    const one = asked.get(id);
    if (asked.delete(id)) queue.shift()?.();
    return one;
  }

  function takeBack(id: number): void {
    const one = settle(id);
    if (!one) return;
    one.reject(late);
    post({ type: "abort", id });
    options.takenBack?.(one.what);
  }

  async function answer(ask: Ask): Promise<void> {
    const { id } = ask;
    const controller = new AbortController();
    answering.set(id, controller);
    try {
      const value = await options.answer(ask, controller.signal);
      post({ type: "answer", id, value });
    } catch (error) {
      post({ type: "answer", id, error: packError(error, ownFolder) });
    } finally {
      answering.delete(id);
    }
  }

  return {
    ask(what, input, { context, during = 0, signal } = {}) {
      return new Promise((resolve, reject) => {
        const send = () => {
          // Meanwhile it may have waited for its turn.
          if (ended) return reject(ended(what));
          if (signal?.aborted) {
            reject(late);
            return queue.shift()?.();
          }
          const id = ++lastId;
          asked.set(id, { what, context, resolve, reject });
          try {
            post({ type: "ask", id, what, input, during });
          } catch (error) {
            settle(id)?.reject(error instanceof Error ? error : new TypeError(String(error)));
          }
          signal?.addEventListener("abort", () => takeBack(id), { once: true });
        };
        if (asked.size < atOnce) send();
        else queue.push(send);
      });
    },
    hear(message) {
      if (message.type === "ask") void answer(message);
      else if (message.type === "abort") answering.get(message.id)?.abort(late);
      else {
        const one = settle(message.id);
        if (message.error) one?.reject(unpackError(message.error));
        else one?.resolve(message.value);
      }
    },
    contextOf: (id) => asked.get(id)?.context,
    waiting: () => [...asked.values()].map(({ what }) => what),
    end(why) {
      ended = why;
      const all = [...asked.values()];
      asked.clear();
      for (const { what, reject } of all) reject(why(what));
      for (const send of queue.splice(0)) send();
    },
  };
}
