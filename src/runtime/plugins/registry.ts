// The plugins in force: loaded, configured and started as config says, with a fallback where a slot would stand empty.

import { errorWithFix } from "../../home/describe-error.ts";
import type { PluginContext } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type Slot, slotNames } from "../../sdk/plugin.ts";
import type { LoadPlugin } from "../builtins.ts";
import type { Config } from "../config/schema.ts";
import type { RunningPlugin } from "../hooks/subscription.ts";
import type { Oversight } from "../isolation/oversight.ts";
import type { PluginInfo } from "../ports.ts";
import type { ContextTools } from "./bind-context.ts";
import { choosePlugins, type LocalPlugin } from "./choose.ts";
import {
  checkSlots,
  disabled,
  failed,
  fillsOf,
  type Named,
  ownFirst,
  refuseSecond,
  running,
} from "./describe.ts";
import { fingerprint } from "./fingerprint.ts";
import { forgetModules } from "./forget-modules.ts";
import type { Entry } from "./instance.ts";
import { type Instance, type LifeDeadlines, startInstance } from "./instance.ts";
import type { LoadedPlugin } from "./load-plugin.ts";
import { loadPlugin } from "./load-plugin.ts";
import type { Places } from "./locate.ts";
import { whereIs } from "./locate.ts";
import { optionsOf } from "./plugin-config.ts";
import type { Wanted } from "./selection.ts";
import { defaultSlots, hasFallback } from "./selection.ts";
import { stopAll } from "./stop-all.ts";

// Which built-ins take over in a slot: because everybody in it failed to start, or while everybody in it is paused.

/** After everybody whom config names. */
const standbyPlace = 1_000_000;

/**
 * Slots that only the user's plugins fill, each with the built-in that stands by. Records stay with the storage that
 * config names: its work waits instead. Nobody stands by for a provider.
 */
function standbys(
  entries: readonly Entry[],
  builtins: Readonly<Record<string, LoadPlugin>>,
): Array<[Slot, string]> {
  return (["observation", "summarization"] as const).flatMap((slot): Array<[Slot, string]> => {
    const filling = entries.filter(({ fills }) => fills[slot] !== undefined);
    if (filling.length === 0 || filling.some(({ loaded }) => loaded.origin === "built-in"))
      return [];
    return defaultSlots[slot]
      .filter((reference) => Object.hasOwn(builtins, reference))
      .map((reference) => [slot, reference]);
  });
}

/** Built-ins for slots that a failure left without anybody. */
function fallbacks(
  empty: ReadonlySet<Slot>,
  entries: readonly Entry[],
  tried: readonly PluginInfo[],
): Wanted[] {
  const wanted: Wanted[] = [];
  for (const slot of empty) {
    if (!hasFallback(slot) || entries.some(({ fills }) => fills[slot] !== undefined)) continue;
    for (const reference of defaultSlots[slot]) {
      const there = entries.find((entry) => entry.reference === reference);
      if (there) there.fills[slot] = 0;
      else if (!tried.some(({ name }) => name === reference))
        wanted.push({ reference, fills: { [slot]: 0 } });
    }
  }
  return wanted;
}

export interface RegistryOptions extends ContextTools {
  config: Config;
  builtins: Readonly<Record<string, LoadPlugin>>;
  /** For `~` in paths. */
  userHome: string;
  deadlines?: LifeDeadlines;
  /** Plugins of projects that the user allowed. */
  local?: readonly LocalPlugin[];
  /** Started plugins that are wanted with the same options go on instead of being started anew. */
  previous?: Registry;
  /** Watches over plugins that are not built in; without it none is ever paused. */
  oversight?: Oversight;
}

/** Plugins after their start. */
export interface Registry {
  /** In the order of the slots, then listeners. */
  running: readonly RunningPlugin[];
  /** Also those that are disabled or failed. */
  infos: readonly PluginInfo[];
  /** A capture plugin is missing: what it would have removed cannot be known. */
  captureBroken: boolean;
  /** A plugin failed in its start, for a reason that may pass: a full disk, a server that is away. */
  mayStartLater: boolean;
  /** Stops in reverse order, storage after all that read it, except what `next` goes on with. Never rejects. */
  stop(next?: Registry): Promise<void>;
  /** What runs, by reference. */
  entries: readonly Entry[];
}

/**
 * Starts what config wants. Never rejects: a plugin that fails is reported in `infos`, the others go on.
 * Long because each of its steps may fail for one plugin and go on for the others, over one list.
 */
export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  const { config, log, previous } = options;
  const entries: Entry[] = [];
  const infos: PluginInfo[] = [];
  const empty = new Set<Slot>();
  let captureBroken = false;
  let mayStartLater = false;
  const loader = createLoader(options, previous?.entries ?? []);

  async function take(wanted: Wanted): Promise<void> {
    const { reference } = wanted;
    let loaded: LoadedPlugin | undefined;
    try {
      loaded = await loader.load(reference);
      const { name } = loaded.plugin;
      if (config.plugins[name]?.enabled === false) {
        infos.push(disabled(loaded));
        return;
      }
      refuseSecond({ ...wanted, name }, entries.map(named));
      checkSlots(loaded.plugin, wanted);
      entries.push(await start(wanted, loaded));
    } catch (error) {
      log.error("a plugin is not in force", { plugin: reference, error });
      if (keepEarlier(wanted, error)) return;
      infos.push(failed(wanted, loaded, error, options.builtins));
      for (const slot of fillsOf(wanted)) empty.add(slot);
      if (wanted.fills.capture !== undefined) captureBroken = true;
      if (loaded && mayPass(error)) mayStartLater = true;
    }
  }

  /** A plugin whose changed files do not work goes on as it was. */
  function keepEarlier({ reference, fills }: Wanted, error: unknown): boolean {
    const before = previous?.entries.find((entry) => entry.reference === reference);
    if (!before || !loader.changed.has(reference)) return false;
    const { loaded } = before;
    if (entries.some((entry) => entry.loaded.plugin.name === loaded.plugin.name)) return false;
    entries.push({ ...before, fills, notInForce: errorWithFix(error) });
    return true;
  }

  async function start(
    { reference, fills, projects }: Wanted,
    loaded: LoadedPlugin,
  ): Promise<Entry> {
    const own = optionsOf(config.plugins[loaded.plugin.name]);
    const text = JSON.stringify(own);
    const before = previous?.entries.find((entry) => entry.reference === reference);
    const instance =
      before && before.options === text && before.loaded === loaded
        ? before.instance
        : await startNoted(loaded, own);
    const notInForce = loader.stale.get(reference);
    return {
      reference,
      loaded,
      options: text,
      fills,
      instance,
      ...(projects && { projects }),
      ...(notInForce && { notInForce }),
    };
  }

  /** A start may be what ends the process. */
  async function startNoted(
    loaded: LoadedPlugin,
    own: ReturnType<typeof optionsOf>,
  ): Promise<Instance> {
    const isOurs = loaded.origin === "built-in";
    const done = isOurs ? undefined : options.oversight?.starts(loaded.plugin.name);
    try {
      return await startInstance(loaded, own, options, options.deadlines);
    } finally {
      done?.();
    }
  }

  /** Built-ins that take over while everybody in their slot is paused. */
  async function standBy(slot: Slot, reference: string): Promise<void> {
    const there = entries.find((entry) => entry.reference === reference);
    const place = { [slot]: standbyPlace };
    if (!there) await take({ reference, fills: place });
    else there.fills = { ...there.fills, ...place };
    const entry = entries.find((listed) => listed.reference === reference);
    if (entry) entry.standby = [...(entry.standby ?? []), slot];
  }

  const choice = await choosePlugins({ ...options, load: loader.load });
  infos.push(...choice.others);
  if (choice.captureBroken) captureBroken = true;
  for (const wanted of ownFirst(choice.wanted)) await take(wanted);
  for (const wanted of fallbacks(empty, entries, infos)) await take(wanted);
  for (const [slot, reference] of standbys(entries, options.builtins))
    await standBy(slot, reference);
  entries.sort((a, b) => firstSlot(a.fills) - firstSlot(b.fills));

  return {
    entries,
    // Asked anew each time: a pause begins and ends by itself.
    get infos() {
      return [...entries.map((entry) => running(entry, options.oversight)), ...infos];
    },
    captureBroken,
    mayStartLater,
    running: entries.map(({ reference, loaded, fills, instance, projects, standby }) => ({
      plugin: instance.plugin,
      ...(standby && { standby }),
      ...(loaded.origin !== "built-in" &&
        options.oversight && { guard: options.oversight.guard(loaded.plugin.name) }),
      reference,
      fills,
      ...(projects && { projects }),
      context: instance.context,
      state: instance.state,
    })),
    async stop(next) {
      const goesOn = new Set(next?.entries.map(({ instance }) => instance));
      const going = entries.toReversed().filter(({ instance }) => !goesOn.has(instance));
      const last = ({ fills }: Entry) => Number(fills.storage !== undefined);
      going.sort((a, b) => last(a) - last(b));
      await stopAll(going.map(({ instance }) => instance));
    },
  };
}

const passing: ReadonlySet<string> = new Set(["plugin_failed", "plugin_deadline", "file_unusable"]);

/**
 * A wrong config or a damaged file stays as it is until somebody corrects it, which is told; any other failure to start may be over
 * soon, also where a file may be read again.
 */
function mayPass(error: unknown): boolean {
  return error instanceof MemoirError && passing.has(error.code);
}

function named({ loaded, reference, projects }: Entry): Named {
  return { name: loaded.plugin.name, reference, projects };
}

function firstSlot(fills: Wanted["fills"]): number {
  const first = slotNames.findIndex((slot) => fills[slot] !== undefined);
  return first === -1 ? slotNames.length : first;
}

// Loads plugins again: what did not change goes on, what changed is loaded anew, and where that fails it stays as it was.

/** Loads each plugin once. */
interface Loader {
  /** Rejects as `loadPlugin` for a plugin that never ran. */
  load(reference: string): Promise<LoadedPlugin>;
  /** References whose files changed since they were loaded last. */
  changed: ReadonlySet<string>;
  /** Those of them that stay as they were, and why. */
  stale: ReadonlyMap<string, string>;
}

/** `entries` is what runs now. */
function createLoader(
  options: Places & {
    config: Config;
    builtins: Readonly<Record<string, LoadPlugin>>;
    log: PluginContext["log"];
  },
  entries: readonly Entry[],
): Loader {
  const { config, builtins, log } = options;
  const loads = new Map<string, Promise<LoadedPlugin>>();
  const changed = new Set<string>();
  const stale = new Map<string, string>();

  function load(reference: string): Promise<LoadedPlugin> {
    const loading = loads.get(reference) ?? loadOnce(reference);
    loads.set(reference, loading);
    return loading;
  }

  async function loadOnce(reference: string): Promise<LoadedPlugin> {
    const known = entries.find((entry) => entry.reference === reference)?.loaded;
    if (known?.origin === "built-in" || Object.hasOwn(builtins, reference))
      return known ?? loadPlugin(reference, builtins, options);
    const path = known?.source ?? (await whereIs(reference, options));
    if (path === undefined) return loadPlugin(reference, builtins, options);
    // Before the load: what is written meanwhile is a change.
    const version = await fingerprint(path);
    if (known?.version === version && runsAsWanted(known)) return known;
    if (known) changed.add(reference);
    await forgetModules(path);
    try {
      return { ...(await loadPlugin(reference, builtins, options)), version };
    } catch (error) {
      if (!known) throw error;
      log.error("a changed plugin is not in force", { plugin: reference, error });
      stale.set(reference, errorWithFix(error));
      return known;
    }
  }

  /** In a worker or in this process, as config says now. */
  function runsAsWanted({ plugin, isInProcess }: LoadedPlugin): boolean {
    return isInProcess === (config.plugins[plugin.name]?.inProcess === true);
  }

  return { load, changed, stale };
}
