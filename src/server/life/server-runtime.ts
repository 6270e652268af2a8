// What the server needs of the runtime.
import type { Endless } from "../../runtime/endless/endless.ts";
import type { Runtime } from "../../runtime/runtime.ts";

export interface ServerRuntime
  extends Omit<Runtime, "worker" | "endless" | "reload" | "watchPlugins"> {
  /** What was taken out of sessions, and the books. */
  readonly endless: Pick<Endless, "recall" | "recallValue" | "takenOut" | "metrics">;
  reload(): Promise<unknown>;
  /** Puts changed plugin files in force by itself; absent where nobody watches. */
  watchPlugins?(heard: () => Promise<void>): Promise<{ stop(): Promise<void> }>;
}
