// How long plugins may take where nobody says otherwise.
import { expect, test } from "bun:test";
import { defaultDeadlines } from "../../../src/runtime/hooks/subscription.ts";
import type { HookName } from "../../../src/sdk/hooks.ts";

const hooks = Object.keys(defaultDeadlines) as HookName[];
/** The client's own events have names of their own form. */
const ofClient = hooks.filter((hook) => /^[A-Z]/.test(hook));

test.each([...ofClient, "capture", "request"] as const)(
  "%s holds the agent up for two seconds at most",
  (hook) => {
    expect(defaultDeadlines[hook]).toBeLessThanOrEqual(2_000);
  },
);

test("what nobody waits for has longer: models longest, then storage, then notices", () => {
  const { observe, summarize, "storage.put": put, stored } = defaultDeadlines;
  expect(observe).toBe(summarize);
  expect([observe > put, put > stored, stored > 2_000]).toEqual([true, true, true]);
});
