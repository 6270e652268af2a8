// Questions and answers between two threads: each has a number and one answer, and may be taken back. Both sides use this.
import { MemoirError } from "../../sdk/errors.ts";
import type { Ask, PeerMessage } from "./messages.ts";
import { packError, unpackError } from "./thrown.ts";

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
