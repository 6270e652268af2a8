// What a plugin is given as `ctx`: its config, a log under its name, and the storage and provider in force.

import type { Log } from "../../home/log.ts";
import type { PluginContext, StorageClient } from "../../sdk/context.ts";
import type { EndlessClient } from "../../sdk/endless.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { hookKinds } from "../../sdk/hooks.ts";
import type { NewMemoryItem } from "../../sdk/model.ts";
import type { Completion, CompletionRequest } from "../../sdk/provider.ts";
import type { PutRequest } from "../../sdk/storage.ts";
import { askStorage, type StorageHook, withoutHidden } from "../hooks/ask-storage.ts";
import type { Hooks } from "../ports.ts";

/** What contexts are made from. */
export interface ContextTools {
  home: string;
  log: Log;
  now: () => number;
  /** The hooks in force at the moment of a call; undefined while plugins start. */
  hooks: () => Hooks | undefined;
  /** What of memory items that a plugin found the user did not have forgotten; default: all. */
  itemsLeft?: (items: readonly NewMemoryItem[]) => NewMemoryItem[];
  /** Asks the provider slot; default: straight through the hook. */
  complete?: CompleteThrough;
  /** What strategies of Endless Mode are offered, under a plugin's name; default: nothing is known and nothing kept. */
  endless?: (plugin: string) => EndlessClient;
}

/** Asks the provider slot of `hooks` in a plugin's name. */
type CompleteThrough = (
  hooks: Hooks,
  plugin: string,
  request: CompletionRequest,
) => Promise<Completion>;

/** The context of one plugin, without state and signal, which belong to a call. */
export function bindContext(plugin: string, config: unknown, tools: ContextTools): PluginContext {
  const { home, log, now, hooks, complete = completeDirectly, endless } = tools;
  const storage = createStorageClient(() => withoutHidden(bound(hooks(), plugin)));
  return {
    plugin,
    config,
    log: log.child(`plugin.${plugin}`),
    home,
    now,
    storage: { ...storage, put: (request) => storage.put(leavingOut(request, tools)) },
    complete: async (request) => complete(bound(hooks(), plugin), plugin, request),
    endless: endless?.(plugin) ?? nothingKept,
  };
}

function leavingOut(request: PutRequest, { itemsLeft }: ContextTools): PutRequest {
  const { memory } = request.records ?? {};
  if (!itemsLeft || !Array.isArray(memory)) return request;
  return { ...request, records: { ...request.records, memory: itemsLeft(memory) } };
}

const completeDirectly: CompleteThrough = async (hooks, _plugin, request) => {
  const answer = await hooks.first("complete", request);
  if (!answer) throw new MemoirError("provider_none", "no model provider answered");
  return answer.result;
};

/** Where no original can be kept, none may be taken out. */
const nothingKept: EndlessClient = {
  original: async () => undefined,
  keep: async () => false,
  kept: async () => undefined,
  note: async () => {},
  figures: async () => [],
  settled: async () => undefined,
};

const beginning = "storage.";

/** The storage in force: one method for each hook `storage.<verb>`. Each rejects when no storage answers. */
export function createStorageClient(hooks: () => Pick<Hooks, "first">): StorageClient {
  const verbs = (Object.keys(hookKinds) as StorageHook[]).filter((name) =>
    name.startsWith(beginning),
  );
  const methods = verbs.map((name) => [
    name.slice(beginning.length),
    async (input: never) => askStorage(hooks(), name, input),
  ]);
  return Object.fromEntries(methods) as StorageClient;
}

/** Actions wait for the start to be over: before it, nobody is there who could answer. */
function bound(hooks: Hooks | undefined, plugin: string): Hooks {
  if (hooks) return hooks;
  throw new MemoirError("plugin_failed", `plugin ${plugin} used storage or a model in its start`, {
    plugin,
    fix: "Use them in a hook's handler; while plugins start, none of them can answer.",
  });
}
