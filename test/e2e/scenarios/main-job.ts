// The main job: what one session did is known to the next, to search, and to whoever asks about the subagent.
import assert from "node:assert/strict";
import type { SearchResult } from "../../../src/sdk/storage.ts";
import { assertUnharmed, findOne } from "../expect.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { turn } from "../script.ts";
import { contexts } from "../wire.ts";
import type { Project, World } from "../world.ts";
import { fixPrompt, fixScript, shopFiles } from "./shop.ts";

interface Fixed {
  memoir: Memoir;
  shop: Project;
  /** The client's id of the session that fixed the discount. */
  session: string;
}

async function afterTheFix(world: World): Promise<Fixed> {
  const memoir = await world.install();
  const shop = await world.project("shop", shopFiles);
  const first = await shop.session({ prompts: [fixPrompt], script: fixScript(shop, "background") });
  assertUnharmed(first);
  assert.deepEqual(first.main.flatMap(contexts), [], "a first session has nothing to be told");
  await memoir.settle();
  const [session] = first.ids;
  assert.ok(session);
  return { memoir, shop, session };
}

/** Newer models get hook context as system messages, older ones as reminders: memoir must reach both. */
const models = ["claude-opus-4-8", "claude-sonnet-4-5-20250929"];

const nextSessions: Scenario[] = models.map((model) => ({
  name: `main job: the next session starts knowing what the last one did (${model})`,
  async run(world) {
    const { shop } = await afterTheFix(world);
    const next = await shop.session({
      prompts: ["What should we do next?"],
      script: { main: [turn("Cover percentages over 100.")] },
      model,
    });
    assertUnharmed(next);
    const [context = ""] = contexts(next.main[0]);
    assert.match(context, /src\/discount\.js/, "names the file that was changed");
    assert.match(context, /percentages over 100/, "names the next step");
    assert.match(context, /\b[ot]\d+ · /, "names a record to look up");
  },
}));

export const mainJob: Scenario[] = [
  ...nextSessions,
  {
    name: "main job: observations name the right files, facts and outcome",
    async run(world) {
      const { memoir, session } = await afterTheFix(world);
      const { observations, summaries, prompts, ...records } = await memoir.records(session);
      assert.equal(prompts.length, 1, JSON.stringify(prompts));
      assert.match(prompts[0]?.text ?? "", /discount test fails/);
      assert.equal(records.session.status, "ended");
      const fix = findOne(observations, ({ type }) => type === "bugfix");
      assert.deepEqual(fix.filesModified, ["src/discount.js"]);
      const facts = fix.facts.join("\n");
      assert.match(facts, /node --test/, `names the command: ${facts}`);
      assert.match(facts, /pass/, `tells that it passes now: ${facts}`);
      assert.doesNotMatch(fix.title, /^next/i, "what remains is not what was done");
      for (const { facts: list, title } of observations) {
        assert.ok(list.length >= 1 && list.length <= 7, title);
      }
      const summary = findOne(summaries, ({ scope }) => scope === "prompt");
      assert.match(summary.request, /discount test/);
      assert.match(summary.completed, /subtracts it once|discount/);
      assert.doesNotMatch(summary.completed, /percentages over 100/);
      assert.match(summary.nextSteps, /percentages over 100/);
      assert.deepEqual(summary.filesEdited, ["src/discount.js"]);
    },
  },
  {
    name: "main job: a subagent's work is attributed to it",
    async run(world) {
      const { memoir, session } = await afterTheFix(world);
      const { observations } = await memoir.records(session);
      const found = findOne(observations, ({ agent }) => agent !== undefined);
      assert.equal(found.agent?.type, "general-purpose");
      assert.match(found.facts.join("\n"), /tax/i);
      assert.ok(observations.some(({ agent }) => agent === undefined));
    },
  },
  {
    name: "main job: search finds it in any words' order and inflection",
    async run(world) {
      const { memoir, session, shop } = await afterTheFix(world);
      for (const words of ["discount", "fixing discounts", "tests discount failed"]) {
        const { results } = await memoir.json<{ results: SearchResult[] }>("search", words);
        assert.ok(results.length > 0, `nothing for "${words}"`);
        assert.ok(results.every((result) => result.session === session));
        assert.ok(results.some(({ files = [] }) => files.includes("src/discount.js")));
        const scores = results.map(({ score }) => score);
        assert.deepEqual(
          scores,
          scores.toSorted((a, b) => b - a),
          "best first",
        );
      }
      const none = await memoir.json<{ results: SearchResult[] }>("search", "kubernetes");
      assert.deepEqual(none.results, []);
      const elsewhere = ["search", "discount", "--project", `${shop.root}-other`];
      assert.equal((await memoir.run(...elsewhere)).code, 2);
    },
  },
  {
    name: "main job: a prompt is given what is clearly relevant to it, and else nothing",
    async run(world) {
      const { shop } = await afterTheFix(world);
      const next = await shop.session({
        prompts: ["continue", "Why did discounted() in src/discount.js subtract twice?"],
        script: { main: [turn("Continuing."), turn("Because of a slip.")] },
      });
      assertUnharmed(next);
      const prompted = next.hooks.filter(({ event }) => event === "UserPromptSubmit");
      assert.equal(prompted.length, 2);
      assert.equal(prompted[0]?.stdout, "", "a prompt that says nothing gets nothing");
      const [start, relevant, ...more] = contexts(next.main[1]);
      assert.ok(start);
      assert.deepEqual(more, []);
      // What the index at the start showed already is not said again.
      if (relevant) assert.match(relevant, /discount/);
    },
  },
];
