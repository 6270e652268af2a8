// One memory over the ways a session goes on: resumed, cleared, compacted, with a message sent in mid-turn, with a subagent that ends late.
import assert from "node:assert/strict";
import { assertUnharmed, findOne } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { after, turn, use } from "../script.ts";
import { contexts } from "../wire.ts";
import { fixPrompt, fixScript, fixSession, shopFiles } from "./shop.ts";

export const sessionScenarios: Scenario[] = [
  {
    name: "session: resumed, it stays one session with its prompts numbered on",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", shopFiles);
      const first = await fixSession(shop);
      const [id = ""] = first.ids;
      const rename = use("Edit", {
        file_path: shop.path("src/tax.js"),
        old_string: "taxRate = 19",
        new_string: "taxRate = 20",
      });
      const again = await shop.session({
        prompts: ["Raise the tax rate to 20 percent"],
        script: {
          main: [
            turn(use("Read", { file_path: shop.path("src/tax.js") })),
            turn(rename),
            turn("The tax rate is 20 percent now."),
          ],
        },
        args: ["--resume", id],
      });
      assertUnharmed(again);
      assert.deepEqual(again.ids, [id]);
      await memoir.settle();
      const { prompts, observations } = await memoir.records(id);
      assert.deepEqual(prompts.map(({ promptNumber }) => promptNumber).toSorted(), [1, 2]);
      const raised = findOne(observations, ({ filesModified }) =>
        filesModified.includes("src/tax.js"),
      );
      assert.equal(raised.promptNumber, 2);
    },
  },
  {
    name: "session: after /clear the new conversation knows what the old one did",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", shopFiles);
      const script = fixScript(shop, "foreground");
      const session = await shop.session({
        prompts: [fixPrompt, "/clear", "What now?"],
        script: { ...script, main: [...script.main.slice(0, 6), turn("More tests.")] },
      });
      assertUnharmed(session);
      assert.equal(session.ids.length, 2, JSON.stringify(session.ids));
      const [context = ""] = contexts(session.main.at(-1));
      assert.match(context, /src\/discount\.js/);
      await memoir.settle();
      const [before = "", then = ""] = session.ids;
      assert.equal((await memoir.records(before)).session.status, "ended");
      const prompts = (await memoir.records(then)).prompts.map(({ text }) => text);
      assert.deepEqual(prompts, ["What now?"], "the command itself is no prompt");
    },
  },
  {
    name: "session: after /compact it is told again what it did",
    async run(world) {
      await world.install();
      const shop = await world.project("shop", shopFiles);
      const script = fixScript(shop, "foreground");
      const compacted = turn("<summary>The user asked for a fix of the discount.</summary>");
      const session = await shop.session({
        prompts: [fixPrompt, "/compact", "What did we do?"],
        script: {
          ...script,
          main: [...script.main.slice(0, 6), turn("We fixed the discount.")],
          agent: [...(script.agent ?? []), compacted],
          side: () => compacted,
        },
      });
      assertUnharmed(session);
      assert.ok(session.hooks.some(({ event }) => event === "SessionStart"));
      const told = contexts(session.main.at(-1)).join("\n");
      assert.match(told, /The discount test fails/);
      assert.match(told, /discount\.js/);
    },
  },
  {
    name: "session: a message sent in mid-turn is a prompt of its own",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", shopFiles);
      const session = await shop.session({
        prompts: ["Look at the tax rate"],
        script: (live) => ({
          main: [
            after(
              () => live.send("Also raise the discount limit"),
              turn(use("Read", { file_path: shop.path("src/tax.js") })),
            ),
            turn("Looking at both."),
            turn("Done with both."),
          ],
        }),
      });
      assertUnharmed(session);
      await memoir.settle();
      const { prompts } = await memoir.records(session.ids[0] ?? "");
      const texts = prompts.map(({ text }) => text).toSorted();
      // The client gives both the same prompt id.
      assert.deepEqual(texts, ["Also raise the discount limit", "Look at the tax rate"]);
    },
  },
  {
    name: "session: a subagent that ends after its prompt is still attributed to it",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", shopFiles);
      const script = fixScript(shop, "background");
      const done = Promise.withResolvers<void>();
      const main = script.main.map((said, index) =>
        index === 5 ? after(done.resolve, said) : said,
      );
      const agent = (script.agent ?? []).map((said, index) =>
        index === 0 ? after(() => done.promise, said) : said,
      );
      const session = await shop.session({ prompts: [fixPrompt], script: { main, agent } });
      assertUnharmed(session);
      await memoir.settle();
      const { observations, prompts } = await memoir.records(session.ids[0] ?? "");
      assert.equal(prompts.length, 1, "the client's notification is no prompt");
      const found = findOne(observations, ({ agent: who }) => who !== undefined);
      assert.match(found.facts.join("\n"), /tax/i);
      assert.equal(found.promptNumber, 1);
    },
  },
];
