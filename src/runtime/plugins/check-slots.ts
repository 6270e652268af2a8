// Can this plugin fill the slots that config gives it?
import { MemoirError } from "../../sdk/errors.ts";
import { type AnyPlugin, type Slot, slotNames, slots } from "../../sdk/plugin.ts";
import { slotsOf } from "../hooks/subscription.ts";
import type { Wanted } from "./selection.ts";

/** The slots it is to fill, in their order. */
export function fillsOf({ fills }: Pick<Wanted, "fills">): Slot[] {
  return slotNames.filter((slot) => fills[slot] !== undefined);
}

/** Throws `plugin_slot`: a plugin must declare the slots it is given, and do the whole work of one it fills alone. */
export function checkSlots(plugin: AnyPlugin, wanted: Pick<Wanted, "fills">): void {
  const { name } = plugin;
  const can = slotsOf(plugin);
  for (const slot of fillsOf(wanted)) {
    if (!can.includes(slot))
      throw new MemoirError("plugin_slot", `plugin ${name} cannot fill the slot ${slot}`, {
        plugin: name,
        fix:
          can.length > 0 ? `It fills ${can.join(", ")}.` : "It fills none; name it in `listeners`.",
      });
    const missing = slots[slot].hooks.filter((hook) => !plugin.hooks[hook]);
    if (slots[slot].mode === "exclusive" && missing.length > 0)
      throw new MemoirError(
        "plugin_slot",
        `plugin ${name} cannot fill the slot ${slot} alone: it has no ${missing.join(", ")}`,
        {
          plugin: name,
          fix: 'To change a part of the work, leave out its `slot` and name it in `listeners`; `order: "pre"` puts it around the others.',
        },
      );
  }
}
