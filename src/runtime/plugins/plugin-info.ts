// A plugin as lists show it: in force, disabled, failed, or not even loaded.
import { errorWithFix } from "../../home/describe-error.ts";
import { type Slot, slotNames } from "../../sdk/plugin.ts";
import type { LoadPlugin } from "../builtins.ts";
import { slotsOf } from "../hooks/subscription.ts";
import type { Oversight } from "../isolation/oversight.ts";
import type { PluginInfo, StrayInfo } from "../ports.ts";
import type { LoadedPlugin } from "./load-plugin.ts";
import { isPath } from "./locate.ts";

type Identity = Pick<LoadedPlugin, "plugin" | "origin" | "source">;
type Fills = Readonly<Partial<Record<Slot, number>>>;
type Builtins = Readonly<Record<string, LoadPlugin>>;

/** A plugin that is there and not in force. */
export function disabledInfo({ plugin, origin, source }: Identity): PluginInfo {
  return {
    name: plugin.name,
    description: plugin.description,
    slots: [...slotsOf(plugin)],
    fills: [],
    origin,
    ...(source !== undefined && { source }),
    state: "disabled",
  };
}

/** A plugin that is not in force, and why; where it could not be loaded, with what can be said of it all the same. */
export function failedInfo(
  { reference, name = reference }: { reference: string; name?: string },
  loaded: Identity | undefined,
  error: unknown,
  builtins: Builtins,
): PluginInfo {
  const named = isPath(reference) ? "file" : "package";
  const origin: PluginInfo["origin"] = Object.hasOwn(builtins, reference) ? "built-in" : named;
  const about = loaded
    ? disabledInfo(loaded)
    : { name, description: "", slots: [], fills: [], origin };
  return { ...about, state: "failed", error: errorWithFix(error) };
}

/** The slots it is to fill, in their order. */
export function fillsOf({ fills }: { fills: Fills }): Slot[] {
  return slotNames.filter((slot) => fills[slot] !== undefined);
}

/** What a plugin in force does. */
interface InForce {
  loaded: Identity;
  fills: Fills;
  projects?: readonly string[];
  standby?: readonly Slot[] | undefined;
  notInForce?: string | undefined;
  stray?: (() => StrayInfo | undefined) | undefined;
}

/** A plugin in force, and how it fares. */
export function runningInfo(entry: InForce, oversight: Oversight | undefined): PluginInfo {
  const { loaded, notInForce, projects, standby = [] } = entry;
  const paused = loaded.origin === "built-in" ? [] : oversight?.pauses(loaded.plugin.name);
  const stray = entry.stray?.();
  return {
    ...disabledInfo(loaded),
    fills: fillsOf(entry).filter((slot) => !standby.includes(slot)),
    state: "running",
    ...(standby.length > 0 && { standby: [...standby] }),
    ...(paused && paused.length > 0 && { paused }),
    ...(stray && { stray }),
    ...(notInForce && { error: notInForce }),
    ...(projects && { projects }),
  };
}

/** Built-ins that are not in force, as `plugin list` shows them. */
export async function restOf(
  builtins: Builtins,
  shown: ReadonlySet<string>,
): Promise<PluginInfo[]> {
  const rest = Object.entries(builtins).filter(([name]) => !shown.has(name));
  return Promise.all(
    rest.map(async ([, load]) =>
      disabledInfo({ plugin: (await load()).default, origin: "built-in" }),
    ),
  );
}
