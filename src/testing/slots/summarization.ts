// What a summarization plugin promises: in each of the three scopes a summary and a title by the rules, or nothing.
import assert from "node:assert/strict";
import { type Observation, SummaryDraftSchema } from "../../sdk/model.ts";
import type { SummaryInput, SummaryResult } from "../../sdk/work.ts";
import { assertFits, assertTitle, assertWholeText } from "../checks.ts";
import { type Room, type SuiteCase, skip, suiteCase } from "../room.ts";
import {
  fixOfCart,
  hostileTexts,
  sampleBatch,
  sampleObservation,
  samplePrompt,
  sampleSummary,
} from "../samples.ts";

const scopes = ["opening", "prompt", "session"] as const;

/** An input of each scope: the shop's session, as far as the scope sees it. */
export function sampleSummaryInput(
  scope: SummaryInput["scope"],
  part: Partial<SummaryInput> = {},
): SummaryInput {
  const { session } = sampleBatch([]);
  const text = "The cart total is wrong when a voucher is applied twice. Please fix it.";
  const prompt = samplePrompt({ session: session.id, text });
  const observation: Observation = {
    ...sampleObservation({
      session: session.id,
      type: "bugfix",
      title: "Voucher subtracted only once",
      subtitle: "The total no longer subtracts a used voucher again",
      facts: ["src/cart.ts: totalOf leaves out a voucher that was used before."],
      filesModified: ["src/cart.ts"],
    }),
    id: "o1",
  };
  const summary = {
    ...sampleSummary({
      session: session.id,
      request: "Fix the cart total",
      completed: "A used voucher is not subtracted again.",
      filesEdited: ["src/cart.ts"],
    }),
    id: "s1",
  };
  const later = { ...prompt, promptNumber: 2, text: "Now add a test for it." };
  return {
    key: `summary-${scope}`,
    scope,
    session,
    prompts: scope === "session" ? [prompt, later] : [prompt],
    toolUses: scope === "prompt" ? fixOfCart : [],
    observations: scope === "opening" ? [] : [observation],
    summaries: scope === "session" ? [summary] : [],
    ...(scope === "opening"
      ? {}
      : { lastAssistantMessage: "I fixed the total: a used voucher is not subtracted again." }),
    ...part,
  };
}

const words = (text: string) => text.split(/\s+/).filter(Boolean).length;

async function summarize(room: Room, input: SummaryInput): Promise<SummaryResult> {
  if (!room.plugin.hooks.summarize) skip("it has no `summarize`");
  const host = await room.open();
  const result = (await host.call("summarize", input)) ?? {};
  const { summary, title, subtitle } = result;
  assertWholeText(result, `the ${input.scope} summary`);
  if (summary !== undefined) {
    assertFits(SummaryDraftSchema, summary, `the ${input.scope} summary`);
    const said = Object.values(summary).some((value) =>
      Array.isArray(value) ? value.length > 0 : (value ?? "").trim() !== "",
    );
    assert.ok(said, `the ${input.scope} summary says nothing: leave \`summary\` out then`);
  }
  if (title !== undefined) {
    assert.ok(title.trim() !== "", "the title is empty: leave `title` out then");
    assertTitle(title, `"${title}"`, room);
  }
  if (subtitle !== undefined)
    assert.ok(words(subtitle) <= 40, `"${subtitle}": a subtitle has at most 20 words`);
  return result;
}

export const summarizationCases: readonly SuiteCase[] = [
  ...scopes.map((scope) =>
    suiteCase(`answers the scope ${scope} by the rules of the model`, async (room) => {
      await summarize(room, sampleSummaryInput(scope));
    }),
  ),

  suiteCase("sums up a prompt in which something was done", async (room) => {
    const { summary } = await summarize(room, sampleSummaryInput("prompt"));
    if (!summary) room.warn("a prompt with a request, an edit and a test led to no summary");
  }),

  suiteCase("has no summary where there is nothing to sum up", async (room) => {
    for (const scope of scopes)
      await summarize(
        room,
        sampleSummaryInput(scope, {
          prompts: [],
          toolUses: [],
          observations: [],
          summaries: [],
          lastAssistantMessage: "",
        }),
      );
  }),

  suiteCase("withstands any text", async (room) => {
    for (const scope of scopes)
      for (const text of hostileTexts) {
        const prompts = [samplePrompt({ text })];
        await summarize(room, sampleSummaryInput(scope, { prompts, lastAssistantMessage: text }));
      }
  }),

  suiteCase("says the same of the same", async (room) => {
    if (room.model !== undefined) skip("it asks a model");
    for (const scope of scopes) {
      const first = await summarize(room, sampleSummaryInput(scope));
      const second = await summarize(room, sampleSummaryInput(scope));
      assert.deepEqual(second, first, `the scope ${scope}, asked twice, led to two answers`);
    }
  }),
];
