// What a plugin subscribes with: handlers, what they are given, and how they are declared; all inferred from the hook map.
import type { PluginContext } from "./context.ts";
import type { ClientEventName } from "./events.ts";
import type { HookInput, HookMap, HookName, HookOutput } from "./hooks.ts";

/** Checked before a handler is called; every given field must match. Matches only inputs that carry the field. */
export interface HookFilter {
  /** Event names, for `capture`. */
  event?: readonly ClientEventName[];
  /** Tool names; a trailing `*` matches any ending (`mcp__*`). */
  tool?: readonly string[];
  client?: readonly string[];
  /** Project ids or names. */
  project?: readonly string[];
}

/** Where a handler stands among those of its hook. */
export type HookOrder = "pre" | "normal" | "post";

/** What a handler is given beside its input. `next` is there for hooks of kind `first` only. */
export type HandlerContext<
  Name extends HookName,
  Config = unknown,
  State = unknown,
> = PluginContext<Config> & {
  /** What the plugin's `start` returned. */
  state: State;
  /** Aborted when the call's deadline has passed. */
  signal: AbortSignal;
} & (HookMap[Name]["kind"] extends "first"
    ? {
        /**
         * Calls the handlers after this one (with `input`, or the same input) and gives their answer. Rejects when
         * they failed and nobody answered. Its time does not count against the caller's deadline.
         */
        next(input?: HookInput<Name>): Promise<HookOutput<Name> | undefined>;
      }
    : unknown);

type MaybePromise<Value> = Value | Promise<Value>;

/** What a plugin does. `input` is read-only: who wants it changed returns a changed copy. */
type HookHandler<Name extends HookName, Config = unknown, State = unknown> = (
  input: HookInput<Name>,
  ctx: HandlerContext<Name, Config, State>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler may simply not return anything
) => MaybePromise<HookOutput<Name> | undefined | void>;

/** A handler with its declaration: data that is known without running anything. */
interface HookSubscription<Name extends HookName, Config = unknown, State = unknown> {
  handler: HookHandler<Name, Config, State>;
  filter?: HookFilter;
  /** Default `normal`; stable inside each. */
  order?: HookOrder;
  /** Milliseconds one call may take, fixed or by the plugin's config; the default depends on the hook. */
  deadlineMs?: number | ((config: Config) => number);
}

/** A plugin's subscriptions: a handler alone, or with its declaration. */
export type HookSubscriptions<Config = unknown, State = unknown> = {
  [Name in keyof HookMap]?:
    | HookHandler<Name, Config, State>
    | HookSubscription<Name, Config, State>;
};
