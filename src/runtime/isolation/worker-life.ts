// One worker thread of a plugin from its spawn to its end: calls with numbers, questions answered, an end that is noticed.
import { spawnWorker as spawnThread, type Thread } from "../../host/spawn-worker.ts";
import type { PluginContext } from "../../sdk/context.ts";
import { type ErrorCode, MemoirError } from "../../sdk/errors.ts";
import { answerAsk, type CallContext } from "./answer-ask.ts";
import { createCalls } from "./calls.ts";
import { watchMemory } from "./memory-watch.ts";
import { createPace, createQuota } from "./pace.ts";
import { createPings } from "./pings.ts";
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

/** One thread, and the plugin in it. */
export interface WorkerLife {
  /** Resolves once the plugin has started. When it rejects, the life is over. */
  readonly started: Promise<void>;
  readonly isStarted: boolean;
  /** Sends what `message` makes of the call's number, and waits for its answer. */
  ask(
    what: string,
    ctx: CallContext | PluginContext,
    message: (id: number) => ToWorker,
  ): Promise<unknown>;
  /** A call that is late is taken back; a worker that does not even answer a ping then is ended. */
  takeBack(id: number): Promise<void>;
  /** Ends the thread. Nobody waits for an answer from a worker that is no more. */
  end(): void;
}

/** How long a worker may take to answer a ping before it counts as stuck. */
const pingMs = 400;
const maxStrange = 16;
const maxLogsPerSecond = 1_000;
const asksAtOnce = 1_000;
const asksPerSecond = 500;

/**
 * Spawns the thread and starts the plugin in it. `ended` is called once it is over, for whatever reason.
 * Long because whatever is said to the worker and heard of it may be the last, and ends all the rest.
 */
export function beginLife(options: PluginWorkerOptions, ended: () => void): WorkerLife {
  const { plugin, source, context, maxBytes, spawn = spawnThread } = options;
  const { log } = context;
  const thread = spawn();
  const token = crypto.randomUUID();
  const calls = createCalls();
  const pings = createPings((id) => send({ type: "ping", id }));
  const clock = () => performance.now();
  const pace = createPace(asksAtOnce, asksPerSecond, clock);
  /** A flood of lines is held back in the worker already; this is for one that got around that. */
  const mayLog = createQuota(maxLogsPerSecond, clock);
  let isStarted = false;
  let over = false;
  /** Messages that memoir's part of the worker did not send. */
  let strange = 0;
  /** What the worker said about its exit before it was over. */
  let exit: { code: number; place?: string } | undefined;

  function send(message: ToWorker): void {
    if (!over) thread.post(message);
  }

  function ask(
    what: string,
    ctx: CallContext | PluginContext,
    message: (id: number) => ToWorker,
  ): Promise<unknown> {
    const { id, answer } = calls.open(what, ctx);
    try {
      send(message(id));
    } catch (error) {
      calls.settle(id)?.reject(error instanceof Error ? error : new Error(String(error)));
    }
    return answer;
  }

  function hear(data: unknown): void {
    if (over) return;
    const { token: given, said } = (data ?? {}) as Partial<FromWorker>;
    if (given !== token || said === undefined) {
      strange++;
      if (strange >= maxStrange)
        finish("plugin_ended", "it flooded the server with messages of its own");
      return;
    }
    take(said);
  }

  function take(said: Said): void {
    switch (said.type) {
      case "done":
        calls.settle(said.id)?.resolve(said.value);
        return;
      case "failed":
        calls.settle(said.id)?.reject(unpackError(said.error));
        return;
      case "ask":
        void reply(said);
        return;
      case "log":
        if (mayLog()) log[said.level](said.message, said.fields);
        return;
      case "stray":
        tellStray(said, plugin, context);
        return;
      case "exit":
        exit = said;
        // Deno tells no end of a worker; this is the last word in any case.
        finish("plugin_ended", exitText());
        return;
      case "pong":
        pings.pong(said.id, said.heapBytes);
    }
  }

  async function reply(said: Extract<Said, { type: "ask" }>): Promise<void> {
    const { ask: id, call } = said;
    // The rest of a hook is bounded by the calls; what a plugin asks beyond that may be a flood.
    if (said.what !== "next") await pace();
    if (over) return;
    const ctx = calls.contextOf(call) ?? context;
    const answer = await answerAsk(said, ctx).then(
      (value) => ({ value }),
      (error: unknown) => ({ error: packError(error) }),
    );
    try {
      send({ type: "answer", ask: id, ...answer });
    } catch (error) {
      send({ type: "answer", ask: id, error: packError(error) });
    }
  }

  /** The end of a life: all its calls fail at once, for one and the same reason. */
  function finish(code: ErrorCode, why: string, late: string[] = []): void {
    if (over) return;
    const during = [...new Set([...late, ...calls.waiting().map(({ what }) => what)])].join(", ");
    const place = exit?.place;
    const at = place === undefined ? "" : ` (${place})`;
    end(code, `${why}${at}`);
    log.error("a plugin's worker ended", { plugin, why, during, ...(place && { place }) });
  }

  function end(code: ErrorCode = "plugin_failed", why = "it has been stopped"): void {
    if (over) return;
    over = true;
    ended();
    unwatch();
    thread.terminate();
    const cause = new Error(why);
    for (const { what, reject } of calls.settleAll()) {
      const message = `plugin ${plugin} failed in ${what}: ${why}`;
      reject(new MemoirError(code, message, { plugin, hook: what, cause }));
    }
  }

  function exitText(): string {
    return exit ? `it ended its worker with exit(${exit.code})` : "its worker ended by itself";
  }

  async function takeBack(id: number): Promise<void> {
    if (over) return;
    const call = calls.settle(id);
    call?.reject(new Error("late"));
    send({ type: "abort", id });
    if ((await pings.ping(pingMs)) !== undefined || over) return;
    const why = "its worker was stuck, in an endless loop or in waiting";
    finish("plugin_ended", why, call ? [call.what] : []);
  }

  thread.onMessage = hear;
  thread.onError = (message) => finish("plugin_ended", `its worker broke: ${firstLine(message)}`);
  thread.onClose = () => finish("plugin_ended", exitText());
  const clockMs = clockAhead(context);
  send({ type: "setup", token, source, home: context.home, clockMs });
  const unwatch = watchMemory({
    maxBytes,
    isBusy: () => calls.waiting().length > 0,
    ping: pings.ping,
    tooLarge: (megabytes) => finish("plugin_memory", `it held ${megabytes} MB, more than it may`),
  });
  const started = ask("start", context, (id) => ({
    type: "start",
    id,
    options: options.options,
  })).then(() => {
    isStarted = true;
  });
  // Whoever calls hears of it; without a call nobody does.
  started.catch(() => end());
  return {
    started,
    get isStarted() {
      return isStarted;
    },
    ask,
    takeBack,
    end: () => end(),
  };
}

function tellStray(
  { error, before }: Extract<Said, { type: "stray" }>,
  plugin: string,
  context: PluginContext,
): void {
  const { message, place } = error;
  noteStray(context, place === undefined ? message : `${message} (${place})`, before + 1);
  const fields = { plugin, ...described(error), ...(before > 0 && { leftOut: before }) };
  context.log.error("an error that nobody caught", fields);
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
