// What a server is made from in tests: a runtime that remembers, nothing behind it.

import { createBackfills } from "../../src/backfill/job.ts";
import { silentLog } from "../../src/home/log.ts";
import { createPageSessions } from "../../src/server/auth/guard.ts";
import type { Retention } from "../../src/server/memory/retention.ts";
import type { Deps } from "../../src/server/operation.ts";
import { type Changes, createChanges } from "../../src/server/server.ts";
import { noSync } from "../support/no-sync.ts";
import { type FakeOptions, type FakeRuntime, fakeRuntime, quietServer } from "./fake-runtime.ts";

/** Of a server that keeps all for ever. */
export const forEver: Retention = {
  plan: async () => ({ isBound: false, sessions: [], bytes: 0, freed: 0 }),
  deleteSession: async () => 0,
  purge: async () => undefined,
};

/** Options for `createApp`; the clock stands at 1,000. */
export function appOptions(
  fake: FakeOptions = {},
): Deps & { runtime: FakeRuntime; changes: Changes } {
  const runtime = fakeRuntime(fake);
  const now = () => 1_000;
  return {
    sync: noSync,
    backfills: createBackfills({
      runtime: runtime.transcripts,
      home: "/h",
      log: silentLog,
      now,
    }),
    runtime,
    retention: forEver,
    version: "1.2.3",
    refusals: {},
    log: silentLog,
    now,
    page: createPageSessions(now, "a".repeat(64)),
    changes: createChanges(now()),
    serverStatus: async () => quietServer,
    drainSpool: async () => {},
    reloaded: async () => {},
    stop: () => {},
  };
}
