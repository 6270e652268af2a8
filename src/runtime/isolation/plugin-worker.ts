// The host's side of one plugin's worker, over all its lives: a new one begins with the first call after the last one ended.

import { MemoirError } from "../../sdk/errors.ts";
import type { HookName } from "../../sdk/hooks.ts";
import { within } from "../../sdk/within.ts";
import { standStill } from "../hooks/invoke.ts";
import type { CallContext } from "./answer-ask.ts";
import { beginLife, type PluginWorkerOptions, type WorkerLife } from "./worker-life.ts";

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

/** On a busy machine a new worker takes its time; up to this long, that is not the plugin's fault. */
const spawnGraceMs = 1_000;

/** Nothing is spawned before the first call. */
export function createPluginWorker(options: PluginWorkerOptions): PluginWorker {
  const { plugin, context } = options;
  let life: WorkerLife | undefined;
  let isStopped = false;

  function begin(): WorkerLife {
    const one = beginLife(options, () => {
      if (life === one) life = undefined;
    });
    return one;
  }

  function current(): WorkerLife {
    if (isStopped)
      throw new MemoirError("plugin_failed", `plugin ${plugin} has been stopped`, { plugin });
    life ??= begin();
    return life;
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
      const late = () => void one.takeBack(id);
      try {
        return await one.ask(hook, ctx, (number) => {
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
        await one.ask("stop", context, (id) => ({ type: "stop", id }));
      } finally {
        one.end();
      }
    },
    end() {
      isStopped = true;
      life?.end();
    },
  };
}

/** Resolves when `work` is done, or after a while: somebody waits for the answer. */
async function soon(work: Promise<void>): Promise<void> {
  await within(
    spawnGraceMs,
    work.catch(() => undefined),
    undefined,
  );
}
