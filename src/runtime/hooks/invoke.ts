// One call of one handler: deadline, abort signal, timing and blame live here, once for all four runners.

import * as v from "valibot";
import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import { type ErrorCode, MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent, ClientEventName } from "../../sdk/events.ts";
import type { HookName } from "../../sdk/hooks.ts";
import { AgentSchema, ProjectSchema } from "../../sdk/model.ts";
import type { PutRequest, PutResult } from "../../sdk/storage.ts";
import { whereThrown } from "../isolation/messages.ts";
import { placeOf } from "../isolation/place.ts";
import { hookFacts } from "./hook-table.ts";
import type { Subscription } from "./subscription.ts";

// Says whose fault a failed call was, and writes it to the log once instead of a thousand times.

/**
 * The error a failed call leaves behind: names plugin and hook, keeps the cause. A MemoirError keeps its
 * code; one that is already blamed on a plugin stays with that plugin. `isTheirs`: the plugin is the user's, who can
 * open the file that it was thrown in.
 */
function blame(error: unknown, plugin: string, hook: HookName, isTheirs = false): MemoirError {
  if (error instanceof MemoirError) {
    if (error.plugin) return error;
    const { code, message, fix, cause, retryAfterMs } = error;
    const details = { plugin, hook, fix, cause };
    return new MemoirError(
      code,
      message,
      retryAfterMs === undefined ? details : { ...details, retryAfterMs },
    );
  }
  const place = isTheirs ? placeOf(error) : undefined;
  const at = place === undefined ? whereThrown(error) : ` (${place})`;
  const message = `plugin ${plugin} failed in ${hook}: ${errorMessage(error)}${at}`;
  return new MemoirError("plugin_failed", message, { plugin, hook, cause: error });
}

/** The error of a call that was not done in time. */
function lateness(plugin: string, hook: HookName, deadlineMs: number, place?: string): MemoirError {
  const at = place === undefined ? "" : ` (${place})`;
  const message = `plugin ${plugin} did not answer ${hook} within ${deadlineMs} ms${at}`;
  return new MemoirError("plugin_deadline", message, { plugin, hook });
}

/** Reports a blamed error; equal ones within a minute are counted and reported with the next line. */
type Report = (error: MemoirError) => void;

const quietMs = 60_000;

/** A rate-limited reporter: one line per plugin, hook and code a minute. */
export function createReport(log: Log, now: () => number): Report {
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

/** What every call needs from outside. */
export interface CallTools {
  report: Report;
  /** A clock for durations, in ms. */
  elapsed: () => number;
  /** Ends every call before its deadline. */
  signal?: AbortSignal;
  /** What is wrong with an answer, in words; undefined when nothing is. */
  check?: (result: object) => string | undefined;
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
export type Next = (input: unknown) => Promise<unknown>;

/** A promise, or something that behaves like one. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
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

/** The bookkeeping of one call. Long because its short steps share the clock of one call, which stands still and goes on. */
function createCall(subscription: Subscription, input: unknown, tools: CallTools) {
  const { plugin, hook, deadlineMs, timing, place } = subscription;
  const ended = subscription.guard?.begin(hook, subscription.part, input);
  const begun = tools.elapsed();
  let controller: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let expire: ((reason: unknown) => void) | undefined;
  let over = false;
  let awayCount = 0;
  let awaySince = 0;
  let awayMs = 0;

  const spent = () => tools.elapsed() - begun - awayMs;

  function arm(): void {
    if (!expire || over || awayCount > 0) return;
    timer = setTimeout(
      () => expire?.(lateness(plugin, hook, deadlineMs, place)),
      deadlineMs - spent(),
    );
  }

  function end(failed: boolean): void {
    over = true;
    clearTimeout(timer);
    timing.record(spent(), failed);
  }

  function failed(error: unknown): Error {
    const blamed = blame(error, plugin, hook, subscription.guard !== undefined);
    const isRefusal = refusals.has(blamed.code);
    const own = blamed.plugin === plugin && !isRefusal;
    end(own);
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
      if (wrong !== undefined || !subscription.guard) return wrong;
      return answerObjection(hook, input, answer);
    } catch {
      // A getter of theirs that throws.
      return "it answered with something that cannot be read";
    }
  }

  /** Every answer of every hook is an object or a list; `null` is a way to say nothing. */
  function done(result: unknown): unknown {
    const wrong = objectionTo(result);
    if (wrong !== undefined) {
      const at = place === undefined ? "" : ` (${place})`;
      const message = `plugin ${plugin} failed in ${hook}: ${wrong}${at}`;
      throw failed(new MemoirError("plugin_failed", message, { plugin, hook }));
    }
    end(false);
    ended?.({ worked: true });
    return result ?? undefined;
  }

  return {
    failed,
    done,
    signal() {
      controller ??= new AbortController();
      // Somebody asks for it only now that the time is up.
      if (over) controller.abort(lateness(plugin, hook, deadlineMs, place));
      return controller.signal;
    },
    async away<Value>(work: () => Promise<Value>): Promise<Value> {
      if (over) throw lateness(plugin, hook, deadlineMs, place);
      if (awayCount++ === 0) {
        awaySince = tools.elapsed();
        clearTimeout(timer);
      }
      try {
        return await work();
      } finally {
        if (--awayCount === 0) {
          awayMs += tools.elapsed() - awaySince;
          arm();
        }
      }
    },
    async wait(result: PromiseLike<unknown>): Promise<unknown> {
      const late = new Promise<never>((_, reject) => {
        expire = reject;
      });
      const abort = () => expire?.(tools.signal?.reason);
      if (tools.signal?.aborted) abort();
      else tools.signal?.addEventListener("abort", abort, { once: true });
      arm();
      let value: unknown;
      try {
        // `race` also listens to the loser: what a late handler rejects with is dropped, not unhandled.
        value = await Promise.race([result, late]);
      } catch (error) {
        const blamed = failed(error);
        controller?.abort(blamed);
        throw blamed;
      } finally {
        tools.signal?.removeEventListener("abort", abort);
      }
      return done(value);
    },
  };
}

// What is wrong with a plugin's answer, where somebody else's work would break on it.

/** What is wrong with a plugin's answer, in words without any of its text; undefined when nothing is. */
export function answerObjection(
  hook: HookName,
  input: unknown,
  answer: object,
): string | undefined {
  if (answer === input) return undefined;
  if (hook === "capture") return eventObjection(input as ClientEvent, answer);
  const schema = hookFacts[hook].answer;
  const parsed = schema && v.safeParse(schema, answer, { abortEarly: true });
  if (parsed && !parsed.success)
    return `its answer is not what ${hook} wants (${v.getDotPath(parsed.issues[0]) ?? "answer"})`;
  if (hook === "storage.put") return putObjection(input as PutRequest, answer);
  if ("updatedToolOutput" in answer) return jsonObjection(answer.updatedToolOutput);
  return undefined;
}

/** Without an id for each record the work would pass for stored, and nothing could be found again. */
function putObjection({ records }: PutRequest, answer: object): string | undefined {
  const { written, ...given } = answer as PutResult;
  if (!written) return undefined;
  for (const kind of ["observations", "summaries", "turns"] as const) {
    const asked = records[kind]?.length ?? 0;
    // A storage that was written before there were turns may go without, as long as it is given none.
    const count = given[kind]?.length ?? 0;
    if (count !== asked) return `it answered storage.put with ${count} ids for ${asked} ${kind}`;
  }
  return undefined;
}

// Is a capture plugin's answer still the event that it was given, in a form that the journal can keep?

const text = v.string();
const maybeText = v.optional(text);
const tool = { toolName: text, toolUseId: text };

/** What of an event is read by name; the rest may be anything that is JSON. */
const base = {
  cwd: text,
  project: v.optional(ProjectSchema),
  agent: v.optional(AgentSchema),
  transcriptPath: maybeText,
  transcriptBytes: v.optional(v.number()),
  promptId: maybeText,
  withheld: v.optional(v.boolean()),
};

const own: { readonly [Name in ClientEventName]: v.ObjectEntries } = {
  SessionStart: { source: text, model: maybeText },
  UserPromptSubmit: { prompt: text },
  PreToolUse: tool,
  PostToolUse: tool,
  PostToolUseFailure: { ...tool, error: text, isInterrupt: v.boolean() },
  PostToolBatch: { toolCalls: v.array(v.object(tool)) },
  Stop: { stopHookActive: v.boolean(), lastAssistantMessage: maybeText },
  SubagentStart: {},
  SubagentStop: { lastAssistantMessage: maybeText, agentTranscriptPath: maybeText },
  SessionEnd: { reason: text },
  PreCompact: { trigger: text },
  PostCompact: { trigger: text, compactSummary: maybeText },
  Other: { clientEvent: text },
};

const schemas = new Map(
  Object.entries(own).map(([name, entries]) => [name, v.object({ ...base, ...entries })]),
);

/** A plugin may change what an event says, not which happening it is. */
const identity = ["id", "key", "name", "client", "session", "time", "toolUseId"] as const;

/** What is wrong with it, in words without any of its text; undefined when nothing is. */
export function eventObjection(event: ClientEvent, answer: object): string | undefined {
  if ("drop" in answer)
    return typeof answer.drop === "string" ? undefined : "its `drop` is no reason in words";
  const given = answer as Record<string, unknown>;
  const before = event as unknown as Record<string, unknown>;
  const changed = identity.find((field) => given[field] !== before[field]);
  if (changed !== undefined)
    return `it answered with something that is not the event it was given (${changed})`;
  const schema = schemas.get(event.name);
  const parsed = schema && v.safeParse(schema, answer, { abortEarly: true });
  if (parsed && !parsed.success)
    return `it answered with something that is no ${event.name} event (${v.getDotPath(parsed.issues[0]) ?? "event"})`;
  return jsonObjection(answer);
}

/** Why a value cannot be written as JSON: a cycle, a bigint, a `toJSON` that throws. */
function jsonObjection(value: unknown): string | undefined {
  try {
    JSON.stringify(value);
    return undefined;
  } catch {
    return "it answered with something that cannot be written as JSON";
  }
}
