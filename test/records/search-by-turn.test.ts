// A search by turn: each turn once, as its own record, with what was asked, what failed and the records that hold it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openRecords, type RecordStore } from "../../src/records/record-store.ts";
import type { SearchQuery } from "../../src/sdk/storage.ts";
import {
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../../src/testing/samples.ts";

const failure = { about: "go test", text: "Exit code 1\nFAIL: walrus_test.go:3: want 2" };
let store: RecordStore;
beforeAll(async () => {
  store = await openRecords(":memory:", () => noon);
  await store.put({
    key: "1",
    records: {
      sessions: [sampleSession({ title: "Walrus session" })],
      prompts: [1, 2, 3].map((promptNumber) =>
        samplePrompt({
          promptNumber,
          text: `Walrus ask ${promptNumber}`,
          time: noon + promptNumber,
        }),
      ),
      turns: [1, 2].map((promptNumber) =>
        sampleTurn({
          ...{ promptNumber, startedAt: noon + promptNumber, time: noon + promptNumber },
          pieces: [
            { kind: "prompt", text: `Walrus ask ${promptNumber}` },
            { kind: "failure", ...failure },
            ...(promptNumber === 1
              ? [{ kind: "repair" as const, ...failure, text: `${failure.text}\n\n→ a.go` }]
              : []),
            { kind: "closing", text: "The walrus is counted." },
          ],
        }),
      ),
      observations: [
        sampleObservation({ promptNumber: 1, title: "Walrus counted", type: "bugfix" }),
        sampleObservation({
          promptNumber: 1,
          title: "Two more were seen beside the walrus",
          type: "discovery",
          facts: [],
        }),
      ],
      summaries: [sampleSummary({ promptNumber: 1, request: "Walrus summary", scope: "prompt" })],
      memory: [sampleMemory({ content: "A walrus is counted twice" })],
    },
  });
});
afterAll(() => store.close());

const find = async (query: Partial<SearchQuery>) =>
  await store.search({ text: "walrus", by: "turn", limit: 50, ...query });
const shown = async (query: Partial<SearchQuery>) =>
  (await find(query)).map(({ id, type, title, parts = [] }) =>
    [id, type, title, ...parts.map((part) => part.id)].join(" "),
  );

const first = "t1 bugfix Walrus counted t1 p1 o1 o2 s1";
const rest = ["m1 memory A walrus is counted twice", "p3 prompt Walrus ask 3 p3"];
const cases: Array<[what: string, query: Partial<SearchQuery>, expected: string[]]> = [
  ["with words", {}, [first, ...rest, "t2 turn Walrus ask 2 t2 p2"]],
  ["without words", { text: "" }, [first, ...rest, "t2 turn Walrus ask 2 t2 p2"]],
  [
    "the observation that was found names it",
    { type: "discovery" },
    ["t1 discovery Two more were seen beside the walrus t1 p1 o1 o2 s1"],
  ],
  [
    "only observations: the best of each turn",
    { kinds: ["observation"] },
    ["o1 bugfix Walrus counted t1 p1 o1 o2 s1"],
  ],
  [
    "a session where nothing of its turns is found",
    { text: "session" },
    ["session-1 session Walrus session"],
  ],
];
for (const [what, query, expected] of cases)
  test(what, async () => {
    expect((await shown(query)).sort()).toEqual(expected.sort());
  });

test("no turn comes twice over pages, with words and without", async () => {
  for (const text of ["walrus", ""]) {
    const pages = await Promise.all(
      [0, 1, 2, 3, 4].map((offset) => find({ text, offset, limit: 1 })),
    );
    expect(pages.map((page) => page.length)).toEqual([1, 1, 1, 1, 0]);
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(4);
  }
});

test("work before any prompt comes once, too", async () => {
  const own = await openRecords(":memory:", () => noon);
  const piece = { kind: "closing" as const, text: "The walrus is read" };
  const turns = [sampleTurn({ promptNumber: 0, pieces: [piece] })];
  const observations = [
    sampleObservation({ promptNumber: 0, title: "A walrus before any prompt" }),
  ];
  await own.put({ key: "1", records: { sessions: [sampleSession()], turns, observations } });
  const found = await Promise.all(
    ["walrus", ""].map((text) => own.search({ text, by: "turn", limit: 50 })),
  );
  own.close();
  expect(found.map((hits) => hits.map(({ id }) => id))).toEqual([["t1"], ["t1"]]);
});

test("says what was asked, what failed and was fixed, and where the passage stands", async () => {
  const [one] = await find({ type: "bugfix" });
  expect(one).toMatchObject({
    ...{ kind: "turn", asked: "Walrus ask 1", found: "o1" },
    failures: [{ failed: "FAIL: walrus_test.go:3: want 2", command: "go test", isFixed: true }],
  });
  const two = (await find({})).find(({ id }) => id === "t2");
  expect(two?.failures?.map(({ isFixed }) => isFixed)).toEqual([false]);
});

test("what is hidden is no part for agents, and names nothing for a person", async () => {
  await store.amend({ id: "o1", hidden: true });
  const titles = async (hidden?: boolean) =>
    (await find({ text: "", ...(hidden === undefined ? {} : { hidden }) })).find(
      ({ id }) => id === "t1",
    );
  expect((await titles(false))?.parts?.map(({ id }) => id)).toEqual(["t1", "p1", "o2", "s1"]);
  expect((await titles())?.title).toBe("Two more were seen beside the walrus");
  await store.amend({ id: "o1", hidden: false });
});
