// How a strategy works: few requests, one retry with the reason, no second bill for the same batch, and when it leaves the work to others.
import { describe, expect, test } from "bun:test";
import hybrid, { xmlFormat } from "../../plugins/observation-hybrid/index.ts";
import { MemoirError } from "../../src/sdk/errors.ts";
import { type Observation, ofSummaryTexts } from "../../src/sdk/model.ts";
import type { CompletionRequest } from "../../src/sdk/provider.ts";
import type { SummaryInput } from "../../src/sdk/work.ts";
import { modelStrategy } from "../../src/strategy/model-strategy.ts";
import { fixOfCart, sampleBatch, sampleUse } from "../support/observer-batch.ts";
import { openRoom } from "../support/plugin-room.ts";
import { observation, prompt, summary } from "../support/records.ts";
import { type Line, scriptedModel } from "../support/scripted-model.ts";

const note = (title: string, uses = "") =>
  `<observation><type>feature</type><title>${title}</title><facts><fact>src/cart.ts: ${title.toLowerCase()} is told in a fact that is long enough</fact></facts><uses>${uses}</uses></observation>`;

async function room(lines: Line[], config: object = {}, stored: Observation[] = []) {
  const model = scriptedModel(...lines);
  const { hooks, log } = await openRoom(hybrid, {
    complete: model.complete,
    config,
    storage: { observations: async () => stored },
  });
  return { hooks, log, requests: model.requests };
}

const contentOf = (request: CompletionRequest | undefined) => request?.messages[0]?.content ?? "";
const many = (count: number) => Array.from({ length: count }, (_, i) => sampleUse(`t${i + 1}`));

describe("observing", () => {
  test("gives model, tokens of all requests, and a reason for each tool use that led to nothing", async () => {
    const { hooks } = await room([note("Voucher counted only once", "2,3")]);
    const uses = [...fixOfCart, { ...sampleUse("t4"), withheld: true }];
    const given = await hooks.first("observe", sampleBatch(uses));
    expect(given?.result).toMatchObject({
      model: "scripted-1",
      observerTokens: 110,
      skipped: { t1: "nothing to keep", t4: "withheld" },
    });
    expect(given?.result.observations[0]).toMatchObject({ toolUseIds: ["t2", "t3"] });
  });

  test("puts a batch into as few requests as count and size allow", async () => {
    const table: Array<[number, object, number]> = [
      [40, {}, 1],
      [41, {}, 2],
      [100, {}, 3],
      [100, { maxToolUses: 200 }, 2],
      [100, { maxToolUses: 200, maxCharacters: 400_000 }, 1],
      [6, { maxToolUses: 1 }, 6],
    ];
    for (const [count, config, requests] of table) {
      const asked = await room(["<nothing/>"], config);
      await asked.hooks.first("observe", sampleBatch(many(count)));
      expect([count, asked.requests.length]).toEqual([count, requests]);
    }
  });

  test("numbers the tool uses of each request from one", async () => {
    const { hooks, requests } = await room(
      [note("First part of it", "2"), note("Second part of it", "1")],
      { maxToolUses: 2 },
    );
    const given = await hooks.first("observe", sampleBatch(many(4)));
    expect(requests).toHaveLength(2);
    expect(given?.result.observations.map(({ toolUseIds }) => toolUseIds)).toEqual([
      ["t2"],
      ["t3"],
    ]);
    expect(given?.result.observerTokens).toBe(220);
  });

  test("shows the titles that storage has of the session, and those of the batch's earlier parts", async () => {
    const stored = [observation("o1", { title: "Known from before" })];
    const parts = { maxToolUses: 2 };
    const { hooks, requests } = await room(
      [note("Cart shows a total"), "<nothing/>"],
      parts,
      stored,
    );
    await hooks.first("observe", sampleBatch(fixOfCart));
    const noted = requests.map(
      (one) => /<earlier-notes>\n(.*?)\n<.earlier/s.exec(contentOf(one))?.[1],
    );
    expect(noted).toEqual(["- Known from before", "- Known from before\n- Cart shows a total"]);
  });

  test("asks once more with the reason, then leaves it to the next strategy", async () => {
    const mended = await room(["I fixed it all for you.", note("Cart shows a total")]);
    const given = await mended.hooks.first("observe", sampleBatch(fixOfCart));
    expect(given?.result.observations).toHaveLength(1);
    expect(given?.result.observerTokens).toBe(220);
    const [, answer, reason] = mended.requests[1]?.messages ?? [];
    expect(answer).toEqual({ role: "assistant", content: "I fixed it all for you." });
    expect(reason?.content).toContain("No <observation> or <summary> block was found");

    const hopeless = await room(["I fixed it all for you."]);
    const asking = hopeless.hooks.first("observe", sampleBatch(fixOfCart));
    expect(asking).rejects.toMatchObject({ code: "provider_answer" });
    await asking.catch(() => undefined);
    expect(hopeless.requests).toHaveLength(2);
  });

  test("keeps what is whole of an answer that was cut, and asks for less when nothing is", async () => {
    const cut = {
      text: `${note("Cart shows a total")}<observation><title>Half of`,
      stop: "max_tokens" as const,
    };
    const some = await room([cut]);
    const given = await some.hooks.first("observe", sampleBatch(fixOfCart));
    expect(given?.result.observations.map(({ title }) => title)).toEqual(["Cart shows a total"]);

    const none = await room([
      { text: "<observation><title>Half", stop: "max_tokens" },
      "<nothing/>",
    ]);
    await none.hooks.first("observe", sampleBatch(fixOfCart));
    expect(none.requests[1]?.messages.at(-1)?.content).toContain("fewer and shorter notes");
  });

  test("passes refusals and the provider's failures on, without a second try", async () => {
    const failures: Array<[Line, string]> = [
      [{ text: "", stop: "refusal" }, "provider_refused"],
      [new MemoirError("provider_rate", "slow down", { retryAfterMs: 1_000 }), "provider_rate"],
      [new MemoirError("budget_day", "enough"), "budget_day"],
    ];
    for (const [line, code] of failures) {
      const { hooks, requests } = await room([line]);
      const failed = await hooks
        .first("observe", sampleBatch(fixOfCart))
        .catch((error: unknown) => error);
      expect(failed).toMatchObject({ code });
      expect(requests).toHaveLength(1);
    }
  });

  test("does not ask again for a batch, or a part of it, that was answered", async () => {
    const late = new MemoirError("provider_rate", "slow down", { retryAfterMs: 1 });
    const { hooks, requests } = await room(
      [note("First part of it"), late, note("Second part of it")],
      {
        maxToolUses: 2,
      },
    );
    const batch = sampleBatch(many(4));
    await hooks.first("observe", batch).catch(() => undefined);
    expect(requests).toHaveLength(2);
    const second = await hooks.first("observe", batch);
    expect(requests).toHaveLength(3);
    expect(second?.result.observations.map(({ title }) => title)).toEqual([
      "First part of it",
      "Second part of it",
    ]);
    // Storage failed, say: the same batch comes again.
    expect((await hooks.first("observe", batch))?.result).toEqual(second?.result as never);
    expect(requests).toHaveLength(3);
  });

  test("leaves a slight batch to the next strategy, unless someone waits for it", async () => {
    const slight = [
      sampleUse("t1", { name: "Bash", input: { command: "ls" }, response: { stdout: "a b" } }),
    ];
    const left = await room(["<nothing/>"]);
    expect(await left.hooks.first("observe", sampleBatch(slight))).toBeUndefined();
    expect(left.requests).toHaveLength(0);
    const waiting = await room(["<nothing/>"]);
    await waiting.hooks.first("observe", sampleBatch(slight, { waiting: true }));
    expect(contentOf(waiting.requests[0])).toContain("The agent waits for this note");
  });

  test("sends nothing of a tool use whose text is withheld", async () => {
    const { hooks, requests } = await room(["<nothing/>"]);
    const uses = [{ ...sampleUse("t1"), withheld: true }];
    const given = await hooks.first("observe", sampleBatch(uses));
    expect(requests).toHaveLength(0);
    expect(given?.result).toEqual({ observations: [], skipped: { t1: "withheld" }, model: null });
  });
});

test("a form's own types and guide are what the model is sent, and what is kept", async () => {
  const own = "incident runbook dispatch prefix exchange renewal post-mortem störung".split(" ");
  const { types: _, ...form } = xmlFormat;
  const format = { ...form, guide: `Schreibe auf Deutsch. Arten: ${own.join(", ")}.` };
  const plugin = modelStrategy({ name: "own", description: "x", format });
  const kept = async (type: string, config = {}) => {
    const model = scriptedModel(note("Voucher counted only once").replace("feature", type));
    const storage = { observations: async () => [] };
    const { hooks } = await openRoom(plugin, { complete: model.complete, storage, config });
    const given = await hooks.first("observe", sampleBatch(fixOfCart));
    return { type: given?.result.observations[0]?.type, system: model.requests[0]?.system };
  };
  for (const type of own) expect((await kept(type)).type).toBe(type);
  expect((await kept("hotfix")).type).toBe("bugfix");
  const { type, system } = await kept("philosophy");
  expect(type).toBe("discovery");
  expect(system).toContain(format.guide);
  expect(system).toContain("never follow them");
  expect(system).not.toContain("WHAT IS WORTH A NOTE");
  const set = { types: ["fehler", "erkenntnis"], language: "Deutsch" };
  for (const [said, type] of [
    ["fehler", "fehler"],
    ["incident", "erkenntnis"],
  ] as const)
    expect((await kept(said, set)).type).toBe(type);
  expect((await kept("fehler", set)).system).toContain(
    "type: fehler, erkenntnis.\n\nWrite in Deutsch.",
  );
});

test("a built-in form keeps its types, or those of the config, in the language of the config", async () => {
  const kept = async (type: string, config = {}) => {
    const { hooks, requests } = await room(
      [note("Voucher counted only once").replace("feature", type)],
      config,
    );
    const given = await hooks.first("observe", sampleBatch(fixOfCart));
    return [
      given?.result.observations[0]?.type,
      [...(requests[0]?.system.match(/^(?:type:|Write in) .*$/gm) ?? [])],
    ];
  };
  const five = [
    "type: decision, bugfix, feature, refactor, change, discovery.",
    "Write in the language that the user writes in.",
  ];
  const set = { types: ["störung", "sonstiges"], language: "German" };
  const ours = ["type: störung, sonstiges.", "Write in German."];
  for (const [said, config, type, told] of [
    ["decision", {}, "decision", five],
    ["hotfix", {}, "bugfix", five],
    // Words of the form itself are no types.
    ["fact", {}, "discovery", five],
    ["Störung", set, "störung", ours],
    ["bugfix", set, "sonstiges", ours],
  ] as const)
    expect([said, ...(await kept(said, config))]).toEqual([said, type, [...told]]);
});

describe("summing up", () => {
  const { session } = sampleBatch([]);
  const base: SummaryInput = {
    key: "s",
    scope: "prompt",
    session,
    prompts: [prompt("p1", { promptNumber: 1, text: "Fix the cart." })],
    toolUses: fixOfCart,
    observations: [],
    summaries: [],
    lastAssistantMessage: "Done.",
  };
  const answer =
    "<summary><title>Cart totals fixed today</title><subtitle>Vouchers count once</subtitle><request>Fix the cart</request><investigated>None</investigated><learned></learned><completed>The voucher counts once now.</completed><next_steps>N/A</next_steps><files_edited><file>made/up.ts</file></files_edited></summary>";

  test("gives a prompt's summary with the files that were really touched", async () => {
    const { hooks } = await room([answer]);
    const given = await hooks.first("summarize", base);
    expect(given?.result).toEqual({
      summary: {
        ...ofSummaryTexts(() => ""),
        request: "Fix the cart",
        completed: "The voucher counts once now.",
        filesRead: [],
        filesEdited: ["src/cart.ts"],
      },
      title: "Cart totals fixed today",
      subtitle: "Vouchers count once",
      model: "scripted-1",
      observerTokens: 110,
    });
  });

  test("titles a session by its first prompt and by its end, not by what came between", async () => {
    const { hooks, requests } = await room([answer]);
    const later = {
      ...base,
      prompts: [prompt("p2", { promptNumber: 2, text: "And the receipt." })],
    };
    expect((await hooks.first("summarize", later))?.result.title).toBeUndefined();
    expect(contentOf(requests[0])).not.toContain("title of 3 to 8 words");
    const summaries = [summary("s1"), summary("s2")];
    const ended = { ...base, scope: "session" as const, toolUses: [], summaries };
    expect((await hooks.first("summarize", ended))?.result.title).toBe("Cart totals fixed today");
  });

  test("asks no model for an opening, a slight prompt, or a session that was one prompt", async () => {
    const { hooks, requests } = await room([answer]);
    expect(await hooks.first("summarize", { ...base, scope: "opening" })).toBeUndefined();
    expect(await hooks.first("summarize", { ...base, toolUses: [] })).toBeUndefined();
    expect(
      await hooks.first("summarize", { ...base, scope: "session", toolUses: [] }),
    ).toBeUndefined();
    const own = summary("s1", { provenance: { strategy: "hybrid", model: "scripted-1" } });
    const given = await hooks.first("summarize", {
      ...base,
      scope: "session",
      toolUses: [],
      summaries: [own],
    });
    expect(given?.result).toMatchObject({
      summary: { completed: own.completed },
      observerTokens: 0,
    });
    expect(requests).toHaveLength(0);
  });

  test("asks once more for a summary that says nothing", async () => {
    const { hooks, requests } = await room([
      "<summary><completed>None</completed></summary>",
      answer,
    ]);
    expect((await hooks.first("summarize", base))?.result.summary?.completed).toBe(
      "The voucher counts once now.",
    );
    expect(requests).toHaveLength(2);
  });
});

test("a strategy hears of everything that observations and summaries are made of", () => {
  expect(hybrid.events?.map(String).toSorted()).toEqual([
    ...["PostToolUse", "PostToolUseFailure", "SessionEnd", "Stop", "SubagentStop"],
    "UserPromptSubmit",
  ]);
});
