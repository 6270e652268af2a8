// One project, several clients in turn: each is told what all before it did, and the memory is one.
import assert from "node:assert/strict";
import type { Session } from "../../../src/sdk/model.ts";
import { textOfRequest } from "../clients/chat-api.ts";
import { codexClient } from "../clients/codex.ts";
import { geminiClient } from "../clients/gemini.ts";
import { piClient } from "../clients/pi.ts";
import { qwenClient } from "../clients/qwen.ts";
import { assertUnharmed } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { turn } from "../script.ts";
import { contexts } from "../wire.ts";
import { open } from "./clients.ts";

const inTurn = [
  { client: codexClient, prompt: "Why does the test fail?", answer: "The sign of tax is wrong." },
  { client: piClient, prompt: "Mend what was found.", answer: "The sign is turned round." },
  { client: geminiClient, prompt: "How does it round?", answer: "The till rounds to cents." },
  { client: qwenClient, prompt: "Is it mended?", answer: "The total of 120 is right now." },
];

const together: Scenario = {
  name: "clients in turn: Codex, pi, Gemini CLI, Qwen Code and Claude Code in one project, each knows what the others did",
  client: inTurn.map(({ client }) => client.name),
  async run(world) {
    const first = await open(codexClient, world);
    const { memoir, project } = first;
    const known: string[] = [];
    for (const { client, prompt, answer } of inTurn) {
      const isFirst = client === codexClient;
      const { api, session } = isFirst ? first : await open(client, world, undefined, first);
      const { read, edit, run } = client.tools;
      const file = project.path("src/total.js");
      const work = client === piClient ? edit(file, "price - tax", "price + tax") : read(file);
      api.say([[work], [run("node test.js")], [answer]]);
      await session(prompt);
      await memoir.settle();
      const [asked] = api.main();
      assert.ok(asked, `${client.name} asked nothing`);
      const told = textOfRequest(asked);
      for (const earlier of known)
        assert.ok(told.includes(earlier), `${client.name} is not told: ${earlier}\n${told}`);
      known.push(answer);
      await api.stop();
    }
    const last = await project.session({
      prompts: ["What was done here?"],
      script: { main: [turn("A sign was turned round.")] },
    });
    assertUnharmed(last);
    const told = contexts(last.main[0]).join("\n");
    for (const earlier of known) assert.ok(told.includes(earlier), `not told: ${earlier}\n${told}`);
    await memoir.settle();
    const { sessions } = await memoir.ask<{ sessions: Session[] }>("/api/sessions");
    const whose = sessions.map((one) => one.client).toSorted();
    assert.deepEqual(whose, ["claude-code", "codex", "gemini", "pi", "qwen"]);
    assert.equal(new Set(sessions.map((one) => one.project.id)).size, 1);
  },
};

export const clientsInTurnScenarios: Scenario[] = [together];
