// One worker thread of a plugin from its spawn to its end: calls with numbers, questions answered, an end that is noticed.
import { spawnWorker as spawnThread, type Thread } from "../../host/spawn-worker.ts";
import type { PluginContext } from "../../sdk/context.ts";
import {
  answerAsk,
  type CallContext,
  type Calls,
  createCalls,
  createEnding,
  type Ending,
} from "./calls.ts";
import { createPace, createPings, createQuota, type Pings, watchMemory } from "./memory-watch.ts";

import { noteStray } from "./stray-notes.ts";
import type { FromWorker, Said, ToWorker, WireError } from "./wire.ts";
import { packError, unpackError } from "./wire.ts";

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
const clock = () => performance.now();

/** Spawns the thread and starts the plugin in it. `ended` is called once it is over, for whatever reason. */
export function beginLife(options: PluginWorkerOptions, ended: () => void): WorkerLife {
  const { plugin, source, context, maxBytes, spawn = spawnThread } = options;
  const calls = createCalls();
  const ending = createEnding(plugin, context.log, calls);
  ending.release(ended);
  const thread = spawn();
  ending.release(() => thread.terminate());
  const send = (message: ToWorker) => {
    if (!ending.isOver) thread.post(message);
  };
  const pings = createPings((id) => send({ type: "ping", id }));
  const token = crypto.randomUUID();
  thread.onMessage = createEar(options, token, { calls, pings, ending, send });
  thread.onError = (message) =>
    ending.fail("plugin_ended", `its worker broke: ${firstLine(message)}`);
  thread.onClose = ending.gone;
  send({ type: "setup", token, source, home: context.home, clockMs: clockAhead(context) });
  ending.release(
    watchMemory({
      maxBytes,
      isBusy: () => calls.waiting().length > 0,
      ping: pings.ping,
      tooLarge: (megabytes) =>
        ending.fail("plugin_memory", `it held ${megabytes} MB, more than it may`),
    }),
  );

  const ask: WorkerLife["ask"] = (what, ctx, message) => {
    const { id, answer } = calls.open(what, ctx);
    try {
      send(message(id));
    } catch (error) {
      calls.settle(id)?.reject(error instanceof Error ? error : new Error(String(error)));
    }
    return answer;
  };

  let isStarted = false;
  const start = { type: "start", options: options.options } as const;
  const started = ask("start", context, (id) => ({ ...start, id })).then(() => {
    isStarted = true;
  });
  // Whoever calls hears of it; without a call nobody does.
  started.catch(ending.stop);
  return {
    started,
    get isStarted() {
      return isStarted;
    },
    ask,
    async takeBack(id) {
      if (ending.isOver) return;
      const call = calls.settle(id);
      call?.reject(new Error("late"));
      send({ type: "abort", id });
      if ((await pings.ping(pingMs)) !== undefined) return;
      const why = "its worker was stuck, in an endless loop or in waiting";
      ending.fail("plugin_ended", why, call ? [call.what] : []);
    },
    end: ending.stop,
  };
}

/** What is heard of a worker goes here. */
interface Listeners {
  calls: Calls;
  pings: Pings;
  ending: Ending;
  send(message: ToWorker): void;
}

/** Hears the worker: what memoir's own part of it says, by the token. */
function createEar(
  { plugin, context }: PluginWorkerOptions,
  token: string,
  { calls, pings, ending, send }: Listeners,
): (data: unknown) => void {
  const answer = createAnswers(context, { calls, ending, send });
  /** A flood of lines is held back in the worker already; this is for one that got around that. */
  const mayLog = createQuota(maxLogsPerSecond, clock);
  /** Messages that memoir's part of the worker did not send. */
  let strange = 0;

  function take(said: Said): void {
    switch (said.type) {
      case "done":
        calls.settle(said.id)?.resolve(said.value);
        return;
      case "failed":
        calls.settle(said.id)?.reject(unpackError(said.error));
        return;
      case "ask":
        void answer(said);
        return;
      case "log":
        if (mayLog()) context.log[said.level](said.message, said.fields);
        return;
      case "stray":
        tellStray(said, plugin, context);
        return;
      case "exit":
        // Deno tells no end of a worker; this is the last word in any case.
        ending.exit(said);
        return;
      case "pong":
        pings.pong(said.id, said.heapBytes);
    }
  }

  return (data) => {
    if (ending.isOver) return;
    const { token: given, said } = (data ?? {}) as Partial<FromWorker>;
    if (given === token && isSaid(said)) {
      take(said);
      return;
    }
    strange++;
    if (strange >= maxStrange)
      ending.fail("plugin_ended", "it flooded the server with messages of its own");
  };
}

/** Answers what the plugin asks. */
function createAnswers(
  context: PluginContext,
  { calls, ending, send }: Omit<Listeners, "pings">,
): (said: Extract<Said, { type: "ask" }>) => Promise<void> {
  const pace = createPace(asksAtOnce, asksPerSecond, clock);
  return async (said) => {
    const { ask: id, call } = said;
    // The rest of a hook is bounded by the calls; what a plugin asks beyond that may be a flood.
    if (said.what !== "next") await pace();
    if (ending.isOver) return;
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

// Whether a worker's message is one that memoir's part of a worker sends: a plugin shares its thread, and may have bent it.

const levels: ReadonlySet<unknown> = new Set(["debug", "info", "warn", "error"]);
const optionalTexts = ["place", "code", "fix", "plugin", "hook"] as const;

/** True for what the host can take as it is. */
function isSaid(value: unknown): value is Said {
  if (!isRecord(value)) return false;
  switch (value.type) {
    case "done":
      return isNumber(value.id);
    case "failed":
      return isNumber(value.id) && isWireError(value.error);
    case "ask":
      return (
        isNumber(value.ask) &&
        isNumber(value.call) &&
        typeof value.what === "string" &&
        Array.isArray(value.input)
      );
    case "log":
      return levels.has(value.level) && typeof value.message === "string" && isFields(value.fields);
    case "stray":
      return isWireError(value.error) && isNumber(value.before);
    case "exit":
      return isNumber(value.code) && isText(value.place);
    case "pong":
      return isNumber(value.id) && isNumber(value.heapBytes);
    default:
      return false;
  }
}

function isWireError(value: unknown): value is WireError {
  return (
    isRecord(value) &&
    typeof value.name === "string" &&
    typeof value.message === "string" &&
    optionalTexts.every((name) => isText(value[name])) &&
    (value.retryAfterMs === undefined || isNumber(value.retryAfterMs))
  );
}

function isFields(value: unknown): boolean {
  return value === undefined || (isRecord(value) && !Array.isArray(value));
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
