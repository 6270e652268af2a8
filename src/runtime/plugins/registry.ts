// The slots: who fills each, in which order, and who takes over; then what config wants, and what is in force.

import { errorWithFix } from "../../home/describe-error.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type Slot, slotNames, slots } from "../../sdk/plugin.ts";
import { builtInListeners, type LoadPlugin } from "../builtins.ts";
import type { Config } from "../config/schema.ts";
import { strategyOrder } from "../endless/switch.ts";
import type { ContextTools } from "../hooks/ask-storage.ts";
import { type RunningPlugin, slotsOf } from "../hooks/subscription.ts";
import type { Oversight } from "../isolation/oversight.ts";
import type { PluginInfo } from "../ports.ts";
import { checkSlots, optionsOf, refuseSecond, refuseSecondClient } from "./check-plugin.ts";
import type { Dropped } from "./find.ts";
import { type Instance, type LifeDeadlines, startInstance, stopAll } from "./instance.ts";
import {
  createLoader,
  type DroppedOptions,
  disabledInfo,
  failedInfo,
  type LoadedPlugin,
  readDropped,
  runningInfo,
} from "./load-plugin.ts";

// 1. What fills a slot as long as config does not say.

/** Who fills a slot as long as config does not say and no provider is set. */
export const defaultSlots: { readonly [Name in Slot]: readonly string[] } = {
  capture: ["capture-project", "capture-skip-tools", "capture-clean-prompts", "capture-privacy"],
  observation: ["heuristic"],
  summarization: ["heuristic-summary"],
  // The first answers a session's start, which the others hear too; the second a prompt, the third failures, first edits and
  // prompts that paste a failure. Before them all memory-files, a listener, takes in what a person edited (order `pre`).
  "context-injection": ["context-handover", "context-relevant", "context-moments"],
  "endless-mode": ["off"],
  storage: ["sqlite"],
  provider: ["none"],
  // Nothing leaves the machine unless somebody chose where to.
  hub: [],
};

/** Stays last in `slots.capture` even when config forgets it; only `plugins.capture-privacy.enabled: false` removes it. */
export const guard = "capture-privacy";

/** What `auto` in `slots.provider` stands for: what costs the user least thought first. */
const everyProvider = ["anthropic", "openai-compatible", "claude-cli"];

/** Built-in strategies that ask a model, the default first. Each ends in what needs none, so that no outage loses anything. */
const modelStrategies = ["hybrid", "structured", "commands"];

/**
 * Slots whose built-ins stand by while everybody that the user put there is paused. Records stay with the storage that
 * config names: its work waits instead. Nobody stands by for a provider.
 */
const writingSlots = ["observation", "summarization"] as const;

/** In a stack: the built-in ones. */
const theBuiltIns = "...";

/**
 * Slots that a plugin has to be given by name: there can be one, or one comes first. Where all of its plugins fail, such
 * a slot goes back to the built-in ones; a stack just works with who is left.
 */
export function waitsFor(slot: Slot): boolean {
  return slots[slot].mode !== "stack";
}

/** The command that puts a plugin in force in a slot. */
export function commandFor(name: string, slot: Slot): string {
  return `memoir config set slots.${slot} ${name}`;
}

// 2. Config → the order of each slot.

type Orders = Record<Slot, readonly string[]>;

/** The references of each slot, in order. */
export function slotOrders(config: Config): Orders {
  const orders: Orders = { ...defaultSlots };
  for (const slot of slotNames) {
    const chosen = config.slots[slot];
    const named = typeof chosen === "string" ? [chosen] : chosen;
    if (slot === "endless-mode") orders[slot] = strategyOrder(named, config.endless);
    else if (named !== undefined) orders[slot] = orderOf(slot, named);
  }
  return withModel(config, orders);
}

function orderOf(slot: Slot, named: readonly string[]): string[] {
  const list = named.flatMap((reference) => {
    if (reference === theBuiltIns) return defaultSlots[slot];
    return slot === "provider" && reference === "auto" ? everyProvider : [reference];
  });
  if (slot === "capture" && !list.includes(guard)) list.push(guard);
  return [...new Set(list)];
}

/** With a provider, models write where config does not say who does; and behind models, and a single name, stands who needs none. */
function withModel(config: Config, orders: Orders): Orders {
  const changed = { ...orders };
  const asksModel = orders.provider.some((name) => name !== "none");
  for (const slot of writingSlots) {
    const chosen = config.slots[slot];
    if (chosen === undefined && asksModel) {
      const named = changed.observation.find((name) => modelStrategies.includes(name));
      changed[slot] = [named ?? "hybrid"];
    }
    // One name alone says who comes first; a list says it all.
    const isAlone = typeof chosen === "string" && !defaultSlots[slot].includes(chosen);
    if (isAlone || modelStrategies.includes(changed[slot].at(-1) ?? ""))
      changed[slot] = [...new Set([...changed[slot], ...defaultSlots[slot]])];
  }
  return changed;
}

/** Config as it is in force, the plugins of slots that config leaves alone included. */
export function effectiveConfig(config: Config) {
  const filled = Object.entries(slotOrders(config)).map(([slot, list]) => {
    const isOne = slots[slot as Slot].mode === "exclusive";
    return [slot, isOne ? list[0] : list];
  });
  return { ...config, slots: Object.fromEntries(filled) as Record<Slot, string | string[]> };
}

// 3. Which plugins are wanted, of those that config names and of those that lie in plugins folders.

/** One wanted plugin. */
export interface Wanted {
  /** As config names it: a built-in's name, a path, a package. */
  reference: string;
  /** The slots it is to fill, each with its place in that slot's order. */
  fills: Partial<Record<Slot, number>>;
  /** How lists call it as long as its own name is not known; default: the reference. */
  name?: string;
  /** It is called for these projects' events only; absent: for all. */
  projects?: readonly string[];
}

/** A plugin that is there without being named in config: its slots say whether it stacks. */
type Offered = Pick<Dropped, "path" | "projects"> & { slots: readonly Slot[] };

/**
 * All wanted plugins: slot by slot, then listeners, of the built-in ones those that `builtins` has; each once, however
 * many slots it fills. Of what is offered beside config everything that only stacks. `rename` gives what config's word
 * for a plugin stands for.
 */
export function selectPlugins(
  config: Config,
  builtins: Readonly<Record<string, unknown>>,
  offered: readonly Offered[] = [],
  rename = (reference: string) => reference,
): Wanted[] {
  const wanted = new Map<string, Wanted>();
  const orders = slotOrders(config);
  // One line of config changes who writes observations and summaries, also to a strategy that was dropped in.
  const [first = ""] = orders.observation;
  const writer = offered.find(({ path }) => path === rename(first));
  if (config.slots.summarization === undefined && writer?.slots.includes("summarization")) {
    const isDefault = (name: string) => defaultSlots.summarization.includes(name);
    orders.summarization = [first, ...orders.summarization.filter(isDefault)];
  }
  for (const slot of slotNames)
    withStacked(slot, orders[slot].map(rename), offered).forEach((reference, place) => {
      const entry = wanted.get(reference) ?? { reference, fills: {} };
      entry.fills[slot] = place;
      wanted.set(reference, entry);
    });
  const listeners = [
    ...builtInListeners.filter((name) => Object.hasOwn(builtins, name)),
    ...config.listeners.map(rename),
    ...offered.filter((one) => one.slots.length === 0).map(({ path }) => path),
  ];
  for (const reference of listeners)
    if (!wanted.has(reference)) wanted.set(reference, { reference, fills: {} });
  for (const { path, projects } of offered) {
    const entry = wanted.get(path);
    if (entry && projects) entry.projects = projects;
  }
  return [...wanted.values()];
}

/** The slot's order with the offered plugins that stack in it; what a redactor has to see stands before it. */
function withStacked(
  slot: Slot,
  named: readonly string[],
  offered: readonly Offered[],
): readonly string[] {
  if (waitsFor(slot)) return named;
  const added = offered
    .filter((one) => one.slots.includes(slot) && !named.includes(one.path))
    .map(({ path }) => path);
  const end = slot === "capture" && named.at(-1) === guard ? named.length - 1 : named.length;
  return [...named.slice(0, end), ...added, ...named.slice(end)];
}

/** Plugins by what is to become of them. */
interface Choice {
  /** In the order of slots, then listeners; the user's own before those of projects, which never take a name from them. */
  wanted: Wanted[];
  /** Dropped in and not in force: waiting for config, switched off, or not to be loaded. */
  others: PluginInfo[];
  /** One that cleaned events before they were written cannot be loaded any more. */
  captureBroken: boolean;
}

/** Loads what config does not name, to know its slots. Rejects never. */
export async function choosePlugins(options: DroppedOptions): Promise<Choice> {
  const { dropped, others, failed, names, rename, captureBroken } = await readDropped(options);
  const offered = dropped.map(({ loaded, ...one }) => ({ ...one, slots: slotsOf(loaded.plugin) }));
  const wanted = selectPlugins(options.config, options.builtins, offered, rename)
    .filter(({ reference }) => !failed.has(reference))
    .map((one) => ({ ...one, name: names.get(one.reference) ?? one.reference }));
  const references = new Set(wanted.map(({ reference }) => reference));
  const waiting = dropped.filter(({ path }) => !references.has(path));
  for (const { loaded } of waiting) others.push({ ...disabledInfo(loaded), state: "waiting" });
  return {
    wanted: [
      ...wanted.filter(({ projects }) => projects === undefined),
      ...wanted.filter(({ projects }) => projects !== undefined),
    ],
    others: others.sort((a, b) => (a.name < b.name ? -1 : 1)),
    captureBroken,
  };
}

// 4. What is in force.

export interface RegistryOptions extends ContextTools, Omit<DroppedOptions, "load" | "builtins"> {
  builtins: Readonly<Record<string, LoadPlugin>>;
  deadlines?: LifeDeadlines;
  /** Started plugins that are wanted with the same options go on instead of being started anew. */
  previous?: Registry | undefined;
  /** Watches over plugins that are not built in; without it none is ever paused. */
  oversight?: Oversight;
}

/** A plugin in force, and what it was made from. */
interface Entry extends RunningPlugin, Instance {
  reference: string;
  fills: Wanted["fills"];
  loaded: LoadedPlugin;
  /** Options as text, to see whether they changed. */
  options: string;
  /** Why its changed files are not in force. */
  notInForce?: string | undefined;
}

/** Plugins after their start. */
export interface Registry {
  /** In the order of the slots, then listeners. */
  running: readonly Entry[];
  /** Also those that are disabled or failed. */
  readonly infos: readonly PluginInfo[];
  /** The modules of the user's plugins, those that are disabled or failed too. */
  sources: readonly string[];
  /** Why nobody fills the slot `storage`; absent where somebody does, and where nobody is meant to. */
  whyNoStorage: string | undefined;
  /** A capture plugin is missing: what it would have removed cannot be known. */
  captureBroken: boolean;
  /** A plugin failed in its start, for a reason that may pass: a full disk, a server that is away. */
  mayStartLater: boolean;
  /** Stops in reverse order, storage after all that read it, except what `next` goes on with. Never rejects. */
  stop(next?: Registry): Promise<void>;
}

/** The place in a slot of who stands by: after everybody whom config names. */
const standbyPlace = 1_000_000;

/** A wrong config or a damaged file stays as it is until somebody corrects it; a start that failed of these may be over soon. */
const passing: ReadonlySet<string> = new Set(["plugin_failed", "plugin_deadline", "file_unusable"]);

/**
 * Starts what config wants. Never rejects: a plugin that fails is reported in `infos`, the others go on.
 * Long because each of its steps may fail for one plugin and go on for the others, over one list.
 */
export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  const { config, log, builtins, oversight, previous } = options;
  const running: Entry[] = [];
  const loader = createLoader(options, previous?.running ?? []);
  const choice = await choosePlugins({ ...options, load: loader.load });
  const infos = [...choice.others];
  const empty = new Set<Slot>();
  let { captureBroken } = choice;
  let mayStartLater = false;
  const earlier = (reference: string) =>
    previous?.running.find((one) => one.reference === reference);

  async function take(wanted: Wanted): Promise<void> {
    let loaded: LoadedPlugin | undefined;
    try {
      loaded = await loader.load(wanted.reference);
      const { name } = loaded.plugin;
      if (config.plugins[name]?.enabled === false) {
        infos.push(disabledInfo(loaded));
        return;
      }
      refuseSecond(
        { ...wanted, name },
        running.map((one) => ({ ...one, name: one.plugin.name })),
      );
      refuseSecondClient(
        loaded.plugin,
        running.map(({ plugin }) => plugin),
      );
      checkSlots(loaded.plugin, wanted.fills);
      running.push(await start(wanted, loaded));
    } catch (error) {
      log.error("a plugin is not in effect", { plugin: wanted.reference, error });
      if (keepEarlier(wanted, error)) return;
      infos.push(failedInfo(wanted, loaded, error, builtins));
      for (const slot of slotNames) if (wanted.fills[slot] !== undefined) empty.add(slot);
      if (wanted.fills.capture !== undefined) captureBroken = true;
      if (loaded && error instanceof MemoirError && passing.has(error.code)) mayStartLater = true;
    }
  }

  /** A plugin whose changed files do not work goes on as it was. */
  function keepEarlier({ reference, fills }: Wanted, error: unknown): boolean {
    const before = earlier(reference);
    if (!before || !loader.changed.has(reference)) return false;
    if (running.some(({ plugin }) => plugin.name === before.plugin.name)) return false;
    running.push({ ...before, fills, standby: undefined, notInForce: errorWithFix(error) });
    return true;
  }

  async function start(wanted: Wanted, loaded: LoadedPlugin): Promise<Entry> {
    const { name } = loaded.plugin;
    const own = optionsOf(config.plugins[name]);
    const text = JSON.stringify(own);
    const guarded = loaded.origin === "built-in" ? undefined : oversight;
    const before = earlier(wanted.reference);
    const goesOn = before?.options === text && before.loaded === loaded;
    // A start may be what ends the process.
    const started = goesOn ? undefined : guarded?.starts(name);
    try {
      const instance = goesOn
        ? before
        : await startInstance(loaded, own, options, options.deadlines);
      const { plugin, context, state, stop, stray } = instance;
      return {
        ...wanted,
        plugin,
        context,
        state,
        stop,
        stray,
        loaded,
        options: text,
        guard: guarded?.guard(name),
        notInForce: loader.stale.get(wanted.reference),
      };
    } finally {
      started?.();
    }
  }

  for (const wanted of choice.wanted) await take(wanted);
  await standIn({ running, infos, empty, builtins, take });
  const firstSlot = ({ fills }: Entry) =>
    slotNames.findIndex((slot) => fills[slot] !== undefined) + 1 || slotNames.length + 1;
  running.sort((a, b) => firstSlot(a) - firstSlot(b));

  return {
    running,
    // Asked anew each time: a pause begins and ends by itself.
    get infos() {
      return [...running.map((entry) => runningInfo(entry, oversight)), ...infos];
    },
    sources: [...running.map(({ loaded }) => loaded), ...infos].flatMap(
      ({ source }) => source ?? [],
    ),
    whyNoStorage: running.some(({ fills }) => fills.storage !== undefined)
      ? undefined
      : infos.find(({ slots, state }) => state === "failed" && slots.includes("storage"))?.error,
    captureBroken,
    mayStartLater,
    async stop(next) {
      const goesOn = new Set(next?.running.map(({ context }) => context));
      const going = running.toReversed().filter(({ context }) => !goesOn.has(context));
      const isStorage = ({ fills }: Entry) => Number(fills.storage !== undefined);
      await stopAll(going.sort((a, b) => isStorage(a) - isStorage(b)));
    },
  };
}

interface StandIn {
  running: readonly Entry[];
  infos: readonly PluginInfo[];
  /** Slots of plugins that failed to start. */
  empty: ReadonlySet<Slot>;
  builtins: RegistryOptions["builtins"];
  take(wanted: Wanted): Promise<void>;
}

/** Built-ins take over where everybody in a slot failed to start, and stand by where only the user's own plugins write. */
async function standIn({ running, infos, empty, builtins, take }: StandIn): Promise<void> {
  const entryOf = (reference: string) => running.find((one) => one.reference === reference);

  /** Has a built-in fill a slot that config does not give it. */
  async function add(slot: Slot, reference: string, place: number): Promise<Entry | undefined> {
    const there = entryOf(reference);
    if (there) there.fills = { ...there.fills, [slot]: place };
    else await take({ reference, fills: { [slot]: place } });
    return there ?? entryOf(reference);
  }

  for (const slot of empty) {
    if (!waitsFor(slot) || running.some(({ fills }) => fills[slot] !== undefined)) continue;
    for (const reference of defaultSlots[slot])
      if (entryOf(reference) || !infos.some(({ name }) => name === reference))
        await add(slot, reference, 0);
  }
  for (const slot of writingSlots) {
    const filling = running.filter(({ fills }) => fills[slot] !== undefined);
    if (filling.length === 0 || filling.some(({ loaded }) => loaded.origin === "built-in"))
      continue;
    for (const reference of defaultSlots[slot]) {
      if (!Object.hasOwn(builtins, reference)) continue;
      const entry = await add(slot, reference, standbyPlace);
      if (entry) entry.standby = [...(entry.standby ?? []), slot];
    }
  }
}
