// One plugin's subscription to one hook, ready to be called; and which subscriptions are in force, in which order.
import type { PluginContext } from "../../sdk/context.ts";
import type { HookFilter, HookOrder } from "../../sdk/handlers.ts";
import { type HookKind, type HookName, hookKinds } from "../../sdk/hooks.ts";
import type { AnyPlugin, Slot } from "../../sdk/plugin.ts";
import { field } from "../../text/text.ts";
import type { EndlessGate } from "../endless/switch.ts";
import type { Guard } from "../isolation/oversight.ts";
import type { SubscriptionInfo } from "../ports.ts";
import { hookFacts } from "./hook-table.ts";

// How long a handler's last calls took: counts and percentiles over a small ring.

const ringSize = 128;

/** Calls, failures and durations of one subscription. */
interface Timing {
  record(ms: number, failed: boolean): void;
  readonly calls: number;
  readonly failures: number;
  /** The given share (0.5, 0.99) of the last calls took at most this many ms; null before the first. */
  percentile(share: number): number | null;
}

/** An empty record; its ring is made with the first call. */
function createTiming(): Timing {
  let ring: Float64Array | undefined;
  let calls = 0;
  let failures = 0;
  return {
    record(ms, failed) {
      ring ??= new Float64Array(ringSize);
      ring[calls % ringSize] = ms;
      calls++;
      if (failed) failures++;
    },
    get calls() {
      return calls;
    },
    get failures() {
      return failures;
    },
    percentile(share) {
      if (!ring || calls === 0) return null;
      const sorted = ring.slice(0, Math.min(calls, ringSize)).sort();
      const at = Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1);
      return sorted[Math.max(0, at)] ?? null;
    },
  };
}

/** Slots and places in their order. */
type Places = Readonly<Partial<Record<Slot, number>>>;

/** A started plugin with what its handlers are given. */
export interface RunningPlugin {
  plugin: AnyPlugin;
  /** As config names it; default its own name. */
  reference?: string;
  /** Slots it fills now, each with its place in that slot's order. */
  fills: Places;
  /** It is called for these projects only. */
  projects?: readonly string[];
  /** Config parsed; storage and model calls bound. */
  context: PluginContext;
  /** What `start` returned. */
  state: unknown;
  /** Slots in which it is called only while somebody before it is paused. */
  standby?: readonly Slot[] | undefined;
  /** Of a plugin that is not built in. */
  guard?: Guard | undefined;
}

/** A handler's call with the context of that call; what it gives is the plugin's word, not yet trusted. */
export type AnyHandler = (input: unknown, ctx: object) => unknown;

/** A subscription as data: what can be known without starting the plugin. */
interface Declaration {
  hook: HookName;
  kind: HookKind;
  handler: AnyHandler;
  order: HookOrder;
  filter?: HookFilter;
  deadlineMs: number;
  /** `file:line`, where it is known. */
  place?: string;
}

/** A subscription in force. */
export interface Subscription extends Declaration {
  plugin: string;
  /** The slot it works for, or its hook: what is paused as one. */
  part: string;
  /** It is called only while somebody before it is paused. */
  standby: boolean;
  guard: Guard | undefined;
  /** An operation of memoir's own: what it throws is its door's to say, not a plugin's fault. */
  isOwn?: boolean;
  /** Undefined: every input is of interest. */
  wants: ((input: unknown) => boolean) | undefined;
  /** What every call's context begins with. */
  context: Record<string, unknown>;
  timing: Timing;
  lastError: string | undefined;
}

type Entry = Pick<Declaration, "handler"> &
  Partial<Omit<Declaration, "deadlineMs">> & {
    deadlineMs?: number | ((config: unknown) => number);
  };

/** What a plugin subscribes to, in the order of its own `hooks`; `config` is its parsed config, where there is one. */
export function declarations(plugin: AnyPlugin, config?: unknown): Declaration[] {
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
      deadlineMs: deadlineOf(declared, config) ?? hookFacts[hook].deadlineMs,
      ...(declared.place ? { place: declared.place } : {}),
    };
  });
}

/** A deadline by config is asked only where there is a config; a function that throws or answers nonsense counts as none. */
function deadlineOf({ deadlineMs }: Entry, config: unknown): number | undefined {
  if (typeof deadlineMs !== "function") return deadlineMs;
  if (config === undefined) return undefined;
  try {
    const ms = deadlineMs(config);
    return Number.isFinite(ms) && ms > 0 ? ms : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a subscription counts. Client events and notices are anybody's. In a slot's own hooks a plugin that
 * can fill the slot takes part only while it fills it; any other plugin may join, to wrap or refine.
 */
export function isInForce(hook: HookName, plugin: AnyPlugin, fills: Places): boolean {
  const { slot } = hookFacts[hook];
  if (!slot || hookKinds[hook] === "sequence") return true;
  return fills[slot] !== undefined || !slotsOf(plugin).includes(slot);
}

/** The slots a plugin can fill. */
export function slotsOf(plugin: Pick<AnyPlugin, "slot">): readonly Slot[] {
  if (plugin.slot === undefined) return [];
  return typeof plugin.slot === "string" ? [plugin.slot] : plugin.slot;
}

const timings = new WeakMap<PluginContext, Map<string, Timing>>();

/** A plugin that goes on through a reload goes on being counted. */
export function timingOf(context: PluginContext, hook: string): Timing {
  const own = timings.get(context) ?? new Map<string, Timing>();
  timings.set(context, own);
  const timing = own.get(hook) ?? createTiming();
  own.set(hook, timing);
  return timing;
}

const orders: readonly HookOrder[] = ["pre", "normal", "post"];

/** A strategy of Endless Mode is asked where it is switched on; what it does for another slot it does everywhere. */
function gated(
  hook: HookName,
  { plugin, reference = plugin.name, fills }: RunningPlugin,
  wants: Subscription["wants"],
  gate: EndlessGate | undefined,
): Subscription["wants"] {
  const { slot } = hookFacts[hook];
  const isOthers = slot !== undefined && slot !== "endless-mode" && fills[slot] !== undefined;
  if (!gate || fills["endless-mode"] === undefined || isOthers) return wants;
  const names = [plugin.name, reference];
  return (input) => (wants?.(input) ?? true) && gate(names, input);
}

/**
 * All subscriptions in force by hook: `pre`, `normal`, `post`; inside each first the slot's plugins, in its order.
 * `gate` says where strategies of Endless Mode are asked; without it, everywhere.
 */
export function subscribe(
  plugins: readonly RunningPlugin[],
  gate?: EndlessGate,
): Map<HookName, Subscription[]> {
  const byHook = new Map<HookName, Array<{ subscription: Subscription; place: number }>>();
  for (const running of plugins) {
    const { plugin, fills, context, state } = running;
    for (const declaration of declarations(plugin, context.config)) {
      const { hook, filter } = declaration;
      if (!isInForce(hook, plugin, fills)) continue;
      const { slot } = hookFacts[hook];
      const subscription: Subscription = {
        ...declaration,
        ...(running.projects && { filter: { project: running.projects, ...filter } }),
        plugin: plugin.name,
        wants: gated(hook, running, compileFilter(filter, running.projects), gate),
        context: { ...context, state },
        timing: timingOf(context, hook),
        lastError: undefined,
        part: slot ?? hook,
        standby: slot !== undefined && (running.standby?.includes(slot) ?? false),
        guard: running.guard,
      };
      const place = (slot && fills[slot]) ?? Number.MAX_SAFE_INTEGER;
      byHook.set(hook, [...(byHook.get(hook) ?? []), { subscription, place }]);
    }
  }
  const sorted = new Map<HookName, Subscription[]>();
  for (const [hook, list] of byHook) {
    list.sort(
      (a, b) =>
        orders.indexOf(a.subscription.order) - orders.indexOf(b.subscription.order) ||
        a.place - b.place,
    );
    sorted.set(
      hook,
      list.map(({ subscription }) => subscription),
    );
  }
  return sorted;
}

// Compiles a subscription's filter to one test of the input, so that an uninterested handler is never called.

type Test = (input: unknown) => boolean;

/** A test of any hook's input, or undefined when the filter lets everything pass. `projects`: no others are let pass. */
export function compileFilter(
  filter: HookFilter | undefined,
  projects?: readonly string[],
): Test | undefined {
  const tests: Test[] = projects ? [oneOf(projects, projectNames)] : [];
  if (!filter && tests.length === 0) return undefined;
  if (filter?.event) tests.push(oneOf(filter.event, eventNames));
  if (filter?.tool) tests.push(anyMatches(filter.tool.map(namePattern), toolNames));
  if (filter?.client) tests.push(oneOf(filter.client, clientNames));
  if (filter?.project) tests.push(oneOf(filter.project, projectNames));
  if (tests.length === 0) return undefined;
  return (input) => tests.every((test) => test(input));
}

function oneOf(wanted: readonly string[], read: (input: unknown) => string[]): Test {
  const set = new Set(wanted);
  return (input) => read(input).some((name) => set.has(name));
}

function anyMatches(tests: Array<(name: string) => boolean>, read: (input: unknown) => string[]) {
  return (input: unknown) => read(input).some((name) => tests.some((test) => test(name)));
}

/** `mcp__*` matches any ending; anything else matches itself. */
function namePattern(pattern: string): (name: string) => boolean {
  if (!pattern.endsWith("*")) return (name) => name === pattern;
  const beginning = pattern.slice(0, -1);
  return (name) => name.startsWith(beginning);
}

// The readers below know the few shapes a hook's input has: a client event, a batch of work (also inside an
// extraction), a notice or query that names its project.

function strings(...values: unknown[]): string[] {
  return values.filter((value) => typeof value === "string");
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function eventNames(input: unknown): string[] {
  return strings(field(input, "name"));
}

function toolNames(input: unknown): string[] {
  const work = field(input, "batch") ?? input;
  return strings(
    field(work, "toolName"),
    ...list(field(work, "toolCalls")).map((call) => field(call, "toolName")),
    ...list(field(work, "toolUses")).map((use) => field(use, "name")),
  );
}

function clientNames(input: unknown): string[] {
  const work = field(input, "batch") ?? input;
  return strings(field(work, "client"), field(field(work, "session"), "client"));
}

function projectNames(input: unknown): string[] {
  const work = field(input, "batch") ?? input;
  const own = field(work, "project");
  const session = field(field(work, "session"), "project");
  return strings(
    own,
    field(own, "id"),
    field(own, "name"),
    field(session, "id"),
    field(session, "name"),
  );
}

/** As lists show it. */
export function subscriptionInfo(subscription: Subscription): SubscriptionInfo {
  const { plugin, hook, kind, order, filter, deadlineMs, timing, lastError } = subscription;
  return {
    plugin,
    hook,
    kind,
    order,
    ...(filter ? { filter } : {}),
    deadlineMs,
    calls: timing.calls,
    failures: timing.failures,
    p50: timing.percentile(0.5),
    p99: timing.percentile(0.99),
    ...(lastError === undefined ? {} : { lastError }),
  };
}
