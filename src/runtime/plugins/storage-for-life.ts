// The storage that a plugin is handed, for as long as the plugin runs: who reads on in the background must not meet a closed database.
import type { StorageClient } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";

/** Storage with an end. */
interface StorageForLife {
  storage: StorageClient;
  /** From now on every call is refused; resolves when those under way are answered. Never rejects. */
  end(): Promise<void>;
}

/** Passes all calls on to `storage` until its end. */
export function storageForLife(storage: StorageClient, plugin: string): StorageForLife {
  const underWay = new Set<Promise<unknown>>();
  let isOver = false;
  async function pass(ask: () => Promise<unknown>): Promise<unknown> {
    if (isOver)
      throw new MemoirError("plugin_failed", `plugin ${plugin} used storage after its stop`, {
        plugin,
        fix: "Its author can end in `stop` what it does in the background.",
      });
    const asking = ask();
    underWay.add(asking);
    try {
      return await asking;
    } finally {
      underWay.delete(asking);
    }
  }
  const methods = Object.entries(storage).map(([verb, ask]) => [
    verb,
    (input: never) => pass(() => ask(input)),
  ]);
  return {
    storage: Object.fromEntries(methods) as StorageClient,
    async end() {
      isOver = true;
      await Promise.allSettled(underWay);
    },
  };
}
