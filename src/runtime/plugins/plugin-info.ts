// A plugin as lists show it: in force, disabled, failed, or not even loaded.

import { errorWithFix } from "../../home/describe-error.ts";
import type { LoadPlugin } from "../builtins.ts";
import { slotsOf } from "../hooks/subscription.ts";
import type { Oversight } from "../isolation/oversight.ts";
import { strayOf } from "../isolation/stray-notes.ts";
import type { PluginInfo } from "../ports.ts";
import { fillsOf } from "./check-slots.ts";
import type { Entry } from "./entry.ts";
import type { LoadedPlugin } from "./load-plugin.ts";
import { isPath } from "./locate.ts";
import type { Wanted } from "./selection.ts";

/** A plugin as a list shows it, before it is known how it fares. */
export function identify({ plugin, origin, source }: LoadedPlugin) {
  return {
    name: plugin.name,
    description: plugin.description,
    slots: [...slotsOf(plugin)],
    origin,
    ...(source === undefined ? {} : { source }),
  };
}

/** A plugin in force, and how it fares. */
export function running(entry: Entry, oversight: Oversight | undefined): PluginInfo {
  const { loaded, notInForce, projects, standby = [] } = entry;
  const paused = oversight?.pauses(loaded.plugin.name) ?? [];
  const stray = strayOf(entry.instance.context);
  return {
    ...identify(loaded),
    fills: fillsOf(entry).filter((slot) => !standby.includes(slot)),
    state: "running",
    ...(standby.length > 0 && { standby: [...standby] }),
    ...(paused.length > 0 && loaded.origin !== "built-in" && { paused }),
    ...(stray && { stray }),
    ...(notInForce && { error: notInForce }),
    ...(projects && { projects }),
  };
}

/** A plugin that is there and not in force. */
export function disabled(loaded: LoadedPlugin): PluginInfo {
  return { ...identify(loaded), fills: [], state: "disabled" };
}

/** A plugin that is not in force, and why. */
export function failed(
  { reference, name = reference }: Wanted,
  loaded: LoadedPlugin | undefined,
  error: unknown,
  builtins: Readonly<Record<string, LoadPlugin>>,
): PluginInfo {
  const about = loaded ? identify(loaded) : { ...unidentified(reference, builtins), name };
  return { ...about, fills: [], state: "failed", error: errorWithFix(error) };
}

/** What can be said of a plugin that could not be loaded. */
export function unidentified(reference: string, builtins: Readonly<Record<string, LoadPlugin>>) {
  const origin: PluginInfo["origin"] = Object.hasOwn(builtins, reference)
    ? "built-in"
    : isPath(reference)
      ? "file"
      : "package";
  return { name: reference, description: "", slots: [], origin };
}
