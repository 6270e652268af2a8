// The calls of one worker that wait for an answer, each with its number.
import type { PluginContext } from "../../sdk/context.ts";
import type { ErrorCode } from "../../sdk/errors.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { standStill } from "../hooks/invoke.ts";
import type { Said } from "./wire.ts";

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

// The host's answer to what a plugin asks from its worker: the rest of a hook, storage, a model, Endless Mode.

/** What one call of a handler was given in the host. */
export interface CallContext {
  signal: AbortSignal;
  next?(input?: unknown): Promise<unknown>;
  [standStill]?(work: () => Promise<void>): Promise<void>;
}

type Method = (...input: unknown[]) => Promise<unknown>;

/** Asks what the plugin wanted asked, in the name of the call it came from. */
export async function answerAsk(
  { what, input }: Extract<Said, { type: "ask" }>,
  ctx: CallContext | PluginContext,
): Promise<unknown> {
  if (what === "next") {
    if (!("next" in ctx) || !ctx.next) throw unknown(what);
    return ctx.next(input[0]);
  }
  const [area = "", name = ""] = what.split(".");
  const holder: unknown =
    area === "complete" ? ctx : (ctx as unknown as Record<string, unknown>)[area];
  const isOffered = area === "complete" || area === "storage" || area === "endless";
  const method = area === "complete" ? "complete" : name;
  if (!isOffered || typeof holder !== "object" || holder === null || !Object.hasOwn(holder, method))
    throw unknown(what);
  return (holder as Record<string, Method>)[method]?.(...input);
}

function unknown(what: string): MemoirError {
  return new MemoirError("plugin_failed", `there is no ${what} to be asked here`);
}

// The end of one worker's life: it comes once, and whoever waits for an answer hears the same reason.

export interface Ending {
  readonly isOver: boolean;
  /** What is to be let go of at the end; at once where that has come. */
  release(part: () => void): void;
  /** The worker's last word. */
  exit(said: Extract<Said, { type: "exit" }>): void;
  /** Its thread is no more. */
  gone(): void;
  /** Something went wrong: all its calls fail. `late` names some that are not among them any more. */
  fail(code: ErrorCode, why: string, late?: readonly string[]): void;
  /** In order; calls that are under way fail all the same. */
  stop(): void;
}

/** Not over yet. */
export function createEnding(plugin: string, log: PluginContext["log"], calls: Calls): Ending {
  const parts: Array<() => void> = [];
  let over = false;
  /** What the worker said about its exit before it was over. */
  let exit: { code: number; place?: string } | undefined;

  function end(code: ErrorCode, why: string): void {
    over = true;
    for (const part of parts) part();
    const cause = new Error(why);
    for (const { what, reject } of calls.settleAll()) {
      const message = `plugin ${plugin} failed in ${what}: ${why}`;
      reject(new MemoirError(code, message, { plugin, hook: what, cause }));
    }
  }

  function fail(code: ErrorCode, why: string, late: readonly string[] = []): void {
    if (over) return;
    const during = [...new Set([...late, ...calls.waiting().map(({ what }) => what)])].join(", ");
    const place = exit?.place;
    const at = place === undefined ? "" : ` (${place})`;
    end(code, `${why}${at}`);
    log.error("a plugin's worker ended", { plugin, why, during, ...(place && { place }) });
  }

  function gone(): void {
    const how = exit ? `it ended its worker with exit(${exit.code})` : "its worker ended by itself";
    fail("plugin_ended", how);
  }

  return {
    get isOver() {
      return over;
    },
    release(part) {
      if (over) part();
      else parts.push(part);
    },
    exit(said) {
      exit = said;
      gone();
    },
    gone,
    fail,
    stop() {
      if (!over) end("plugin_failed", "it has been stopped");
    },
  };
}
