// Plugins and what they listen to, as lists and the status show them.
import * as v from "valibot";
import type { LocalState, PluginInfo, SubscriptionInfo } from "../../runtime/ports.ts";
import { clientEventNames, type HookName, hookKinds } from "../../sdk/hooks.ts";
import { slotNames } from "../../sdk/plugin.ts";
import { describes, optional } from "./parts.ts";

const slots = v.array(v.picklist(slotNames));
const strings = optional(v.array(v.string()));

/** A plugin. */
export const PluginSchema = describes<PluginInfo>()(
  v.object({
    name: v.string(),
    description: v.string(),
    slots,
    fills: slots,
    origin: v.picklist(["built-in", "file", "package"]),
    source: optional(v.string()),
    state: v.picklist(["running", "enabled", "waiting", "disabled", "failed"]),
    error: optional(v.string()),
    projects: strings,
    stray: optional(v.object({ count: v.number(), error: v.string(), at: v.number() })),
    paused: optional(
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
    standby: optional(slots),
  }),
);

/** One hook of a plugin, with what it took. */
export const SubscriptionSchema = describes<SubscriptionInfo>()(
  v.object({
    plugin: v.string(),
    hook: v.picklist(Object.keys(hookKinds) as HookName[]),
    kind: v.picklist(["parallel", "sequence", "reduce", "first"]),
    order: v.picklist(["pre", "normal", "post"]),
    filter: optional(
      v.object({
        event: optional(v.array(v.picklist(clientEventNames))),
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
    lastError: optional(v.string()),
  }),
);

/** A folder of a project that brings plugins. */
export const LocalSchema = describes<LocalState>()(
  v.object({
    folder: v.string(),
    project: optional(v.string()),
    state: v.picklist(["trusted", "changed", "untrusted", "unreadable"]),
    hash: optional(v.string()),
    error: optional(v.string()),
    fix: v.string(),
  }),
);
