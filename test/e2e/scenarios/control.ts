// No memoir anywhere: the harness itself works, and this is the conversation the others are compared with.
import assert from "node:assert/strict";
import type { Scenario } from "../scenario.ts";
import { contexts, toolResults } from "../wire.ts";
import { fixClosing, fixPrompt, fixScript, shopFiles } from "./shop.ts";

export const control: Scenario[] = [
  {
    name: "control: the client works through its session without memoir",
    async run(world) {
      const shop = await world.project("shop", shopFiles);
      const session = await shop.session({
        prompts: [fixPrompt],
        script: fixScript(shop, "background"),
      });
      assert.equal(session.exitCode, 0, session.stderr);
      assert.deepEqual(session.hooks, []);
      assert.deepEqual(session.main.flatMap(contexts), []);
      const last = session.main.at(-1);
      assert.ok(last);
      const results = [...toolResults(last).values()];
      assert.match(results.join("\n"), /off - off/);
      assert.match(results.join("\n"), /Exit code 1[\s\S]*takes ten percent off/);
      assert.match(results.at(-1) ?? "", /pass 1/);
      assert.equal(session.results.at(-1), fixClosing);
      assert.equal(session.requests.filter((request) => request.lane === "agent").length, 2);
    },
  },
];
