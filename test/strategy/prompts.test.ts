// Every prompt as it is sent, word for word, and what it takes in tokens.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { system as memorySystem, question } from "../../plugins/memory-files/ask-model.ts";
import commands from "../../plugins/observation-commands/index.ts";
import hybrid from "../../plugins/observation-hybrid/index.ts";
import structured from "../../plugins/observation-structured/index.ts";
import type { Observation } from "../../src/sdk/model.ts";
import type { AnyPlugin } from "../../src/sdk/plugin.ts";
import type { CompletionRequest } from "../../src/sdk/provider.ts";
import { estimateTokens } from "../../src/text/text.ts";
import { expectGolden } from "../support/golden.ts";
import { fixOfCart, sampleBatch } from "../support/observer-batch.ts";
import { openRoom } from "../support/plugin-room.ts";
import { observation, prompt, session, summary } from "../support/records.ts";
import { scriptedModel } from "../support/scripted-model.ts";

const good: Record<string, string> = {
  hybrid:
    "<observation><title>Voucher counted twice in total</title><facts><fact>src/cart.ts: totalOf() looks at voucher.used before it subtracts</fact></facts></observation>",
  structured:
    '{"observations":[{"title":"Voucher counted twice in total","facts":["src/cart.ts: totalOf() looks at voucher.used before it subtracts"]}]}',
  commands:
    'memoir store-memory --title "Voucher counted twice in total" --facts \'["src/cart.ts: totalOf() looks at voucher.used before it subtracts"]\'',
};

/** The fence's word is random; here it is always the same. */
function steady(text: string): string {
  return text.replace(/data-[0-9a-f]{8}/g, "data-1f9c20b7");
}

const records = {
  session: "5f3a",
  project: "github.com/acme/shop",
  promptNumber: 1,
};

/** The requests of a small session: first batch, second batch, a prompt's summary, the session's. */
async function requestsOf(plugin: AnyPlugin): Promise<Record<string, CompletionRequest>> {
  const answer = good[plugin.name] ?? "";
  const model = scriptedModel(answer, answer, "?", "?", "?", "?");
  const stored = [observation("o1", { ...records, title: "Voucher counted twice in total" })];
  const known: Observation[] = [];
  const { hooks } = await openRoom(plugin, {
    complete: model.complete,
    storage: { observations: async () => known },
  });
  const closing = {
    lastAssistantMessage: "The voucher is only subtracted once now; all tests pass.",
  };
  await hooks.first("observe", sampleBatch(fixOfCart, closing));
  known.push(...stored);
  const next = { number: 2, text: "And now show the voucher in the receipt." };
  await hooks.first("observe", sampleBatch(fixOfCart.slice(1), { key: "batch-2", prompt: next }));
  const shared = { session: sampleBatch([]).session, toolUses: fixOfCart, summaries: [] };
  const prompts = [prompt("p1", { ...records, text: "The cart total is wrong. Fix it." })];
  const ask = (input: object) => hooks.first("summarize", input as never).catch(() => undefined);
  await ask({ key: "s1", scope: "prompt", ...shared, prompts, observations: stored, ...closing });
  await ask({
    key: "s2",
    scope: "session",
    ...shared,
    prompts: [...prompts, prompt("p2", { ...records, promptNumber: 2, text: next.text })],
    observations: stored,
    summaries: [summary("s1", { ...records, scope: "prompt" })],
  });
  const [init, continuation, ofPrompt, retry, ofSession] = model.requests;
  if (!init || !continuation || !ofPrompt || !retry || !ofSession)
    throw new Error("too few requests");
  return { init, continuation, prompt: ofPrompt, retry, session: ofSession };
}

describe.each([hybrid, structured, commands])("$name", (plugin) => {
  test("sends these prompts", async () => {
    const requests = await requestsOf(plugin);
    const folder = join(import.meta.dir, "golden", plugin.name);
    for (const [name, { system, purpose, messages }] of Object.entries(requests)) {
      await expectGolden(join(folder, `system-${purpose}.txt`), `${system}\n`);
      const sent = messages.map(({ role, content }) => `[${role}]\n${steady(content)}\n`);
      await expectGolden(join(folder, `${name}.txt`), sent.join("\n"));
    }
  });

  test("sends little beside the material: what is fixed, in tokens", async () => {
    const { init, prompt } = await requestsOf(plugin);
    if (!init || !prompt) throw new Error("no requests");
    const around = ({ messages }: CompletionRequest) =>
      (messages[0]?.content ?? "").replace(/<data-\w+>[\s\S]*<\/data-\w+>/, "");
    const fixed = [init.system, around(init), prompt.system, around(prompt)].map(estimateTokens);
    console.log(`${plugin.name}: ${fixed.join(", ")} tokens`);
    for (const [at, most] of [1_250, 60, 650, 160].entries()) expect(fixed[at]).toBeLessThan(most);
  });
});

test("memory-files sends this prompt", async () => {
  const material = {
    session: session("5f3a"),
    prompts: [prompt("p1", { text: "We decided to keep money in cents <always>." })],
    observations: [observation("o1")],
    summaries: [summary("s1")],
    turns: [],
  };
  const known = {
    id: "m1",
    kind: "preferences" as const,
    date: "2026-11-01",
    content: "Always write the test first",
    context: "",
    session: "old",
    project: "github.com/acme/shop",
  };
  const text = `${memorySystem}\n\n[user]\n${steady(question(material, [known], () => 7))}\n`;
  await expectGolden(join(import.meta.dir, "golden", "memory-files.txt"), text);
});
