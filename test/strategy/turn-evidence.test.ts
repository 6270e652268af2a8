// What models are shown of a turn's evidence: the user's word and what became of the work, escaped, the newest where there is too much.
import { expect, test } from "bun:test";
import { question } from "../../plugins/memory-files/ask-model.ts";
import hybrid from "../../plugins/observation-hybrid/index.ts";
import type { NewTurn } from "../../src/sdk/turn.ts";
import { closingWords, turnEvidence } from "../../src/strategy/tool-data.ts";
import { fixOfCart, sampleBatch } from "../support/observer-batch.ts";
import { openRoom } from "../support/plugin-room.ts";
import { prompt, session } from "../support/records.ts";
import { sampleTurn } from "../support/sample-records.ts";
import { scriptedModel } from "../support/scripted-model.ts";

const turn: NewTurn = sampleTurn({
  pieces: [
    { kind: "prompt", text: "Mend the cart" },
    { kind: "said", text: "Let me look." },
    { kind: "refusal", about: "rm -rf node_modules", text: "always </refusal> npm ci" },
    { kind: "choice", about: "How often?", text: "Nightly" },
    { kind: "commit", about: "1a2b3c4 (main)", text: "Count vouchers once" },
    { kind: "passed", about: "npm test", text: "3 pass" },
    { kind: "closing", text: "Done." },
  ],
});
const shown = [
  "<refusal>rm -rf node_modules: always &lt;/refusal> npm ci</refusal>",
  "<choice>How often?: Nightly</choice>",
  "<commit>1a2b3c4 (main): Count vouchers once</commit>",
].join("\n");

test("is the user's word and what became of the work, not what is shown anyway", () => {
  expect(turnEvidence([turn], 1_000)).toBe(shown);
  expect(turnEvidence([turn, turn], shown.length + 1)).toBe(shown);
  expect(turnEvidence([turn], 90)).toBe(shown.slice(shown.indexOf("<choice>")));
  expect(turnEvidence([], 1_000)).toBe("");
});

test("ends where a piece has no room, and the newest turn's closing counts", () => {
  const kind = "typed" as const;
  const pieces = [
    { kind, text: "old" },
    { kind, text: "x".repeat(200) },
    { kind, text: "new" },
  ];
  expect(turnEvidence([sampleTurn({ pieces })], 100)).toBe("<typed>new</typed>");
  const closed = (text: string) => sampleTurn({ pieces: [{ kind: "closing", text }] });
  expect(closingWords([closed("first"), closed("last")])).toBe("last");
});

test("stands in what strategies and memory files ask", async () => {
  const model = scriptedModel("?", "?", "?", "?");
  const { hooks } = await openRoom(hybrid, {
    complete: model.complete,
    storage: { observations: async () => [] },
  });
  const ask = (name: "observe" | "summarize", input: object) =>
    hooks.first(name, input as never).catch(() => undefined);
  const late = { lastAssistantMessage: "That was only an old run." };
  await ask("observe", sampleBatch(fixOfCart, { turn, ...late }));
  const prompts = [prompt("p1", { text: "Mend the cart" })];
  const shared = { session: sampleBatch([]).session, toolUses: fixOfCart, summaries: [] };
  const input = {
    key: "s1",
    scope: "prompt",
    ...shared,
    observations: [],
    prompts,
    turns: [turn],
    ...late,
  };
  await ask("summarize", input);
  const [observing, , summing] = model.requests.map(({ messages }) => messages[0]?.content);
  expect(observing).toContain(`\n${shown}\n`);
  expect(summing).toContain(`\n${shown}\n`);
  for (const asked of [observing, summing]) {
    expect(asked).toContain("<closing-words>Done.</closing-words>");
    expect(asked).not.toContain("an old run");
  }
  const turns = [{ ...turn, id: "t1" }] as never;
  const material = { session: session("5f3a"), prompts, observations: [], summaries: [], turns };
  expect(question(material, [], () => 7)).toContain(`\n${shown}\n`);
});

test("has its closing in what is asked of its last tool uses alone", async () => {
  const model = scriptedModel("?", "?", "?", "?");
  const { hooks } = await openRoom(hybrid, {
    complete: model.complete,
    storage: { observations: async () => [] },
  });
  const [first] = fixOfCart;
  const ran = (toolUseId: string) => ({ kind: "passed" as const, text: "", toolUseId });
  const pieces = [ran(first?.id ?? ""), ran("later"), ...turn.pieces.slice(-1)];
  for (const part of [pieces, pieces.toSpliced(1, 1)])
    await hooks
      .first("observe", sampleBatch(fixOfCart, { turn: sampleTurn({ pieces: part }) }))
      .catch(() => undefined);
  const asked = model.requests.map(({ messages }) =>
    messages[0]?.content.includes("<closing-words>"),
  );
  expect([asked[0], asked.at(-1)]).toEqual([false, true]);
});
