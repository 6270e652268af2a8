// Inside a worker: `ctx`, whose storage, model and Endless Mode are asked of the host over the wire.
import type { PluginContext, StorageClient } from "../../sdk/context.ts";
import type { EndlessClient } from "../../sdk/endless.ts";
import { hookKinds } from "../../sdk/hooks.ts";
import type { AskWhat, LogLevel } from "./wire.ts";

/** What a context is made from, inside a worker. */
export interface WorkerContextEnds {
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
