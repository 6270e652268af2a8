// A plugin whose handlers call its worker: to the registry and the hooks it is a plugin like any other.
import type { PluginContext } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type HookName, hookKinds } from "../../sdk/hooks.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { within } from "../../sdk/within.ts";
import { standStill } from "../hooks/invoke.ts";
import type { CallContext } from "./calls.ts";
import { isolate } from "./isolated.ts";
import type { Checked, Described } from "./wire.ts";
import type { PluginWorkerOptions, WorkerLife } from "./worker-life.ts";
import { beginLife } from "./worker-life.ts";

interface ProxyOptions {
  source: string;
  described: Described;
  check(options: Readonly<Record<string, unknown>>): Promise<Checked>;
  /** Bytes that the worker may hold. */
  maxBytes: number;
}

/** What stands behind a config in the host. */
interface Configured {
  options: Readonly<Record<string, unknown>>;
  deadlines: Checked["deadlines"];
}

type ProxyContext = CallContext & { state: PluginWorker };

/** A person or an agent waits for these: the worker is there before the first call. Others begin with it. */
function isWaitedFor(hook: HookName): boolean {
  return hook === "capture" || hook === "request" || hookKinds[hook] === "sequence";
}

/** Makes the stand-in. Its `start` spawns the worker; one that only answers hooks is warmed up a little later. */
export function proxyPlugin({ source, described, check, maxBytes }: ProxyOptions): AnyPlugin {
  const { name, description, slot, events, hasStart } = described;
  const configs = new WeakMap<object, Configured>();
  const workers = new WeakMap<object, PluginWorker>();

  const behind = (config: unknown): Configured | undefined =>
    typeof config === "object" && config !== null ? configs.get(config) : undefined;

  function subscription({ hook, order, filter, deadlineMs, place }: Described["hooks"][number]) {
    return {
      handler: (input: unknown, ctx: ProxyContext) => ctx.state.call(hook, input, ctx),
      ...(order ? { order } : {}),
      ...(filter ? { filter } : {}),
      ...(place ? { place } : {}),
      ...(deadlineMs === undefined
        ? {}
        : {
            deadlineMs:
              deadlineMs === "config"
                ? (config: unknown) => behind(config)?.deadlines[hook as HookName]
                : deadlineMs,
          }),
    };
  }

  const plugin = {
    name,
    description,
    sdk: described.sdk,
    ...(slot === undefined ? {} : { slot }),
    ...(events === undefined ? {} : { events }),
    hooks: Object.fromEntries(described.hooks.map((one) => [one.hook, subscription(one)])),
    async start(context: PluginContext) {
      const options = behind(context.config)?.options ?? {};
      const worker = createPluginWorker({ plugin: name, source, options, context, maxBytes });
      workers.set(context, worker);
      if (hasStart) await worker.ready();
      else if (described.hooks.some(({ hook }) => isWaitedFor(hook))) warm(() => worker.ready());
      return worker;
    },
    stop: (worker: PluginWorker | undefined) => worker?.stop(),
  } as unknown as AnyPlugin;
  isolate(plugin, {
    source,
    described,
    check,
    configFor(options, { config, deadlines }) {
      const shown = { ...(typeof config === "object" ? config : undefined) };
      configs.set(shown, { options, deadlines });
      return shown;
    },
    abandon: (context) => workers.get(context)?.end(),
  });
  return plugin;
}

// The host's side of one plugin's worker, over all its lives: a new one begins with the first call after the last one ended.

/** A plugin's worker, over all its lives. */
interface PluginWorker {
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
function createPluginWorker(options: PluginWorkerOptions): PluginWorker {
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

// Workers that nobody waits for are spawned one after the other, so that many plugins do not slow down a start.

let last: Promise<unknown> = Promise.resolve();

/** Does the work after all that was given before. What it rejects with is for whoever asks it again. */
function warm(work: () => Promise<unknown>): void {
  last = last.then(work).catch(() => undefined);
}
