// The figures of `memoir memory stats`, each against its formula.
import { describe, expect, test } from "bun:test";
import type { CarriedInjection } from "../../../src/runtime/journal/counts.ts";
import type { Observation, Session } from "../../../src/sdk/model.ts";
import { carriedCost, savings, useEvents } from "../../../src/server/memory/savings.ts";
import { readCost, returnReport } from "../../../src/server/operations/stats.ts";
import type { UseNote } from "../../../src/strategy/uses.ts";

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

type Seen = Parameters<typeof useEvents>[0];
const report = (input: Partial<Parameters<typeof returnReport>[0] & Seen>) => {
  const made = { observations: [], injections: [], named: new Map(), notes: [], ...input };
  return returnReport({ sessions: [], ...made, uses: useEvents(made) });
};

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
      used: 0,
    });
  });
});

describe("what sessions used", () => {
  const given = observation("o1", { discoveryTokens: 9_000, filesModified: ["src/token.ts"] });
  const named = new Map([["o1", given]]);
  const later = observation("o9", { session: "s2", filesRead: ["src/token.ts"], time: day + 1 });

  test("counts an observation whose files the session then worked on", () => {
    const { total } = report({ observations: [later], injections: [injection()], named });
    expect(total).toMatchObject({ injections: 1, used: 1 });
  });

  test("counts none whose files it did not touch, or touched before: that is a cost", () => {
    const before = { ...later, time: day - 1 };
    const elsewhere = { ...later, filesRead: ["README.md"] };
    const { total } = report({
      observations: [before, elsewhere],
      injections: [injection({ laterRequests: 10 })],
      named,
    });
    expect(total).toMatchObject({ used: 0, carried: 2_000 });
  });

  test("counts an observation once for a session, however often it is given", () => {
    const { total } = report({
      observations: [later],
      injections: [injection(), injection({ event: "UserPromptSubmit" })],
      named,
    });
    expect(total).toMatchObject({ injections: 2, used: 1, carried: 2_000 });
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

test("every figure of a day and of a project is that day's and that project's alone", () => {
  const later = day + 86_400_000;
  const given = observation("o1", { discoveryTokens: 500, filesRead: ["a.ts"] });
  const { total, byDay, byProject } = report({
    sessions: [
      session("s1", { prompts: 3 }),
      session("s3", {
        prompts: 0,
        startedAt: later,
        project: { id: "blog", name: "b", root: "/b" },
      }),
      session("s4", { prompts: 5, startedAt: later - 2 * 86_400_000 }),
    ],
    observations: [
      observation("o2", { session: "s2", filesModified: ["a.ts"], time: day, observerTokens: 7 }),
      observation("o3", { time: later, observerTokens: null, discoveryTokens: 0, project: "blog" }),
    ],
    injections: [
      injection({ laterRequests: 5, tokens: 100 }),
      injection({ project: "blog", time: later, tokens: 10, records: ["o1", "gone"] }),
    ],
    named: new Map([["o1", given]]),
  });
  const none = {
    ...{ sessions: 0, prompts: 0, observations: 0, discovery: 0, discoveryKnown: 0, read: 0 },
    ...{ observer: 0, injections: 0, injected: 0, carried: 0, used: 0 },
  };
  const read = readCost(observation("o"));
  expect(byDay).toEqual([
    {
      ...{ ...none, key: "2026-05-02", sessions: 1, observations: 1, discoveryKnown: 1, read },
      ...{ injections: 1, injected: 10, carried: 10 },
    },
    {
      ...{
        ...none,
        key: "2026-05-01",
        sessions: 1,
        prompts: 3,
        observations: 1,
        read,
        observer: 7,
      },
      ...{ injections: 1, injected: 100, carried: 150, used: 1 },
    },
    { ...none, key: "2026-04-30", sessions: 1, prompts: 5 },
  ]);
  expect(byProject.map(({ key, prompts, used }) => [key, prompts, used])).toEqual([
    ["shop", 8, 1],
    ["blog", 0, 0],
  ]);
  expect(total).toMatchObject({ sessions: 3, prompts: 8, read: 2 * read });
  expect(report({})).toEqual({ total: none, byDay: [], byProject: [] });
});

test("what one session was given counts for that session only, however many records it used", () => {
  const named = new Map(
    ["o1", "o2"].map((id, at) => [
      id,
      observation(id, { discoveryTokens: 100 + at, filesModified: ["a.ts"] }),
    ]),
  );
  const worked = ["s2", "s3"].map((of) =>
    observation(`w${of}`, { session: of, filesRead: ["a.ts"] }),
  );
  const { total } = report({
    observations: worked,
    injections: [
      injection({ records: ["o1", "o2"] }),
      injection({ session: "s3", records: ["o2"] }),
      injection({ session: "s4", records: ["o1"] }),
    ],
    named,
  });
  expect(total).toMatchObject({ used: 2, injections: 3 });
});

describe("savings", () => {
  const file = { filesRead: ["a.ts"] };
  /** Sessions that were shown nothing read a file that an earlier one had read, at 1,000 to 9,000 tokens. */
  const again = Array.from({ length: 9 }, (_, at) =>
    observation(`a${at}`, {
      ...{ ...file, session: `again${at}`, time: day + at, discoveryTokens: (at + 1) * 1_000 },
    }),
  );
  const first = observation("first", { ...file, session: "first", time: day - 1 });
  const note = (more: Partial<UseNote>): UseNote => ({
    ...{ kind: "start", project: "shop", session: "s2", time: day, ids: ["o1"], used: ["o1"] },
    ...{ commands: [], files: [], lookedUp: true, actedOn: false, ...more },
  });
  const count = (more: Partial<Parameters<typeof savings>[0] & Seen>) => {
    const input = {
      ...{ injections: [injection({ laterRequests: 10 })], notes: [note({})] },
      ...{ observations: [first, ...again], named: new Map() },
      ...{ model: "claude-sonnet-5-5", prices: {}, ...more },
    };
    return savings({ ...input, uses: useEvents(input) });
  };

  test("the worked example of docs/developers/statistics.md", () => {
    expect(count({})).toEqual({
      model: "claude-sonnet-5-5",
      shown: { contexts: 1, tokens: 1_000, carried: 2_000, cost: 0.0045 },
      used: {
        ...{ count: 1, sure: 1, ways: { opened: 1 } },
        events: [{ time: day, session: "s2", project: "shop", how: "opened", ids: ["o1"] }],
      },
      avoided: {
        cases: 9,
        each: { low: 3_000, median: 5_000, high: 7_000 },
        tokens: { low: 3_000, median: 5_000, high: 7_000 },
        cost: { low: 0.006, median: 0.01, high: 0.014 },
      },
      net: { low: 1_000, median: 3_000, high: 5_000 },
    });
  });

  const unknown: Array<[what: string, more: Partial<Parameters<typeof savings>[0]>]> = [
    ["too few cases", { observations: [first, ...again.slice(0, 7)] }],
    [
      "the cases changed files: that is work",
      {
        observations: [first, ...again.map((one) => ({ ...one, filesModified: ["a.ts"] }))],
      },
    ],
    [
      "nobody had read the file before",
      { observations: again.map((one) => ({ ...one, session: "same" })) },
    ],
    [
      "they were shown something",
      {
        injections: [injection(), ...again.map(({ session }) => injection({ session }))],
      },
    ],
  ];
  for (const [what, more] of unknown)
    test(`says that it does not know: ${what}`, () => {
      const { avoided, net } = count(more);
      expect([avoided.tokens, avoided.cost, net]).toEqual([null, null, null]);
    });

  test("each record once a session, by the strongest sign; the same file alone avoids nothing", () => {
    const own = observation("own", { ...file, session: "s2", time: day + 1 });
    const named = new Map([["o1", observation("o1", file)]]);
    const with_ = (notes: UseNote[]) =>
      count({ notes, named, observations: [first, ...again, own] }).used;
    expect(with_([]).events.map(({ how }) => how)).toEqual(["worked on"]);
    expect([with_([]).sure, with_([]).ways]).toEqual([0, { "worked on": 1 }]);
    const fixed = note({ kind: "failure", actedOn: true });
    expect(with_([note({}), fixed]).events.map(({ how }) => how)).toEqual(["opened"]);
    expect(with_([fixed]).events.map(({ how }) => how)).toEqual(["fix applied"]);
    expect(with_([note({ session: "other" })]).events.map(({ how }) => how)).toEqual(["worked on"]);
  });

  test("a model without a price has no money", () => {
    const { shown, avoided } = count({ model: "own-model" });
    expect([shown.cost, avoided.cost, avoided.tokens?.median]).toEqual([null, null, 5_000]);
  });
});
