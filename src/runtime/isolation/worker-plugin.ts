// Inside a worker: one plugin, from its import to its stop, as the host's messages ask for it.
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import type { GenericSchema } from "valibot";
import type { PluginContext, StorageClient } from "../../sdk/context.ts";
import type { EndlessClient } from "../../sdk/endless.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { HookName } from "../../sdk/hooks.ts";
import { hookKinds } from "../../sdk/hooks.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import type { ConfigProblem } from "../config/problems.ts";
import { declarations } from "../hooks/subscription.ts";
import { importPlugin } from "../plugins/import-plugin.ts";
import { checkAgainst, parseOptions } from "../plugins/plugin-config.ts";
import { objection } from "./measure.ts";
import { lineOfHook } from "./place.ts";
import type { Checked, Described, DescribedHook, LogLevel } from "./wire.ts";
import {
  type AskWhat,
  maxResultBytes,
  packError,
  type Said,
  type Setup,
  type ToWorker,
  unpackError,
} from "./wire.ts";

// Inside a worker: `ctx`, whose storage, model and Endless Mode are asked of the host over the wire.

/** What a context is made from, inside a worker. */
interface WorkerContextEnds {
  plugin: string;
  home: string;
  now: () => number;
  log(level: LogLevel, message: string, fields?: Record<string, unknown>): void;
  /** Asks the host; `call` is the call it belongs to, 0 for none. */
  ask(call: number, what: AskWhat, ...input: unknown[]): Promise<unknown>;
}

const storage = "storage.";
const verbs = Object.keys(hookKinds)
  .filter((name) => name.startsWith(storage))
  .map((name) => name.slice(storage.length));
const endlessMethods = ["original", "keep", "kept", "note", "figures", "settled"] as const;

/** The context of one call (or of `start` and `stop`, with call 0), without state, signal and `next`. */
export function workerContext(
  config: unknown,
  { plugin, home, now, log, ask }: WorkerContextEnds,
  call = 0,
): PluginContext {
  const at =
    (level: LogLevel) =>
    (message: string, fields?: Record<string, unknown>): void =>
      log(level, message, fields);
  return {
    plugin,
    config,
    home,
    now,
    log: { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") },
    storage: Object.fromEntries(
      verbs.map((verb) => [verb, (input: unknown) => ask(call, `${storage}${verb}`, input)]),
    ) as StorageClient,
    complete: (request) => ask(call, "complete", request) as ReturnType<PluginContext["complete"]>,
    endless: Object.fromEntries(
      endlessMethods.map((name) => [
        name,
        (...input: unknown[]) => ask(call, `endless.${name}`, ...input),
      ]),
    ) as unknown as EndlessClient,
  };
}

/** So many questions of a plugin are under way at once; more of them wait inside the worker. */
const maxAsks = 8;

interface WorkerPluginEnds {
  say(said: Said): void;
  log: WorkerContextEnds["log"];
}

/**
 * Answers the host's messages in the name of one plugin. Never throws.
 * Long because its short answers share what the plugin opened.
 */
export function createWorkerPlugin(setup: Setup, { say, log }: WorkerPluginEnds) {
  const { source, home, clockMs } = setup;
  const own = dirname(source);
  const now = () => Date.now() + clockMs;
  const calls = new Map<number, AbortController>();
  const asks = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const queue: Array<() => void> = [];
  let lastAsk = 0;
  let importMs = 0;
  let importing: Promise<AnyPlugin> | undefined;
  let config: unknown;
  let state: unknown;

  function imported(): Promise<AnyPlugin> {
    const begun = performance.now();
    importing ??= importPlugin(source).finally(() => {
      importMs = performance.now() - begun;
    });
    return importing;
  }

  function ask(call: number, what: AskWhat, ...input: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const send = () => {
        const id = ++lastAsk;
        asks.set(id, { resolve, reject });
        try {
          say({ type: "ask", ask: id, call, what, input });
        } catch (error) {
          asks.delete(id);
          reject(error instanceof Error ? error : new TypeError(String(error)));
        }
      };
      if (asks.size < maxAsks) send();
      else queue.push(send);
    });
  }

  function answered({ ask: id, value, error }: Extract<ToWorker, { type: "answer" }>): void {
    const waiting = asks.get(id);
    asks.delete(id);
    queue.shift()?.();
    if (error) waiting?.reject(unpackError(error));
    else waiting?.resolve(value);
  }

  function context(plugin: string, call = 0) {
    return workerContext(config, { plugin, home, now, log, ask }, call);
  }

  async function describe() {
    const plugin = await imported();
    const text = await readFile(source, "utf8").catch(() => "");
    return describePlugin(plugin, { source, text, importMs });
  }

  async function start(options: Readonly<Record<string, unknown>>) {
    const plugin = await imported();
    config = parseOptions(plugin, options);
    state = await plugin.start?.(context(plugin.name));
    return undefined;
  }

  async function call({ id, hook, input, hasNext }: Extract<ToWorker, { type: "call" }>) {
    const plugin = await imported();
    const declared = handlers(plugin).get(hook);
    if (!declared) throw new MemoirError("plugin_invalid", `it has no hook ${hook} any more`);
    const controller = new AbortController();
    calls.set(id, controller);
    const own = {
      ...context(plugin.name, id),
      state,
      signal: controller.signal,
      ...(hasNext ? { next: (changed?: unknown) => rest(id, changed ?? input) } : {}),
    };
    // As in the server itself: an input is read-only at its top level.
    const result = await declared(Object.freeze(input), own);
    const wrong = objection(result, maxResultBytes);
    if (wrong !== undefined) throw new TypeError(wrong);
    return result;
  }

  function rest(id: number, input: unknown): Promise<unknown> {
    const asked = ask(id, "next", input);
    // A handler may leave it alone; its failure is reported where it happened.
    asked.catch(() => undefined);
    return asked;
  }

  async function stop() {
    const plugin = await imported();
    await plugin.stop?.(state, context(plugin.name));
    return undefined;
  }

  async function answer(id: number, work: () => unknown): Promise<void> {
    try {
      const value = await work();
      say({ type: "done", id, value });
    } catch (error) {
      say({ type: "failed", id, error: packError(error, own) });
    } finally {
      calls.delete(id);
    }
  }

  return function hear(message: ToWorker): void {
    switch (message.type) {
      case "setup":
        return;
      case "describe":
        void answer(message.id, describe);
        return;
      case "check":
        void answer(message.id, async () => checkPluginOptions(await imported(), message.options));
        return;
      case "start":
        void answer(message.id, () => start(message.options));
        return;
      case "call":
        void answer(message.id, () => call(message));
        return;
      case "stop":
        void answer(message.id, stop);
        return;
      case "abort":
        calls.get(message.id)?.abort(new MemoirError("plugin_deadline", "the deadline has passed"));
        return;
      case "answer":
        answered(message);
        return;
      case "ping":
        say({ type: "pong", id: message.id, heapBytes: process.memoryUsage().heapUsed });
    }
  };
}

type Handler = (input: unknown, ctx: object) => unknown;
const known = new WeakMap<AnyPlugin, Map<string, Handler>>();

function handlers(plugin: AnyPlugin): Map<string, Handler> {
  const found =
    known.get(plugin) ??
    new Map(
      declarations(plugin)
        .filter(({ hook }) => Object.hasOwn(hookKinds, hook))
        .map(({ hook, handler }): [string, Handler] => [hook, handler]),
    );
  known.set(plugin, found);
  return found;
}

// A plugin as data that crosses the wire: what it declares, and what it makes of its options.

/** What only who imported the module knows. */
interface Imported {
  source: string;
  /** The module's own text, to find its hooks in. */
  text: string;
  importMs: number;
}

/** Everything about a plugin that can be known without starting it. */
export async function describePlugin(plugin: AnyPlugin, imported: Imported): Promise<Described> {
  const { name, description, sdk, slot, events, config } = plugin;
  const schema = config && (await jsonSchema(config));
  return {
    name,
    description,
    sdk,
    ...(slot === undefined ? {} : { slot: typeof slot === "string" ? slot : [...slot] }),
    ...(events === undefined ? {} : { events: [...events] }),
    hooks: hooksOf(plugin, imported),
    ...(schema === undefined ? {} : { config: schema }),
    hasStart: plugin.start !== undefined,
    importMs: Math.round(imported.importMs * 10) / 10,
  };
}

function hooksOf(plugin: AnyPlugin, { source, text }: Imported): DescribedHook[] {
  return declarations(plugin).map(({ hook, order, filter }) => {
    const entry = plugin.hooks[hook];
    const own = typeof entry === "object" ? entry.deadlineMs : undefined;
    const line = lineOfHook(text, hook);
    return {
      hook,
      order,
      ...(filter ? { filter: structuredClone(filter) } : {}),
      ...(own === undefined ? {} : { deadlineMs: typeof own === "function" ? "config" : own }),
      ...(line === undefined ? {} : { place: `${source}:${line}` }),
    };
  });
}

async function jsonSchema(config: GenericSchema): Promise<Record<string, unknown> | undefined> {
  try {
    const { toJsonSchema } = await import("@valibot/to-json-schema");
    const schema = toJsonSchema(config, { errorMode: "ignore", typeMode: "input" });
    // What cannot be written as JSON (a default that is a class) would not cross the wire.
    return JSON.parse(JSON.stringify(schema));
  } catch {
    return undefined;
  }
}

/** What the plugin's own schema says about options, and the deadlines that follow from them. */
export function checkPluginOptions(
  plugin: AnyPlugin,
  options: Readonly<Record<string, unknown>>,
): Checked {
  const { problems, config } = checkAgainst(plugin, options);
  if (problems.length > 0) return { problems: problems.map(plainProblem), deadlines: {} };
  const deadlines: Partial<Record<HookName, number>> = {};
  for (const { hook, deadlineMs } of declarations(plugin, config)) {
    const entry = plugin.hooks[hook];
    if (typeof entry === "object" && typeof entry.deadlineMs === "function")
      deadlines[hook] = deadlineMs;
  }
  const crosses = objection(config, maxResultBytes) === undefined;
  return { problems: [], ...(crosses ? { config } : {}), deadlines };
}

function plainProblem({ path, message, fix }: ConfigProblem): ConfigProblem {
  return { path, message, ...(fix === undefined ? {} : { fix }) };
}
