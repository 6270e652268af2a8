// What a search shows of each kind of record, and in which of its texts it is found.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RecordStore } from "../../src/records/record-store.ts";
import { openRecords } from "../../src/records/record-store.ts";
import type { SearchQuery, SearchResult } from "../../src/sdk/storage.ts";
import {
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
  shop,
} from "../../src/testing/samples.ts";

let store: RecordStore;
beforeAll(async () => {
  store = await openRecords(":memory:", () => noon);
  await store.put({
    key: "1",
    records: {
      sessions: [
        sampleSession({
          ...{ title: "Aardvark day", subtitle: "The badger came", prompts: 7 },
          project: { ...shop, branch: "capybara-branch" },
        }),
      ],
      prompts: [samplePrompt({ promptNumber: 7, text: "Find\n the   dingo" })],
      observations: [
        sampleObservation({
          ...{ title: "Echidna seen", subtitle: "At the ferret", narrative: "The gecko ran." },
          ...{ facts: ["A heron.", "An ibis."], concepts: ["jackal"], promptNumber: 3 },
          ...{ filesModified: ["koala.ts", "lemur.ts"], filesRead: ["lemur.ts"] },
        }),
      ],
      summaries: [
        sampleSummary({
          ...{ request: "Marmot", learned: "Narwhal", completed: "Ocelot", nextSteps: "Panda" },
          ...{ investigated: "Quokka", notes: "Raccoon", filesEdited: ["salamander.ts"] },
        }),
        sampleSummary({ promptNumber: 2, request: "", learned: "Tapir", completed: "" }),
      ],
      memory: [sampleMemory({ content: "Urchin", context: "Vulture", quote: "wombat" })],
      turns: [
        sampleTurn({
          promptNumber: 9,
          pieces: [
            { kind: "prompt", text: `Xerus ${"word ".repeat(40)}` },
            { kind: "said", text: "The yak is here." },
            { kind: "closing", text: "The zebra left." },
            { kind: "ran", text: "bun test", about: "the alpaca" },
          ],
          files: [{ path: "bison.ts", changed: false }],
        }),
      ],
    },
  });
});
afterAll(() => store.close());

const find = async (text: string, more: Partial<SearchQuery> = {}) =>
  (await store.search({ text, ...more })) ?? [];
const only = async (text: string, more: Partial<SearchQuery> = {}) => {
  const found = await find(text, more);
  expect(found.map(({ kind }) => kind)).toHaveLength(1);
  return found[0] as SearchResult;
};

test.each([
  ["aardvark", "session"],
  ["badger", "session"],
  ["capybara", "session"],
  ["dingo", "prompt"],
  ["echidna", "observation"],
  ["ferret", "observation"],
  ["gecko", "observation"],
  ["ibis", "observation"],
  ["jackal", "observation"],
  ["koala", "observation"],
  ["marmot", "summary"],
  ["narwhal", "summary"],
  ["ocelot", "summary"],
  ["panda", "summary"],
  ["quokka", "summary"],
  ["raccoon", "summary"],
  ["salamander", "summary"],
  ["urchin", "memory"],
  ["vulture", "memory"],
  ["wombat", "memory"],
  ["preferences", "memory"],
  ["yak", "turn"],
  ["alpaca", "turn"],
])("%p finds the %s", async (word, kind) => {
  expect((await only(word)).kind).toBe(kind as SearchResult["kind"]);
});

const base = { session: "session-1", project: shop.id, createdAt: noon, facts: [], files: [] };

test.each<[string, Partial<SearchResult>]>([
  [
    "echidna",
    {
      ...{ id: "o1", type: "discovery", title: "Echidna seen", subtitle: "At the ferret" },
      ...{ promptNumber: 3, facts: ["A heron.", "An ibis."], files: ["koala.ts", "lemur.ts"] },
    },
  ],
  ["marmot", { id: "s1", type: "summary", title: "Marmot", subtitle: "Ocelot", promptNumber: 1 }],
  ["tapir", { id: "s2", type: "summary", title: "", subtitle: "Tapir", promptNumber: 2 }],
  ["dingo", { id: "p1", type: "prompt", title: "Find the dingo", subtitle: "", promptNumber: 7 }],
  [
    "aardvark",
    {
      ...{ id: "session-1", type: "session", title: "Aardvark day" },
      ...{ subtitle: "The badger came", promptNumber: 7 },
    },
  ],
  [
    "urchin",
    {
      ...{ id: "m1", type: "memory", title: "Urchin", subtitle: "Vulture", promptNumber: 0 },
    },
  ],
  [
    "yak",
    {
      ...{ id: "t1", type: "turn", subtitle: "The zebra left.", promptNumber: 9 },
      ...{ files: ["bison.ts"], piece: 1 },
    },
  ],
])("%p is shown with what its record says", async (word, shown) => {
  const result = await only(word);
  for (const [name, value] of Object.entries({ ...base, ...shown }))
    expect([name, result[name as keyof SearchResult]]).toEqual([name, value as never]);
  expect(result.readTokens).toBeGreaterThan(0);
});

test("a long title is one line of 120 characters, and ends with …", async () => {
  const { title } = await only("xerus", { kinds: ["turn"] });
  expect(title).toHaveLength(120);
  expect(title).toMatch(/^Xerus word word .*…$/);
});

test("a text with more to read takes more tokens", async () => {
  expect((await only("yak")).readTokens).toBeGreaterThan((await only("dingo")).readTokens + 30);
});

test("words and scores are told of what was typed, rounded, best first", async () => {
  const [hit] = await find("zebar", { explain: true });
  expect(hit?.corrected).toEqual({ zebar: "zebra" });
  expect(hit?.why?.field).toBe("said");
  expect(hit?.excerpt).toBe("The zebra left.");
  expect(Math.round((hit?.score ?? 0) * 10_000)).toBe((hit?.score ?? 0) * 10_000);
  expect((await only("zebra")).why).toBeUndefined();
  expect((await only("zebra")).corrected).toBeUndefined();
});

describe("levels", () => {
  test.each<[NonNullable<SearchQuery["level"]>, string, number]>([
    ["sessions", "aardvark", 1],
    ["sessions", "echidna", 0],
    ["summaries", "marmot", 1],
    ["summaries", "aardvark", 0],
    ["titles", "echidna", 1],
    ["titles", "ferret", 1],
    ["titles", "gecko", 0],
    ["facts", "heron", 1],
    ["facts", "echidna", 0],
    ["narratives", "gecko", 1],
    ["narratives", "yak", 0],
  ])("%s: %p is found %p times", async (level, word, count) => {
    expect(await find(word, { level })).toHaveLength(count);
  });

  test("of facts those that were meant come, in their order", async () => {
    const facts = async (text: string) => (await only(text, { level: "facts" })).facts;
    expect(await facts("ibis")).toEqual(["An ibis."]);
    expect(await facts("ibis heron")).toEqual(["A heron.", "An ibis."]);
    const long =
      "The numbat sums all of its lines anew each time that it is asked for them. ".repeat(30);
    const numbat = sampleObservation({ facts: [long.trim(), "A quoll."] });
    await store.put({ key: "long", records: { observations: [numbat] } });
    expect(await facts("numbat lines")).toEqual([long.trim()]);
  });
});

test("a prompt is left out where its turn says the same, and is found where turns are not looked for", async () => {
  await store.put({
    key: "2",
    records: {
      turns: [
        sampleTurn({ promptNumber: 7, pieces: [{ kind: "prompt", text: "Find the dingo" }] }),
      ],
    },
  });
  expect((await find("dingo")).map(({ kind }) => kind)).toEqual(["turn"]);
  expect((await find("dingo", { kinds: ["prompt"] })).map(({ kind }) => kind)).toEqual(["prompt"]);
});

test("of the same words an observation tells more than a summary, that more than a session, that more than a prompt", async () => {
  const text = "Walrus walks";
  const own = { session: "other", promptNumber: 1 };
  await store.put({
    key: "3",
    records: {
      sessions: [sampleSession({ id: "s-a", title: text })],
      prompts: [samplePrompt({ ...own, session: "s-b", text })],
      summaries: [sampleSummary({ ...own, session: "s-c", request: text })],
      observations: [sampleObservation({ ...own, session: "s-d", title: text })],
    },
  });
  const found = await find(text, { by: "record" });
  expect(found.map(({ kind }) => kind)).toEqual(["observation", "summary", "session", "prompt"]);
});
