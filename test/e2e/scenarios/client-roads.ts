// Claude Code's hooks, run by another client: Codex with memoir's plugin for Claude Code, and Grok, which reads its settings;
// beside their own hooks and without.
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Session } from "../../../src/sdk/model.ts";
import { textOfRequest } from "../clients/chat-api.ts";
import { codexClient } from "../clients/codex.ts";
import { grokClient } from "../clients/grok.ts";
import { fetchClient } from "../clients/other-client.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import type { World } from "../world.ts";
import { mend } from "./client-steps.ts";
import { open } from "./clients.ts";

/** The plugin is a folder of it. */
const repository = resolve(import.meta.dirname, "../../..");

/** Adds the plugin to Codex, as a person does. */
async function addPlugin(world: World, api: string): Promise<void> {
  const fetched = await fetchClient(codexClient);
  assert.ok("folder" in fetched);
  const marketplace = join(world.dir, "marketplace");
  for (const part of [".claude-plugin", "hooks"])
    await cp(join(repository, part), join(marketplace, part), { recursive: true });
  const program = codexClient.command(fetched.folder);
  const env = { ...world.env, ...codexClient.env(api) };
  for (const said of [`marketplace add ${marketplace}`, "add memoir@memoir"]) {
    const added = Bun.spawnSync([...program, "plugin", ...said.split(" ")], {
      ...{ cwd: world.home, env },
    });
    assert.equal(added.exitCode, 0, added.stdout.toString() + added.stderr.toString());
  }
}

/** What `mend` did was taken once, and its tools with how they ended. */
async function assertOnce(memoir: Memoir): Promise<void> {
  const { journal } = await memoir.json<{ journal: { counters: Record<string, number> } }>(
    "status",
  );
  const many = (event: string) => journal.counters[`event:${event}`] ?? 0;
  assert.deepEqual(
    ["SessionStart", "UserPromptSubmit", "Stop"].map(many),
    [1, 1, 1],
    JSON.stringify(journal.counters),
  );
  assert.deepEqual([many("PostToolUse"), many("PostToolUseFailure")], [3, 1]);
}

const times = (text: string, part: string) => text.split(part).length - 1;

export const clientRoadScenarios: Scenario[] = [
  {
    name: "client codex: with memoir's plugin for Claude Code, each event is one, and Codex's, with its own hooks and without",
    client: codexClient.name,
    async run(world) {
      const room = await open(codexClient, world);
      const { api, memoir, session } = room;
      await addPlugin(world, api.url);
      await mend(codexClient, room);
      await assertOnce(memoir);

      const gone = await memoir.run("uninstall", "codex", "--yes");
      assert.equal(gone.code, 0, gone.stderr);
      const before = api.main().length;
      await session("What was wrong with the total?");
      const [first = ""] = api.main().slice(before).map(textOfRequest);
      assert.ok(first.includes("now it is added"), `no context by the plugin's road: ${first}`);
      const notes = [...first.matchAll(/<memoir-context[^>]*>/g)].map(([note]) => note);
      assert.equal(times(first, "<memoir-context"), new Set(notes).size, notes.join(", "));
      await memoir.settle();
      const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
      assert.deepEqual(
        sessions.map((one) => one.client),
        ["codex", "codex"],
      );
      await api.stop();
    },
  },
  {
    name: "client grok: a session by Claude Code's hooks is one, and Grok's, beside its own hooks and without",
    client: grokClient.name,
    async run(world) {
      const room = await open(grokClient, world);
      const { api, memoir, session } = room;
      await mend(grokClient, room);
      await assertOnce(memoir);
      const gone = await memoir.run("uninstall", "grok", "--yes");
      assert.equal(gone.code, 0, gone.stderr);
      api.say([[grokClient.tools.run("node test.js")], ["It passes."]]);
      await session("Does the test pass?");
      await memoir.settle();
      const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
      assert.deepEqual(
        sessions.map((one) => one.client),
        ["grok", "grok"],
      );
      const { turns } = await memoir.records(sessions.at(-1)?.id ?? "");
      const kinds = turns.flatMap(({ pieces }) => pieces.map(({ kind }) => kind));
      for (const kind of ["failure", "repair"] as const)
        assert.ok(kinds.includes(kind), `no ${kind} in ${kinds.join(", ")}`);
      await api.stop();
    },
  },
];
