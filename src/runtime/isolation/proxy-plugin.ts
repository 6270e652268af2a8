// A plugin whose handlers call its worker: to the registry and the hooks it is a plugin like any other.
import type { PluginContext } from "../../sdk/context.ts";
import { type HookName, hookKinds } from "../../sdk/hooks.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import type { CallContext } from "./answer-ask.ts";
import { isolate } from "./isolated.ts";
import { createPluginWorker, type PluginWorker } from "./plugin-worker.ts";
import { warm } from "./warm.ts";
import type { Checked, Described } from "./wire.ts";

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
