import { expect, test } from "bun:test";
import { fixOfCart, sampleBatch, scriptedModel, testHost } from "../../src/testing/index.ts";
import { testExample } from "../support/example-suite.ts";
import { prompt, summary } from "../support/records.ts";
import plugin, { germanNotes } from "./german-notes.ts";

const fact = "src/cart.ts: totalOf lässt einen Gutschein aus, der schon eingelöst war.";
const note = `EINTRAG | störung | Gutschein zählt nur noch einmal | ${fact} | 1,2`;
const report = "BERICHT | Den Korb richten | Der Gutschein zählt einmal | | Korb zählt richtig";

testExample("german-notes", plugin, {
  model: ({ purpose }) => (purpose === "observe" ? note : report),
});

test("german-notes: keeps its own types of notes", async () => {
  const model = scriptedModel(note);
  const host = await testHost(plugin, { complete: model.complete });
  const result = await host.call("observe", sampleBatch(fixOfCart));
  await host.stop();
  expect(result?.observations[0]).toMatchObject({
    ...{ type: "störung", title: "Gutschein zählt nur noch einmal", facts: [fact] },
    toolUseIds: ["t1", "t2"],
  });
});

test("german-notes: every line around the material is its own, for notes, summaries and a second try", async () => {
  const model = scriptedModel("Gerne.", note, note, report, report);
  const host = await testHost(plugin, { complete: model.complete });
  await host.call("observe", sampleBatch(fixOfCart));
  await host.call("observe", sampleBatch(fixOfCart, { key: "waiting", waiting: true }));
  const { session } = sampleBatch([]);
  const work = { session, toolUses: fixOfCart, observations: [], summaries: [] };
  const prompts = [prompt("p1", { promptNumber: 1 }), prompt("p2", { promptNumber: 2 })];
  await host.call("summarize", {
    ...work,
    key: "s1",
    scope: "prompt",
    prompts: prompts.slice(0, 1),
  });
  const ended = { ...work, prompts, summaries: [summary("s1"), summary("s2")] };
  await host.call("summarize", { ...ended, key: "s2", scope: "session" });
  await host.stop();
  const texts = (value: unknown): string[] =>
    typeof value === "object" && value !== null
      ? Object.values(value).flatMap(texts)
      : [`${value}`];
  const own = new Set([
    ...texts(germanNotes).flatMap((text) => text.split("\n")),
    ...["", `type: ${germanNotes.types?.join(", ")}.`],
    `Es steht weder ein EINTRAG noch ein BERICHT darin. ${germanNotes.asks?.again}`,
  ]);
  expect(model.requests.map(({ purpose }) => purpose).join()).toBe(
    "observe,observe,observe,summarize,summarize",
  );
  for (const { system, messages } of model.requests)
    for (const { role, content } of [{ role: "system", content: system }, ...messages]) {
      if (role === "assistant") continue;
      const around = content.replace(/<data-\w{8}>[\s\S]*<\/data-\w{8}>/, "").split("\n");
      expect(around.filter((line) => !own.has(line))).toEqual([]);
    }
});

test.each([
  ["NOTHING", { nothing: true }],
  ["Ich habe es angesehen.", { problem: "es steht weder ein EINTRAG noch ein BERICHT darin" }],
  ["EINTRAG | zu kurz", { problem: "es steht weder ein EINTRAG noch ein BERICHT darin" }],
])("german-notes: reads %p", (text, expected) => {
  expect(germanNotes.read(text, false)).toMatchObject(expected);
});
