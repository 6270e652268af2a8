// memoir's tools in the agent's own hands: the client starts `memoir mcp`, the model searches and fetches.
import assert from "node:assert/strict";
import { assertUnharmed } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { turn, use } from "../script.ts";
import { toolResults } from "../wire.ts";
import { fixPrompt, fixScript, shopFiles } from "./shop.ts";

export const mcpScenarios: Scenario[] = [
  {
    name: "mcp: the agent searches and fetches, and its answers are never captured",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", shopFiles);
      assertUnharmed(
        await shop.session({ prompts: [fixPrompt], script: fixScript(shop, "foreground") }),
      );
      await memoir.settle();
      const search = use("mcp__memoir__search", { query: "discount" });
      const fetch = use("mcp__memoir__get", { ids: ["o1"] });
      const unknown = use("mcp__memoir__get", { ids: ["o999"] });
      const second = await shop.session({
        prompts: ["What do we know about discounts?"],
        script: {
          main: [
            turn(
              use("ToolSearch", {
                query: "select:mcp__memoir__search,mcp__memoir__get",
                max_results: 5,
              }),
            ),
            turn(search),
            turn(fetch, unknown),
            turn("It was subtracted twice."),
          ],
        },
      });
      assertUnharmed(second);
      await memoir.settle();
      const last = second.requests.at(-1);
      assert.ok(last);
      const results = toolResults(last);
      const of = (block: typeof search) =>
        (block.type === "tool_use" && results.get(block.id)) || "nothing";
      assert.match(of(search), /o1 \d{4}-\d\d-\d\d \w+: /);
      assert.match(of(fetch), /Tool uses: toolu_/);
      assert.match(of(unknown), /There is no record o999/);
      const { observations } = await memoir.records(second.ids[0] ?? "");
      assert.deepEqual(observations, []);
    },
  },
];
