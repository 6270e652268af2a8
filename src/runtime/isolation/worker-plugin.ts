// Inside a worker: one plugin, from its import to its stop, as the host asks for it.
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import type { PluginContext, StorageClient } from "../../sdk/context.ts";
import type { EndlessClient } from "../../sdk/endless.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type HookName, hookKinds } from "../../sdk/hooks.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { type AnyHandler, declarations } from "../hooks/subscription.ts";
import { importPlugin, schemaOf } from "../plugins/import-plugin.ts";
import { checkOptions, parseOptions } from "../plugins/plugin-config.ts";
import { objection } from "./measure.ts";
import type {
  Ask,
  Checked,
  Described,
  LogLevel,
  Options,
  Said,
  Setup,
  ToWorker,
} from "./messages.ts";
import { createPeer } from "./peer.ts";
import { lineOfHook } from "./thrown.ts";

const verbs = Object.keys(hookKinds).filter((name) => name.startsWith("storage."));
const endlessMethods = ["original", "keep", "kept", "note", "figures", "settled"] as const;

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
export function createWorkerPlugin({ source, home, clockMs }: Setup, { say, log }: WorkerEnds) {
  const peer = createPeer({ post: say, answer, atOnce: maxAsks, ownFolder: dirname(source) });
  let importing: Promise<AnyPlugin> | undefined;
  let importMs = 0;
  let config: unknown;
  let state: unknown;

  function imported(): Promise<AnyPlugin> {
    const begun = performance.now();
    importing ??= importPlugin(source).finally(() => {
      importMs = performance.now() - begun;
    });
    return importing;
  }

  async function answer(ask: Ask, signal: AbortSignal): Promise<unknown> {
    if (ask.what === "ping") return process.memoryUsage().heapUsed;
    const plugin = await imported();
    const [input] = ask.input;
    switch (ask.what) {
      case "describe":
        return describePlugin(plugin, source, importMs);
      case "check":
        return checkPluginOptions(plugin, input as Options);
      case "start":
        config = parseOptions(plugin, input as Options);
        state = await plugin.start?.(context(plugin.name, 0));
        return undefined;
      case "stop":
        await plugin.stop?.(state, context(plugin.name, 0));
        return undefined;
      default:
        return call(plugin, ask, signal);
    }
  }

  async function call(plugin: AnyPlugin, { id, what, input }: Ask, signal: AbortSignal) {
    const entry = Object.hasOwn(hookKinds, what) ? plugin.hooks[what as HookName] : undefined;
    const handler = typeof entry === "function" ? entry : entry?.handler;
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
    const result = await (handler as AnyHandler)(Object.freeze(given), ctx);
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
      endless: Object.fromEntries(endless) as EndlessClient,
    };
  }

  return (message: ToWorker): void => {
    if (message.type !== "setup") peer.hear(message);
  };
}

/** Everything about a plugin that can be known without starting it. */
async function describePlugin(
  plugin: AnyPlugin,
  source: string,
  importMs: number,
): Promise<Described> {
  const { name, description, sdk, slot, events } = plugin;
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
  return {
    name,
    description,
    sdk,
    hooks,
    ...(slot !== undefined && { slot: typeof slot === "string" ? slot : [...slot] }),
    ...(events !== undefined && { events: [...events] }),
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
  if (problems.length > 0)
    return {
      problems: problems.map(({ path, message, fix }) => ({
        path,
        message,
        ...(fix !== undefined && { fix }),
      })),
      deadlines,
    };
  for (const { hook, deadlineMs } of declarations(plugin, config))
    if (typeof declaredDeadline(plugin, hook) === "function") deadlines[hook] = deadlineMs;
  const crosses = objection(config, maxResultBytes) === undefined;
  return { problems, deadlines, ...(crosses && { config }) };
}
