// A user's plugin without its code: what it declares, and handlers that call the worker in which it runs.

import process from "node:process";
import { errorMessage } from "../../home/describe-error.ts";
import type { Thread } from "../../host/spawn-worker.ts";
import type { PluginContext } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type HookName, hookKinds } from "../../sdk/hooks.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { within } from "../../sdk/within.ts";
import { standStill } from "../hooks/hooks.ts";
import type { StrayInfo } from "../ports.ts";
import { answersOf } from "./describe-cache.ts";
import type { Checked, Described, Options } from "./messages.ts";
import { type CallContext, openThread, type WorkerThread } from "./thread.ts";
import { whereThrown } from "./thrown.ts";

/** A plugin's code, wherever it runs. */
export interface PluginCode {
  /** What it declares. Its handlers are there once it is bound. */
  plugin: AnyPlugin;
  /** Options by its own schema. Rejects when it cannot be asked. */
  check(options: Options): Promise<Checked>;
  /** The plugin with these options, ready to be started. */
  bind(options: Options, checked: Checked): BoundPlugin;
}

export interface BoundPlugin {
  plugin: AnyPlugin;
  /** What the host shows as its config. */
  config: unknown;
  /** Ends what a start that came to nothing has opened; absent where `stop` does. */
  abandon?(): void;
  /** Errors of it that nobody caught; absent where they cannot be told from others'. */
  stray?: (() => StrayInfo | undefined) | undefined;
}

/** Where a plugin is, and how long its modules may take to load. */
interface Subject {
  source: string;
  home: string;
  deadlineMs: number;
  spawn?: () => Thread;
}

/** What a plugin is. Rejects with plugin_invalid, plugin_sdk_version or plugin_deadline. */
export async function describeIsolated(subject: Subject): Promise<Described> {
  return (await answersOf(subject, {}, () => askThrowAway(subject, {}))).described;
}

/** The plugin, without importing it here; `maxBytes` is what its worker may hold. Rejects as `describeIsolated`. */
export async function loadIsolated(subject: Subject & { maxBytes: number }): Promise<PluginCode> {
  const { source, maxBytes } = subject;
  const described = await describeIsolated(subject);
  return {
    plugin: asPlugin(described, {}),
    async check(options) {
      return (await answersOf(subject, options, () => askThrowAway(subject, options))).checked;
    },
    bind(options, { config, deadlines }) {
      const worker = createPluginWorker({ plugin: described.name, source, options, maxBytes });
      return {
        plugin: asPlugin(described, deadlines, worker),
        config: { ...(typeof config === "object" ? config : undefined) },
        abandon: worker.end,
        stray: worker.stray,
      };
    },
  };
}

/** A person or an agent waits for these: the worker is there before the first call. Others begin with it. */
function isWaitedFor(hook: HookName): boolean {
  return hook === "capture" || hook === "request" || hookKinds[hook] === "sequence";
}

function asPlugin(
  { name, description, sdk, slot, events, hasStart, hooks }: Described,
  deadlines: Checked["deadlines"],
  worker?: PluginWorker,
): AnyPlugin {
  const subscriptions = hooks.map(({ hook, deadlineMs, ...declared }) => [
    hook,
    {
      ...declared,
      deadlineMs: deadlineMs === "config" ? deadlines[hook] : deadlineMs,
      handler: (input: unknown, ctx: CallContext) => worker?.call(hook, input, ctx),
    },
  ]);
  const plugin = {
    name,
    description,
    sdk,
    ...(slot !== undefined && { slot }),
    ...(events !== undefined && { events }),
    hooks: Object.fromEntries(subscriptions),
    /** One that only answers hooks is warmed up a little later. */
    async start(context: PluginContext) {
      if (!worker) return;
      const ready = worker.begin(context);
      if (hasStart) await ready();
      else if (hooks.some(({ hook }) => isWaitedFor(hook))) warm(ready);
    },
    stop: () => worker?.stop(),
  };
  return plugin as unknown as AnyPlugin;
}

// Workers that nobody waits for are spawned one after the other, so that many plugins do not slow down a start.

let last: Promise<unknown> = Promise.resolve();

/** Does the work after all that was given before. What it rejects with is for whoever asks it again. */
function warm(work: () => Promise<unknown>): void {
  last = last.then(work).catch(() => undefined);
}

/** A plugin's worker over all its lives: a new one begins with the first call after the last one ended. */
interface PluginWorker {
  /** Says what the plugin is given; what it answers starts the plugin where it does not run, and resolves once it does. */
  begin(context: PluginContext): () => Promise<void>;
  call(hook: HookName, input: unknown, ctx: CallContext): Promise<unknown>;
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

// A worker for one question: it describes a plugin and checks options, and is thrown away. A few at a time.

/** On a busy machine a new worker takes its time, which is not its plugin's fault. */
const spawnMs = 30_000;
/** Each costs a thread and the SDK's modules: more at once would only be slower. */
const atOnce = 4;
let running = 0;
const waiting: Array<() => void> = [];

async function askThrowAway(
  subject: Subject,
  options: Options,
): Promise<{ described: Described; checked: Checked }> {
  if (running >= atOnce) await new Promise<void>((go) => waiting.push(go));
  running++;
  try {
    return await askOnce(subject, options);
  } finally {
    running--;
    waiting.shift()?.();
  }
}

async function askOnce({ source, home, deadlineMs, spawn }: Subject, options: Options) {
  let stray: string | undefined;
  let ended: string | undefined;
  const thread = openThread({
    plugin: source,
    source,
    home,
    spawn,
    stray({ message, place }) {
      stray = place === undefined ? message : `${message} (${place})`;
    },
    ended({ why, place }) {
      ended = place === undefined ? why : `${why} (${place})`;
    },
  });
  try {
    // Answered before the plugin is imported: from then on the time is the plugin's.
    if ((await thread.ping(spawnMs)) === undefined)
      thread.fail("plugin_ended", "its worker did not start");
    const asked = Promise.all([thread.ask("describe", []), thread.ask("check", [options])]);
    const [described, checked] = await within(deadlineMs, asked, tooLate(source, deadlineMs));
    return { described: described as Described, checked: checked as Checked };
  } catch (error) {
    if (ended !== undefined)
      throw new MemoirError("plugin_invalid", `${source} cannot be loaded: ${stray ?? ended}`, {
        fix: "A plugin's module only says what the plugin is; take out what ends the program.",
      });
    if (error instanceof MemoirError) throw error;
    const message = `${source} cannot be described: ${errorMessage(error)}${whereThrown(error)}`;
    throw new MemoirError("plugin_invalid", message);
  } finally {
    thread.end();
  }
}

/** A module that was not there in time. */
export function tooLate(source: string, deadlineMs: number): MemoirError {
  return new MemoirError("plugin_deadline", `${source} was not loaded within ${deadlineMs} ms`, {
    fix: "Let the plugin's module wait for nothing; `start` is the place to open and to connect.",
  });
}

// Looks at what plugins' workers hold. They share the process, which no engine caps: who holds too much is ended.

/** A worker as the watch sees it. */
export interface Watched {
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
export function watchMemory(one: Watched): () => void {
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
