// Which plugins run in a worker, and how they are asked about their options.
import type { AnyPlugin } from "../../sdk/plugin.ts";
import type { Checked, Described } from "./wire.ts";

/** What stands behind a plugin that runs in a worker. */
interface Isolated {
  /** Absolute path of its module. */
  source: string;
  described: Described;
  /** Asks the plugin's own schema. */
  check(options: Readonly<Record<string, unknown>>): Promise<Checked>;
  /** What stands for its config in the host: cloneable, and known to lead back to the options. */
  configFor(options: Readonly<Record<string, unknown>>, checked: Checked): unknown;
  /** Ends what a start that came to nothing has opened. */
  abandon(context: object): void;
}

const isolated = new WeakMap<AnyPlugin, Isolated>();

/** Notes that a plugin's handlers call a worker. */
export function isolate(plugin: AnyPlugin, how: Isolated): void {
  isolated.set(plugin, how);
}

/** Undefined for a plugin that runs in this process. */
export function isolationOf(plugin: AnyPlugin): Isolated | undefined {
  return isolated.get(plugin);
}
