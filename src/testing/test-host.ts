// Starts one plugin the way memoir does, and calls its hooks: checked, with deadlines, and over the same wall of cloned values.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { noData } from "../home/database/plugin-data.ts";
import { openRecords } from "../records/record-store.ts";
import { createStorageClient, withoutHidden } from "../runtime/hooks/ask-storage.ts";
import { invoke, shield } from "../runtime/hooks/hooks.ts";
import { collectParts } from "../runtime/hooks/parts.ts";
import { readInput } from "../runtime/hooks/read-input.ts";
import { subscribe } from "../runtime/hooks/subscription.ts";
import { checkWithExamples, parseOptions } from "../runtime/plugins/check-plugin.ts";
import { openData } from "../runtime/plugins/declared-data.ts";
import type { Answer, Hooks } from "../runtime/ports.ts";
import type { DataClient, Logger, PluginContext, StorageClient } from "../sdk/context.ts";
import type { EndlessClient } from "../sdk/endless.ts";
import { type HookInput, type HookName, type HookOutput, hookKinds } from "../sdk/hooks.ts";
import { ObservationDraftSchema } from "../sdk/model.ts";
import type { OperationCaller } from "../sdk/operation.ts";
import type { AnyPlugin } from "../sdk/plugin.ts";
import type { Completion } from "../sdk/provider.ts";
import { field } from "../text/text.ts";
import { assertFits } from "./checks.ts";
import { fakeEndless } from "./fakes.ts";

/** Noon of 2 November 2026, UTC: the time in a test host that is told none. */
export const testTime = Date.UTC(2026, 10, 2, 12);

/** What the plugin finds around it. */
export interface TestHostOptions {
  /** Its options, as in config; its schema fills in the defaults. */
  config?: Record<string, unknown>;
  /** memoir's home; default a new folder that `stop` removes. */
  home?: string;
  /** Default: `testTime`, for ever. */
  now?: () => number;
  /** What the plugin finds in storage; a call that is not given here fails then. Default: an empty one in memory. */
  storage?: Partial<StorageClient>;
  /** Answers what it asks a model (`scriptedModel(…).complete`); default: there is no provider. */
  complete?: (request: Parameters<PluginContext["complete"]>[0]) => Promise<Completion>;
  /** Default: `fakeEndless`, which keeps everything. */
  endless?: EndlessClient;
}

/** How one hook is called. */
export interface CallOptions<Name extends HookName> {
  /** For hooks of kind `first`: what those after this plugin answer to `ctx.next`. Default: nothing. */
  next?: (input: HookInput<Name>) => HookOutput<Name> | undefined;
  /** Ends the call early, as a stopped server would. */
  signal?: AbortSignal;
}

/** One line that the plugin logged. */
export interface LogLine {
  level: "debug" | "info" | "warn" | "error";
  message: string;
  fields: Record<string, unknown>;
}

/** A started plugin. */
export interface TestHost {
  home: string;
  lines: LogLine[];
  /**
   * Calls the plugin's handler of a hook: undefined where it has none, its filter says no, or it gives no answer (for
   * a `reduce` hook the input comes back then). Rejects as the handler does, when it is late, and when input or answer
   * cannot be cloned.
   */
  call<Name extends HookName>(
    hook: Name,
    input: HookInput<Name>,
    options?: CallOptions<Name>,
  ): Promise<HookOutput<Name> | undefined>;
  /** Calls an operation as a door would: what it is asked is read by what it takes. Default: the first of its doors. */
  ask(
    operation: string,
    input?: Record<string, unknown>,
    caller?: Partial<OperationCaller>,
  ): Promise<unknown>;
  /** Runs one of its schedules, due at a time in epoch ms; default: now. */
  due(schedule: string, dueAt?: number): Promise<void>;
  /** Has the plugin's `routes` answer. */
  request(request: Request): Promise<Response>;
  /** A panel's document. */
  panel(name: string): Promise<string>;
  /** The plugin's own database, as it finds it in `ctx.data`. */
  data: DataClient;
  /** What the plugin finds as `ctx.storage`: put there what it is to find. */
  storage: StorageClient;
  /** For a storage plugin: its own handlers as the client that others are given. */
  own: StorageClient;
  /** Stops the plugin, once. */
  stop(): Promise<void>;
}

/**
 * Checks, configures and starts `plugin`. Rejects with `plugin_invalid`, `config_invalid` or what its `start` throws. Long because its
 * short calls share what the plugin was given.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { definePlugin } from "memoir/sdk";
 * import { fixOfCart, sampleBatch, testHost } from "memoir/testing";
 *
 * const plugin = definePlugin({
 *   name: "quiet",
 *   description: "Observes nothing.",
 *   sdk: 1,
 *   slot: "observation",
 *   hooks: { observe: () => ({ observations: [] }) },
 * });
 * const host = await testHost(plugin, { config: {} });
 * const result = await host.call("observe", sampleBatch(fixOfCart));
 * assert.deepEqual(result?.observations, []);
 * await host.stop();
 * ```
 */
export async function testHost(
  plugin: AnyPlugin,
  options: TestHostOptions = {},
): Promise<TestHost> {
  await checkWithExamples(plugin, plugin.name ?? "the plugin");
  const home = options.home ?? (await mkdtemp(join(tmpdir(), "memoir-host-")));
  const now = options.now ?? (() => testTime);
  const lines: LogLine[] = [];
  // Opened for the first who asks: most plugins never do.
  let records: ReturnType<typeof openRecords> | undefined;
  const answering = {
    async first(name: string, input: unknown) {
      records ??= openRecords(":memory:", now);
      return asAnswer(await records, name, input);
    },
  } as unknown as Hooks;
  const given = options.storage && givenStorage(options.storage);
  const data = await openData(plugin, home, undefined);
  const context: PluginContext = {
    plugin: plugin.name,
    config: parseOptions(plugin, options.config ?? {}),
    log: logInto(lines),
    home,
    now,
    // As a plugin is given it: without what the user hid.
    storage: given ?? createStorageClient(() => withoutHidden(answering)),
    data: data?.client ?? noData(plugin.name),
    complete:
      options.complete ?? (() => Promise.reject(new Error("this test host has no provider"))),
    endless: options.endless ?? fakeEndless(now),
  };
  const state: unknown = await plugin.start?.(context);
  const fills = Object.fromEntries([plugin.slot ?? []].flat().map((slot) => [slot, 0]));
  const subscriptions = subscribe([{ plugin, fills, context, state }]);
  const elapsed = () => performance.now();

  async function call<Name extends HookName>(
    hook: Name,
    input: HookInput<Name>,
    { next, signal }: CallOptions<Name> = {},
  ): Promise<HookOutput<Name> | undefined> {
    const unanswered = (hookKinds[hook] === "reduce" ? input : undefined) as undefined;
    const subscription = subscriptions.get(hook)?.find(({ wants }) => wants?.(input) ?? true);
    if (!subscription) return unanswered;
    const given = shield(cloned(input, `what ${hook} is given`));
    const after =
      hookKinds[hook] === "first"
        ? async (changed: unknown) => next?.(changed as HookInput<Name>)
        : undefined;
    const tools = { report: () => {}, elapsed, ...(signal ? { signal } : {}) };
    const answer = await invoke(subscription, given, tools, after);
    if (answer === undefined) return unanswered;
    assertDrafts(hook, given, answer);
    return cloned(answer, `what ${plugin.name} answers to ${hook}`) as HookOutput<Name>;
  }

  const parts = collectParts([{ plugin, fills, context, state }]);
  async function part(name: string, asked: object): Promise<unknown> {
    const found = parts.find(plugin.name, name);
    if (!found) throw new Error(`${plugin.name} has no ${name}`);
    return field(await invoke(found, asked, { report: () => {}, elapsed }), "answer");
  }

  let stopped: Promise<void> | undefined;
  async function end(): Promise<void> {
    await plugin.stop?.(state, context);
    (await records)?.close();
    data?.close();
    if (options.home === undefined) await rm(home, { recursive: true, force: true });
  }
  const first = async (hook: HookName, input: never): Promise<Answer<unknown> | undefined> => {
    const result = await call(hook, input);
    return result && { plugin: plugin.name, result };
  };
  return {
    home,
    lines,
    storage: given ?? createStorageClient(() => answering),
    data: context.data,
    call,
    async ask(name, given = {}, caller = {}) {
      const { takes = {}, for: doors = [] } = plugin.operations?.[name] ?? {};
      const input = readInput(takes, given, now());
      const asked = { input, caller: { door: doors[0] ?? "route", ...caller } };
      const answer = await part(`operations.${name}`, asked);
      return cloned(answer, `what ${plugin.name} answers to ${name}`);
    },
    due: async (name, dueAt = now()) => void (await part(`schedules.${name}`, { dueAt })),
    async request(request) {
      const answer = await part("routes", { request });
      if (answer instanceof Response) return answer;
      throw new Error(`the routes of ${plugin.name} answered ${kindOf(answer)} and no Response`);
    },
    panel: async (name) => String(await part(`panels.${name}`, {})),
    own: createStorageClient(() => ({ first }) as unknown as Hooks),
    stop() {
      stopped ??= end();
      return stopped;
    },
  };
}

/** What memoir leaves out of an answer with a word in its log, an author has to see. */
function assertDrafts(hook: HookName, given: unknown, answer: unknown): void {
  if (hook !== "observe" && hook !== "extract") return;
  const draftsIn = (result: unknown) => {
    const drafts = field(result, "observations");
    return Array.isArray(drafts) ? drafts : [];
  };
  const isExtract = hook === "extract";
  // A test may give an extractor no more of a draft than it looks at.
  const isWhole = (draft: unknown) => v.is(ObservationDraftSchema, draft);
  if (isExtract && !draftsIn(field(given, "result")).every(isWhole)) return;
  for (const [at, draft] of draftsIn(isExtract ? field(answer, "result") : answer).entries())
    assertFits(ObservationDraftSchema, draft, `memoir refuses observation ${at} of ${hook}`);
}

const kindOf = (value: unknown) =>
  value === null || value === undefined ? String(value) : `a ${typeof value}`;

/** Values go between threads: what cannot be cloned would be lost there. */
function cloned<Value>(value: Value, what: string): Value {
  try {
    return structuredClone(value);
  } catch (error) {
    const place = placeOfCode(value);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${what} cannot be cloned: ${place === undefined ? reason : `${place || "it"} is no data`}`,
    );
  }
}

/** Where in a value the first function or symbol stands. */
function placeOfCode(value: unknown, place = ""): string | undefined {
  if (typeof value === "function" || typeof value === "symbol") return place;
  if (typeof value !== "object" || value === null || place.length > 200) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const found = placeOfCode(part, place === "" ? key : `${place}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function logInto(lines: LogLine[]): Logger {
  const at =
    (level: LogLine["level"]) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      lines.push({ level, message, fields });
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

async function asAnswer(records: object, name: string, input: unknown) {
  const ask: (input: unknown) => Promise<unknown> = Reflect.get(
    records,
    name.slice("storage.".length),
  );
  return { plugin: "storage", result: await ask(input) };
}

function givenStorage(given: Partial<StorageClient>): StorageClient {
  const verbs = (Object.keys(hookKinds) as HookName[])
    .filter((hook) => hook.startsWith("storage."))
    .map((hook) => hook.slice("storage.".length));
  const missing = verbs.map((verb) => [
    verb,
    () => Promise.reject(new Error(`this test host has no storage.${verb}`)),
  ]);
  return { ...Object.fromEntries(missing), ...given } as StorageClient;
}
