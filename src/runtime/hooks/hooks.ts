// The four runners over everything that is subscribed: what the runtime, the worker and plugins call.
import type { Log } from "../../home/log.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { Drop, HookInput, HookName, HookOutput } from "../../sdk/hooks.ts";
import type { EndlessGate } from "../endless/switch.ts";
import type { Answer, FirstOptions, Hooks, SubscriptionInfo } from "../ports.ts";
import { type CallTools, createReport, invoke, isPromise } from "./invoke.ts";
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

// The four ways in which the handlers of one hook are run. Each takes the hook's subscriptions, in order.

type Given = Answer<unknown>;
type Interested = readonly Subscription[];

/** Who is to be called with this input; those who are passed over go to `refused`. */
function admits(
  subscription: Subscription,
  input: unknown,
  refused?: (error: MemoirError) => void,
): boolean {
  if (subscription.wants && !subscription.wants(input)) return false;
  const why = subscription.guard?.refuses(subscription.part, input);
  if (why) refused?.(why);
  return why === undefined;
}

/** Parallel: all at once, results ignored. */
async function runParallel(list: Interested, input: unknown, tools: CallTools) {
  const pending: Array<PromiseLike<unknown>> = [];
  for (const subscription of list) {
    if (subscription.standby || !admits(subscription, input)) continue;
    try {
      const result = invoke(subscription, input, tools);
      if (isPromise(result)) pending.push(result);
    } catch {
      // Reported where it happened.
    }
  }
  if (pending.length > 0) await Promise.allSettled(pending);
}

/** Sequence: one after the other, every result collected in order. */
async function runSequence(list: Interested, input: unknown, tools: CallTools) {
  const answers: Given[] = [];
  let isOneAway = false;
  for (const subscription of list) {
    if (subscription.standby && !isOneAway) continue;
    if (!admits(subscription, input, () => (isOneAway = true))) continue;
    try {
      let result = invoke(subscription, input, tools);
      if (isPromise(result)) result = await result;
      if (result !== undefined) answers.push({ plugin: subscription.plugin, result });
    } catch {
      // Reported where it happened; a failed handler gives no answer.
    }
  }
  return answers;
}

/** Reduce: each transforms the value for the next; a failed one leaves it as it was; a drop ends it. */
async function runReduce(list: Interested, input: unknown, tools: CallTools) {
  let value = input;
  const failed: string[] = [];
  for (const subscription of list) {
    if (subscription.standby && failed.length === 0) continue;
    // Who is paused has not done its work: for redaction that is the same as having failed.
    if (!admits(subscription, value, () => failed.push(subscription.plugin))) continue;
    try {
      let result = invoke(subscription, value, tools);
      if (isPromise(result)) result = await result;
      if (result === undefined) continue;
      if (isDrop(result)) return { value: result, failed, by: subscription.plugin };
      value = shield(result);
    } catch {
      failed.push(subscription.plugin);
    }
  }
  return { value, failed };
}

/** What a part of a chain came to: an answer, or the last error when nobody answered. */
interface Outcome {
  given?: Given;
  error?: unknown;
}

/**
 * First: the first answer wins. A handler may call `next` for what those after it answer, so before, after,
 * replace and veto are one thing; `next` rejects when they failed and nobody answered. Where a handler gives
 * no answer, or fails, those after it are asked; but if it had called `next`, what came of that counts, so
 * that no work is done twice. An answer passed on unchanged stays its giver's.
 */
async function runFirst(
  list: Interested,
  input: unknown,
  tools: CallTools,
  options: FirstOptions = {},
) {
  const { signal, check } = options;
  const ownTools = { ...tools, ...(signal && { signal }), ...(check && { check }) };
  let isOneAway = false;

  async function from(index: number, value: unknown): Promise<Outcome> {
    const subscription = list[index];
    if (!subscription) return {};
    if ((options.skip?.(subscription.plugin) ?? false) || (subscription.standby && !isOneAway))
      return from(index + 1, value);
    let away: MemoirError | undefined;
    const refused = (why: MemoirError) => {
      isOneAway = true;
      away = why;
    };
    if (!admits(subscription, value, refused)) {
      const after = await from(index + 1, value);
      return after.given || after.error !== undefined || !away ? after : { error: away };
    }
    let rest: Promise<Outcome> | undefined;
    const next = async (changed: unknown) => {
      rest = from(index + 1, shield(changed));
      const { given, error } = await rest;
      if (!given && error !== undefined) throw error;
      return given?.result;
    };
    let own: Outcome = {};
    try {
      let result = invoke(subscription, value, ownTools, next);
      if (isPromise(result)) result = await result;
      if (result !== undefined) own = { given: { plugin: subscription.plugin, result } };
    } catch (error) {
      own = { error };
      options.failed?.(subscription.plugin, error);
      if (!rest && options.stopAt?.(error)) return own;
    }
    if (own.given && !rest) return own;
    const after = await (rest ?? from(index + 1, value));
    if (own.given) return after.given?.result === own.given.result ? after : own;
    return after.given || after.error !== undefined ? after : own;
  }

  const { given, error } = await from(0, input);
  if (!given && error !== undefined) throw error;
  return given;
}

/** Keeps one handler from changing what the next is given: setting a field throws, and is blamed on who did it. */
export function shield<Value>(value: Value): Value {
  return typeof value === "object" && value !== null ? Object.freeze(value) : value;
}

/** A capture plugin's answer that takes the event out. */
export function isDrop(value: unknown): value is Drop {
  return typeof value === "object" && value !== null && "drop" in value;
}

// Asks the storage in force; what storages of an earlier memoir do not know is empty there.

/** A hook that a storage answers. */
export type StorageHook = Extract<HookName, `storage.${string}`>;

/** Hooks that came later than others: a storage without them keeps nothing of the kind. */
const without: { readonly [Name in StorageHook]?: HookOutput<Name> } = { "storage.turns": [] };

/** Rejects with `storage_unanswered` when no storage answers, and with the storage's own error. */
export async function askStorage<Name extends StorageHook>(
  hooks: Pick<Hooks, "first">,
  name: Name,
  input: HookInput<Name>,
): Promise<HookOutput<Name>> {
  const answer = await hooks.first(name, input);
  if (answer) return answer.result;
  const empty: HookOutput<Name> | undefined = without[name];
  if (empty !== undefined) return empty;
  if (name === "storage.amend")
    throw new MemoirError("storage_unanswered", "The storage in use cannot edit, pin or hide.", {
      fix: "Its author can add `storage.amend`; the built-in `sqlite` has it. Nothing was changed.",
    });
  throw new MemoirError("storage_unanswered", `No storage plugin answers \`${name}\`.`);
}

/** Questions that answer records. */
const telling: ReadonlySet<string> = new Set([
  "storage.get",
  "storage.search",
  "storage.observations",
  "storage.summaries",
  "storage.prompts",
  "storage.sessions",
  "storage.memory",
  "storage.turns",
] satisfies StorageHook[]);

/**
 * The one place that keeps from agents what the user hid: whoever tells them something asks through this, plugins as well as
 * tools. Only who says `hidden: true`, to know what it must not say, gets it.
 */
export function withoutHidden(hooks: Pick<Hooks, "first">): Pick<Hooks, "first"> {
  return {
    async first(name, input, options) {
      if (!telling.has(name) || ("hidden" in input && input.hidden === true))
        return await hooks.first(name, input, options);
      const answer = await hooks.first(name, { ...input, hidden: false }, options);
      // A storage of somebody else's may not know the question, and mark them all the same.
      return Array.isArray(answer?.result)
        ? { ...answer, result: (answer.result as Told[]).filter(isTold) as typeof answer.result }
        : answer;
    },
  };
}

/** A record, one with its kind, or a result of a search. */
interface Told {
  hidden?: boolean;
  record?: { hidden?: boolean };
  marks?: string[];
}

function isTold({ hidden, record, marks = [] }: Told): boolean {
  return !(hidden || record?.hidden || marks.includes("hidden"));
}
