// What a model is shown of a batch and of a summary's matter, what of its answers counts, and when the next strategy is left to it.
import { describe, expect, test } from "bun:test";
import hybrid from "../../plugins/observation-hybrid/index.ts";
import type { CompletionRequest } from "../../src/sdk/provider.ts";
import type { SummaryInput } from "../../src/sdk/work.ts";
import { sampleBatch, sampleUse } from "../support/observer-batch.ts";
import { openRoom } from "../support/plugin-room.ts";
import { observation, prompt, summary } from "../support/records.ts";
import { type Line, scriptedModel } from "../support/scripted-model.ts";
import { turn } from "../support/turns.ts";

async function room(lines: Line[], config: object = {}) {
  const model = scriptedModel(...lines);
  const { hooks } = await openRoom(hybrid, {
    ...{ complete: model.complete, config },
    storage: { observations: async () => [] },
  });
  return { hooks, requests: model.requests };
}
const contentOf = (request: CompletionRequest | undefined) => request?.messages[0]?.content ?? "";
const note = (title: string, fact: string, uses = "1") =>
  `<observation><type>feature</type><title>${title}</title><facts><fact>${fact}</fact></facts><uses>${uses}</uses></observation>`;
const fact = (word: string) => `src/${word}.ts: the ${word} is told in a fact that is long enough`;

describe("of a batch", () => {
  const batch = (more: object = {}) => ({
    ...sampleBatch([sampleUse("t1"), sampleUse("t2")]),
    waiting: true,
    ...more,
  });
  const shown = async (more: object) => {
    const { hooks, requests } = await room(["<nothing/>"]);
    await hooks.first("observe", batch(more) as never);
    return contentOf(requests[0]);
  };

  test("the last words are shown, a turn's own before the ones that a hook told, and each subagent's", async () => {
    const told = { lastAssistantMessage: "Told by the hook." };
    expect(await shown(told)).toContain("Told by the hook.");
    const own = await shown({ ...told, turn: turn(1, [["closing", "Closed by the turn."]]) });
    expect(own).toContain("Closed by the turn.");
    expect(own).not.toContain("Told by the hook.");
    const agents = await shown({
      agentMessages: [
        { agent: { id: "a1", type: "Explore" }, text: "Nobody calls it." },
        { agent: { id: "a2" }, text: "It is dead." },
      ],
    });
    expect(agents).toContain("Explore: Nobody calls it.");
    expect(agents).toContain("subagent: It is dead.");
  });

  test("an observation that was made of another part already counts once, by its title or its facts", async () => {
    const answers = [
      note("Voucher counted once", fact("cart")),
      note("VOUCHER counted once", fact("mail")),
      note("Carts count vouchers", fact("cart")),
      note("Mails have footers", fact("mail")),
    ];
    const { hooks } = await room(answers, { maxToolUses: 1 });
    const uses = ["t1", "t2", "t3", "t4"].map((id) => sampleUse(id));
    const given = await hooks.first("observe", { ...sampleBatch(uses), waiting: true });
    expect(given?.result.observations.map(({ title }) => title)).toEqual([
      "Voucher counted once",
      "Mails have footers",
    ]);
    expect(given?.result.skipped).toEqual({ t2: "nothing to keep", t3: "nothing to keep" });
  });
});

describe("of a session", () => {
  const base: SummaryInput = {
    key: "s",
    scope: "session",
    session: sampleBatch([]).session,
    prompts: [prompt("p1"), prompt("p2", { promptNumber: 2, text: "And the receipt" })],
    toolUses: [],
    observations: [],
    summaries: [summary("y1"), summary("y2")],
  };
  const answer =
    "<summary><title>Cart totals fixed today</title><request>Fix the cart</request><completed>The voucher counts once now.</completed></summary>";
  const asked = async (more: Partial<SummaryInput>, line: Line = answer) => {
    const { hooks, requests } = await room([line, line]);
    const given = await hooks.first("summarize", { ...base, ...more });
    return { result: given?.result, requests };
  };
  const own = summary("y1", { provenance: { strategy: "hybrid", model: "scripted-1" } });

  test("one prompt that this strategy summed up is that summary; anything else is asked about", async () => {
    const once = { prompts: [prompt("p1")], summaries: [own] };
    expect((await asked(once)).requests).toHaveLength(0);
    for (const more of [
      { ...once, prompts: base.prompts },
      { ...once, summaries: [own, summary("y2")] },
      { ...once, summaries: [summary("y1")] },
    ])
      expect((await asked(more)).requests).toHaveLength(1);
  });

  test("what was read and changed is gathered of observations and summaries, a changed file once", async () => {
    const { result } = await asked({
      observations: [observation("o1", { filesRead: ["a.ts", "b.ts"], filesModified: ["c.ts"] })],
      summaries: [
        summary("y1", { filesRead: ["c.ts", "d.ts"], filesEdited: ["b.ts"] }),
        summary("y2", { filesRead: ["a.ts"], filesEdited: [] }),
      ],
    });
    expect(result?.summary?.filesEdited.toSorted()).toEqual(["b.ts", "c.ts"]);
    expect(result?.summary?.filesRead.toSorted()).toEqual(["a.ts", "d.ts"]);
  });

  test("of which the model has nothing to say its titles are kept, and no second time is asked", async () => {
    const { result, requests } = await asked({}, "<nothing/>");
    expect(result?.summary).toBeUndefined();
    expect(result).toMatchObject({ model: "scripted-1" });
    expect(requests).toHaveLength(1);
  });

  test("a short last word alone is not worth a model, one of two hundred characters is", async () => {
    const alone = { scope: "prompt" as const, summaries: [], prompts: [prompt("p1")] };
    const words = async (count: number) =>
      (await asked({ ...alone, lastAssistantMessage: "x".repeat(count) })).requests.length;
    expect([await words(0), await words(199), await words(200)]).toEqual([0, 0, 1]);
  });

  test("is dated by its last prompt, and shows each prompt", async () => {
    const { requests } = await asked({
      prompts: [
        prompt("p1", { time: Date.UTC(2026, 0, 1), text: "Paint it" }),
        prompt("p2", { promptNumber: 2, time: Date.UTC(2026, 0, 2), text: "Now the roof" }),
      ],
    });
    const content = contentOf(requests[0]);
    expect(content).toContain("2026-01-02");
    expect(content).toContain("Paint it");
    expect(content).toContain("Now the roof");
  });
});
