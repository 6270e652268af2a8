// memoir's tools in the agent's own hands: the client starts `memoir mcp`, the model searches and fetches.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { assertUnharmed } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { turn, use } from "../script.ts";
import { contexts, toolResults } from "../wire.ts";
import { fixSession, shopFiles } from "./shop.ts";

export const mcpScenarios: Scenario[] = [
  {
    name: "mcp: the agent searches and fetches, and its answers are never captured",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", shopFiles);
      assertUnharmed(await fixSession(shop));
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
      assert.match(of(search), /^t1 \d{4}-\d\d-\d\d \w+: /m);
      assert.match(of(search), /records .*\bo1\b/, "and the ids of its parts");
      assert.match(of(fetch), /Tool uses: toolu_/);
      assert.match(of(unknown), /There is no record o999/);
      const { observations } = await memoir.records(second.ids[0] ?? "");
      assert.deepEqual(observations, []);
    },
  },
  {
    name: "mcp: search in several phrasings, get and remember, without a question to the user for what only reads",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", shopFiles);
      assertUnharmed(await fixSession(shop));
      await memoir.settle();
      const prompt = "Remember that we never give two discounts on one order.";
      const search = use("mcp__memoir__search", {
        queries: ["rebate taken off twice", "discount", "total.ts"],
      });
      const timeline = use("mcp__memoir__timeline", { around: "t1" });
      const get = use("mcp__memoir__get", { ids: ["t1", "o1"] });
      const remember = use("mcp__memoir__remember", {
        content: "Never two discounts on one order.",
        quote: "we never give two discounts on one order",
        kind: "decisions",
      });
      const forget = use("mcp__memoir__forget", { ids: ["t1"] });
      const load = (...names: string[]) =>
        use("ToolSearch", {
          query: `select:${names.map((name) => `mcp__memoir__${name}`).join(",")}`,
          max_results: 5,
        });
      const unasked = use("mcp__memoir__forget", { ids: ["t1"], confirm: true });
      const reading = await shop.session({
        prompts: ["What do we know about rebates?"],
        asks: true,
        script: {
          main: [
            turn(load("search", "get", "forget")),
            turn(use("mcp__memoir__search", { query: "discount" })),
            turn(unasked),
            turn("Not allowed."),
          ],
        },
      });
      const answers = toolResults(reading.requests.at(-1) ?? assert.fail("no request"));
      assert.ok([...answers.values()].some((text) => /^t1 \d{4}-\d\d-\d\d \w+: /m.test(text)));
      const refused = (unasked.type === "tool_use" && answers.get(unasked.id)) || "nothing";
      assert.match(refused, /permission/i);
      const second = await shop.session({
        prompts: [prompt],
        script: {
          main: [
            turn(load("search", "timeline", "get", "remember", "forget")),
            turn(search, timeline),
            turn(get),
            turn(remember, forget),
            turn("Kept."),
          ],
        },
      });
      assertUnharmed(second);
      const last = second.requests.at(-1);
      assert.ok(last);
      const results = toolResults(last);
      const of = (block: typeof search) =>
        (block.type === "tool_use" && results.get(block.id)) || "nothing";
      assert.match(of(search), /^t1 \d{4}-\d\d-\d\d \w+: /m);
      assert.ok(
        !of(search).includes("never give two"),
        `what was just asked is no hit: ${of(search)}`,
      );
      assert.match(of(timeline), /^t1 \S+ \S+ \w+: /m);
      assert.doesNotMatch(of(timeline), /^p1 /m, "a moment is one entry");
      assert.match(of(get), /^t1 .*turn 1 of session/m);
      assert.match(of(remember), /Remembered as m\d+ for /);
      assert.match(of(forget), /Nothing was changed/);
      await memoir.settle();
      const [context = ""] = contexts(second.main[0]);
      assert.match(context, /MCP: memoir `search`/, "the client shows no tool by itself");
      const listed = await readFile(join(memoir.home, "memory/decisions.json"), "utf8");
      assert.match(listed, /Never two discounts on one order\./);
      const item = await memoir.run("search", "--kind", "memory", "discount", "--json");
      const [found] = JSON.parse(item.stdout).results;
      assert.equal(found.title, "Never two discounts on one order.");
      assert.equal(found.subtitle, "The user said it, and an agent kept it.");
    },
  },
  {
    name: "mcp: what was left out is recalled, and what the user confirms is forgotten, a whole session too",
    async run(world) {
      const memoir = await world.install();
      assert.equal((await memoir.run("endless", "on", "--everywhere")).code, 0);
      // A small context is left alone otherwise.
      await memoir.run("config", "set", "plugins.live.early", "all");
      const lines = Array.from({ length: 300 }, (_, at) => `10:00 INFO replayed order ${at}`);
      const shop = await world.project("shop", {
        ...shopFiles,
        "replay.log": `${lines.join("\n")}\n`,
        "replay.sh": 'while IFS= read -r line; do printf "%s\\n" "$line"; done < replay.log\n',
      });
      const fixed = await fixSession(shop);
      assertUnharmed(fixed);
      await memoir.settle();
      const replay = use("Bash", { command: "sh replay.sh" });
      const toolUse = replay.type === "tool_use" ? replay.id : "";
      const recall = use("mcp__memoir__recall", { tool_use_id: toolUse, lines: "150-151" });
      const [old = ""] = fixed.ids;
      const ids = [old.slice(0, 8)];
      const shown = use("mcp__memoir__forget", { ids });
      const confirmed = use("mcp__memoir__forget", { ids, confirm: true });
      const search = use("mcp__memoir__search", { queries: ["discount", "subtracted twice"] });
      const load = use("ToolSearch", {
        query: "select:mcp__memoir__recall,mcp__memoir__forget,mcp__memoir__search",
        max_results: 5,
      });
      const session = await shop.session({
        prompts: ["Replay the orders, then forget the session of yesterday", "Yes, forget it."],
        script: {
          main: [
            turn(replay),
            turn(load),
            turn(recall, shown),
            turn("It would go for good. Shall I?"),
            turn(confirmed),
            turn(search),
            turn("Gone."),
          ],
        },
      });
      assertUnharmed(session);
      const results = toolResults(session.main.at(-1) ?? assert.fail("no request"));
      const of = (block: typeof search) =>
        (block.type === "tool_use" && results.get(block.id)) || "nothing";
      assert.match(of(replay), /memoir recall/, "the log was left out");
      assert.match(of(recall), /replayed order 149\n.*replayed order 150/);
      assert.match(of(shown), /Nothing was changed/);
      assert.match(of(shown), /^the whole session .*1 turn/m);
      assert.match(of(confirmed), new RegExp(`^Deleted ${old}, `));
      assert.doesNotMatch(of(search), /subtracted|discount\.js/);
      await memoir.settle();
      assert.equal((await memoir.run("sessions", old)).code, 1);
      for (const [file, text] of await memoir.files())
        assert.ok(!text.includes("subtracted the discount twice"), `its words stand in ${file}`);
    },
  },
];
