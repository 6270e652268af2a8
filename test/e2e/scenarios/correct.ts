// Correcting memory: what is hidden is in no request of the next session, what is pinned comes first, what is edited stands in the user's words.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { StoredRecord } from "../../../src/sdk/storage.ts";
import { assertUnharmed } from "../expect.ts";
import { inWindow } from "../interactive.ts";
import type { Scenario } from "../scenario.ts";
import { turn, use } from "../script.ts";
import { contexts, toolResults } from "../wire.ts";
import { fixSession, shopFiles } from "./shop.ts";

interface Marked {
  records: StoredRecord[];
}

/** Words that only the first session said. */
const known = /percentages over 100|subtracted the discount twice/;

export const correctScenarios: Scenario[] = [
  {
    name: "correct: what is hidden is told by nothing, what is pinned first, what is edited in the user's words",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", shopFiles);
      const fixed = await fixSession(shop);
      assertUnharmed(fixed);
      await memoir.settle();
      const [session = ""] = fixed.ids;
      const { observations } = await memoir.records(session);
      const fix = observations.find(({ type }) => type === "bugfix") ?? assert.fail("no bugfix");

      await memoir.json("memory", "hide", session.slice(0, 8));
      const shell = use("Bash", {
        command: `${join(memoir.home, "bin/memoir")} search discount test`,
        description: "Ask memory",
      });
      const tool = use("mcp__memoir__search", { queries: ["discount", "checkout test"] });
      const load = use("ToolSearch", {
        query: "select:mcp__memoir__search,mcp__memoir__correct",
        max_results: 5,
      });
      const hidden = await shop.session({
        prompts: ["Why was the discount subtracted from the price?"],
        script: { main: [turn(load), turn(shell, tool), turn("I do not know.")] },
      });
      assertUnharmed(hidden);
      for (const request of hidden.requests)
        assert.doesNotMatch(JSON.stringify(request.body.messages), known);
      const { results } = await memoir.json<{ results: Array<{ marks?: string[] }> }>(
        ...["search", "percentages", "--session", session.slice(0, 8)],
      );
      assert.ok(results.length > 0, "its user still finds it");
      for (const { marks } of results) assert.deepEqual(marks, ["hidden"]);

      await memoir.json("memory", "unhide", session.slice(0, 8));
      const words = "Ada wants one discount for each order";
      await memoir.json("memory", "edit", fix.id, "--title", words);
      await memoir.json("memory", "pin", fix.id);
      const hide = use("mcp__memoir__correct", { ids: [fix.id], verb: "hide", confirm: true });
      const told = await shop.session({
        prompts: ["What should we do next? Then hide the note about Ada."],
        script: { main: [turn(load), turn(hide), turn("Hidden.")] },
      });
      assertUnharmed(told);
      const [context = ""] = contexts(told.main[0]);
      const [first = ""] = context.split(/^## /m).slice(1);
      assert.match(first, /^Pinned by the user\n/);
      assert.ok(first.includes(`${fix.id} · `) && first.includes(words), first);
      assert.match(context, known, "all else is told again");
      const answers = toolResults(told.requests.at(-1) ?? assert.fail("no request"));
      const answer = (hide.type === "tool_use" && answers.get(hide.id)) || "nothing";
      assert.match(answer, /Done \(hide\)/);

      await memoir.settle();
      const last = await shop.session({
        prompts: ["Go on"],
        script: { main: [turn("Nothing is left to do.")] },
      });
      assertUnharmed(last);
      assert.doesNotMatch(contexts(last.main[0])[0] ?? "", /Pinned by the user|o\d+ · .*Ada wants/);
      const { records } = await memoir.json<Marked>("edit", fix.id, "--undo");
      assert.equal(records[0]?.kind === "observation" && records[0].record.title, fix.title);
    },
  },
  {
    name: "correct: interactive: the client asks its user, whatever the agent says that they said",
    needs: "tmux",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", shopFiles);
      assertUnharmed(await fixSession(shop));
      await memoir.settle();
      const pin = use("mcp__memoir__correct", { ids: ["o1"], verb: "pin", confirm: true });
      const load = use("ToolSearch", { query: "select:mcp__memoir__correct", max_results: 5 });
      const script = { main: [turn(load), turn(pin), turn("That is that.")] };
      const args = ["--allowedTools", "mcp__memoir__correct"];
      const answered = (key: string) =>
        inWindow(world, shop, { script, args }, async (window) => {
          await window.send("Look at what we know");
          const asked = await window.shows("pinned to the top of every context");
          assert.match(asked, /requests your input[\s\S]*o1 [^\n]*discounted\(\)/);
          await window.pressUntil(key, "That is that.");
          await window.exit();
        });
      await answered("Escape");
      assert.deepEqual((await memoir.json<Marked>("pin")).records, []);
      await answered("Enter");
      assert.equal((await memoir.json<Marked>("pin")).records[0]?.record.id, "o1");
    },
  },
];
