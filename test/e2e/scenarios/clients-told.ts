// What clients are told beside Claude Code: a session that is gone on with nothing twice, a prompt what belongs to it.
import assert from "node:assert/strict";
import { clientNamed } from "../../../src/clients/index.ts";
import type { Session } from "../../../src/sdk/model.ts";
import { textOfRequest } from "../clients/chat-api.ts";
import { otherClients } from "../clients/index.ts";
import { type OtherClient, scenarioName } from "../clients/other-client.ts";
import type { Scenario } from "../scenario.ts";
import { open } from "./clients.ts";

const times = (text: string, part: string) => text.split(part).length - 1;

function resumed(client: OtherClient): Scenario[] {
  const { goOn } = client;
  // The others have scenarios of their own.
  if (!goOn) return [];
  const scenario: Scenario = {
    name: scenarioName(client, "a resumed session repeats nothing"),
    client: client.name,
    async run(world) {
      const { api, memoir, session, run } = await open(client, world);
      const word = "The register rounds to whole cents.";
      /** The first request of a session. */
      const first = async (answer: string, work: () => Promise<unknown>) => {
        const before = api.main().length;
        api.say([[answer]]);
        await work();
        await memoir.settle();
        const request = api.main()[before];
        assert.ok(request, "it asked nothing");
        return textOfRequest(request);
      };
      await first(word, () => session("How does the register round?"));
      const begun = await first("Hello.", () => session("Say hello."));
      const told = times(begun, word);
      assert.ok(told > 0, `the second session was told nothing: ${begun}`);
      const [newest] = (await memoir.ask<{ sessions: Session[] }>("/api/sessions")).sessions;
      assert.ok(newest, "it is not remembered");
      const goneOn = await first("Goodbye.", () => run(goOn("Say goodbye.", newest.id)));
      for (const said of ["Say hello.", "Hello.", "Say goodbye."])
        assert.ok(goneOn.includes(said), `it is no resumed one: ${goneOn}`);
      assert.equal(times(goneOn, word), told, goneOn);
      const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
      assert.equal(sessions.length, 2, JSON.stringify(sessions));
      await api.stop();
    },
  };
  return [scenario];
}

/** Beside what its session is told, by its own mark. */
function prompted(client: OtherClient): Scenario[] {
  if (!client.goOn || !clientNamed(client.name).abilities.promptContext) return [];
  const scenario: Scenario = {
    name: scenarioName(client, "a prompt gets the memory that belongs to it"),
    client: client.name,
    async run(world) {
      const { api, memoir, project, session } = await open(client, world);
      const { read, run, edit } = client.tools;
      const file = project.path("src/total.js");
      api.say([
        ["I look at it.", read(file)],
        [run("node test.js")],
        [edit(file, "price - tax", "price + tax")],
        ["The tax was taken off; now it is added."],
      ]);
      await session("Find out why the total leaves out the tax, and mend it.");
      await memoir.settle();
      const told = async (prompt: string) => {
        const before = api.main().length;
        api.say([["As said."]]);
        await session(prompt);
        await memoir.settle();
        return textOfRequest(api.main()[before] ?? { messages: [], tools: [] });
      };
      // Some clients escape what stands in tags.
      const mark = /memoir-context source=(?:\\"|&quot;)prompt(.*)/s;
      assert.ok(!mark.test(await told("Say hello.")), "a greeting has no memory of its own");
      const asked = await told("Why did the total leave out the tax?");
      const own = mark.exec(asked)?.[1] ?? "";
      assert.ok(own.includes("taken off"), asked);
      await api.stop();
    },
  };
  return [scenario];
}

export const toldScenarios: Scenario[] = otherClients.flatMap((client) => [
  ...resumed(client),
  ...prompted(client),
]);
