// The provider of a home without one.
import { expect, test } from "bun:test";
import none from "../../plugins/provider-none/index.ts";
import { createHooks } from "../../src/runtime/hooks/hooks.ts";
import { memoryLog, runningPlugin } from "../support/hooks.ts";

test("asking it for a model says what is missing and how to change that", async () => {
  const request = { system: "", messages: [], maxTokens: 1, purpose: "test", session: "s" };
  const error = await createHooks([runningPlugin(none, { provider: 0 })], { log: memoryLog() })
    .first("complete", request)
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: "provider_none",
    plugin: "none",
    fix: expect.stringContaining("Set a provider"),
  });
});
