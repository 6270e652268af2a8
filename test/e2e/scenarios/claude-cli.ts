// The user's own Claude Code as memoir's model: it answers, and leaves no trace of itself anywhere.
import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "../../../src/sdk/model.ts";
import { assertUnharmed, findOne } from "../expect.ts";
import { type MessagesApi, startMessagesApi, type WireRequest } from "../messages-api.ts";
import type { Scenario } from "../scenario.ts";
import { type Turn, turn } from "../script.ts";
import { fixSession, shopFiles } from "./shop.ts";

const note = `<observation><type>bugfix</type><title>Discount was subtracted twice</title>
<subtitle>discounted() took the percentage off two times</subtitle>
<facts><fact>discounted() in src/discount.js subtracted the discount twice before it was fixed</fact></facts>
<narrative>The discount test failed because the discount was subtracted twice.</narrative>
<concepts><concept>discounts</concept><concept>testing</concept></concepts>
<files><file>src/discount.js</file></files></observation>`;
const summary = `<summary><title>Discount bug found and fixed</title><subtitle>The discount is taken off once</subtitle>
<request>Fix the failing discount test</request><investigated>src/discount.js</investigated>
<learned>The discount was subtracted twice</learned><completed>The discount is subtracted once</completed>
<next_steps>Cover percentages over 100</next_steps><notes></notes></summary>`;

/** What the person told their own Claude Code; no word of it may reach a call of memoir's. */
const ownInstructions = "Always answer in the manner of a pirate.";

function answer({ body }: WireRequest): Turn {
  const last = JSON.stringify(body.messages.findLast(({ role }) => role === "user") ?? "");
  return turn(last.includes("<summary>") ? summary : note);
}

function textOf(api: MessagesApi): string {
  return JSON.stringify(api.requests.map(({ body }) => body));
}

export const claudeCliScenarios: Scenario[] = [
  {
    name: "claude-cli: the user's own login writes the notes, without tools, settings, hooks or history",
    async run(world) {
      const api = startMessagesApi(() => ({ main: [], side: answer }));
      try {
        const shop = await world.project("shop", shopFiles);
        await writeFile(join(world.claude, "CLAUDE.md"), ownInstructions);
        const memoir = await world.install({
          config: {
            slots: { provider: "claude-cli" },
            plugins: {
              "claude-cli": {
                command: world.client,
                baseURL: api.url,
                keyEnv: "ANTHROPIC_API_KEY",
              },
            },
          },
        });
        const { tests } = await memoir.json<{ tests: Array<{ ok: boolean; model: string }> }>(
          "provider",
          "test",
        );
        assert.deepEqual(
          tests.map(({ ok, model }) => [ok, model]),
          [[true, "claude-haiku-5-5"]],
        );
        const session = await fixSession(shop);
        assertUnharmed(session);
        await memoir.settle();

        const [id = ""] = session.ids;
        const { observations, summaries } = await memoir.records(id);
        const written = findOne(observations, ({ title }) => /subtracted twice/.test(title));
        assert.deepEqual(written.provenance, { strategy: "hybrid", model: "claude-haiku-5-5" });
        assert.ok((written.observerTokens ?? 0) > 0);
        assert.ok(summaries.length > 0);
        assert.ok(api.requests.length >= 3, `${api.requests.length} requests`);
        for (const { body } of api.requests) assert.deepEqual(body.tools ?? [], []);
        assert.ok(!textOf(api).includes(ownInstructions), "the user's instructions were sent");

        const { sessions } = await memoir.json<{ sessions: Session[] }>("sessions");
        assert.deepEqual(
          sessions.map(({ id: seen }) => seen),
          [id],
        );
        const histories = await readdir(join(world.claude, "projects"));
        assert.equal(histories.length, 1, `transcripts in ${histories.join(", ")}`);
        const left = (await readdir(memoir.home)).filter((name) => name.startsWith("scratch-"));
        assert.deepEqual(left, []);
      } finally {
        await api.stop();
      }
    },
  },
  {
    name: "claude-cli: one that is not logged in is told of, and the heuristic does the work",
    async run(world) {
      const api = startMessagesApi(() => ({ main: [], side: answer }));
      try {
        const shop = await world.project("shop", shopFiles);
        const memoir = await world.install({
          config: {
            slots: { provider: "claude-cli" },
            plugins: { "claude-cli": { command: world.client, baseURL: api.url } },
          },
        });
        const failed = await memoir.run("provider", "test");
        assert.equal(failed.code, 1, failed.stdout + failed.stderr);
        assert.match(failed.stdout, /Claude Code is not logged in/);
        assert.match(failed.stdout, /Start `claude` once and log in/);
        const session = await fixSession(shop);
        assertUnharmed(session);
        await memoir.settle();
        const { observations } = await memoir.records(session.ids[0] ?? "");
        assert.ok(observations.length > 0);
        for (const { provenance } of observations) assert.equal(provenance.strategy, "heuristic");
        assert.deepEqual(api.requests, []);
      } finally {
        await api.stop();
      }
    },
  },
];
