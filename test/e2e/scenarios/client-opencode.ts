// OpenCode beside what every client is tried with: what an uninstall leaves, a server that goes, results made smaller.
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { opencodeClient } from "../clients/opencode.ts";
import type { Scenario } from "../scenario.ts";
import type { World } from "../world.ts";
import { outages, smaller } from "./client-steps.ts";
import { open } from "./clients.ts";

function scenario(name: string, run: (world: World) => Promise<void>): Scenario {
  return { name: `client opencode: ${name}`, client: opencodeClient.name, run };
}

const removed = scenario("an uninstall leaves none of memoir's files", async (world) => {
  const { memoir, api } = await open(opencodeClient, world);
  const folder = join(world.home, ".config/opencode");
  assert.ok((await readdir(folder)).includes("plugins"));
  const gone = await memoir.run("uninstall", "opencode", "--yes");
  assert.equal(gone.code, 0, gone.stderr);
  assert.deepEqual((await readdir(folder)).toSorted(), [
    ...["node_modules", "opencode.json", "package-lock.json", "package.json"],
  ]);
  await api.stop();
});

export const clientOpenCodeScenarios: Scenario[] = [
  removed,
  ...outages(opencodeClient),
  smaller(opencodeClient),
];
