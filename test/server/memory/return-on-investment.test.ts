// The figures of `memoir stats`, each against its formula.
import { describe, expect, test } from "bun:test";
import type { CarriedInjection } from "../../../src/runtime/journal/injection-rows.ts";
import type { Observation, Session } from "../../../src/sdk/model.ts";
import {
  carriedCost,
  readCost,
  returnReport,
} from "../../../src/server/memory/return-on-investment.ts";

const day = new Date(2026, 4, 1, 12).getTime();

function observation(id: string, more: Partial<Observation> = {}): Observation {
  return {
    id,
    session: "s1",
    client: "claude-code",
    project: "shop",
    promptNumber: 1,
    time: day,
    type: "bugfix",
    title: "Fix the token",
    subtitle: "",
    facts: [],
    narrative: "",
    concepts: [],
    filesRead: [],
    filesModified: [],
    toolUseIds: [],
    discoveryTokens: null,
    observerTokens: 0,
    provenance: { strategy: "heuristic", model: null },
    ...more,
  };
}

function session(id: string, more: Partial<Session> = {}): Session {
  return {
    id,
    client: "claude-code",
    project: { id: "shop", name: "shop", root: "/shop" },
    title: "",
    subtitle: "",
    prompts: 2,
    observations: 0,
    status: "ended",
    startedAt: day,
    lastActiveAt: day,
    endedAt: day,
    ...more,
  };
}

function injection(more: Partial<CarriedInjection> = {}): CarriedInjection {
  return {
    client: "claude-code",
    session: "s2",
    project: "shop",
    event: "SessionStart",
    time: day,
    characters: 4_000,
    tokens: 1_000,
    records: ["o1"],
    laterRequests: 0,
    ...more,
  };
}

const report = (input: Partial<Parameters<typeof returnReport>[0]>) =>
  returnReport({ sessions: [], observations: [], injections: [], named: new Map(), ...input });

describe("each figure", () => {
  test("reading costs what its texts are long", () => {
    expect(readCost(observation("o1", { title: "a".repeat(39), narrative: "" }))).toBe(11);
  });

  test.each([
    [0, 1_000],
    [10, 2_000],
    [35, 4_500],
  ])("a context is paid in full and, for %i later requests, at a tenth", (laterRequests, cost) => {
    expect(carriedCost(injection({ laterRequests }))).toBe(cost);
  });

  test("finding out is summed over what is known, and how much that is stands beside it", () => {
    const { total } = report({
      sessions: [session("s1")],
      observations: [observation("o1", { discoveryTokens: 500 }), observation("o2")],
    });
    expect(total).toMatchObject({
      sessions: 1,
      prompts: 2,
      observations: 2,
      discovery: 500,
      discoveryKnown: 1,
      net: 0,
    });
  });
});

describe("what injection saved", () => {
  const given = observation("o1", { discoveryTokens: 9_000, filesModified: ["src/token.ts"] });
  const named = new Map([["o1", given]]);
  const later = observation("o9", { session: "s2", filesRead: ["src/token.ts"], time: day + 1 });

  test("counts an observation whose files the session then worked on", () => {
    const { total } = report({ observations: [later], injections: [injection()], named });
    expect(total).toMatchObject({ injections: 1, used: 1, saved: 9_000, net: 8_000 });
  });

  test("counts none whose files it did not touch, or touched before: that is a cost", () => {
    const before = { ...later, time: day - 1 };
    const elsewhere = { ...later, filesRead: ["README.md"] };
    const { total } = report({
      observations: [before, elsewhere],
      injections: [injection({ laterRequests: 10 })],
      named,
    });
    expect(total).toMatchObject({ used: 0, saved: 0, carried: 2_000, net: -2_000 });
  });

  test("counts an observation once for a session, however often it is given", () => {
    const { total } = report({
      observations: [later],
      injections: [injection(), injection({ event: "UserPromptSubmit" })],
      named,
    });
    expect(total).toMatchObject({ injections: 2, used: 1, saved: 9_000, carried: 2_000 });
  });
});

test("days are newest first, projects by observations, and both add up to the total", () => {
  const observations = [
    observation("o1", { project: "a", discoveryTokens: 1 }),
    observation("o2", { project: "b", time: day + 86_400_000, discoveryTokens: 2 }),
    observation("o3", { project: "b", time: day + 86_400_000, discoveryTokens: 4 }),
  ];
  const { total, byDay, byProject } = report({ observations });
  expect(byDay.map(({ key, observations: n }) => [key, n])).toEqual([
    ["2026-05-02", 2],
    ["2026-05-01", 1],
  ]);
  expect(byProject.map(({ key, discovery }) => [key, discovery])).toEqual([
    ["b", 6],
    ["a", 1],
  ]);
  expect(total.discovery).toBe(7);
});
