// What the strategies promise. An observation plugin promises, as observer and as extractor: drafts by the rules, about the tool uses it was given.
import assert from "node:assert/strict";
import type { Extraction } from "../../sdk/hooks.ts";
import { type Observation, SummaryDraftSchema } from "../../sdk/model.ts";
import type {
  ObservationBatch,
  ObservationResult,
  SummaryInput,
  SummaryResult,
  ToolUse,
} from "../../sdk/work.ts";
import { assertDraft, assertFits, assertTitle, assertWholeText } from "../checks.ts";
import { type Room, type SuiteCase, skip, suiteCase } from "../room.ts";
import {
  fixOfCart,
  hostileTexts,
  sampleBatch,
  sampleObservation,
  samplePrompt,
  sampleSummary,
  sampleUse,
} from "../samples.ts";

const hostileUses = (): ToolUse[] =>
  hostileTexts.flatMap((text, at) => [
    sampleUse(`in-${at}`, { name: text.slice(0, 200), input: { [text.slice(0, 50)]: text } }),
    sampleUse(`out-${at}`, { name: "Bash", input: { command: text }, response: { stdout: text } }),
    sampleUse(`odd-${at}`, { input: at % 2 ? null : [text], response: at % 3 ? text : 17 }),
    { ...failed(`bad-${at}`), error: text },
  ]);

function failed(id: string): ToolUse {
  const { response: _none, ...use } = sampleUse(id, {
    name: "Bash",
    input: { command: "bun test" },
  });
  return { ...use, error: "Exit code 1\nReferenceError: total is not defined\n at src/cart.ts:12" };
}

/** What the plugin makes of a batch, checked for what holds of every answer. */
async function observe(room: Room, batch: ObservationBatch): Promise<ObservationResult> {
  if (!room.plugin.hooks.observe) skip("it has no `observe`");
  const host = await room.open();
  const result = (await host.call("observe", batch)) ?? { observations: [] };
  assertResult(room, batch, result);
  return result;
}

function assertResult(room: Room, batch: ObservationBatch, result: ObservationResult): void {
  assert.ok(Array.isArray(result.observations), "an answer is { observations: [...] }");
  const known = new Set(batch.toolUses.map(({ id }) => id));
  const used = new Set<string>();
  for (const draft of result.observations) {
    assertDraft(draft, room);
    for (const id of draft.toolUseIds) {
      assert.ok(
        known.has(id),
        `"${draft.title}" names the tool use "${id}", which is not of its batch`,
      );
      used.add(id);
    }
  }
  for (const [id, reason] of Object.entries(result.skipped ?? {})) {
    assert.ok(known.has(id), `the tool use "${id}" is said to be skipped, and is not of the batch`);
    assert.ok(!used.has(id), `the tool use "${id}" is skipped and observed at once`);
    assert.equal(typeof reason, "string", `the reason for skipping "${id}" is a text`);
  }
}

const isAboutModel = (room: Room) => room.model !== undefined;

export const observerCases: readonly SuiteCase[] = [
  suiteCase("observes a batch by the rules of the model", async (room) => {
    await observe(room, sampleBatch(fixOfCart));
    await observe(room, sampleBatch([...fixOfCart, failed("t4")]));
  }),

  suiteCase("makes nothing of nothing", async (room) => {
    for (const batch of [sampleBatch([]), { ...sampleBatch([]), lastAssistantMessage: "" }]) {
      const { observations } = await observe(room, batch);
      assert.deepEqual(observations, [], "a batch without tool uses has nothing to observe");
    }
  }),

  suiteCase("learns nothing from what was withheld", async (room) => {
    const withheld = sampleUse("hidden", { input: {}, response: {}, withheld: true });
    const { observations } = await observe(room, sampleBatch([...fixOfCart, withheld]));
    for (const { title, toolUseIds } of observations)
      assert.ok(!toolUseIds.includes("hidden"), `"${title}" was made from a withheld tool use`);
  }),

  suiteCase("withstands any text", async (room) => {
    await observe(room, sampleBatch(hostileUses()));
    for (const use of hostileUses()) await observe(room, sampleBatch([use]));
    for (const text of hostileTexts)
      await observe(room, {
        ...sampleBatch(fixOfCart),
        prompt: { number: 1, text },
        lastAssistantMessage: text,
        agentMessages: [{ agent: { id: "a", type: text.slice(0, 50) }, text }],
      });
  }),

  suiteCase("observes one tool use alone when somebody waits", async (room) => {
    for (const use of [...fixOfCart, failed("t4")])
      await observe(room, { ...sampleBatch([use]), waiting: true });
  }),

  suiteCase("needs no prompt", async (room) => {
    const { prompt: _none, ...batch } = sampleBatch(fixOfCart);
    await observe(room, batch);
  }),

  suiteCase("says the same of the same", async (room) => {
    if (isAboutModel(room)) skip("it asks a model");
    const first = await observe(room, sampleBatch(fixOfCart));
    const second = await observe(room, sampleBatch(fixOfCart));
    assert.deepEqual(second, first, "the same batch, observed twice, led to two answers");
  }),

  suiteCase("gets through a long batch in time", async (room) => {
    const content = "export const lineOfCode = compute(sum, of, parts);\n".repeat(400);
    const uses = Array.from({ length: 200 }, (_, i) =>
      sampleUse(`long-${i}`, {
        input: { file_path: `/home/ada/shop/src/file-${i}.ts` },
        response: { file: { content } },
      }),
    );
    const begun = performance.now();
    await observe(room, sampleBatch(uses));
    const took = performance.now() - begun;
    if (took > 5_000) room.warn(`200 tool uses of 20 KB took ${(took / 1_000).toFixed(1)} s`);
  }),
];

/** What the plugin refines a result to. */
async function extract(room: Room, extraction: Extraction): Promise<Extraction> {
  if (!room.plugin.hooks.extract) skip("it has no `extract`");
  const host = await room.open();
  const after = (await host.call("extract", extraction)) ?? extraction;
  assert.deepEqual(
    after.batch,
    structuredClone(extraction.batch),
    "`batch` must come back as it was",
  );
  assertResult(room, extraction.batch, after.result);
  return after;
}

const draftOf = (batch: ObservationBatch, title: string) => {
  const {
    session: _s,
    client: _c,
    project: _p,
    promptNumber: _n,
    provenance: _v,
    ...draft
  } = sampleObservation({
    title,
    facts: ["src/cart.ts subtracts the voucher in totalOf and nowhere else."],
  });
  return { ...draft, toolUseIds: batch.toolUses.slice(0, 1).map(({ id }) => id) };
};

export const extractorCases: readonly SuiteCase[] = [
  suiteCase("refines a result by the rules, and leaves the batch as it is", async (room) => {
    const batch = sampleBatch(fixOfCart);
    await extract(room, {
      batch,
      result: {
        observations: [draftOf(batch, "Voucher is subtracted only once")],
        skipped: { t3: "routine" },
        model: null,
        observerTokens: 0,
      },
    });
  }),

  suiteCase("refines an empty result, and one without tool uses", async (room) => {
    await extract(room, { batch: sampleBatch([]), result: { observations: [] } });
    await extract(room, { batch: sampleBatch(fixOfCart), result: { observations: [] } });
  }),

  suiteCase("keeps who made the result and what it took", async (room) => {
    const batch = sampleBatch(fixOfCart);
    const result = { observations: [draftOf(batch, "Voucher is subtracted only once")] };
    const after = await extract(room, {
      batch,
      result: { ...result, model: "small-1", observerTokens: 110 },
    });
    assert.equal(after.result.model, "small-1", "`result.model` is whose work it is");
    assert.ok((after.result.observerTokens ?? 0) >= 110, "tokens that were spent stay counted");
  }),

  suiteCase("refines what comes of any text", async (room) => {
    const batch = sampleBatch(hostileUses());
    await extract(room, { batch, result: { observations: [draftOf(batch, "Odd text was read")] } });
  }),
];

// What a summarization plugin promises: in each of the three scopes a summary and a title by the rules, or nothing.

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
