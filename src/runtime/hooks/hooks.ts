// The four runners over everything that is subscribed: what the runtime, the worker and plugins call.

import type { Log } from "../../home/log.ts";
import type { HookName } from "../../sdk/hooks.ts";
import type { EndlessGate } from "../endless/switch.ts";
import type { FirstOptions, Hooks, SubscriptionInfo } from "../ports.ts";
import type { CallTools } from "./invoke.ts";
import { createReport } from "./invoke.ts";
import { runFirst, runParallel, runReduce, runSequence, shield } from "./runners.ts";
import { type RunningPlugin, type Subscription, subscribe } from "./subscription.ts";

interface HooksOptions {
  log: Log;
  /** Epoch ms; paces the log. */
  now?: () => number;
  /** A clock for durations, in ms; default `performance.now`. */
  elapsed?: () => number;
  /** Where strategies of Endless Mode are asked; default everywhere. */
  gate?: EndlessGate;
}

/** Hooks that know whether somebody still works with them, so that their plugins can be stopped. */
export interface HeldHooks extends Hooks {
  /** Keeps `idle` waiting until the returned function is called. */
  hold(): () => void;
  /** Resolves once no call runs and nobody holds. */
  idle(): Promise<void>;
}

/**
 * Binds plugins, in the given order, to the four runners. A handler's input is frozen at its top level:
 * whoever wants to change it returns a changed copy.
 */
export function createHooks(plugins: readonly RunningPlugin[], options: HooksOptions): HeldHooks {
  const { log, now = Date.now, elapsed = () => performance.now() } = options;
  const subscriptions = subscribe(plugins, options.gate);
  const tools: CallTools = { report: createReport(log, now), elapsed };
  const nobody: Subscription[] = [];
  let held = 0;
  let waiting: Array<() => void> = [];

  const listeners = (name: HookName) => subscriptions.get(name) ?? nobody;

  function release(): void {
    if (--held > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  async function tracked<Value>(work: Promise<Value>): Promise<Value> {
    held++;
    try {
      return await work;
    } finally {
      release();
    }
  }

  const hooks = {
    parallel: (name: HookName, input: object) =>
      tracked(runParallel(listeners(name), shield(input), tools)),
    sequence: (name: HookName, input: object) =>
      tracked(runSequence(listeners(name), shield(input), tools)),
    reduce: (name: HookName, input: object) =>
      tracked(runReduce(listeners(name), shield(input), tools)),
    first: (name: HookName, input: object, how?: FirstOptions) =>
      tracked(runFirst(listeners(name), shield(input), tools, how)),
    subscriptions: (name?: HookName) =>
      (name ? listeners(name) : [...subscriptions.values()].flat()).map(describe),
    hold() {
      held++;
      let done = false;
      return () => {
        if (!done) release();
        done = true;
      };
    },
    idle: () => (held === 0 ? Promise.resolve() : new Promise<void>((go) => waiting.push(go))),
  };
  // Inside, values are `unknown`; the hook map is what types each name's input and output for callers.
  return hooks as unknown as HeldHooks;
}

function describe(subscription: Subscription): SubscriptionInfo {
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
