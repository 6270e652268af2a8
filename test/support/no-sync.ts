// Sync of a home that shares nothing, for servers that are put together by hand.
import { createSync, type Sync } from "../../src/sync/service.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

/** Nothing can be made below a file, by whomever. */
const home = "/dev/null/home";

export const noSync: Sync = createSync({
  paths: { home, sync: `${home}/sync.db`, keys: `${home}/keys.json` },
  runtime: { hooks: {} as never, reload: async () => undefined },
  log: quiet,
  now: () => Date.now(),
  env: {},
});
