// Puts the room together: the ledger, the way to a model, and what the server tells of both.

import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { totalTokens } from "../../sdk/provider.ts";
import type { LoadPlugin } from "../builtins.ts";
import type { Config } from "../config/config.ts";
import { createHooks } from "../hooks/hooks.ts";
import type { Journal } from "../journal/journal.ts";
import { checkSlots, optionsOf } from "../plugins/check-plugin.ts";
import type { Generation } from "../plugins/generations.ts";
import { startInstance } from "../plugins/instance.ts";
import { loadPlugin } from "../plugins/load-plugin.ts";
import { type Registry, slotOrders } from "../plugins/registry.ts";
import type { UsageQuery, UsageReport } from "./ledger.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { createModelCalls, type ModelCalls, uncounted } from "./model-calls.ts";

interface ModelsDeps {
  home: string;
  userHome: string;
  /** The ledger's file. */
  path: string;
  log: Log;
  now: () => number;
  builtins: Readonly<Record<string, LoadPlugin>>;
  journal: Pick<Journal, "rows" | "state">;
  /** The plugins in force; asked only once they have started. */
  current: () => Generation;
}

export interface Models {
  calls: ModelCalls;
  /** Throws `budget_unknown` when calls cannot be counted. */
  usage(query: UsageQuery): UsageReport;
  /** Tries one provider, or every one that config names. */
  test(name?: string): Promise<ProviderTest[]>;
  close(): void;
}

/** Never rejects: without a usable file no model is asked, and everything else goes on. */
export async function openModels(deps: ModelsDeps): Promise<Models> {
  const { path, log, now, journal, current } = deps;
  let ledger: Ledger | undefined;
  try {
    ledger = await openLedger(path, { now, log });
  } catch (error) {
    log.error("Calls to models cannot be counted, so none is asked.", { file: path, error });
  }

  function projectOf(session: string): string | undefined {
    const row = journal.rows(session)[0];
    return row === undefined ? undefined : journal.state(row)?.project.id;
  }

  /** A plugin that was dropped in is known by its name only where its file is. */
  function referenceOf(name: string): string {
    return current().registry.infos.find((info) => info.name === name)?.source ?? name;
  }

  const calls = createModelCalls({
    ledger,
    budget: () => current().file.config.budget,
    order: () => providersOf(current().registry),
    projectOf,
    log,
    now,
  });

  return {
    calls,
    usage(query) {
      if (ledger) return ledger.report(query);
      throw uncounted();
    },
    async test(name) {
      const { config } = current().file;
      const names =
        name === undefined
          ? slotOrders(config).provider.filter((reference) => reference !== "none")
          : [name];
      const tests: ProviderTest[] = [];
      for (const one of names)
        tests.push(await testProvider(referenceOf(one), { ...deps, config, calls }));
      return tests;
    },
    close: () => ledger?.close(),
  };
}

/** Names of the running providers in their order; `none` only says that there is none. */
function providersOf({ running }: Registry): string[] {
  return running
    .flatMap(({ plugin, fills }) =>
      fills.provider === undefined ? [] : [{ name: plugin.name, place: fills.provider }],
    )
    .filter(({ name }) => name !== "none")
    .sort((a, b) => a.place - b.place)
    .map(({ name }) => name);
}

// Tries a provider with one tiny call, whether or not a slot names it.

/** How a provider answered. */
type ProviderTest =
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
async function testProvider(reference: string, deps: TestDeps): Promise<ProviderTest> {
  const { home, log, now, builtins, config, calls } = deps;
  const begun = now();
  try {
    const loaded = await loadPlugin(reference, builtins, deps);
    const { name } = loaded.plugin;
    checkSlots(loaded.plugin, { provider: 0 });
    const options = optionsOf(config.plugins[name]);
    const hooks = () => undefined;
    const { plugin, context, state, stop } = await startInstance(loaded, options, {
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
      return { provider: name, ok: true, model, ms: now() - begun, tokens };
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
