// Codex in its interactive form: it skips hooks that its user did not review, and runs them once the user trusted them.
import assert from "node:assert/strict";
import type { Session } from "../../../src/sdk/model.ts";
import { textOfRequest } from "../clients/chat-api.ts";
import { codexClient } from "../clients/codex.ts";
import { inCodexWindow, putOnPath } from "../codex-window.ts";
import { assertUnharmed } from "../expect.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { turn, use } from "../script.ts";
import { until } from "../until.ts";
import type { World } from "../world.ts";
import { open, type Room } from "./clients.ts";

/** What the doctor says of Codex, its lines joined. */
async function doctorOn(memoir: Memoir): Promise<string> {
  interface Doctor {
    checks: Array<{ name: string; state: string; message: string }>;
  }
  const { checks }: Doctor = JSON.parse((await memoir.run("doctor", "--json")).stdout);
  const own = checks.filter(
    ({ message }) => message.includes("memoir's hooks") || message.includes("not trusted"),
  );
  return own.map(({ state, message }) => `${state} ${message}`).join("\n");
}

/** A room in which Claude Code found something out. */
async function known(world: World): Promise<Room> {
  await putOnPath(world);
  const room = await open(codexClient, world);
  const file = room.project.path("src/total.js");
  const first = await room.project.session({
    prompts: ["Why does the test fail?"],
    script: { main: [turn(use("Read", { file_path: file })), turn("The sign of tax is wrong.")] },
  });
  assertUnharmed(first);
  await room.memoir.settle();
  return room;
}

async function sessionsOf(memoir: Memoir): Promise<Session[]> {
  await memoir.settle();
  return (await memoir.ask<{ sessions: Session[] }>("/api/sessions")).sessions;
}

/** Turns that ended so far. */
async function stops(memoir: Memoir): Promise<number> {
  interface Status {
    journal: { counters: Record<string, number> };
  }
  const { journal } = await memoir.json<Status>("status");
  return journal.counters["event:Stop"] ?? 0;
}

const needs = { needs: "tmux", client: codexClient.name } as const;

export const clientCodexScenarios: Scenario[] = [
  {
    name: "client codex: in its window, hooks that nobody trusted are skipped, and the doctor says so",
    ...needs,
    async run(world) {
      const { api, memoir, project } = await known(world);
      api.say([["I changed nothing."]]);
      await inCodexWindow(world, project.root, api.url, async (window) => {
        await window.choose("Continue without trusting");
        await window.ask("Mend what was found.", "I changed nothing.");
      });
      const told = api.main().map(textOfRequest).join("\n");
      assert.ok(told.includes("Mend what was found."), told);
      assert.ok(!told.includes("memoir-context"), "hooks that nobody trusted were run");
      assert.deepEqual(
        (await sessionsOf(memoir)).map((one) => one.client),
        ["claude-code"],
      );
      const said = await doctorOn(memoir);
      assert.match(said, /^fail .*not trusted: Codex skips them$/m);
      await api.stop();
    },
  },
  {
    name: "client codex: in its window, hooks that its user trusts bring context, and the session is remembered",
    ...needs,
    async run(world) {
      const { api, memoir, project } = await known(world);
      const { tools } = codexClient;
      const file = project.path("src/total.js");
      api.say([
        [tools.edit(file, "price - tax", "price + tax")],
        [tools.run("node test.js")],
        ["The sign is turned round."],
      ]);
      const before = await stops(memoir);
      await inCodexWindow(world, project.root, api.url, async (window) => {
        await window.choose("Trust all and continue");
        await window.ask("Mend what was found.", "The sign is turned round.");
        // The answer stands there before the last hook was run.
        await until("Codex told of the turn's end", async () => (await stops(memoir)) > before);
      });
      const [first = ""] = api.main().map(textOfRequest);
      assert.ok(first.includes("memoir-context"), `no context: ${first}`);
      assert.ok(first.includes("The sign of tax is wrong."), first);
      const sessions = await sessionsOf(memoir);
      assert.deepEqual(sessions.map((one) => one.client).toSorted(), ["claude-code", "codex"]);
      const own = sessions.find((one) => one.client === codexClient.name);
      assert.ok(own, "no session of Codex is remembered");
      const { prompts, turns } = await memoir.records(own.id);
      assert.deepEqual(
        prompts.map(({ text }) => text),
        ["Mend what was found."],
      );
      const kept = JSON.stringify(turns);
      for (const word of ["src/total.js", "1 passing", "The sign is turned round."])
        assert.ok(kept.includes(word), `the turn does not tell ${word}: ${kept}`);
      assert.ok(!kept.includes("memoir-context"), "memoir's own context was captured");
      const said = await doctorOn(memoir);
      assert.match(said, /^ok .*it trusts memoir's hooks$/m);
      await api.stop();
    },
  },
];
