// Plugins and what they listen to, as lists and the status show them.
import * as v from "valibot";
import type { LocalState, PluginInfo, SubscriptionInfo } from "../../runtime/ports.ts";
import { clientEventNames, type HookName, hookKinds } from "../../sdk/hooks.ts";
import { slotNames } from "../../sdk/plugin.ts";
import { describes } from "./parts.ts";

const slots = v.array(v.picklist(slotNames));
const strings = v.exactOptional(v.array(v.string()));

/** A plugin. */
export const PluginSchema = describes<PluginInfo>()(
  v.object({
    name: v.string(),
    description: v.string(),
    slots,
    fills: slots,
    origin: v.picklist(["built-in", "file", "package"]),
    source: v.exactOptional(v.string()),
    state: v.picklist(["running", "enabled", "waiting", "disabled", "failed"]),
    error: v.exactOptional(v.string()),
    projects: strings,
    stray: v.exactOptional(v.object({ count: v.number(), error: v.string(), at: v.number() })),
    paused: v.exactOptional(
      v.array(
        v.object({
          part: v.string(),
          hook: v.string(),
          error: v.string(),
          at: v.number(),
          until: v.number(),
        }),
      ),
    ),
    standby: v.exactOptional(slots),
  }),
);

/** One hook of a plugin, with what it took. */
export const SubscriptionSchema = describes<SubscriptionInfo>()(
  v.object({
    plugin: v.string(),
    hook: v.picklist(Object.keys(hookKinds) as HookName[]),
    kind: v.picklist(["parallel", "sequence", "reduce", "first"]),
    order: v.picklist(["pre", "normal", "post"]),
    filter: v.exactOptional(
      v.object({
        event: v.exactOptional(v.array(v.picklist(clientEventNames))),
        tool: strings,
        client: strings,
        project: strings,
      }),
    ),
    deadlineMs: v.number(),
    calls: v.number(),
    failures: v.number(),
    p50: v.nullable(v.number()),
    p99: v.nullable(v.number()),
    lastError: v.exactOptional(v.string()),
  }),
);

/** A folder of a project that brings plugins. */
export const LocalSchema = describes<LocalState>()(
  v.object({
    folder: v.string(),
    project: v.exactOptional(v.string()),
    state: v.picklist(["trusted", "changed", "untrusted", "unreadable"]),
    hash: v.exactOptional(v.string()),
    error: v.exactOptional(v.string()),
    fix: v.string(),
  }),
);

/** The name in a path. */
export const PluginParams = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[@\w./-]{1,200}$/, "is no name of a plugin")),
});

/** `GET /api/plugins/:name`. */
export const PluginAnswer = v.object({
  plugin: PluginSchema,
  subscriptions: v.array(SubscriptionSchema),
  options: v.object({
    schema: v.pipe(v.record(v.string(), v.unknown()), v.description("JSON Schema of all options.")),
    set: v.pipe(v.record(v.string(), v.unknown()), v.description("Those that config sets.")),
  }),
  error: v.exactOptional(v.pipe(v.string(), v.description("Why its options cannot be told."))),
});

const hooks = v.pipe(
  v.boolean(),
  v.description("Clients have to send other events now: `memoir install` has them do so."),
);
/** `POST /api/plugins/:name/switch`. */
export const SwitchBody = v.strictObject({ enabled: v.boolean() });
/** What became of it. */
export const SwitchAnswer = v.object({ plugin: PluginSchema, hooks });

/** `POST /api/plugins/:name/options`: all or nothing. */
export const OptionsBody = v.strictObject({
  set: v.exactOptional(v.record(v.string(), v.unknown())),
  unset: v.exactOptional(
    v.pipe(v.array(v.string()), v.description("Those that config is to say nothing of.")),
  ),
});
/** What was refused, by option; nothing was written then. */
export const OptionsAnswer = v.object({
  saved: v.boolean(),
  refused: v.array(
    v.object({
      option: v.pipe(v.string(), v.description("Empty for the plugin as a whole.")),
      message: v.string(),
      fix: v.exactOptional(v.string()),
    }),
  ),
  hooks,
});

/** `GET /api/plugins`. */
export const PluginsAnswer = v.object({
  plugins: v.array(PluginSchema),
  subscriptions: v.array(SubscriptionSchema),
  local: v.array(LocalSchema),
});
