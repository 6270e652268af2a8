// Inside a worker: one plugin, from its import to its stop, as the host's messages ask for it.
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { MemoirError } from "../../sdk/errors.ts";
import { hookKinds } from "../../sdk/hooks.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { declarations } from "../hooks/subscription.ts";
import { importPlugin } from "../plugins/import-plugin.ts";
import { parseOptions } from "../plugins/plugin-config.ts";
import { checkPluginOptions, describePlugin } from "./describe-plugin.ts";
import { objection } from "./measure.ts";
import { type AskWhat, maxResultBytes, type Said, type Setup, type ToWorker } from "./wire.ts";
import { packError, unpackError } from "./wire-error.ts";
import { type WorkerContextEnds, workerContext } from "./worker-context.ts";

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
