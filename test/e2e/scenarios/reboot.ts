// After a reboot no server runs: the first session starts it and is still told what it should know.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { assertUnharmed } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { turn } from "../script.ts";
import { contexts } from "../wire.ts";
import { fixSession, shopFiles } from "./shop.ts";

export const rebootScenarios: Scenario[] = [
  {
    name: "reboot: the first session does not start empty",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", shopFiles);
      await fixSession(shop);
      await memoir.settle();
      // Like a power cut: the socket and server.json stay behind, their process does not.
      await memoir.signal("SIGKILL");
      assert.ok(existsSync(join(memoir.home, "memoir.sock")));
      const next = await shop.session({ prompts: ["Go on"], script: { main: [turn("Yes.")] } });
      assertUnharmed(next);
      assert.match(contexts(next.main[0]).join("\n"), /src\/discount\.js/);
    },
  },
];
