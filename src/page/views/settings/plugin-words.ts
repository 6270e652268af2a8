// What is said of a plugin wherever it is shown.
import type { Answer } from "../../../server/route-types.ts";

type List = Answer<"/api/plugins">;
type Plugin = List["plugins"][number];
type Subscription = List["subscriptions"][number];

/** The address of a plugin's own view. */
export const pluginAddress = (name: string) => `/settings/plugins/${encodeURIComponent(name)}`;

/** Whether it is called. */
export const isOn = ({ state }: Plugin) => state === "running" || state === "enabled";

/** Where it stands, in a word or some. */
export function stateWords({ state, slots, origin }: Plugin): string {
  const listens = slots.length === 0 ? "listens" : "on";
  return {
    running: listens,
    enabled: listens,
    waiting: "waits for its slot",
    disabled: origin === "built-in" ? "off" : "switched off",
    failed: "failed",
  }[state];
}

/** All of a plugin's calls, and the hook that takes it longest. */
export function totals(subscriptions: readonly Subscription[]) {
  const measured = subscriptions.flatMap(({ hook, p50 }) => (p50 === null ? [] : [{ hook, p50 }]));
  return {
    calls: subscriptions.reduce((sum, { calls }) => sum + calls, 0),
    failures: subscriptions.reduce((sum, { failures }) => sum + failures, 0),
    slowest: measured.sort((a, b) => b.p50 - a.p50)[0] ?? null,
  };
}

/** Whether one of memoir's own features is switched off: what belongs to it is not shown then. */
export function isSwitchedOff(plugins: readonly Pick<Plugin, "name" | "state">[], feature: string) {
  return plugins.some(({ name, state }) => name === feature && state === "disabled");
}
