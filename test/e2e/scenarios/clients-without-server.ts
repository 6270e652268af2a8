// Each client beside Claude Code with a server that dies under it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "../../../src/sdk/model.ts";
import { textOfRequest } from "../clients/chat-api.ts";
import { otherClients } from "../clients/index.ts";
import { type OtherClient, scenarioName } from "../clients/other-client.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { open } from "./clients.ts";

/** Each prompt once, each failed test once; and reading the client's own history brings nothing more. */
async function assertOnce(memoir: Memoir, name: string, asked: readonly string[]): Promise<void> {
  await memoir.settle();
  assert.deepEqual(await memoir.spooled(), []);
  const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
  assert.deepEqual([...new Set(sessions.map(({ client }) => client))], [name]);
  const records = await Promise.all(sessions.map(({ id }) => memoir.records(id)));
  const told = records.flatMap(({ prompts }) => prompts.map(({ text }) => text));
  assert.deepEqual(told.toSorted(), [...asked].toSorted());
  const turns = records.flatMap((one) => one.turns);
  const failures = turns
    .flatMap(({ pieces }) => pieces)
    .filter(({ kind, text }) => kind === "failure" && text.includes("TotalMismatch"));
  assert.equal(failures.length, asked.length, JSON.stringify(turns));
  const again = await memoir.run("backfill", "--yes", "--json");
  assert.equal(again.code, 0, again.stderr);
  const { result } = JSON.parse(again.stdout) as {
    result: { events: { committed: number } } | null;
  };
  // Nothing is read where all is known, or is read and known.
  assert.equal(result?.events.committed ?? 0, 0, again.stdout);
}

function killed(client: OtherClient): Scenario {
  const { read, run } = client.tools;
  return {
    name: scenarioName(
      client,
      "a server that is killed before, in the midst and after changes nothing",
    ),
    client: client.name,
    async run(world) {
      const { api, memoir, project, session } = await open(client, world);
      const look = ["I look at it.", read(project.path("src/total.js"))];
      const test = [run("node test.js")];
      const kill = () => memoir.signal("SIGKILL");
      await kill();
      api.say([test, ["It fails."]]);
      await session("Say what the test does.");
      await memoir.settle();
      const { pid } = JSON.parse(await readFile(join(memoir.home, "server.json"), "utf8"));
      api.say([look, [run(`kill -KILL ${pid}`)], test, ["It fails still."]]);
      await session("Say it again.");
      const [last] = api.main().slice(-1);
      assert.ok(last && textOfRequest(last).includes("TotalMismatch"), "the agent saw its result");
      // Copilot ends by SIGTERM what its hooks started, once its session is over.
      await memoir.run("server", "start");
      await kill();
      await assertOnce(memoir, client.name, ["Say what the test does.", "Say it again."]);
      await api.stop();
    },
  };
}

export const withoutServerScenarios: Scenario[] = otherClients.map(killed);
