// The host's end of a plugin's worker: a thread that is heard with suspicion and ended once, the lives that follow one another, and what they hold.
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { isDeno } from "../../host/engine.ts";
import { spawnWorker, type Thread } from "../../host/spawn-worker.ts";
import type { PluginContext } from "../../sdk/context.ts";
import { type ErrorCode, MemoirError } from "../../sdk/errors.ts";
import { within } from "../../sdk/within.ts";
import { standStill } from "../hooks/hooks.ts";
import type { StrayInfo } from "../ports.ts";
import { createAllowance } from "./allowance.ts";
import { permissionsOf, reachOf } from "./reach.ts";
import type { PackedError } from "./thrown.ts";
import {
  type Ask,
  createPeer,
  type FromWorker,
  type Options,
  type Peer,
  type Said,
  SaidSchema,
  type ToWorker,
} from "./wire.ts";

/** What one call of a handler was given in the host. */
export interface CallContext {
  signal: AbortSignal;
  next?(input?: unknown): Promise<unknown>;
  [standStill]?(work: () => Promise<unknown>): Promise<unknown>;
}

interface ThreadOptions {
  /** How errors call the plugin. */
  plugin: string;
  /** Absolute path of its module. */
  source: string;
  /** What it is called, where that is not its own name. */
  name?: string | undefined;
  home: string;
  /** What the host offers the plugin; absent while it only says what it is. */
  context?: PluginContext;
  /** An error that nobody caught. */
  stray(error: PackedError, before: number): void;
  /** Called once; `why` is absent where the end was wanted, `during` is what was asked and not answered. */
  ended(end: { why?: string; place?: string | undefined; during: string[] }): void;
  spawn?: ((permissions?: object) => Thread) | undefined;
}

interface WorkerThread {
  ask: Peer<CallContext | PluginContext>["ask"];
  isBusy(): boolean;
  /** Bytes of the worker's heap; undefined when it did not answer within `ms`. */
  ping(ms: number): Promise<number | undefined>;
  /** Something is wrong: ends the thread and fails all its calls. `late` was asked and is not waited for any more. */
  fail(code: ErrorCode, why: string, late?: readonly string[]): void;
  /** Ends it because it is not wanted any more; calls under way fail all the same. */
  end(): void;
}

/** How long a worker may take to answer a ping before it counts as stuck. */
const pingMs = 400;
/** So many messages that memoir's part of the worker did not send, and it is ended. */
const maxStrange = 16;

/**
 * Spawns the thread. Nothing that it says is thrown here.
 * Long because its short steps share whether the thread is over.
 */
export function openThread(options: ThreadOptions): WorkerThread {
  const { plugin, source, home, context, spawn = spawnWorker } = options;
  const reach = reachOf(source, home);
  const thread = spawn(reach && isDeno ? permissionsOf(reach, home) : undefined);
  const token = crypto.randomUUID();
  // A flood of lines is held back in the worker already; this is for one that got around that.
  const logLines = createAllowance(1_000, 1_000);
  const asks = createAllowance(1_000, 500);
  let isOver = false;
  let strange = 0;

  const send = (message: ToWorker) => {
    if (!isOver) thread.post(message);
  };
  const peer = createPeer<CallContext | PluginContext>({
    post: send,
    answer,
    async takenBack(what) {
      if ((await ping(pingMs)) === undefined)
        fail("plugin_ended", "its worker was stuck, in an endless loop or in waiting", [what]);
    },
  });
  const waiting = () => peer.waiting().filter((what) => what !== "ping");

  async function answer(ask: Ask): Promise<unknown> {
    // The rest of a hook is bounded by the calls; what a plugin asks beyond that may be a flood.
    const ms = ask.what === "next" ? 0 : asks.borrow();
    if (ms > 0) await pause(ms, undefined, { ref: false });
    return isOver ? undefined : await answerAsk(ask, peer.contextOf(ask.during) ?? context);
  }

  function ping(ms: number): Promise<number | undefined> {
    const bytes = peer.ask("ping", []).then(Number, () => undefined);
    return within(ms, bytes, undefined);
  }

  function end(code: ErrorCode, why: string, report: Parameters<ThreadOptions["ended"]>[0]): void {
    isOver = true;
    thread.terminate();
    options.ended(report);
    const cause = new Error(why);
    peer.end((hook) => {
      const message = `plugin ${plugin} failed in ${hook}: ${why}`;
      return new MemoirError(code, message, { plugin, hook, cause });
    });
  }

  function fail(code: ErrorCode, why: string, late: readonly string[] = [], place?: string): void {
    if (isOver) return;
    const during = [...new Set([...late, ...waiting()])];
    end(code, place === undefined ? why : `${why} (${place})`, { why, place, during });
  }

  function take(said: Said): void {
    switch (said.type) {
      case "log":
        if (logLines.take()) context?.log[said.level](said.message, said.fields);
        return;
      case "stray":
        options.stray(said.error, said.before);
        return;
      case "exit":
        // Deno tells no end of a worker; this is the last word in any case.
        fail("plugin_ended", `it ended its worker with exit(${said.code})`, [], said.place);
        return;
      default:
        peer.hear(said);
    }
  }

  thread.onMessage = (data) => {
    if (isOver) return;
    const { token: given, said } = (data ?? {}) as Partial<FromWorker>;
    if (given === token && v.is(SaidSchema, said)) take(said);
    else if (++strange >= maxStrange)
      fail("plugin_ended", "it flooded the server with messages of its own");
  };
  thread.onError = (message) => fail("plugin_ended", `its worker broke: ${firstLine(message)}`);
  thread.onClose = () => fail("plugin_ended", "its worker ended by itself");
  const clockMs = clockAhead(context);
  send({
    ...{ type: "setup", token, source, name: options.name, home, clockMs },
    ...(reach && { reach }),
  });
  return {
    ask: peer.ask,
    isBusy: () => waiting().length > 0,
    ping,
    fail,
    end() {
      if (!isOver) end("plugin_failed", "it has been stopped", { during: [] });
    },
  };
}

/** Asks what the plugin wanted asked, in the name of the call it came from: the rest of a hook, storage, a model, Endless Mode. */
async function answerAsk(
  { what, input }: Ask,
  ctx: CallContext | PluginContext | undefined,
): Promise<unknown> {
  const [area = "", name = area] = what.split(".");
  const isOffered = ["next", "complete", "storage", "endless"].includes(area);
  const holder: unknown = what === area ? ctx : Reflect.get(ctx ?? {}, area);
  if (isOffered && typeof holder === "object" && holder !== null && Object.hasOwn(holder, name)) {
    const method: unknown = Reflect.get(holder, name);
    if (typeof method === "function") return Reflect.apply(method, holder, input);
  }
  throw new MemoirError("plugin_failed", `there is no ${what} to be asked here`);
}

/** What the host's clock, which tests set, is ahead of the system's; nothing where they are the same. */
function clockAhead(context: PluginContext | undefined): number {
  const ahead = context ? context.now() - Date.now() : 0;
  return Math.abs(ahead) < 1_000 ? 0 : ahead;
}

function firstLine(text: string): string {
  // Bun puts the source around an error's own line.
  const lines = text.split("\n").map((line) => line.trim());
  return (lines.find((line) => /^\w*error\b/i.test(line)) ?? lines[0] ?? "").slice(0, 500);
}

/** A plugin's worker over all its lives: a new one begins with the first call after the last one ended. */
export interface PluginWorker {
  /** Says what the plugin is given; what it answers starts the plugin where it does not run, and resolves once it does. */
  begin(context: PluginContext): () => Promise<void>;
  /** A hook, or a part that it brings. */
  call(hook: string, input: unknown, ctx: CallContext): Promise<unknown>;
  /** Lets the plugin stop in order, then ends the worker. */
  stop(): Promise<void>;
  /** Ends the worker at once. */
  end(): void;
  stray(): StrayInfo | undefined;
}

interface PluginWorkerOptions {
  plugin: string;
  /** Absolute path of its module. */
  source: string;
  /** What it is called, where that is not its own name. */
  name?: string | undefined;
  /** As config has them; the plugin's own schema parses them in the worker. */
  options: Options;
  /** Bytes that it may hold. */
  maxBytes: number;
  spawn?: () => Thread;
}

/** One thread in which the plugin was started. */
interface Life {
  thread: WorkerThread;
  started: Promise<unknown>;
  isStarted: boolean;
}

/** On a busy machine a new worker takes its time; up to this long, that is not the plugin's fault. */
const spawnGraceMs = 1_000;

/**
 * Nothing is spawned before the first call.
 * Long because its short calls share the life of the present thread.
 */
export function createPluginWorker(options: PluginWorkerOptions): PluginWorker {
  const { plugin, source, maxBytes, spawn } = options;
  let given: PluginContext | undefined;
  let life: Life | undefined;
  let isStopped = false;
  let strays: StrayInfo | undefined;

  function current(): Life {
    if (isStopped || !given)
      throw new MemoirError("plugin_failed", `plugin ${plugin} has been stopped`, { plugin });
    life ??= beginLife(given);
    return life;
  }

  function beginLife(context: PluginContext): Life {
    const { log } = context;
    const thread = openThread({
      plugin,
      source,
      name: options.name,
      home: context.home,
      context,
      spawn,
      ended({ why, place, during }) {
        unwatch();
        life = undefined;
        if (why === undefined) return;
        const fields = { plugin, why, during: during.join(", "), ...(place && { place }) };
        log.error("a plugin's worker ended", fields);
      },
      stray({ message, place }, before) {
        const error = place === undefined ? message : `${message} (${place})`;
        strays = { count: (strays?.count ?? 0) + before + 1, error, at: context.now() };
        log.error("an error that nobody caught", {
          plugin,
          error: message,
          ...(place !== undefined && { place }),
          ...(before > 0 && { leftOut: before }),
        });
      },
    });
    const unwatch = watchMemory({
      maxBytes,
      isBusy: thread.isBusy,
      ping: thread.ping,
      tooLarge: (megabytes) =>
        thread.fail("plugin_memory", `it held ${megabytes} MB, more than it may`),
    });
    const begun: Life = {
      thread,
      isStarted: false,
      started: thread.ask("start", [options.options]),
    };
    begun.started.then(
      () => {
        begun.isStarted = true;
      },
      // Whoever calls hears of it; without a call nobody does.
      thread.end,
    );
    return begun;
  }

  return {
    begin(context) {
      given = context;
      return async () => {
        if (!isStopped) await current().started;
      };
    },
    async call(hook, input, ctx) {
      const { thread, started, isStarted } = current();
      const { signal } = ctx;
      if (!isStarted) {
        const settled = started.catch(() => undefined);
        await ctx[standStill]?.(() => within(spawnGraceMs, settled, undefined));
      }
      await started;
      if (signal.aborted) return undefined;
      return thread.ask(hook, [input, ctx.next !== undefined], { context: ctx, signal });
    },
    async stop() {
      isStopped = true;
      if (!life) return;
      const { thread, started } = life;
      try {
        await started;
        await thread.ask("stop", []);
      } finally {
        thread.end();
      }
    },
    end() {
      isStopped = true;
      life?.thread.end();
    },
    stray: () => strays,
  };
}

// Looks at what plugins' workers hold. They share the process, which no engine caps: who holds too much is ended.

/** A worker as the watch sees it. */
interface Watched {
  maxBytes: number;
  /** Calls are under way. */
  isBusy(): boolean;
  /** Asks what it holds; undefined when it does not answer within `ms`. */
  ping(ms: number): Promise<number | undefined>;
  tooLarge(megabytes: number): void;
}

const busyEveryMs = 250;
/** A worker may also fill up between two calls, in a timer. */
const quietEveryMs = 5_000;
const megabyte = 1_048_576;

const all = new Set<Watched>();
/** Those that have not answered the last question yet, with what the process held when it was put. */
const silent = new Map<Watched, number>();
let timer: ReturnType<typeof setTimeout> | undefined;
let quietSince = 0;

/** Begins to look at a worker; gives the end of it. */
function watchMemory(one: Watched): () => void {
  all.add(one);
  if (timer === undefined) plan();
  return () => {
    all.delete(one);
    silent.delete(one);
    if (all.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

function plan(): void {
  timer = undefined;
  if (all.size === 0) return;
  timer = setTimeout(look, busyEveryMs);
  timer.unref?.();
}

function look(): void {
  quietSince += busyEveryMs;
  const askAll = quietSince >= quietEveryMs;
  if (askAll) quietSince = 0;
  const held = silent.size > 0 ? process.memoryUsage().rss : undefined;
  for (const one of all) {
    const before = silent.get(one);
    // It hangs, and since then the process has grown by more than this one may hold: nobody else is as likely.
    if (before !== undefined && held !== undefined && held - before > one.maxBytes)
      one.tooLarge(Math.round((held - before) / megabyte));
    else if (before === undefined && (askAll || one.isBusy())) void ask(one);
  }
  plan();
}

async function ask(one: Watched): Promise<void> {
  silent.set(one, process.memoryUsage().rss);
  // Longer than any deadline: a worker that is stuck is seen by the growth of the process.
  const bytes = await one.ping(150_000);
  silent.delete(one);
  if (bytes !== undefined && bytes > one.maxBytes) one.tooLarge(Math.round(bytes / megabyte));
}
