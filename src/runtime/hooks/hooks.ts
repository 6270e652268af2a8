// Calls what is subscribed: four runners, one for each kind of hook, over calls that have a deadline, a clock and somebody to blame.
import type { Log } from "../../home/log.ts";
import { type ErrorCode, MemoirError } from "../../sdk/errors.ts";
import type { Drop, HookName } from "../../sdk/hooks.ts";
import type { EndlessGate } from "../endless/switch.ts";
import { blame, lateError } from "../isolation/thrown.ts";
import type { Answer, FirstOptions, Hooks } from "../ports.ts";
import { answerObjection } from "./hook-table.ts";
import { collectParts, noSuchPart, type Parts } from "./parts.ts";
import {
  type RunningPlugin,
  type Subscription,
  subscribe,
  subscriptionInfo,
} from "./subscription.ts";

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
  /** What plugins bring beside hooks. */
  parts: Parts;
  /** Keeps `idle` waiting until the returned function is called. */
  keepBusy(): () => void;
  /** Resolves once no call runs and nobody keeps them busy. */
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
  let held = 0;
  let waiting: Array<() => void> = [];

  const subscribedTo = (name: HookName) => subscriptions.get(name) ?? [];

  function keepBusy(): () => void {
    held++;
    let done = false;
    return () => {
      if (done) return;
      done = true;
      if (--held > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    };
  }

  /** One runner as callers know it: by the hook's name, with the hooks kept busy as long as it runs. */
  function runner<Result, How>(
    run: (list: Interested, input: unknown, tools: CallTools, how?: How) => Promise<Result>,
  ) {
    return async (name: HookName, input: object, how?: How): Promise<Result> => {
      const release = keepBusy();
      try {
        return await run(subscribedTo(name), shield(input), tools, how);
      } finally {
        release();
      }
    };
  }

  const table = collectParts(plugins);
  const parts: Parts = {
    list: table.list,
    async call(plugin, part, asked, signal) {
      const found = table.find(plugin, part);
      if (!found) throw noSuchPart(plugin, part);
      const why = found.guard?.refuses(part, asked);
      if (why) throw why;
      const release = keepBusy();
      try {
        const answered = await invoke(found, asked, { ...tools, ...(signal && { signal }) });
        return (answered as { answer: unknown }).answer;
      } finally {
        release();
      }
    },
  };
  const hooks = {
    parts,
    parallel: runner(runParallel),
    sequence: runner(runSequence),
    reduce: runner(runReduce),
    first: runner(runFirst),
    subscriptions: (name?: HookName) =>
      (name ? subscribedTo(name) : [...subscriptions.values()].flat()).map(subscriptionInfo),
    keepBusy,
    idle: () => (held === 0 ? Promise.resolve() : new Promise<void>((go) => waiting.push(go))),
  };
  // Inside, values are `unknown`; the hook map is what types each name's input and output for callers.
  return hooks as unknown as HeldHooks;
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

/**
 * Sequence: one after the other, every result collected in order. Somebody waits for all of them together, so together
 * they have the time of the one that may take longest.
 */
async function runSequence(list: Interested, input: unknown, tools: CallTools) {
  const answers: Given[] = [];
  const until = tools.elapsed() + Math.max(0, ...list.map(({ deadlineMs }) => deadlineMs));
  let isOneAway = false;
  for (const subscription of list) {
    if (subscription.standby && !isOneAway) continue;
    if (!admits(subscription, input, () => (isOneAway = true))) continue;
    try {
      let result = invoke(subscription, input, { ...tools, until });
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
  const { signal, check, flaw } = options;
  const ownTools = {
    ...tools,
    ...(signal && { signal }),
    ...(check && { check }),
    ...(flaw && { flaw }),
  };
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

// One call of one handler.

/** What every call needs from outside. */
interface CallTools {
  report: Report;
  /** A clock for durations, in ms. */
  elapsed: () => number;
  /** By that clock: when the time of all handlers together is up. */
  until?: number;
  /** Ends every call before its deadline. */
  signal?: AbortSignal;
  /** What is wrong with an answer, in words; undefined when nothing is. */
  check?: (result: object) => string | undefined;
  /** The same of a part of an answer that is taken all the same. */
  flaw?: (result: object) => string | undefined;
}

/** What a handler says to whoever asked the wrong thing: an answer, and no fault of the plugin's. */
const refusals: ReadonlySet<string> = new Set<ErrorCode>([
  "record_not_found",
  "session_ambiguous",
  "usage",
]);

/** In a call's context: waits for something that is not the handler's to answer for, while its deadline stands still. */
export const standStill = Symbol("stand still");

/** Runs the handlers after the calling one. */
type Next = (input: unknown) => Promise<unknown>;

/** A promise, or something that behaves like one. */
function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined)?.then === "function";
}

/**
 * Calls a handler. Gives its result at once when it is synchronous (no timer, no promise), else a promise
 * that settles no later than its deadline. Throws, or rejects with, a blamed error that is reported already.
 * Time spent in `next` is not the caller's: its deadline stands still meanwhile.
 */
export function invoke(
  subscription: Subscription,
  input: unknown,
  tools: CallTools,
  next?: Next,
): unknown {
  const call = createCall(subscription, input, tools);
  const context = {
    ...subscription.context,
    get signal() {
      return call.signal();
    },
  };
  if (subscription.guard)
    Object.assign(context, { [standStill]: (work: () => Promise<unknown>) => call.away(work) });
  if (next)
    Object.assign(context, {
      next(changed?: unknown) {
        const rest = call.away(() => next(changed === undefined ? input : changed));
        // A handler may not wait for it; its failure is reported, and must not end the process.
        rest.catch(() => undefined);
        return rest;
      },
    });
  let result: unknown;
  try {
    result = subscription.handler(input, context);
  } catch (error) {
    throw call.failed(error);
  }
  return isPromise(result) ? call.wait(result) : call.done(result);
}

/** What one call took, and the end of its deadline; it stands still while others work on the call's behalf. */
function createClock(subscription: Subscription, { elapsed, until = Infinity }: CallTools) {
  const begun = elapsed();
  // Whole ms: the clock goes on between the first of them and the beginning of all.
  const deadlineMs = Math.max(0, Math.min(subscription.deadlineMs, Math.ceil(until - begun)));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let expire: ((reason: unknown) => void) | undefined;
  let over = false;
  let awayCount = 0;
  let awaySince = 0;
  let awayMs = 0;

  const spent = () => elapsed() - begun - awayMs;
  const lateness = () => lateError(subscription, deadlineMs);

  function arm(): void {
    if (!expire || over || awayCount > 0) return;
    timer = setTimeout(() => expire?.(lateness()), deadlineMs - spent());
  }

  return {
    lateness,
    isOver: () => over,
    /** Ends it; gives the ms that were the call's own. */
    end(): number {
      over = true;
      clearTimeout(timer);
      return spent();
    },
    async away<Value>(work: () => Promise<Value>): Promise<Value> {
      if (over) throw lateness();
      if (awayCount++ === 0) {
        awaySince = elapsed();
        clearTimeout(timer);
      }
      try {
        return await work();
      } finally {
        if (--awayCount === 0) {
          awayMs += elapsed() - awaySince;
          arm();
        }
      }
    },
    /** What the handler promised; rejects at the deadline, or when `signal` is aborted. */
    async race(result: PromiseLike<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
      const late = new Promise<never>((_, reject) => {
        expire = reject;
      });
      const abort = () => expire?.(signal?.reason);
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
      arm();
      try {
        // `race` also listens to the loser: what a late handler rejects with is dropped, not unhandled.
        return await Promise.race([result, late]);
      } finally {
        signal?.removeEventListener("abort", abort);
      }
    },
  };
}

/** The bookkeeping of one call: how it ends, and who hears of it. */
function createCall(subscription: Subscription, input: unknown, tools: CallTools) {
  const { plugin, hook, timing, place, guard, isOwn } = subscription;
  const ended = guard?.begin(hook, subscription.part, input);
  const clock = createClock(subscription, tools);
  let controller: AbortController | undefined;

  function failed(error: unknown): Error {
    if (isOwn) {
      timing.record(clock.end(), !(error instanceof MemoirError));
      return error as Error;
    }
    const blamed = blame(error, plugin, hook, guard !== undefined, place);
    const isRefusal = refusals.has(blamed.code);
    const own = blamed.plugin === plugin && !isRefusal;
    timing.record(clock.end(), own);
    ended?.({ error: blamed, own });
    if (own) subscription.lastError = blamed.message;
    if (!isRefusal) tools.report(blamed);
    return blamed;
  }

  /** What is built in is right by its tests; everybody else's answers are looked at before anybody works with them. */
  function objectionTo(answer: unknown): string | undefined {
    if (answer === undefined || answer === null) return undefined;
    if (typeof answer !== "object")
      return `it answered a ${typeof answer} where an object is wanted`;
    try {
      const wrong = tools.check?.(answer);
      return wrong !== undefined || !guard ? wrong : answerObjection(hook, input, answer);
    } catch {
      // A getter of theirs that throws.
      return "it answered with something that cannot be read";
    }
  }

  /** Every answer of every hook is an object or a list; `null` is a way to say nothing. */
  function done(result: unknown): unknown {
    const at = place === undefined ? "" : ` (${place})`;
    const wrong = objectionTo(result);
    if (wrong !== undefined) {
      const message = `plugin ${plugin} failed in ${hook}: ${wrong}${at}`;
      throw failed(new MemoirError("plugin_failed", message, { plugin, hook }));
    }
    const flaw = typeof result === "object" && result ? tools.flaw?.(result) : undefined;
    if (flaw !== undefined) subscription.lastError = `${flaw}${at}`;
    timing.record(clock.end(), flaw !== undefined);
    ended?.({ worked: true });
    return result ?? undefined;
  }

  return {
    away: clock.away,
    failed,
    done,
    signal() {
      controller ??= new AbortController();
      // Somebody asks for it only now that the time is up.
      if (clock.isOver()) controller.abort(clock.lateness());
      return controller.signal;
    },
    async wait(result: PromiseLike<unknown>): Promise<unknown> {
      let value: unknown;
      try {
        value = await clock.race(result, tools.signal);
      } catch (error) {
        const blamed = failed(error);
        controller?.abort(blamed);
        throw blamed;
      }
      return done(value);
    },
  };
}

/** Reports a blamed error; equal ones within a minute are counted and reported with the next line. */
type Report = (error: MemoirError) => void;

const quietMs = 60_000;

/** A rate-limited reporter: one line per plugin, hook and code a minute. */
function createReport(log: Log, now: () => number): Report {
  const seen = new Map<string, { at: number; suppressed: number }>();
  return (error) => {
    const key = `${error.plugin} ${error.hook} ${error.code}`;
    const last = seen.get(key);
    if (last && now() - last.at < quietMs) {
      last.suppressed++;
      return;
    }
    seen.set(key, { at: now(), suppressed: 0 });
    const fields: Record<string, unknown> = { error, fix: error.fix };
    if (last?.suppressed) fields.suppressed = last.suppressed;
    log.error("a plugin's hook failed", fields);
  };
}
