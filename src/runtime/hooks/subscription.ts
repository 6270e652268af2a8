// One plugin's subscription to one hook, ready to be called; and which subscriptions are in force, in which order.
import type { PluginContext } from "../../sdk/context.ts";
import {
  type HookFilter,
  type HookKind,
  type HookName,
  type HookOrder,
  hookKinds,
} from "../../sdk/hooks.ts";
import { type AnyPlugin, type Slot, slotNames, slots } from "../../sdk/plugin.ts";
import { defaultDeadlines } from "./deadlines.ts";
import { compileFilter } from "./filter.ts";
import { createTiming, type Timing } from "./timing.ts";

/** A started plugin with what its handlers are given. */
export interface RunningPlugin {
  plugin: AnyPlugin;
  /** Slots it fills now. */
  fills: readonly Slot[];
  /** Config parsed; storage and model calls bound. */
  context: PluginContext;
  /** What `start` returned. */
  state: unknown;
}

/** A handler's call with the context of that call; what it gives is the plugin's word, not yet trusted. */
export type AnyHandler = (input: unknown, ctx: object) => unknown;

/** A subscription as data: what can be known without starting the plugin. */
export interface Declaration {
  hook: HookName;
  kind: HookKind;
  handler: AnyHandler;
  order: HookOrder;
  filter?: HookFilter;
  deadlineMs: number;
}

/** A subscription in force. */
export interface Subscription extends Declaration {
  plugin: string;
  /** Undefined: every input is of interest. */
  wants: ((input: unknown) => boolean) | undefined;
  /** What every call's context begins with. */
  context: Record<string, unknown>;
  timing: Timing;
  lastError: string | undefined;
}

type Entry = Pick<Declaration, "handler"> & Partial<Declaration>;

/** What a plugin subscribes to, in the order of its own `hooks`. */
export function declarations(plugin: AnyPlugin): Declaration[] {
  // The hook map typed each handler where the plugin was written; here they are all called alike.
  const entries = Object.entries(plugin.hooks as Record<HookName, AnyHandler | Entry | undefined>);
  return entries.flatMap(([name, entry]) => {
    if (!entry) return [];
    const hook = name as HookName;
    const declared: Entry = typeof entry === "function" ? { handler: entry } : entry;
    return {
      hook,
      kind: hookKinds[hook],
      handler: declared.handler,
      order: declared.order ?? "normal",
      ...(declared.filter ? { filter: declared.filter } : {}),
      deadlineMs: declared.deadlineMs ?? defaultDeadlines[hook],
    };
  });
}

/** The slot whose work this hook is; client events and notices belong to nobody, anyone may listen. */
function owner(hook: HookName): Slot | undefined {
  if (hookKinds[hook] === "sequence") return undefined;
  return slotNames.find((slot) => (slots[slot].hooks as readonly HookName[]).includes(hook));
}

/**
 * Whether a subscription counts: a plugin that can fill a slot takes part in that slot's hooks only while it
 * fills it; any other plugin may join them, to wrap or refine what is there.
 */
export function isInForce(hook: HookName, plugin: AnyPlugin, fills: readonly Slot[]): boolean {
  const slot = owner(hook);
  if (!slot) return true;
  return fills.includes(slot) || !slotsOf(plugin).includes(slot);
}

/** The slots a plugin can fill. */
export function slotsOf(plugin: AnyPlugin): readonly Slot[] {
  if (plugin.slot === undefined) return [];
  return typeof plugin.slot === "string" ? [plugin.slot] : plugin.slot;
}

const orders: readonly HookOrder[] = ["pre", "normal", "post"];

/** All subscriptions in force by hook: `pre`, `normal`, `post`; inside each in the plugins' order. */
export function subscribe(plugins: readonly RunningPlugin[]): Map<HookName, Subscription[]> {
  const byHook = new Map<HookName, Subscription[]>();
  for (const { plugin, fills, context, state } of plugins)
    for (const declaration of declarations(plugin)) {
      if (!isInForce(declaration.hook, plugin, fills)) continue;
      const subscription: Subscription = {
        ...declaration,
        plugin: plugin.name,
        wants: compileFilter(declaration.filter),
        context: { ...context, state },
        timing: createTiming(),
        lastError: undefined,
      };
      byHook.set(declaration.hook, [...(byHook.get(declaration.hook) ?? []), subscription]);
    }
  for (const list of byHook.values())
    list.sort((a, b) => orders.indexOf(a.order) - orders.indexOf(b.order));
  return byHook;
}
