// A plugin's worker, from inside: puts up the guards, offers the SDK, then answers the host in the name of one plugin, from its import to its stop.

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { noData, type OpenData } from "../../home/database/plugin-data.ts";
import { memoirPaths } from "../../home/paths.ts";
import { refusalBehind } from "../../host/hold-to.ts";
import type { PluginContext, StorageClient } from "../../sdk/context.ts";
import type { EndlessClient } from "../../sdk/endless.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type HookName, hookKinds } from "../../sdk/hooks.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { partsOf } from "../hooks/parts.ts";
import { type AnyHandler, declarations } from "../hooks/subscription.ts";
import { checkOptions, parseOptions } from "../plugins/check-plugin.ts";
import { openData } from "../plugins/declared-data.ts";
import { bringsWithAnswers, importPlugin, schemaOf } from "../plugins/import-plugin.ts";
import { offerSdk } from "../plugins/sdk-module.ts";
import { createAllowance } from "./allowance.ts";
import { guardProcess } from "./guard-process.ts";
import type { Answers, Checked, Described } from "./isolated-plugin.ts";
import { lineOfHook, packError } from "./thrown.ts";
import {
  type Ask,
  createPeer,
  createStreams,
  type FromWorker,
  type LogLevel,
  type Options,
  type Said,
  type Setup,
  type ToWorker,
} from "./wire.ts";

/** The part of a worker's global scope that is used here. */
interface Scope {
  postMessage(message: unknown): void;
  onmessage: ((event: { data: ToWorker }) => void) | null;
}

const scope = globalThis as unknown as Scope;
const post = scope.postMessage.bind(scope);

/** Takes over from the worker's entry, with what was said until then. */
export function hearFrom(waiting: readonly ToWorker[]): void {
  let hear: ((message: ToWorker) => void) | undefined;
  scope.onmessage = ({ data }) => {
    if (hear) hear(data);
    else if (data.type === "setup") hear = begin(data);
  };
  for (const data of waiting) scope.onmessage({ data });
}

function begin(setup: Setup) {
  const say = (said: Said) => post({ token: setup.token, said } satisfies FromWorker);
  const log = createWorkerLog(say);
  // A plugin that posts by itself would only be cut off for it.
  scope.postMessage = () => log("warn", "a message to nobody was left out");
  offerSdk();
  const own = dirname(setup.source);
  // Each costs the host a line of its log; of a flood the number is enough.
  const strays = createAllowance(10, 1);
  let leftOut = 0;
  guardProcess({
    own,
    log,
    exit: (code, place) => say({ type: "exit", code, ...(place !== undefined && { place }) }),
    stray(error) {
      if (!strays.take()) {
        leftOut++;
        return;
      }
      say({ type: "stray", error: packError(error, own), before: leftOut });
      leftOut = 0;
    },
  });
  return createWorkerPlugin(setup, { say, log });
}

const maxMessage = 2_000;
const maxFieldBytes = 16_384;

/** A sink for log lines, bounded: a flood is counted and dropped before it costs the host anything. */
function createWorkerLog(say: (said: Extract<Said, { type: "log" }>) => void, now?: () => number) {
  const lines = createAllowance(100, 50, now);
  let dropped = 0;

  return function log(level: LogLevel, message: unknown, fields?: Record<string, unknown>): void {
    if (!lines.take()) {
      dropped++;
      return;
    }
    const sent = { ...plain(fields), ...(dropped > 0 && { droppedBefore: dropped }) };
    dropped = 0;
    say({
      type: "log",
      level,
      message: String(message).slice(0, maxMessage),
      ...(Object.keys(sent).length > 0 && { fields: sent }),
    });
  };
}

/** Fields that can cross: errors as their words, and nothing where the rest is too large. */
function plain(fields: Record<string, unknown> | undefined): Record<string, unknown> {
  if (typeof fields !== "object" || fields === null) return {};
  const made: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    made[name] = value instanceof Error ? packError(value).message : value;
  const wrong = objection(made, maxFieldBytes);
  return wrong === undefined ? made : { fieldsLeftOut: wrong };
}

// Inside a worker: one plugin, from its import to its stop, as the host asks for it.

const verbs = Object.keys(hookKinds).filter((name) => name.startsWith("storage."));
const endlessMethods = [
  "original",
  "keep",
  "kept",
  "note",
  "decide",
  "decided",
  "figures",
  "settled",
] as const;

/** So many questions of a plugin are under way at once; more of them wait inside the worker. */
const maxAsks = 8;
/** Characters and bytes that one result may hold. */
const maxResultBytes = 8 * 1024 * 1024;

interface WorkerEnds {
  say(said: Said): void;
  log(level: LogLevel, message: string, fields?: Record<string, unknown>): void;
}

/**
 * Answers the host's messages in the name of one plugin. Never throws.
 * Long because its short answers share what the plugin opened.
 */
function createWorkerPlugin(setup: Setup, { say, log }: WorkerEnds) {
  const { source, name, home, clockMs, reach } = setup;
  if (reach) reach.log = (refused) => log("warn", refused);
  const peer = createPeer({ post: say, answer, atOnce: maxAsks, ownFolder: dirname(source) });
  const streams = createStreams();
  let importing: Promise<AnyPlugin> | undefined;
  let importMs = 0;
  let config: unknown;
  let state: unknown;
  let data: OpenData | undefined;

  function imported(): Promise<AnyPlugin> {
    const begun = performance.now();
    importing ??= importPlugin(source, home)
      .then((plugin) => (name === undefined ? plugin : { ...plugin, name }))
      .finally(() => {
        importMs = performance.now() - begun;
      });
    return importing;
  }

  async function answer(ask: Ask, signal: AbortSignal): Promise<unknown> {
    try {
      return await answerPlainly(ask, signal);
    } catch (error) {
      throw reach ? refusalBehind(error, reach) : error;
    }
  }

  async function answerPlainly(ask: Ask, signal: AbortSignal): Promise<unknown> {
    if (ask.what === "ping") return process.memoryUsage().heapUsed;
    const plugin = await imported();
    const [input] = ask.input;
    switch (ask.what) {
      case "describe":
        return {
          described: await describePlugin(plugin, source, importMs),
          checked: checkPluginOptions(plugin, input as Options),
        } satisfies Answers;
      case "start":
        config = parseOptions(plugin, input as Options);
        if (reach) reach.data = join(memoirPaths(home).data, `${plugin.name}.db`);
        data = await openData(plugin, home, source);
        state = await plugin.start?.(context(plugin.name, 0));
        return undefined;
      case "stop":
        await plugin.stop?.(state, context(plugin.name, 0));
        data?.close();
        return undefined;
      default:
        return call(plugin, ask, signal);
    }
  }

  async function call(plugin: AnyPlugin, { id, what, input }: Ask, signal: AbortSignal) {
    const own = handlerOf(plugin, what) ?? streams.handler(what);
    const handler = own && what === "routes" ? streams.around(own) : own;
    if (!handler) throw new MemoirError("plugin_invalid", `it has no hook ${what} any more`);
    const [given, hasNext] = input;
    function next(changed: unknown = given): Promise<unknown> {
      const rest = peer.ask("next", [changed], { during: id });
      // A handler may leave it alone; its failure is reported where it happened.
      rest.catch(() => undefined);
      return rest;
    }
    const ctx = { ...context(plugin.name, id), state, signal, ...(hasNext === true && { next }) };
    // As in the server itself: an input is read-only at its top level.
    const result = await handler(Object.freeze(given), ctx);
    const wrong = objection(result, maxResultBytes);
    if (wrong !== undefined) throw new TypeError(wrong);
    return result;
  }

  /** `ctx` without state, signal and `next`: storage, a model and Endless Mode are asked of the host, in the name of a call. */
  function context(plugin: string, during: number): PluginContext {
    const method =
      (what: string) =>
      (...input: unknown[]): Promise<unknown> =>
        peer.ask(what, input, { during });
    const at =
      (level: LogLevel) =>
      (message: string, fields?: Record<string, unknown>): void =>
        log(level, message, fields);
    const storage = verbs.map((name) => [name.slice("storage.".length), method(name)]);
    const endless = endlessMethods.map((name) => [name, method(`endless.${name}`)]);
    return {
      plugin,
      config,
      home,
      now: () => Date.now() + clockMs,
      log: { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") },
      storage: Object.fromEntries(storage) as StorageClient,
      complete: method("complete") as PluginContext["complete"],
      data: data?.client ?? noData(plugin),
      endless: Object.fromEntries(endless) as EndlessClient,
    };
  }

  return (message: ToWorker): void => {
    if (message.type !== "setup") peer.hear(message);
  };
}

/** What answers a hook, or a part that the plugin brings. */
function handlerOf(plugin: AnyPlugin, what: string): AnyHandler | undefined {
  const entry = Object.hasOwn(hookKinds, what) ? plugin.hooks[what as HookName] : undefined;
  if (entry) return (typeof entry === "function" ? entry : entry.handler) as AnyHandler;
  return partsOf(plugin).find(({ part }) => part === what)?.handler;
}

/** Everything about a plugin that can be known without starting it. */
async function describePlugin(
  plugin: AnyPlugin,
  source: string,
  importMs: number,
): Promise<Described> {
  const { name, description, sdk, slot, events, clients } = plugin;
  // Its hooks are looked for in the module's own text.
  const text = await readFile(source, "utf8").catch(() => "");
  const schema = await schemaOf(plugin).catch(() => undefined);
  const hooks = declarations(plugin).map(({ hook, order, filter }): Described["hooks"][number] => {
    const own = declaredDeadline(plugin, hook);
    const line = lineOfHook(text, hook);
    return {
      hook,
      order,
      ...(filter && { filter: structuredClone(filter) }),
      ...(own !== undefined && { deadlineMs: typeof own === "function" ? "config" : own }),
      ...(line !== undefined && { place: `${source}:${line}` }),
    };
  });
  const brings = await bringsWithAnswers(plugin);
  const places = partsOf(plugin).flatMap(({ part }) => {
    const line = lineOfHook(text, part.replace(/^\w+\./, ""));
    return line === undefined ? [] : [[part, `${source}:${line}`]];
  });
  return {
    name,
    description,
    sdk,
    hooks,
    ...(Object.keys(brings).length > 0 && {
      brings: structuredClone(brings),
      places: Object.fromEntries(places),
    }),
    ...(slot !== undefined && { slot: typeof slot === "string" ? slot : [...slot] }),
    ...(events !== undefined && { events: [...events] }),
    ...(clients !== undefined && { clients: structuredClone(clients) }),
    // What cannot be written as JSON (a default that is a class) would not cross to the host.
    ...(schema && { config: JSON.parse(JSON.stringify(schema)) }),
    hasStart: plugin.start !== undefined,
    importMs: Math.round(importMs * 10) / 10,
  };
}

function declaredDeadline(plugin: AnyPlugin, hook: HookName) {
  const entry = plugin.hooks[hook];
  return typeof entry === "object" ? entry.deadlineMs : undefined;
}

/** What the plugin's own schema says about options, and the deadlines that follow from them. */
function checkPluginOptions(plugin: AnyPlugin, options: Options): Checked {
  const { problems, config } = checkOptions(plugin, options);
  const deadlines: Checked["deadlines"] = {};
  if (problems.length > 0) return { problems, deadlines };
  for (const { hook, deadlineMs } of declarations(plugin, config))
    if (typeof declaredDeadline(plugin, hook) === "function") deadlines[hook] = deadlineMs;
  const crosses = objection(config, maxResultBytes) === undefined;
  return { problems, deadlines, ...(crosses && { config }) };
}

// Is a value small enough and cloneable? Asked before it crosses to the host, where a huge one would cost everybody.

/** What keeps a value from crossing, in words; undefined when nothing does. Sizes are rough: text by its length. */
function objection(value: unknown, maxBytes: number): string | undefined {
  let bytes = 0;
  const seen = new Set<object>();
  // A list instead of recursion: a plugin's answer may be nested deeper than the stack.
  const rest: Array<{ value: unknown; path: string }> = [{ value, path: "" }];
  for (let one = rest.pop(); one; one = rest.pop()) {
    const { value: inner, path } = one;
    bytes += 8;
    if (typeof inner === "string") bytes += inner.length;
    else if (typeof inner === "function" || typeof inner === "symbol")
      return `it answered a ${typeof inner}${path && ` at ${path}`}, which cannot be sent`;
    else if (typeof inner === "object" && inner !== null) {
      if (seen.has(inner)) continue;
      seen.add(inner);
      if (typeof (inner as { then?: unknown }).then === "function")
        return `it answered a promise${path && ` at ${path}`}, which cannot be sent`;
      bytes += sizeOf(inner);
      for (const [key, part] of piecesOf(inner)) {
        bytes += key.length;
        if (bytes > maxBytes) break;
        rest.push({ value: part, path: path ? `${path}.${key}` : key });
      }
    }
    if (bytes > maxBytes)
      return `it answered more than the ${Math.floor(maxBytes / 1_048_576)} MB that one answer may hold`;
  }
  return undefined;
}

function sizeOf(value: object): number {
  if (value instanceof ArrayBuffer) return value.byteLength;
  return ArrayBuffer.isView(value) ? value.byteLength : 0;
}

function* piecesOf(value: object): Iterable<[string, unknown]> {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return;
  if (value instanceof Map || value instanceof Set) {
    let at = 0;
    for (const part of value.values()) yield [String(at++), part];
    return;
  }
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) yield [String(at), value[at]];
    return;
  }
  yield* Object.entries(value);
}
