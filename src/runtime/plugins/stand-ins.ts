// Which built-ins take over in a slot: because everybody in it failed to start, or while everybody in it is paused.
import type { Slot } from "../../sdk/plugin.ts";
import type { LoadPlugin } from "../builtins.ts";
import type { PluginInfo } from "../ports.ts";
import type { Entry } from "./entry.ts";
import { defaultSlots, hasFallback, type Wanted } from "./selection.ts";

/** After everybody whom config names. */
export const standbyPlace = 1_000_000;

/**
 * Slots that only the user's plugins fill, each with the built-in that stands by. Records stay with the storage that
 * config names: its work waits instead. Nobody stands by for a provider.
 */
export function standbys(
  entries: readonly Entry[],
  builtins: Readonly<Record<string, LoadPlugin>>,
): Array<[Slot, string]> {
  return (["observation", "summarization"] as const).flatMap((slot): Array<[Slot, string]> => {
    const filling = entries.filter(({ fills }) => fills[slot] !== undefined);
    if (filling.length === 0 || filling.some(({ loaded }) => loaded.origin === "built-in"))
      return [];
    return defaultSlots[slot]
      .filter((reference) => Object.hasOwn(builtins, reference))
      .map((reference) => [slot, reference]);
  });
}

/** Built-ins for slots that a failure left without anybody. */
export function fallbacks(
  empty: ReadonlySet<Slot>,
  entries: readonly Entry[],
  tried: readonly PluginInfo[],
): Wanted[] {
  const wanted: Wanted[] = [];
  for (const slot of empty) {
    if (!hasFallback(slot) || entries.some(({ fills }) => fills[slot] !== undefined)) continue;
    for (const reference of defaultSlots[slot]) {
      const there = entries.find((entry) => entry.reference === reference);
      if (there) there.fills[slot] = 0;
      else if (!tried.some(({ name }) => name === reference))
        wanted.push({ reference, fills: { [slot]: 0 } });
    }
  }
  return wanted;
}
