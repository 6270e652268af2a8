// How a pause is told: who, where, why, how long, and who does the work meanwhile.
import { expect, test } from "bun:test";
import { pausedParts } from "../../src/health/failing.ts";
import type { PluginInfo, SubscriptionInfo } from "../../src/runtime/ports.ts";

const plugin = (more: Partial<PluginInfo>): PluginInfo => ({
  name: "mine",
  description: "",
  slots: [],
  fills: [],
  origin: "file",
  state: "running",
  ...more,
});
const pause = { part: "observation", hook: "observe", error: "it broke (a.ts:1)", at: 0 };

test.each([
  [1_000, "1 s"],
  [0, "1 s"],
  [61_000, "61 s"],
  [119_500, "2 min"],
  [600_000, "10 min"],
  [7_200_000, "2 h"],
])("%d ms are %s", (ms, words) => {
  const [part] = pausedParts([plugin({ paused: [{ ...pause, until: 5_000 + ms }] })], [], 5_000);
  expect(part?.text).toContain(`is paused in observation for another ${words};`);
});

test("what is told elsewhere is left out, and the one that stands by is named", () => {
  const plugins = [
    plugin({ paused: [{ ...pause, until: 1_000 }] }),
    plugin({ name: "heuristic", origin: "built-in", standby: ["observation"] }),
  ];
  const told = [{ lastError: pause.error } as SubscriptionInfo];
  expect(pausedParts(plugins, told, 0)).toEqual([
    {
      plugin: "mine",
      text: "plugin mine is paused in observation for another 1 s; heuristic does its work meanwhile; at once: `memoir plugin enable mine`",
    },
  ]);
  expect(pausedParts(plugins, [], 0)[0]?.text).toContain("; it broke (a.ts:1);");
});

test("a plugin that is paused altogether, and one that is not", () => {
  const whole = plugin({ paused: [{ ...pause, part: "everything", until: 1_000 }] });
  expect(pausedParts([whole, plugin({ name: "well" })], [], 0).map(({ text }) => text)).toEqual([
    "plugin mine is paused for another 1 s; it broke (a.ts:1); at once: `memoir plugin enable mine`",
  ]);
});
