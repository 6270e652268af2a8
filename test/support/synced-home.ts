// A home with a memory of its own and a real hub's plugin, in this process: what a server has of sync, without the server.
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import folderHub from "../../plugins/hub-folder/index.ts";
import postgresHub from "../../plugins/hub-postgres/index.ts";
import { silentLog } from "../../src/home/log.ts";
import { openRecords } from "../../src/records/record-store.ts";
import type { ExchangeDeps } from "../../src/sync/ask-hub.ts";
import { openSyncState } from "../../src/sync/state.ts";
import { testHost } from "../../src/testing/test-host.ts";

/** Below `root`; `hub` is a folder, or the address of a PostgreSQL. */
export async function syncedHome(root: string, hub: string) {
  const folder = mkdtempSync(join(root, "home-"));
  const isPostgres = hub.startsWith("postgres:");
  if (isPostgres) writeFileSync(join(folder, "keys.json"), JSON.stringify({ "hub-postgres": hub }));
  const host = isPostgres
    ? await testHost(postgresHub, { home: folder, config: { timeoutSeconds: 5 } })
    : await testHost(folderHub, { home: folder, config: { folder: hub } });
  const records = await openRecords(join(folder, "memory.db"), Date.now);
  const hooks = {
    async first(name: string, input: never) {
      if (name === "storage.changes") return { result: await records.changes(input) };
      if (name === "storage.apply") return { result: await records.apply(input) };
      return { result: await host.call(name as "hub.pull", input) };
    },
  };
  const state = await openSyncState(join(folder, "sync.db"));
  const deps: ExchangeDeps = { hooks: hooks as never, state, log: silentLog, now: Date.now };
  return {
    ...{ deps, folder, records, state },
    async stop() {
      state.close();
      records.close();
      await host.stop();
    },
  };
}
