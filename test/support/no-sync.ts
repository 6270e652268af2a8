// Sync of a home that shares nothing, for servers that are put together by hand.
import { createSync, type Sync } from "../../src/sync/service.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

export const noSync: Sync = createSync({
  paths: { home: "/nowhere", sync: "/nowhere/sync.db", keys: "/nowhere/keys.json" },
  runtime: { hooks: {} as never, reload: async () => undefined },
  log: quiet,
  now: () => Date.now(),
  env: {},
});
