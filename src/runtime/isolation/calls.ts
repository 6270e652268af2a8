// The calls of one worker that wait for an answer, each with its number.
import type { PluginContext } from "../../sdk/context.ts";
import type { CallContext } from "./answer-ask.ts";

/** A call under way. */
interface Call {
  /** What was asked: a hook's name. */
  what: string;
  context: CallContext | PluginContext;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export interface Calls {
  /** Enters a call; its answer comes when somebody settles its number. */
  open(what: string, context: Call["context"]): { id: number; answer: Promise<unknown> };
  /** Takes the call out, for its answer; undefined when nobody waits any more. */
  settle(id: number): Call | undefined;
  contextOf(id: number): Call["context"] | undefined;
  waiting(): readonly Call[];
  /** Takes all out. */
  settleAll(): readonly Call[];
}

/** None at first. */
export function createCalls(): Calls {
  const pending = new Map<number, Call>();
  let lastId = 0;

  function settle(id: number): Call | undefined {
    const call = pending.get(id);
    pending.delete(id);
    return call;
  }

  return {
    open(what, context) {
      const id = ++lastId;
      const answer = new Promise<unknown>((resolve, reject) => {
        pending.set(id, { what, context, resolve, reject });
      });
      return { id, answer };
    },
    settle,
    contextOf: (id) => pending.get(id)?.context,
    waiting: () => [...pending.values()],
    settleAll() {
      const calls = [...pending.values()];
      pending.clear();
      return calls;
    },
  };
}
