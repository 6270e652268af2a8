// The plugin contract: a plugin is data first, so that who listens to what is known without running it.
import type { GenericSchema } from "valibot";
import type { ClientDescription } from "./client.ts";
import type { OwnData, PluginContext } from "./context.ts";
import type { ClientEventName } from "./events.ts";
import type { HookSubscriptions } from "./handlers.ts";
import type { HookName } from "./hooks.ts";
import type { CallContext, Operation, Panel, Routes } from "./operation.ts";

/** Version of this contract. */
export const sdkVersion = 1;

/** The eight slots. `stack`: several plugins work in order. `exclusive`: one. `fallback`: an ordered list, first answer wins. */
export const slots = {
  capture: { mode: "stack", hooks: ["capture"] },
  observation: { mode: "fallback", hooks: ["observe", "extract"] },
  summarization: { mode: "fallback", hooks: ["summarize"] },
  "context-injection": { mode: "stack", hooks: ["SessionStart", "UserPromptSubmit"] },
  "endless-mode": { mode: "stack", hooks: ["request"] },
  storage: {
    mode: "exclusive",
    hooks: [
      "storage.put",
      "storage.search",
      "storage.get",
      "storage.observations",
      "storage.summaries",
      "storage.prompts",
      "storage.sessions",
      "storage.memory",
      "storage.turns",
      "storage.stats",
      "storage.delete",
      "storage.reindex",
    ],
  },
  provider: { mode: "fallback", hooks: ["complete"] },
  hub: {
    mode: "exclusive",
    hooks: [
      "hub.push",
      "hub.pull",
      "hub.write",
      "hub.files",
      "hub.remove",
      "hub.wait",
      "hub.health",
    ],
  },
} as const satisfies Record<
  string,
  { mode: "stack" | "exclusive" | "fallback"; hooks: readonly HookName[] }
>;

/** The name of a slot. */
export type Slot = keyof typeof slots;
/** The slots, in the order in which they work. */
export const slotNames = Object.keys(slots) as Slot[];

/**
 * A memoir plugin. Life cycle: described (nothing runs) → configured (`config` parsed strictly) →
 * `start` → handlers → `stop` (also after a failed start).
 */
export interface Plugin<Config = unknown, State = unknown> {
  /** Lower-case words joined by dashes; how config names it. */
  name: string;
  /** One line for `memoir plugin list`. */
  description: string;
  /** The SDK version it was written for. */
  sdk: typeof sdkVersion;
  /** The slots it can fill; a listener has none. */
  slot?: Slot | readonly Slot[];
  /** Client events it lives from without subscribing to them (an observer lives from captured tool uses). Install registers these and the subscribed ones. */
  events?: readonly ClientEventName[];
  /** Coding agents that memoir does not know, by their names in `memoir install`. */
  clients?: Readonly<Record<string, ClientDescription>>;
  /** Schema of its entry in config; must accept `{}`. Write it with `v.strictObject` so that unknown keys are errors. */
  config?: GenericSchema<unknown, Config>;
  /** Opens what handlers need; what it returns is `ctx.state`. Storage and models answer only once everybody has started. */
  start?(ctx: PluginContext<Config>): State | Promise<State>;
  hooks: HookSubscriptions<Config, State>;
  /** Commands, routes and agents' tools, each declared once, by lower-case words joined by dashes. */
  // biome-ignore lint/suspicious/noExplicitAny: each operation types its own inputs
  operations?: Readonly<Record<string, Operation<any, NoInfer<Config>, NoInfer<State>>>>;
  /** Requests below `/plugins/<name>/` that are no operation's. */
  routes?: Routes<Config, State>;
  /** Views of the page, by lower-case words joined by dashes. */
  panels?: Readonly<Record<string, Panel<Config, State>>>;
  /**
   * What it does by the clock, by name.
   *
   * @example
   * ```ts
   * import { definePlugin } from "memoir/sdk";
   *
   * export default definePlugin({
   *   name: "evening",
   *   description: "Logs each evening how much memory holds.",
   *   sdk: 1,
   *   hooks: {},
   *   schedules: {
   *     report: {
   *       at: "mon,tue,wed,thu,fri 18:30",
   *       async run(_due, ctx) {
   *         ctx.log.info(`${(await ctx.storage.stats({})).observations} observations`);
   *       },
   *     },
   *   },
   * });
   * ```
   */
  schedules?: Readonly<Record<string, Schedule<Config, State>>>;
  /** Rules of redaction, by name. */
  redactions?: Readonly<Record<string, Redaction>>;
  /** A database of its own, which it finds as `ctx.data`. */
  data?: OwnData;
  /** Releases what `start` opened. `state` is undefined after a failed start. */
  stop?(state: State | undefined, ctx: PluginContext<Config>): void | Promise<void>;
}

/** A plugin whose config and state types nobody outside needs to know. */
// biome-ignore lint/suspicious/noExplicitAny: erased on purpose; Config and State are checked where the plugin is defined
export type AnyPlugin = Plugin<any, any>;

/**
 * Types a plugin as it is written; returns it unchanged.
 *
 * @example
 * ```ts
 * import { definePlugin } from "memoir/sdk";
 * import * as v from "valibot";
 *
 * export default definePlugin({
 *   name: "shout",
 *   description: "Writes new decisions to the log.",
 *   sdk: 1,
 *   config: v.strictObject({ types: v.optional(v.array(v.string()), ["decision"]) }),
 *   hooks: {
 *     stored({ observations }, ctx) {
 *       for (const { type, title } of observations)
 *         if (ctx.config.types.includes(type)) ctx.log.info(title);
 *     },
 *   },
 * });
 * ```
 */
export function definePlugin<Config = unknown, State = undefined>(
  plugin: Plugin<Config, State>,
): Plugin<Config, State> {
  return plugin;
}

// A rule of redaction that a plugin brings: data alone, so that it holds wherever memoir redacts, with its examples as its tests.

/** What is taken out of every text before it is written or sent, as the built-in rules are. */
export interface Redaction {
  /** An expression of RE2 (linear time, no lookaround). With a group only what stands in it goes. */
  pattern: string;
  /** A word that stands in every text with a match, in any case: texts without it cost nothing. */
  keyword?: string;
  /** Texts of which something must go; at least one. */
  removes: readonly string[];
  /** Texts that must stay as they are. */
  keeps?: readonly string[];
}

// When a plugin is called by the clock: at a time of day, every so often, or once nothing has happened for a while.

/** When something is due; exactly one of them. After a sleep, or a time without a server, it is due once, however often it was missed. */
export interface When {
  /** A time of day on this machine, on all days or some: `18:30`, `mon,fri 09:00`. */
  at?: string;
  /** `10 min`, `2 hours`, `1 day`: from the beginning of one run to the next; a minute at least. */
  every?: string;
  /** `5 min`: once, when nobody has asked memoir anything for so long. */
  idle?: string;
}

/** What a schedule's `run` is given. */
export interface Due {
  /** Epoch ms at which it was due; long ago where the machine slept. */
  dueAt: number;
}

/** What a plugin does by the clock. A run never overlaps the one before; one that fails again and again is paused. */
export interface Schedule<Config = unknown, State = unknown> extends When {
  run(due: Due, ctx: CallContext<Config, State>): Promise<void> | void;
  /** Milliseconds that one run may take; a minute by default, an hour at most. */
  deadlineMs?: number;
}
