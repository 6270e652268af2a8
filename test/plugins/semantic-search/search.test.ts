// A search with meaning beside words: when it is asked for at all, which turns may come, and what words alone answer.
import { expect, test } from "bun:test";
import { passagesOf } from "../../../plugins/semantic-search/passages.ts";
import { search } from "../../../plugins/semantic-search/search.ts";
import type { KeptTurn } from "../../../plugins/semantic-search/store.ts";
import type { SearchQuery, SearchResult } from "../../../src/sdk/storage.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { sampleTurn } from "../../../src/testing/samples.ts";
import { observation, searchResult } from "../../support/records.ts";

const turnOf = (id: string, part: Partial<Turn> = {}): Turn => ({
  ...sampleTurn({ pieces: [{ kind: "said", text: `What was said in the turn ${id}.` }], ...part }),
  id,
});
const turns = [
  turnOf("t1", { session: "aa-1", project: "github.com/a/shop", startedAt: 10 }),
  turnOf("t2", { session: "ab-2", project: "github.com/b/shop", startedAt: 20, promptNumber: 2 }),
  turnOf("t3", {
    session: "ab-2",
    project: "blog",
    startedAt: 30,
    promptNumber: 3,
    client: "codex",
  }),
];
const kept = turns.map(
  ({ id, session, project, client, promptNumber, startedAt: time }): KeptTurn => ({
    ...{ id, session, project, client, promptNumber, time },
  }),
);
const projects = [
  { id: "github.com/a/shop", name: "shop" },
  { id: "github.com/b/shop", name: "shop" },
  { id: "blog", name: "journal" },
];
const words = [searchResult(observation("o1"), 0.9), searchResult(observation("o2"), 0.5)];

/** Searches where all turns mean the same as the question, falling; `likeness` for each. */
async function find(query: Partial<SearchQuery>, likeness = [0.9, 0.8, 0.7], fails = false) {
  const asked: SearchQuery[] = [];
  const embedded: string[][] = [];
  const state = {
    searching: {
      store: {
        nearest: (_: unknown, passes: (turn: KeptTurn) => boolean) =>
          kept.flatMap((one, i) =>
            passes(one)
              ? [
                  {
                    turn: one.id,
                    hash: passagesOf(turns[i] as Turn)[0]?.hash ?? "",
                    likeness: likeness[i] ?? 0,
                  },
                ]
              : [],
          ),
      },
      questions: {
        vectors: async (texts: readonly string[]) => {
          embedded.push([...texts]);
          return fails ? undefined : texts.map(() => Float32Array.from([1]));
        },
      },
    },
  };
  const ctx = {
    ...{ state, config: { meaningShare: 0.5 } },
    next: async (changed?: SearchQuery): Promise<SearchResult[]> => {
      asked.push(changed ?? ({ passedOn: true } as unknown as SearchQuery));
      return changed?.text === "" ? [{ ...(words[0] as SearchResult), id: "t2" }] : words;
    },
    storage: {
      stats: async () => ({ projects }),
      get: async ({ ids }: { ids: readonly string[] }) =>
        turns.filter(({ id }) => ids.includes(id)).map((record) => ({ kind: "turn", record })),
      prompts: async () => [{ promptNumber: 3 }],
    },
  };
  const found = await search(
    { text: "who pays the bill", ...query },
    ctx as unknown as Parameters<typeof search>[1],
  );
  const ids = (found ?? []).map(({ id }) => id);
  return { ids, turns: ids.filter((id) => id.startsWith("t")).sort(), asked, embedded };
}

test.each<[string, Partial<SearchQuery>, string[]]>([
  ["nothing", {}, ["t1", "t2", "t3"]],
  ["a project's name", { project: "shop" }, ["t1", "t2"]],
  ["a project's id", { project: "blog" }, ["t3"]],
  ["an unknown project", { project: "nobody's" }, []],
  ["a session", { session: "aa-1" }, ["t1"]],
  ["the beginning of a session", { session: "ab" }, ["t2", "t3"]],
  ["no session", { session: "" }, []],
  ["a client", { client: "codex" }, ["t3"]],
  ["since, inclusive", { since: 20 }, ["t2", "t3"]],
  ["until, exclusive", { until: 20 }, ["t1"]],
  ["a file, which storage knows", { file: "a.ts" }, ["t2"]],
  ["all but what the asking session is at", { asking: "ab-2" }, ["t1", "t2"]],
  ["an asking session without a name", { asking: "" }, ["t1", "t2", "t3"]],
])("turns are narrowed by %s", async (_, query, ids) => {
  expect((await find(query)).turns).toEqual(ids);
});

test.each<[string, Partial<SearchQuery>]>([
  ["for a hook", { swift: true }],
  ["of one level", { level: "titles" }],
  ["of a concept", { concept: "caching" }],
  ["of a type that is no turn", { type: "bugfix" }],
  ["of other kinds", { kinds: ["observation"] }],
  ["for a single name", { text: "readFile" }],
  ["for a phrase that has to be there", { text: 'who pays the "bill of today"' }],
  ["for a phrase in another phrasing", { also: ['a "bill of today"'] }],
  ["of a deep page", { limit: 100, offset: 101 }],
])("nobody is asked what is meant %s", async (_, query) => {
  const { ids, asked, embedded } = await find(query);
  expect([ids, asked, embedded]).toEqual([["o1", "o2"], [{ passedOn: true } as never], []]);
});

test.each<Partial<SearchQuery>>([
  { type: "turn" },
  { kinds: ["turn", "observation"] },
  { text: "谁付账单" },
  { text: "bill", also: ["who pays"] },
  { limit: 100, offset: 100 },
])("it is asked for %j", async (query) => {
  expect((await find(query)).embedded).toHaveLength(1);
});

test("all phrasings are asked, none that is blank; words are asked from the first on", async () => {
  const { embedded, asked } = await find({ also: ["a second", " "], offset: 1, limit: 2 });
  expect(embedded).toEqual([["who pays the bill", "a second"]]);
  expect(asked[0]).toEqual({
    ...{ text: "who pays the bill", also: ["a second", " "], offset: 0, limit: 50 },
  });
});

test("a page is a part of the one list", async () => {
  const all = (await find({})).ids;
  expect(all).toHaveLength(5);
  expect((await find({ offset: 1, limit: 2 })).ids).toEqual(all.slice(1, 3));
  expect((await find({ limit: 1 }, [], true)).ids).toEqual(["o1"]);
});

test("what is hardly alike is not meant, and where nothing is, words answer as they did", async () => {
  expect((await find({}, [0.2, 0.19, 0.1])).turns).toEqual(["t1"]);
  expect((await find({}, [0.1, 0.1, 0.1])).ids).toEqual(["o1", "o2"]);
  expect((await find({}, undefined, true)).ids).toEqual(["o1", "o2"]);
});
