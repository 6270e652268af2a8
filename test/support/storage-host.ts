// Runs a storage plugin alone, without the runtime: its handlers as the client that other plugins are given.

import * as v from "valibot";
import { noData } from "../../src/home/database/plugin-data.ts";
import type { PluginContext, StorageClient } from "../../src/sdk/context.ts";
import type { HookName } from "../../src/sdk/hooks.ts";
import type { AnyPlugin } from "../../src/sdk/plugin.ts";
import { fakeEndless } from "./fake-endless.ts";

/** A started storage plugin. */
export interface OpenStorage {
  storage: StorageClient;
  close(): Promise<void>;
}

export interface StorageOptions {
  config?: Record<string, unknown>;
  /** Default: 2 November 2026. */
  now?: () => number;
}

/** Configures and starts `plugin` on `home`. */
export async function openStorageAlone(
  plugin: AnyPlugin,
  home: string,
  options: StorageOptions = {},
): Promise<OpenStorage> {
  const now = options.now ?? (() => Date.UTC(2026, 10, 2));
  const silent = () => {};
  const ctx: PluginContext<unknown> = {
    plugin: plugin.name,
    config: plugin.config ? v.parse(plugin.config, options.config ?? {}) : {},
    log: { debug: silent, info: silent, warn: silent, error: silent },
    home,
    now,
    storage: storageClient((name, input) => call(name, input)),
    data: noData("a test's"),
    complete: () => Promise.reject(new Error("no provider")),
    endless: fakeEndless(now),
  };
  const state: unknown = await plugin.start?.(ctx);

  async function call(name: HookName, input: unknown): Promise<unknown> {
    const subscription = plugin.hooks[name];
    const handler = typeof subscription === "function" ? subscription : subscription?.handler;
    if (!handler) throw new Error(`${plugin.name} does not answer ${name}`);
    const run = handler as (input: unknown, ctx: unknown) => unknown;
    // What crosses the wall is cloned, as between threads.
    return structuredClone(
      await run(structuredClone(input), {
        ...ctx,
        state,
        signal: new AbortController().signal,
        next: () => Promise.resolve(undefined),
      }),
    );
  }

  return { storage: ctx.storage, close: async () => plugin.stop?.(state, ctx) };
}

/** A client whose every verb is one call of the hook of that name. */
function storageClient(call: (name: HookName, input: unknown) => Promise<unknown>): StorageClient {
  const verbs =
    "put search get observations summaries prompts sessions memory turns stats delete amend reindex".split(
      " ",
    );
  return Object.fromEntries(
    verbs.map((verb) => [verb, (input: unknown) => call(`storage.${verb}` as HookName, input)]),
  ) as unknown as StorageClient;
}
