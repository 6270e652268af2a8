// Which handlers failed, as it is told: each by its plugin, with how often.
import { expect, test } from "bun:test";
import { failing } from "../../src/health/failing.ts";
import type { SubscriptionInfo } from "../../src/runtime/ports.ts";

const handler = (plugin: string, hook: string, failures: number, lastError?: string) =>
  ({ plugin, hook, calls: 7, failures, ...(lastError && { lastError }) }) as SubscriptionInfo;

test("every one that failed, by its own words or by name; models are told of elsewhere", () => {
  expect(
    failing([
      handler("well", "Stop", 0),
      handler("shy", "Stop", 2),
      handler("loud", "event", 7, "plugin loud failed in event: boom"),
      handler("openai", "complete", 3, "no key"),
    ]),
  ).toEqual([
    { plugin: "shy", text: "plugin shy failed in Stop (2 of 7 calls)" },
    { plugin: "loud", text: "plugin loud failed in event: boom (7 of 7 calls)" },
  ]);
});
