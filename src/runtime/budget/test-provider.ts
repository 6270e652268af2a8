// Tries a provider with one tiny call, whether or not a slot names it.

import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { totalTokens } from "../../sdk/provider.ts";
import type { LoadPlugin } from "../builtins.ts";
import type { Config } from "../config/config.ts";
import { createHooks } from "../hooks/hooks.ts";
import { checkSlots } from "../plugins/check-slots.ts";
import { startInstance } from "../plugins/instance.ts";
import { loadPlugin } from "../plugins/load-plugin.ts";
import { optionsOf } from "../plugins/plugin-config.ts";
import type { ModelCalls } from "./model-calls.ts";

/** How a provider answered. */
export type ProviderTest =
  | { provider: string; ok: true; model: string; ms: number; tokens: number }
  | { provider: string; ok: false; error: { code: string; message: string; fix: string } };

interface TestDeps {
  home: string;
  userHome: string;
  log: Log;
  now: () => number;
  builtins: Readonly<Record<string, LoadPlugin>>;
  config: Config;
  calls: ModelCalls;
}

/** Starts the plugin anew, asks it, stops it. Never rejects. */
export async function testProvider(reference: string, deps: TestDeps): Promise<ProviderTest> {
  const { home, log, now, builtins, config, calls } = deps;
  const begun = now();
  try {
    const { plugin } = await loadPlugin(reference, builtins, deps);
    checkSlots(plugin, { fills: { provider: 0 } });
    const options = optionsOf(config.plugins[plugin.name]);
    const hooks = () => undefined;
    const { context, state, stop } = await startInstance(plugin, options, {
      home,
      log,
      now,
      hooks,
    });
    try {
      const running = { plugin, fills: { provider: 0 }, context, state };
      const request = {
        system: "You answer with one word.",
        messages: [{ role: "user" as const, content: "Say: ready" }],
        maxTokens: 64,
        purpose: "test",
        session: `test-${crypto.randomUUID()}`,
        project: "",
      };
      const only = createHooks([running], { log, now });
      const { model, usage } = await calls.complete(only, "memoir", request, { paused: true });
      const tokens = totalTokens(usage);
      return { provider: plugin.name, ok: true, model, ms: now() - begun, tokens };
    } finally {
      await stop();
    }
  } catch (error) {
    const own =
      error instanceof MemoirError ? error : new MemoirError("internal", errorMessage(error));
    const { code, message, fix } = own;
    return { provider: reference, ok: false, error: { code, message, fix } };
  }
}
