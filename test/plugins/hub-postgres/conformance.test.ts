import { afterAll, describe, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import plugin from "../../../plugins/hub-postgres/index.ts";
import { suites } from "../../../src/testing/index.ts";
import { postgresPrograms, startPooler, startPostgres } from "../../support/postgres.ts";

const programs = await postgresPrograms();
const server = programs ? await startPostgres(programs) : undefined;
if (!server)
  console.log("hub-postgres is not tried: this machine has no PostgreSQL of 15 or newer");
const pooler = server && (await startPooler(server));
if (server && !pooler) console.log("no pooler is tried: this machine has no pgbouncer");
afterAll(async () => {
  await pooler?.stop();
  await server?.stop();
});

/** Each home of the suite has the address where a person's would be. */
const subject = (address: string): typeof plugin => ({
  ...plugin,
  start(ctx) {
    writeFileSync(join(ctx.home, "keys.json"), JSON.stringify({ "hub-postgres": address }));
    return plugin.start?.(ctx) as ReturnType<NonNullable<typeof plugin.start>>;
  },
});

describe.each([
  ["hub-postgres", server?.url],
  ["hub-postgres behind a pooler in transaction mode", pooler?.url],
])("%s keeps the promises of a hub", (_, address) => {
  for (const { name, run } of suites.hub)
    test.skipIf(!address)(name, () => run({ plugin: subject(address ?? "") }).then(), 30_000);
});
