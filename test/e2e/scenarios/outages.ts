// The server dies or hangs before, while and after the client works: the client does not notice, and nothing is lost.
import assert from "node:assert/strict";
import { assertUnharmed } from "../expect.ts";
import type { Memoir, Signal } from "../memoir.ts";
import type { Script } from "../messages-api.ts";
import type { Scenario } from "../scenario.ts";
import { after, toolUseIds } from "../script.ts";
import { conversation } from "../wire.ts";
import type { Project, World } from "../world.ts";
import { assertSettledOnce, settledRecorder } from "./settled.ts";
import { fixPrompt, fixScript, shopFiles } from "./shop.ts";

interface Outage {
  name: string;
  signal: Signal;
  /** Before the session, before the client gets this turn (counted from 0), or after it. */
  when: "before" | "after" | number;
}

const outages: Outage[] = [
  { name: "killed before the session", signal: "SIGKILL", when: "before" },
  { name: "killed after the first tool uses", signal: "SIGKILL", when: 1 },
  { name: "killed while the fix is made", signal: "SIGKILL", when: 3 },
  { name: "killed after the session", signal: "SIGKILL", when: "after" },
  { name: "hanging before the session", signal: "SIGSTOP", when: "before" },
  { name: "hanging while the fix is made", signal: "SIGSTOP", when: 3 },
];

function interrupted(script: Script, turn: number, cause: () => Promise<void>): Script {
  const main = script.main.map((said, index) => (index === turn ? after(cause, said) : said));
  return { ...script, main };
}

/** The whole conversation of a session that fixes the shop, with this project's own paths blanked. */
async function worked(world: World, shop: Project, script: Script): Promise<string[]> {
  const session = await shop.session({ prompts: [fixPrompt], script });
  if (session.hooks.length > 0) assertUnharmed(session);
  assert.equal(session.exitCode, 0, session.stderr);
  const last = session.main.at(-1);
  assert.ok(last);
  const claude = shop.root.replaceAll(/[/.]/g, "-");
  return conversation(last, { [shop.root]: "shop", [claude]: "shop", [world.dir]: "world" });
}

async function survive(world: World, { signal, when }: Outage): Promise<void> {
  const untouched = await world.project("untouched/shop", shopFiles);
  const expected = await worked(world, untouched, fixScript(untouched, "foreground"));
  const recorder = await settledRecorder(world);
  const memoir: Memoir = await world.install({ config: recorder.config });
  const shop = await world.project("shop", shopFiles);
  const script = fixScript(shop, "foreground");
  const cause = () => memoir.signal(signal);

  if (when === "before") await cause();
  const said = await worked(
    world,
    shop,
    typeof when === "number" ? interrupted(script, when, cause) : script,
  );
  if (when === "after") await cause();

  assert.deepEqual(said, expected, "the conversation is the one without memoir");
  if (signal === "SIGSTOP") await memoir.signal("SIGCONT");
  await memoir.settle();
  assert.deepEqual(await memoir.spooled(), []);
  const toolUses = toolUseIds([...script.main, ...(script.agent ?? [])]);
  assertSettledOnce(await recorder.read(), toolUses, signal === "SIGKILL");
  await assertRemembered(memoir);
}

async function assertRemembered(memoir: Memoir): Promise<void> {
  const { sessions } = await memoir.ask<{ sessions: Array<{ id: string }> }>("/api/sessions");
  assert.equal(sessions.length, 1, JSON.stringify(sessions));
  const { observations, prompts } = await memoir.records(sessions[0]?.id ?? "");
  assert.equal(prompts.length, 1, JSON.stringify(prompts));
  const titles = observations.map(({ title, agent }) => `${agent?.id ?? ""} ${title}`);
  assert.deepEqual(titles, [...new Set(titles)], "nothing is stored twice");
  const modified = observations.flatMap(({ filesModified }) => filesModified);
  assert.ok(modified.includes("src/discount.js"), JSON.stringify(observations, null, 2));
}

export const outageScenarios: Scenario[] = outages.map((outage) => ({
  name: `outage: server ${outage.name}`,
  run: (world) => survive(world, outage),
}));
