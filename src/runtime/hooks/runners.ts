// The four ways in which the handlers of one hook are run. Each takes the hook's subscriptions, in order.
import type { MemoirError } from "../../sdk/errors.ts";
import type { Drop } from "../../sdk/hooks.ts";
import type { FirstOptions } from "../ports.ts";
import { type CallTools, invoke, isPromise } from "./invoke.ts";
import type { Subscription } from "./subscription.ts";

/** A result and who gave it. */
interface Given {
  plugin: string;
  result: unknown;
}

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
export async function runParallel(list: Interested, input: unknown, tools: CallTools) {
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
export async function runSequence(list: Interested, input: unknown, tools: CallTools) {
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
export async function runReduce(list: Interested, input: unknown, tools: CallTools) {
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
export async function runFirst(
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
