// What every storage plugin promises, as cases that need no test runner: Bun's tests and a Deno script run the same ones.
import type { StorageClient } from "../../src/sdk/index.ts";
import { listingCases } from "./storage-listing-cases.ts";
import { puttingCases } from "./storage-putting-cases.ts";
import { searchCases } from "./storage-search-cases.ts";

/** A storage on one home; opening it again after `close` finds what was put before. */
export interface StorageHandle {
  storage: StorageClient;
  close(): Promise<void>;
}

/** One promise. `open` may be called again once the handle before was closed; `run` leaves none open. */
export interface StorageCase {
  name: string;
  run(open: () => Promise<StorageHandle>): Promise<void>;
}

/** All promises; each wants a home of its own. */
export const storageCases: readonly StorageCase[] = [
  ...puttingCases,
  ...listingCases,
  ...searchCases,
];

/** A case that needs one open storage only. */
export function storageCase(
  name: string,
  check: (storage: StorageClient) => Promise<void>,
): StorageCase {
  return {
    name,
    async run(open) {
      const handle = await open();
      try {
        await check(handle.storage);
      } finally {
        await handle.close();
      }
    },
  };
}
