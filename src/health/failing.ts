// Which plugins' handlers failed, in one line each.
import type { PluginInfo, SubscriptionInfo } from "../runtime/ports.ts";

/** A handler that failed since the server started. */
interface Failing {
  plugin: string;
  /** `plugin shy failed in Stop: boom (2 of 7 calls)`. */
  text: string;
}

/** Every handler that failed. Models and hubs are left out: what became of their calls is shown elsewhere. */
export function failing(
  subscriptions: ReadonlyArray<
    Pick<SubscriptionInfo, "plugin" | "calls" | "failures" | "lastError"> & { hook: string }
  >,
): Failing[] {
  return subscriptions
    .filter(({ failures, hook }) => failures > 0 && hook !== "complete" && !hook.startsWith("hub."))
    .map(({ plugin, hook, calls, failures, lastError }) => ({
      plugin,
      text: `${lastError ?? `plugin ${plugin} failed in ${hook}`} (${failures} of ${calls} calls)`,
    }));
}

// Which plugins are passed over for a while, why, for how long, and who does their work meanwhile, in one line each.

/** A part of a plugin that is paused. */
export interface PausedPart {
  plugin: string;
  /** `plugin shy is paused in Stop for another 40 s; at once: memoir plugin enable shy`. */
  text: string;
}

/** Every pause. The error is shown here only where no subscription shows it: after a restart, say. */
export function pausedParts(
  plugins: readonly PluginInfo[],
  subscriptions: readonly SubscriptionInfo[],
  now: number,
): PausedPart[] {
  const shown = new Set(subscriptions.map(({ lastError }) => lastError));
  return plugins.flatMap(({ name, paused = [] }) =>
    paused.map(({ part, error, until }) => {
      const standsIn = plugins.find(({ standby }) => standby?.some((slot) => slot === part));
      const where = part === "everything" ? "" : ` in ${part}`;
      const texts = [
        `plugin ${name} is paused${where} for another ${span(until - now)}`,
        ...(shown.has(error) ? [] : [error]),
        ...(standsIn ? [`${standsIn.name} does its work meanwhile`] : []),
        `at once: \`memoir plugin enable ${name}\``,
      ];
      return { plugin: name, text: texts.join("; ") };
    }),
  );
}

/** `40 s`, `9 min`, `1 h`. */
function span(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
