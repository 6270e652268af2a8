import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fixOfCart, sampleBatch, scriptedModel, testHost } from "../../src/testing/index.ts";
import { testExample } from "../support/example-suite.ts";
import { withPluginServer } from "../support/plugin-server.ts";
import { prompt, summary } from "../support/records.ts";
import type { Line } from "../support/scripted-model.ts";
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
  const config = { types: germanNotes.types, language: "Schwyzerdütsch" };
  const host = await testHost(plugin, { complete: model.complete, config });
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
    ...["", "Art: störung, ablauf, entscheidung, erkenntnis.", "Schreibe auf Schwyzerdütsch."],
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

test.each<[fault: string, observed: Line, summarized: Line]>([
  ["empty", " ", " "],
  ["cut", { text: "EINTR", stop: "max_tokens" }, { text: "BER", stop: "max_tokens" }],
  ["noFact", "EINTRAG | störung | Gutschein zählt nur noch einmal | Kurz. | 1", report],
  ["noTitle", `EINTRAG | störung | | src/${"korb".repeat(14)}.ts: Neu. | 1`, report],
  ["noSummary", note, note],
  ["noNews", note, "BERICHT | Den Korb richten | | |"],
])("german-notes: says in German of an answer: %s", async (fault, observed, summarized) => {
  const model = scriptedModel(observed, note, summarized, report);
  const { session } = sampleBatch([]);
  const host = await testHost(plugin, { complete: model.complete });
  await host.call("observe", sampleBatch(fixOfCart));
  if (model.requests.length === 1) await model.complete(model.requests[0] as never);
  await host.call("summarize", {
    ...{ session, toolUses: fixOfCart, observations: [], summaries: [] },
    ...{ key: "s1", scope: "prompt", prompts: [prompt("p1", { promptNumber: 1 })] },
  });
  await host.stop();
  const again = model.requests.flatMap(({ messages }) => messages.slice(2));
  expect(again.length).toBeGreaterThan(0);
  const said = germanNotes.faults?.[fault as keyof typeof germanNotes.faults];
  for (const { content } of again) expect(content).toStartWith(`${said}. Antworte noch einmal`);
});

test.each([
  ["NICHTS", { nothing: true }],
  ["Ich habe es angesehen.", { problem: "es steht weder ein EINTRAG noch ein BERICHT darin" }],
  ["EINTRAG | zu kurz", { problem: "es steht weder ein EINTRAG noch ein BERICHT darin" }],
])("german-notes: reads %p", (text, expected) => {
  expect(germanNotes.read(text, false)).toMatchObject(expected);
});

test("german-notes: a session's notes, report and title are in German from the prompt to the next start", async () => {
  const answers = `import { definePlugin } from "memoir/sdk";
const answer = ${JSON.stringify({ note, report })};
export default definePlugin({ name: "answers", description: "Answers as a model would.", sdk: 1, slot: "provider",
  hooks: { complete: ({ purpose }) => ({ text: purpose === "observe" ? answer.note : answer.report, model: "scripted", stopReason: "end", usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } }) } });
`;
  const source = await readFile(join(import.meta.dir, "german-notes.ts"), "utf8");
  const slots = { observation: "german-notes", summarization: "german-notes", provider: "answers" };
  const files = {
    ...{ "plugins/german-notes.ts": source, "plugins/answers.ts": answers },
    "config.json": { slots },
  };
  await withPluginServer(files, async (server) => {
    await server.command("plugin", "list");
    await server.start();
    const send = (event: object) =>
      server.hook(JSON.stringify({ session_id: "s1", cwd: server.home, ...event }));
    await send({ hook_event_name: "UserPromptSubmit", prompt: "Richte bitte den Korb." });
    for (const [at, { name, input, response }] of fixOfCart.entries())
      await send({
        ...{ hook_event_name: "PostToolUse", tool_name: name, tool_use_id: `t${at + 1}` },
        ...{ tool_input: input, tool_response: response },
      });
    await send({ hook_event_name: "Stop", last_assistant_message: "Der Gutschein zählt einmal." });
    await send({ hook_event_name: "SessionEnd", reason: "exit" });
    const titled = async () => {
      const { sessions } = await server.ask<{ sessions: Array<{ title?: string }> }>(
        "/api/sessions",
      );
      return sessions[0]?.title;
    };
    for (let tries = 0; tries < 200 && (await titled()) !== "Korb zählt richtig"; tries++)
      await Bun.sleep(100);
    expect(await titled()).toBe("Korb zählt richtig");
    const { results } = await server.ask<{ results: Array<{ parts: object[] }> }>(
      "/api/search?text=Gutschein&limit=50",
    );
    expect(results.flatMap(({ parts }) => parts)).toContainEqual(
      expect.objectContaining({ type: "störung", title: "Gutschein zählt nur noch einmal" }),
    );
    const start = { hook_event_name: "SessionStart", source: "startup", session_id: "s2" };
    expect((await send(start)).text).toContain("zählt");
  });
}, 180_000);
