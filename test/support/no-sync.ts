// Sync of a home that shares nothing, for servers that are put together by hand.
import { createSync, type Sync } from "../../src/sync/service.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

/** Of a home; nothing can be made below a file, by whomever, so without one nothing is ever shared. */
export function syncOf(home: string): Sync {
  return createSync({
    paths: { home, sync: `${home}/sync.db`, keys: `${home}/keys.json` },
    runtime: { hooks: {} as never, reload: async () => undefined },
    log: quiet,
    now: () => Date.now(),
    env: {},
  });
}

export const noSync = syncOf("/dev/null/home");
