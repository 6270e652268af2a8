// A plugin that runs: what it was made from, and which slots it fills.
import type { Slot } from "../../sdk/plugin.ts";
import type { Instance } from "./instance.ts";
import type { LoadedPlugin } from "./load-plugin.ts";

/** A plugin that runs, and what it was made from. */
export interface Entry {
  reference: string;
  loaded: LoadedPlugin;
  /** Options as text, to see whether they changed. */
  options: string;
  fills: Partial<Record<Slot, number>>;
  /** It is called for these projects only. */
  projects?: readonly string[];
  instance: Instance;
  /** Slots in which it waits for others to be paused. */
  standby?: readonly Slot[];
  /** Why its changed files are not in force. */
  notInForce?: string;
}
