// A run says what was kept, broken and left out, and never throws for a plugin's sake.
import { expect, test } from "bun:test";
import { definePlugin } from "../../src/sdk/plugin.ts";
import { runSuite, suites } from "../../src/testing/index.ts";

test("counts add up, and each failure has its promise and its words", async () => {
  const plugin = definePlugin({
    name: "half",
    description: "Drops everything.",
    sdk: 1,
    slot: ["capture", "observation"],
    hooks: { capture: () => ({ drop: "all of it" }) },
  });
  const ended: string[] = [];
  const report = await runSuite(plugin, {
    caseEnded: (slot, name, state) => ended.push(`${state} ${slot} ${name}`),
  });
  expect(report.passed + report.failed + report.skipped.length).toBe(
    suites.capture.length + suites.observation.length,
  );
  expect(report.failures).toMatchObject([
    {
      slot: "capture",
      name: "does not drop a whole session",
      message: expect.stringContaining("work is planned"),
    },
  ]);
  expect(new Set(report.skipped.map(({ slot }) => slot))).toEqual(new Set(["observation"]));
  expect(ended).toContain("failed capture does not drop a whole session");
  expect((await runSuite(plugin, { slots: ["observation"] })).failed).toBe(0);
});

test("a plugin that does not start fails its cases, and the run goes on", async () => {
  const plugin = definePlugin({
    name: "never",
    description: "Never starts.",
    sdk: 1,
    slot: "capture",
    start(): undefined {
      throw new Error("no room");
    },
    hooks: { capture: () => undefined },
  });
  const report = await runSuite(plugin);
  expect(report.failed).toBe(suites.capture.length);
  expect(report.failures[0]?.message).toContain("no room");
});
