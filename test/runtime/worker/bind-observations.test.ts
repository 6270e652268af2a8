// Drafts become observations of their session; what does not fit is named, not stored.
import { expect, test } from "bun:test";
import { bindObservations } from "../../../src/runtime/worker/observation.ts";
import { placesIn } from "../../../src/runtime/worker/turn.ts";
import type { ObservationBatch, ToolUse } from "../../../src/sdk/work.ts";
import { sampleTurn } from "../../support/sample-records.ts";

const use = (id: string, time: number): ToolUse => ({
  id,
  name: "Read",
  input: {},
  time,
  cwd: "/shop",
});
const batch: ObservationBatch = {
  key: "k",
  session: {
    id: "s1",
    client: "claude-code",
    project: { id: "shop", name: "shop", root: "/shop", branch: "fix" },
  },
  toolUses: [use("a", 10), use("b", 20), use("c", 30)],
  waiting: false,
};
const draft = {
  type: "bugfix",
  title: "Fix the login",
  subtitle: "",
  facts: [],
  narrative: "",
  concepts: [],
  filesRead: [],
  filesModified: [],
  toolUseIds: ["a", "b"],
};
const bind = (...drafts: unknown[]) =>
  bindObservations(drafts, batch, 3, { strategy: "heuristic", model: null });

test("a draft is bound to session, project, branch, prompt and provenance", () => {
  expect(bind(draft).observations).toEqual([
    {
      ...draft,
      session: "s1",
      client: "claude-code",
      project: "shop",
      branch: "fix",
      promptNumber: 3,
      time: 20,
      discoveryTokens: null,
      observerTokens: null,
      provenance: { strategy: "heuristic", model: null },
    },
  ]);
});

for (const [it, fields, time] of [
  ["its own", { time: 7 }, 7],
  ["its last tool use's", { toolUseIds: ["b", "a"] }, 20],
  ["the batch's when it names no tool use", { toolUseIds: [] }, 30],
] as const)
  test(`its time is ${it}`, () => {
    expect(bind({ ...draft, ...fields }).observations[0]?.time).toBe(time);
  });

test("tokens are kept when known", () => {
  const known = { ...draft, discoveryTokens: 500, observerTokens: 0 };
  expect(bind(known).observations[0]).toMatchObject({ discoveryTokens: 500, observerTokens: 0 });
});

test("tool uses of another batch are left out", () => {
  expect(bind({ ...draft, toolUseIds: ["a", "x"] }).observations[0]?.toolUseIds).toEqual(["a"]);
});

test("what breaks the schema is named by place, with the tool uses it would have covered", () => {
  const bound = bind({ ...draft, title: "", facts: [1], toolUseIds: ["a", "x"] }, null, draft);
  expect(bound.observations).toHaveLength(1);
  expect(bound.invalid).toEqual(["title, facts.0", "draft"]);
  expect([...bound.invalidToolUses]).toEqual(["a"]);
});

test("what names no evidence has the turn's prompt, closing and what came of its tool uses", () => {
  const pieces = [
    { kind: "prompt" as const, text: "Fix it" },
    { kind: "passed" as const, text: "", about: "bun test", toolUseId: "t3" },
    { kind: "passed" as const, text: "", about: "bun lint", toolUseId: "other" },
    { kind: "closing" as const, text: "Fixed." },
  ];
  const turn = sampleTurn({ promptNumber: 1, pieces });
  expect(placesIn([turn], ["t3"])).toEqual([
    { turn: 1, piece: 0 },
    { turn: 1, piece: 1 },
    { turn: 1, piece: 3 },
  ]);
  expect(placesIn([], ["t3"])).toBeUndefined();
});
