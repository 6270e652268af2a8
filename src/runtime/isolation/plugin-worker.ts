// The host's side of one plugin's worker: calls with numbers, questions answered, an end that is noticed, a new worker after it.
import { spawnWorker as spawnThread, type Thread } from "../../host/spawn-worker.ts";
import type { PluginContext } from "../../sdk/context.ts";
import { type ErrorCode, MemoirError } from "../../sdk/errors.ts";
import type { HookName } from "../../sdk/hooks.ts";
import { standStill } from "../hooks/invoke.ts";
import { answerAsk, type CallContext } from "./answer-ask.ts";
import { type Watched, watchMemory } from "./memory-watch.ts";
import { createPace } from "./pace.ts";
import { noteStray } from "./stray-notes.ts";
import type { FromWorker, Said, ToWorker, WireError } from "./wire.ts";
import { packError, unpackError } from "./wire-error.ts";

export interface PluginWorkerOptions {
  plugin: string;
  /** Absolute path of its module. */
  source: string;
  /** As config has them; the plugin's own schema parses them in the worker. */
  options: Readonly<Record<string, unknown>>;
  /** What the host offers the plugin. */
  context: PluginContext;
  /** Bytes that it may hold. */
  maxBytes: number;
  spawn?: () => Thread;
}

/** A plugin's worker, over all its lives. */
export interface PluginWorker {
  /** Resolves once the plugin has started; starts it if need be. */
  ready(): Promise<void>;
  call(hook: HookName, input: unknown, ctx: CallContext): Promise<unknown>;
  /** Lets the plugin stop in order, then ends the worker. */
  stop(): Promise<void>;
  /** Ends the worker at once. */
  end(): void;
}

interface Pending {
  what: string;
  context: CallContext | PluginContext;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** One thread from its spawn to its end. */
interface Life {
  thread: Thread;
  token: string;
  pending: Map<number, Pending>;
  pings: Map<number, (heapBytes: number) => void>;
  started: Promise<void>;
  isStarted: boolean;
  over: boolean;
  /** Messages that memoir's part of the worker did not send. */
  strange: number;
  logs: { since: number; count: number };
  /** Resolves when the next question may be answered. */
  pace(): Promise<void>;
  /** What the worker said about its exit before it was over. */
  exit: { code: number; place?: string } | undefined;
  unwatch: () => void;
}

/** How long a worker may take to answer a ping before it counts as stuck. */
const pingMs = 400;
/** On a busy machine a new worker takes its time; up to this long, that is not the plugin's fault. */
const spawnGraceMs = 1_000;
const maxStrange = 16;
const maxLogsPerSecond = 1_000;
const asksAtOnce = 1_000;
const asksPerSecond = 500;

/** Nothing is spawned before the first call. */
export function createPluginWorker(options: PluginWorkerOptions): PluginWorker {
  const { plugin, source, context, maxBytes, spawn = spawnThread } = options;
  const log = context.log;
  let life: Life | undefined;
  let lastId = 0;
  let isStopped = false;

  function begin(): Life {
    const thread = spawn();
    const token = crypto.randomUUID();
    const one: Life = {
      thread,
      token,
      pending: new Map(),
      pings: new Map(),
      started: Promise.resolve(),
      isStarted: false,
      over: false,
      strange: 0,
      logs: { since: 0, count: 0 },
      pace: createPace(asksAtOnce, asksPerSecond, () => performance.now()),
      exit: undefined,
      unwatch: () => {},
    };
    thread.onMessage = (data) => hear(one, data);
    thread.onError = (message) =>
      finish(one, "plugin_ended", `its worker broke: ${firstLine(message)}`);
    thread.onClose = () => finish(one, "plugin_ended", exitText(one));
    const { home } = context;
    const clockMs = clockAhead(context);
    send(one, { type: "setup", token, source, home, clockMs });
    one.unwatch = watchMemory(watched(one));
    const started = ask(one, "start", context, (id) => ({
      type: "start",
      id,
      options: options.options,
    }));
    one.started = started.then(() => {
      one.isStarted = true;
    });
    // Whoever calls hears of it; without a call nobody does.
    one.started.catch(() => {
      if (life === one) life = undefined;
      end(one);
    });
    return one;
  }

  function current(): Life {
    if (isStopped)
      throw new MemoirError("plugin_failed", `plugin ${plugin} has been stopped`, { plugin });
    life ??= begin();
    return life;
  }

  function send(one: Life, message: ToWorker): void {
    if (!one.over) one.thread.post(message);
  }

  function ask(
    one: Life,
    what: string,
    ctx: CallContext | PluginContext,
    message: (id: number) => ToWorker,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++lastId;
      one.pending.set(id, { what, context: ctx, resolve, reject });
      try {
        send(one, message(id));
      } catch (error) {
        one.pending.delete(id);
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  function hear(one: Life, data: unknown): void {
    if (one.over) return;
    const { token, said } = (data ?? {}) as Partial<FromWorker>;
    if (token !== one.token || said === undefined) {
      one.strange++;
      if (one.strange >= maxStrange)
        finish(one, "plugin_ended", "it flooded the server with messages of its own");
      return;
    }
    take(one, said);
  }

  function take(one: Life, said: Said): void {
    switch (said.type) {
      case "done":
        settle(one, said.id)?.resolve(said.value);
        return;
      case "failed":
        settle(one, said.id)?.reject(unpackError(said.error));
        return;
      case "ask":
        void reply(one, said);
        return;
      case "log":
        if (mayLog(one)) log[said.level](said.message, said.fields);
        return;
      case "stray":
        tellStray(said);
        return;
      case "exit":
        one.exit = said;
        // Deno tells no end of a worker; this is the last word in any case.
        finish(one, "plugin_ended", exitText(one));
        return;
      case "pong":
        one.pings.get(said.id)?.(said.heapBytes);
        one.pings.delete(said.id);
    }
  }

  function tellStray({ error, before }: Extract<Said, { type: "stray" }>): void {
    const { message, place } = error;
    noteStray(context, place === undefined ? message : `${message} (${place})`, before + 1);
    const fields = { plugin, ...described(error), ...(before > 0 && { notTold: before }) };
    log.error("an error that nobody caught", fields);
  }

  function settle(one: Life, id: number): Pending | undefined {
    const pending = one.pending.get(id);
    one.pending.delete(id);
    return pending;
  }

  async function reply(one: Life, said: Extract<Said, { type: "ask" }>): Promise<void> {
    const { ask: id, call } = said;
    // The rest of a hook is bounded by the calls; what a plugin asks beyond that may be a flood.
    if (said.what !== "next") await one.pace();
    if (one.over) return;
    const ctx = one.pending.get(call)?.context ?? context;
    let answer: { value?: unknown; error?: WireError };
    try {
      answer = { value: await answerAsk(said, ctx) };
    } catch (error) {
      answer = { error: packError(error) };
    }
    try {
      send(one, { type: "answer", ask: id, ...answer });
    } catch (error) {
      send(one, { type: "answer", ask: id, error: packError(error) });
    }
  }

  /** A flood of lines is held back in the worker already; this is for one that got around that. */
  function mayLog({ logs }: Life): boolean {
    const now = performance.now();
    if (now - logs.since > 1_000) {
      logs.since = now;
      logs.count = 0;
    }
    return ++logs.count <= maxLogsPerSecond;
  }

  function ping(one: Life, ms: number): Promise<number | undefined> {
    return new Promise((resolve) => {
      const id = ++lastId;
      const timer = setTimeout(() => {
        one.pings.delete(id);
        resolve(undefined);
      }, ms);
      timer.unref?.();
      one.pings.set(id, (heapBytes) => {
        clearTimeout(timer);
        resolve(heapBytes);
      });
      send(one, { type: "ping", id });
    });
  }

  function watched(one: Life): Watched {
    return {
      maxBytes,
      isBusy: () => one.pending.size > 0,
      ping: (ms) => ping(one, ms),
      tooLarge: (megabytes) =>
        finish(one, "plugin_memory", `it held ${megabytes} MB, more than it may`),
    };
  }

  /** The end of a life: all its calls fail at once, for one and the same reason. */
  function finish(one: Life, code: ErrorCode, why: string, late: string[] = []): void {
    if (one.over) return;
    const calls = [...one.pending.values()].map(({ what }) => what);
    const during = [...new Set([...late, ...calls])].join(", ");
    const place = one.exit?.place;
    const at = place === undefined ? "" : ` (${place})`;
    end(one, code, `${why}${at}`);
    log.error("a plugin's worker ended", { plugin, why, during, ...(place && { place }) });
  }

  /** Nobody waits for an answer from a worker that is no more. */
  function end(one: Life, code: ErrorCode = "plugin_failed", why = "it has been stopped"): void {
    one.over = true;
    if (life === one) life = undefined;
    one.unwatch();
    const calls = [...one.pending.values()];
    one.pending = new Map();
    one.thread.terminate();
    const cause = new Error(why);
    for (const { what, reject } of calls) {
      const message = `plugin ${plugin} failed in ${what}: ${why}`;
      reject(new MemoirError(code, message, { plugin, hook: what, cause }));
    }
  }

  function exitText({ exit }: Life): string {
    return exit ? `it ended its worker with exit(${exit.code})` : "its worker ended by itself";
  }

  /** A call that is late is taken back; a worker that does not even answer a ping then is ended. */
  async function takeBack(one: Life, id: number): Promise<void> {
    if (one.over) return;
    const call = settle(one, id);
    call?.reject(new Error("late"));
    send(one, { type: "abort", id });
    if ((await ping(one, pingMs)) !== undefined || one.over) return;
    const why = "its worker was stuck, in an endless loop or in waiting";
    finish(one, "plugin_ended", why, call ? [call.what] : []);
  }

  return {
    ready: async () => (isStopped ? undefined : current().started),
    async call(hook, input, ctx) {
      const one = current();
      const { signal } = ctx;
      if (!one.isStarted) await ctx[standStill]?.(() => soon(one.started));
      await one.started;
      if (signal.aborted) return undefined;
      let id = 0;
      const late = () => void takeBack(one, id);
      try {
        return await ask(one, hook, ctx, (number) => {
          id = number;
          signal.addEventListener("abort", late, { once: true });
          return { type: "call", id, hook, input, hasNext: ctx.next !== undefined };
        });
      } finally {
        signal.removeEventListener("abort", late);
      }
    },
    async stop() {
      isStopped = true;
      const one = life;
      if (!one) return;
      try {
        await one.started;
        await ask(one, "stop", context, (id) => ({ type: "stop", id }));
      } finally {
        end(one);
      }
    },
    end() {
      isStopped = true;
      if (life) end(life);
    },
  };
}

/** Resolves when `work` is done, or after a while: somebody waits for the answer. */
async function soon(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const enough = new Promise<void>((go) => {
    timer = setTimeout(go, spawnGraceMs);
  });
  await Promise.race([work.catch(() => undefined), enough]);
  clearTimeout(timer);
}

/** What the host's clock, which tests set, is ahead of the system's; nothing where they are the same. */
function clockAhead({ now }: PluginContext): number {
  const ahead = now() - Date.now();
  return Math.abs(ahead) < 1_000 ? 0 : ahead;
}

function described({ message, place }: WireError): Record<string, unknown> {
  return place === undefined ? { error: message } : { error: message, place };
}

function firstLine(text: string): string {
  // Bun puts the source around an error's own line.
  const lines = text.split("\n").map((line) => line.trim());
  return (lines.find((line) => /^\w*error\b/i.test(line)) ?? lines[0] ?? "").slice(0, 500);
}
