// One memory on several machines: what one home's session did is known to the next home's first request, through each hub.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { postgresPrograms, startPostgres } from "../../support/postgres.ts";
import { assertUnharmed } from "../expect.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { turn } from "../script.ts";
import { until } from "../until.ts";
import { contexts } from "../wire.ts";
import { type Project, type World, withWorld } from "../world.ts";
import { fixPrompt, fixScript, shopFiles } from "./shop.ts";

/** A clone, as far as memoir can tell: the same remote. */
async function clone(world: World): Promise<Project> {
  const shop = await world.project("shop", shopFiles);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: shop.root, env: world.env });
  git("init", "-q");
  git("remote", "add", "origin", "https://github.com/acme/shop.git");
  return shop;
}

/** Asks what a new session is told, and gives the first request's contexts. */
async function firstContexts(shop: Project): Promise<string> {
  const next = await shop.session({
    prompts: ["What should we do next?"],
    script: { main: [turn("Cover percentages over 100.")] },
  });
  assertUnharmed(next);
  return contexts(next.main[0]).join("\n");
}

function assertKnown(context: string): void {
  assert.match(context, /src\/discount\.js/, `names the file that was changed: ${context}`);
  assert.match(context, /subtracted the discount twice/, `says the cause: ${context}`);
  assert.match(context, /subtracts it once/, `says what was decided: ${context}`);
  assert.match(context, /percentages over 100/, `names the next step: ${context}`);
}

/** Runs the same on a second machine, which has nothing but an invitation. */
export function elsewhere(
  { client }: World,
  memoir: Memoir,
  use: (world: World) => Promise<void>,
): Promise<unknown> {
  return withWorld({ client, memoir: join(memoir.home, "bin/memoir") }, false, use);
}

async function acrossMachines(world: World, hub: (memoir: Memoir) => Promise<void>): Promise<void> {
  const memoir = await world.install();
  const shop = await clone(world);
  assertUnharmed(
    await shop.session({ prompts: [fixPrompt], script: fixScript(shop, "background") }),
  );
  await memoir.settle();
  await hub(memoir);
  const { invitation } = await memoir.json<{ invitation: string }>("sync", "invite");
  await elsewhere(world, memoir, async (second) => {
    const there = await second.install();
    await there.ask("/api/sync/join", { invitation, person: "Bo" });
    assertKnown(await firstContexts(await clone(second)));
    // And back: what the second machine said is found on the first.
    await there.settle();
    await until("the first machine has the second's session", async () => {
      const { sessions } = await memoir.ask<{ sessions: unknown[] }>("/api/sessions");
      return sessions.length === 2;
    });
  });
  const key = await memoir.json<{ invitation: string }>("sync", "invite", "--key");
  await elsewhere(world, memoir, async (container) => {
    container.env.MEMOIR_SYNC = key.invitation;
    const there = await container.install();
    await there.settle();
    await until("the container has joined", async () => {
      const { spaces } = await there.json<{ spaces: unknown[] }>("sync", "status");
      return spaces.length === 1;
    });
    assertKnown(await firstContexts(await clone(container)));
  });
}

export const syncScenarios: Scenario[] = [
  {
    name: "sync: through a folder, the next machine's first request knows the fix; a container by one variable",
    run: (world) =>
      acrossMachines(world, async (memoir) => {
        const folder = join(world.dir, "synced");
        await mkdir(folder);
        const made = await memoir.run("sync", "init", folder, "--as", "Ada");
        assert.equal(made.code, 0, made.stderr + made.stdout);
      }),
  },
  {
    name: "sync: through PostgreSQL, the next machine's first request knows the fix; a container by one variable",
    needs: "postgres",
    async run(world) {
      const server = await startPostgres((await postgresPrograms()) ?? "");
      try {
        await acrossMachines(world, async (memoir) => {
          const hub = { type: "postgres", address: server.url };
          await memoir.ask("/api/sync/spaces", { kind: "mine", hub, person: "Ada" });
        });
      } finally {
        await server.stop();
      }
    },
  },
];
