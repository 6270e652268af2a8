import { afterAll, describe, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import plugin from "../../../plugins/hub-postgres/index.ts";
import { suites } from "../../../src/testing/index.ts";
import { postgresPrograms, startPostgres } from "../../support/postgres.ts";

const programs = await postgresPrograms();
const server = programs ? await startPostgres(programs) : undefined;
if (!server)
  console.log("hub-postgres is not tried: this machine has no PostgreSQL of 15 or newer");
afterAll(() => server?.stop());

/** Each home of the suite has the address where a person's would be. */
const subject: typeof plugin = {
  ...plugin,
  start(ctx) {
    const keys = JSON.stringify({ "hub-postgres": server?.url ?? "" });
    writeFileSync(join(ctx.home, "keys.json"), keys);
    return plugin.start?.(ctx) as ReturnType<NonNullable<typeof plugin.start>>;
  },
};

describe.skipIf(!server)("hub-postgres keeps the promises of a hub", () => {
  for (const { name, run } of suites.hub) test(name, () => run({ plugin: subject }).then(), 30_000);
});
