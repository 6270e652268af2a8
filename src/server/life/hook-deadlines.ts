// Tells the hook command which events a plugin wants more time for than the hook's own deadline.
import { rm } from "node:fs/promises";
import { atomicWrite } from "../../home/read-file.ts";
import type { SubscriptionInfo } from "../../runtime/ports.ts";
import { clientEventNames } from "../../sdk/hooks.ts";
import { ownDeadlineMs } from "../endpoint.ts";

/** The way to the server and back, on top of the plugin's own time. */
const marginMs = 500;

/** Deadlines in ms by event name, for events with a subscription that may take longer than the hook command waits by itself. */
export function hookDeadlines(subscriptions: readonly SubscriptionInfo[]): Record<string, number> {
  const deadlines: Record<string, number> = {};
  for (const name of clientEventNames) {
    const declared = subscriptions
      .filter(({ hook }) => hook === name)
      .map(({ deadlineMs }) => deadlineMs);
    const longest = Math.max(0, ...declared);
    if (longest > ownDeadlineMs(name)) deadlines[name] = longest + marginMs;
  }
  return deadlines;
}

/** Writes `<home>/hook.json`, or removes it when no event needs more time. */
export async function writeHookDeadlines(
  path: string,
  subscriptions: readonly SubscriptionInfo[],
): Promise<void> {
  const deadlines = hookDeadlines(subscriptions);
  if (Object.keys(deadlines).length === 0) await rm(path, { force: true });
  else await atomicWrite(path, `${JSON.stringify(deadlines)}\n`);
}
