// Which plugins' handlers failed, in one line each.
import type { SubscriptionInfo } from "../runtime/ports.ts";

/** A handler that failed since the server started. */
interface Failing {
  plugin: string;
  /** `plugin shy failed in Stop: boom (2 of 7 calls)`. */
  text: string;
}

/** Every handler that failed. Models are left out: what became of their calls is shown elsewhere. */
export function failing(subscriptions: readonly SubscriptionInfo[]): Failing[] {
  return subscriptions
    .filter(({ failures, hook }) => failures > 0 && hook !== "complete")
    .map(({ plugin, hook, calls, failures, lastError }) => ({
      plugin,
      text: `${lastError ?? `plugin ${plugin} failed in ${hook}`} (${failures} of ${calls} calls)`,
    }));
}
