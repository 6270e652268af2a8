// A case for storage plugins: it asks through the client that other plugins are given.
import type { StorageClient } from "../../sdk/context.ts";
import { type Room, type SuiteCase, suiteCase } from "../room.ts";

/** A storage on one home; opening it again after `close` finds what was put before. */
interface StorageHandle {
  storage: StorageClient;
  close(): Promise<void>;
}

/** A case that needs one open storage only. */
export function storageCase(
  name: string,
  check: (storage: StorageClient) => Promise<void>,
): SuiteCase {
  return suiteCase(name, async (room) => check((await openStorage(room)).storage));
}

/** Starts the storage of the room; its own handlers answer `storage`. */
export async function openStorage(room: Room): Promise<StorageHandle> {
  const host = await room.open();
  return { storage: host.own, close: host.stop };
}
