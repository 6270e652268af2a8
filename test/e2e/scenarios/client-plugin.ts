// memoir as a plugin of the client's, both ways that it can be added, beside what `memoir install` writes, and what is left after uninstall.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { version } from "../../../package.json" with { type: "json" };
import { isHere } from "../../../src/release/check.ts";
import {
  launcherName,
  launcherPackage,
  packageFile,
  platformName,
  platformPackage,
} from "../../../src/release/package-managers.ts";
import { targets } from "../../../src/release/targets.ts";
import { fetchScript } from "../../../src/release/write-hooks.ts";
import { type Registry, startRegistry } from "../../support/npm-registry.ts";
import type { ClientSession } from "../client-session.ts";
import { assertUnharmed } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { after, type Block, turn, use } from "../script.ts";
import { until } from "../until.ts";
import { contexts, toolResults } from "../wire.ts";
import type { World } from "../world.ts";
import { fixPrompt, fixScript, shopFiles } from "./shop.ts";

/** The plugin is a folder of it. */
const repository = resolve(import.meta.dirname, "../../..");

/** Adds the plugin for good, as a person does: a marketplace, then the plugin of it. */
async function addPlugin(world: World): Promise<void> {
  const marketplace = await putMarketplace(world);
  await installPlugin(world, marketplace);
}

/** Only what the client reads of a repository: it copies all there is. */
async function putMarketplace(world: World): Promise<string> {
  const marketplace = join(world.dir, "marketplace");
  for (const part of [".claude-plugin", "hooks"])
    await cp(join(repository, part), join(marketplace, part), { recursive: true });
  return marketplace;
}

async function installPlugin(world: World, marketplace: string): Promise<void> {
  for (const args of [
    ["marketplace", "add", marketplace],
    ["install", "memoir@memoir"],
  ]) {
    const child = Bun.spawn([world.client, "plugin", ...args], {
      ...{ cwd: world.home, env: world.env, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    });
    const said = await new Response(child.stdout).text();
    assert.equal(await child.exited, 0, said + (await new Response(child.stderr).text()));
  }
}

/** A registry with the npm packages of the binary under test; the plugin's script fetches from it. */
async function registryFor(world: World): Promise<Registry> {
  const here = targets.find(isHere);
  assert.ok(here);
  const binary = await readFile(join(repository, "dist/memoir"));
  const common = { version, seconds: 0, texts: [] };
  const packages: Array<[string, Uint8Array]> = [
    [platformName(here), platformPackage(here, binary, common)],
    [launcherName, launcherPackage([here], common)],
  ];
  const files = packages.map(([name]) => join(world.dir, packageFile(name, version)));
  for (const [at, [, content]] of packages.entries()) await writeFile(files[at] ?? "", content);
  const registry = await startRegistry(files);
  world.env.npm_config_registry = registry.url;
  await writeFile(
    join(world.dir, "marketplace/hooks/fetch.sh"),
    await fetchScript(launcherName, version),
  );
  return registry;
}

/** memoir's tools as the agent is shown them, by the servers they come from. */
function servers({ main }: ClientSession): string[] {
  const names = JSON.stringify(main[0]?.body).matchAll(/mcp__(\w*memoir)__\w+/g);
  return [...new Set(Array.from(names, ([, server = ""]) => server))].sort();
}

const said = (session: ClientSession, event: string) =>
  session.hooks.filter((run) => run.event === event).map(({ stdout }) => stdout);

interface Doctor {
  checks: Array<{ name: string; state: string; message: string }>;
}

export const clientPluginScenarios: Scenario[] = [
  {
    name: "client plugin: beside an install an event is taken once, a note stands once, and it is said that hooks run twice",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", shopFiles);
      const args = ["--plugin-dir", join(repository, "hooks")];
      const script = fixScript(shop, "background");
      const first = await shop.session({ prompts: [fixPrompt], script, args });
      assertUnharmed(first);
      assert.deepEqual(servers(first), ["memoir", "plugin_memoir_memoir"]);
      const starts = said(first, "SessionStart");
      assert.equal(starts.length, 2, "both hooks ran");
      assert.equal(starts.filter((text) => text.includes("its hooks run twice")).length, 1);
      await memoir.settle();
      const { journal } = await memoir.json<{ journal: { counters: Record<string, number> } }>(
        "status",
      );
      for (const event of ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"])
        assert.equal(journal.counters[`event:${event}`], 1, event);

      const next = await shop.session({
        prompts: ["Why did discounted() in src/discount.js subtract twice?"],
        script: { main: [turn("Because of a slip.")] },
        args,
      });
      assertUnharmed(next);
      const kinds = contexts(next.main[0]).map((text) => text.slice(0, text.indexOf(">")));
      assert.equal(new Set(kinds).size, kinds.length, `each note once: ${kinds.join(", ")}`);
      assert.ok(kinds.length > 0, "the session was told something");
    },
  },
  {
    name: "client plugin: added before the binary, it has its tools with the first session after, and stays said after uninstall",
    async run(world) {
      const shop = await world.project("shop", shopFiles);
      await addPlugin(world);
      const hello = { prompts: ["Hello"], script: { main: [turn("Hello.")] } };
      const early = await shop.session(hello);
      assertUnharmed(early);
      assert.deepEqual(servers(early), [], "nothing to offer yet, and nothing failed");
      const memoir = await world.install();
      const session = await shop.session(hello);
      assertUnharmed(session);
      assert.deepEqual(servers(session), ["plugin_memoir_memoir"]);
      assert.equal(said(session, "SessionStart").length, 1, "no hook stands in the settings");
      const doctor: Doctor = JSON.parse((await memoir.run("doctor", "--json")).stdout);
      assert.deepEqual(
        doctor.checks.filter(({ state }) => state === "fail"),
        [],
      );
      const removed = await memoir.run("uninstall", "--yes");
      assert.match(removed.stdout, /`\/plugin uninstall memoir@memoir`/);
    },
  },
  {
    name: "client plugin: alone on a machine, its first session fetches the binary by npm and is remembered",
    async run(world) {
      const shop = await world.project("shop", shopFiles);
      const marketplace = await putMarketplace(world);
      const registry = await registryFor(world);
      try {
        await installPlugin(world, marketplace);
        const script = fixScript(shop, "foreground");
        const [opening, ...rest] = script.main;
        assert.ok(opening);
        const fetched = () => existsSync(join(world.home, ".memoir/server.json"));
        const isThere = () => until("npm has installed memoir", fetched);
        const main = [after(isThere, opening), ...rest];
        const first = await shop.session({ prompts: [fixPrompt], script: { ...script, main } });
        assertUnharmed(first);
        const [start = ""] = said(first, "SessionStart");
        assert.match(JSON.parse(start).systemMessage, /fetched with npm .* in the background/);
        // Beside the plugin, another install registers nothing.
        const memoir = await world.install();
        await memoir.settle();
        const { journal } = await memoir.json<{ journal: { counters: Record<string, number> } }>(
          "status",
        );
        assert.equal(journal.counters["event:Stop"], 1);
        const next = await shop.session({
          prompts: ["Why did discounted() in src/discount.js subtract twice?"],
          script: { main: [turn("Because of a slip.")] },
        });
        assertUnharmed(next);
        assert.deepEqual(servers(next), ["plugin_memoir_memoir"]);
        assert.equal(said(next, "SessionStart").length, 1);
        assert.match(contexts(next.main[0]).join("\n"), /discount/);
      } finally {
        await registry.stop();
      }
    },
  },
  {
    name: "client plugin: a tool that is called after uninstall says so in words, and nothing but the memory is left",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", shopFiles);
      const uses: Block[] = [1, 2].map(() => use("mcp__memoir__search", { query: "discount" }));
      const removal = async () => assert.equal((await memoir.run("uninstall", "--yes")).code, 0);
      const main = [
        turn(use("ToolSearch", { query: "select:mcp__memoir__search", max_results: 5 })),
        ...uses.map((block, at) => (at === 0 ? after(removal, turn(block)) : turn(block))),
        turn("It is gone."),
      ];
      const session = await shop.session({ prompts: ["Look"], script: { main } });
      const last = session.requests.at(-1);
      assert.ok(last);
      const answers = [...toolResults(last)].filter(([id]) =>
        uses.some((block) => block.type === "tool_use" && block.id === id),
      );
      assert.equal(answers.length, 2);
      for (const [, text] of answers)
        assert.match(text, /^memoir was uninstalled while this session was open\./);
      const left = await readdir(memoir.home);
      assert.deepEqual(
        left.filter((name) => /lock|sock|server|bin|token/.test(name)),
        [],
      );
    },
  },
];
