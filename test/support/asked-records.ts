// A runtime whose storage hooks are answered by a real store, for tests of what asks storage.

import type { RecordStore } from "../../src/records/record-store.ts";
import { openRecords } from "../../src/records/record-store.ts";
import type { Hooks } from "../../src/runtime/ports.ts";
import type { WithHooks } from "../../src/server/memory/records.ts";

/** A store in memory, and who asks it. */
export interface AskedRecords {
  store: RecordStore;
  runtime: WithHooks;
}

/** Close the store afterwards. */
export async function askedRecords(now: () => number): Promise<AskedRecords> {
  const store = await openRecords(":memory:", now);
  return { store, runtime: askedOf(store) };
}

/** Who asks this store. */
function askedOf(store: RecordStore): WithHooks {
  const first = async (name: string, input: never) => {
    const verb = name.slice("storage.".length) as keyof Omit<RecordStore, "close">;
    return { plugin: "sqlite", result: await store[verb](input) };
  };
  return { hooks: { first, subscriptions: () => [] } as unknown as Hooks };
}
