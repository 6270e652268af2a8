// Config → which plugins are wanted, and which slots each fills, in which order. Pure.
import { type Slot, slotNames, slots } from "../../sdk/plugin.ts";
import type { Config } from "../config/schema.ts";
import { strategyOrder } from "../endless/switch.ts";

/** Who fills a slot as long as config does not say and no provider is set. */
export const defaultSlots: { readonly [Name in Slot]: readonly string[] } = {
  capture: ["capture-project", "capture-skip-tools", "capture-clean-prompts", "capture-privacy"],
  observation: ["heuristic"],
  summarization: ["heuristic-summary"],
  "context-injection": ["context-handover", "context-relevant", "context-moments"],
  "endless-mode": ["off"],
  storage: ["sqlite"],
  provider: ["none"],
};

/** Stays last in `slots.capture` even when config forgets it; only `plugins.capture-privacy.enabled: false` removes it. */
export const guard = "capture-privacy";

/** What `auto` in `slots.provider` stands for: what costs the user least thought first. */
const everyProvider = ["anthropic", "openai-compatible", "claude-cli"];

/** Built-in strategies that ask a model, the default first. Each ends in what needs none, so that no outage loses anything. */
const modelStrategies = ["hybrid", "structured", "commands"] as const;
const writingSlots = ["observation", "summarization"] as const;

/** Listeners that work unless `plugins.<name>.enabled` is false. */
const builtInListeners: readonly string[] = ["memory-files"];

/** In a stack: the built-in ones. */
const theBuiltIns = "...";

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
export interface Offered {
  /** The path of its module. */
  reference: string;
  name: string;
  slots: readonly Slot[];
  projects?: readonly string[];
}

/** What lies in plugins folders, and what config's references to it mean. */
interface Offers {
  plugins: readonly Offered[];
  /** Config's word for a plugin → its reference. */
  rename(reference: string): string;
}

const noOffers: Offers = { plugins: [], rename: (reference) => reference };

/** The references of each slot, in order. */
export function slotOrders(config: Config): Orders {
  const orders: Orders = { ...defaultSlots };
  const chosenFor = (slot: Slot) => {
    const chosen = config.slots[slot];
    return typeof chosen === "string" ? [chosen] : chosen;
  };
  orders["endless-mode"] = strategyOrder(chosenFor("endless-mode"), config.endless);
  for (const slot of slotNames) {
    const chosen = chosenFor(slot);
    if (chosen === undefined || slot === "endless-mode") continue;
    const list = chosen.flatMap((reference) => {
      if (reference === theBuiltIns) return defaultSlots[slot];
      return slot === "provider" && reference === "auto" ? everyProvider : [reference];
    });
    if (slot === "capture" && !list.includes(guard)) list.push(guard);
    orders[slot] = [...new Set(list)];
  }
  return withModel(config, orders);
}

type Orders = Record<Slot, readonly string[]>;

/** With a provider, models write where config does not say who does; and behind models, and a single name, stands who needs none. */
function withModel(config: Config, orders: Orders): Orders {
  const changed = { ...orders };
  const isModels = (name: string) => modelStrategies.some((strategy) => strategy === name);
  const asksModel = orders.provider.some((name) => name !== "none");
  for (const slot of writingSlots) {
    if (config.slots[slot] === undefined && asksModel)
      changed[slot] = [changed.observation.find(isModels) ?? modelStrategies[0]];
    // One name alone says who comes first; a list says it all.
    const isAlone =
      typeof config.slots[slot] === "string" && !defaultSlots[slot].includes(config.slots[slot]);
    if (isAlone || isModels(changed[slot].at(-1) ?? ""))
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

/**
 * All wanted plugins: slot by slot, then listeners, of the built-in ones those that `builtins` has; each once, however
 * many slots it fills. Of what is offered beside config everything that only stacks.
 */
export function selectPlugins(
  config: Config,
  builtins: Readonly<Record<string, unknown>>,
  offers: Offers = noOffers,
): Wanted[] {
  const wanted = new Map<string, Wanted>();
  const orders = withBoth(config, slotOrders(config), offers);
  for (const slot of slotNames) {
    const named = orders[slot].map(offers.rename);
    withStacked(slot, named, offers.plugins).forEach((reference, place) => {
      const entry = wanted.get(reference) ?? { reference, fills: {} };
      entry.fills[slot] = place;
      wanted.set(reference, entry);
    });
  }
  const own = builtInListeners.filter((name) => Object.hasOwn(builtins, name));
  const dropped = offers.plugins.filter(({ slots }) => slots.length === 0);
  const listeners = [...own, ...config.listeners.map(offers.rename)];
  for (const reference of [...listeners, ...dropped.map((plugin) => plugin.reference)])
    if (!wanted.has(reference)) wanted.set(reference, { reference, fills: {} });
  for (const { reference, name, projects } of offers.plugins) {
    const entry = wanted.get(reference);
    if (entry) Object.assign(entry, { name }, projects && { projects });
  }
  return [...wanted.values()];
}

/** One line of config changes who writes observations and summaries, also to a strategy that was dropped in. */
function withBoth(config: Config, orders: Orders, { plugins, rename }: Offers): Orders {
  const first = orders.observation[0] ?? "";
  const chosen = plugins.find(({ reference }) => reference === rename(first));
  if (config.slots.summarization !== undefined || !chosen?.slots.includes("summarization"))
    return orders;
  const behind = orders.summarization.filter((name) => defaultSlots.summarization.includes(name));
  return { ...orders, summarization: [first, ...behind] };
}

/** The slot's order with the offered plugins that stack in it; what a redactor has to see stands before it. */
function withStacked(
  slot: Slot,
  named: readonly string[],
  offered: readonly Offered[],
): readonly string[] {
  if (slots[slot].mode !== "stack") return named;
  const added = offered
    .filter((one) => one.slots.includes(slot) && !named.includes(one.reference))
    .map(({ reference }) => reference);
  if (added.length === 0) return named;
  const end = slot === "capture" && named.at(-1) === guard ? named.length - 1 : named.length;
  return [...named.slice(0, end), ...added, ...named.slice(end)];
}

/** Whether a slot that lost all its plugins goes back to the built-in one. A stack just works with who is left. */
export function hasFallback(slot: Slot): boolean {
  return slots[slot].mode !== "stack";
}
