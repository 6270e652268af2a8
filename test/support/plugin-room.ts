// Starts one plugin the way the runtime does, with a storage of the test's choice, and gives its hooks.

import * as v from "valibot";
import { noData } from "../../src/home/database/plugin-data.ts";
import { createHooks } from "../../src/runtime/hooks/hooks.ts";
import type { Hooks } from "../../src/runtime/ports.ts";
import type { PluginContext, StorageClient } from "../../src/sdk/context.ts";
import type { AnyPlugin } from "../../src/sdk/plugin.ts";
import { fakeEndless } from "./fake-endless.ts";
import { type KeptLog, keptLog } from "./kept-log.ts";
import { failOn, isUnforeseen } from "./unseen-failures.ts";

export interface RoomOptions {
  config?: unknown;
  storage?: Partial<StorageClient>;
  home?: string;
  now?: () => number;
  /** Answers what the plugin asks a model. */
  complete?: PluginContext["complete"];
  /** What it is offered for Endless Mode; default: everything is kept in memory. */
  endless?: PluginContext["endless"];
}

/** A started plugin. Failures of its handlers are lines in `log`; of a test that does not look at it they are the test's failure. */
export interface Room {
  hooks: Hooks;
  readonly log: KeptLog;
}

/** Logs that nobody looked at yet. */
const unseen = new Set<KeptLog>();
// A handler that throws answers nothing, which is what a test of silence wants to see.
failOn(() => {
  const failures = [...unseen].flatMap(({ lines }) =>
    lines.filter(({ fields }) => isUnforeseen(fields.error)),
  );
  unseen.clear();
  return failures;
});

/** Config goes through the plugin's own schema; a storage call that the test did not foresee fails. */
export async function openRoom(plugin: AnyPlugin, options: RoomOptions = {}): Promise<Room> {
  const log = keptLog();
  const now = options.now ?? (() => 1_000_000);
  const unforeseen = (): Promise<never> => Promise.reject(new Error("not foreseen by the test"));
  const storage: StorageClient = {
    put: unforeseen,
    search: unforeseen,
    get: unforeseen,
    observations: unforeseen,
    summaries: unforeseen,
    prompts: unforeseen,
    sessions: unforeseen,
    memory: unforeseen,
    turns: unforeseen,
    stats: unforeseen,
    delete: unforeseen,
    amend: unforeseen,
    projects: unforeseen,
    changes: unforeseen,
    apply: unforeseen,
    reindex: unforeseen,
    ...options.storage,
  };
  const context: PluginContext = {
    plugin: plugin.name,
    config: plugin.config ? v.parse(plugin.config, options.config ?? {}) : {},
    log,
    home: options.home ?? "/nowhere",
    now,
    storage,
    data: noData(plugin.name),
    complete: options.complete ?? unforeseen,
    endless: options.endless ?? fakeEndless(now),
  };
  const filled = [plugin.slot ?? []].flat().map((slot) => [slot, 0] as const);
  const fills = Object.fromEntries(filled);
  const state = await plugin.start?.(context);
  const hooks = createHooks([{ plugin, fills, context, state }], {
    log,
    now,
  });
  unseen.add(log);
  return {
    hooks,
    get log() {
      unseen.delete(log);
      return log;
    },
  };
}
