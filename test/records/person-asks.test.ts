// A person's bare question: what lies beside an event that it names, what was laid down, the asker's own project, the sentence that answers.
import { expect, test } from "bun:test";
import { openRecords } from "../../src/records/record-store.ts";
import type { SearchQuery } from "../../src/sdk/storage.ts";
import { blog, noon, sampleMemory, sampleSession, sampleTurn } from "../../src/testing/samples.ts";

const day = 86_400_000;
const said: Array<[session: string, daysAgo: number, text: string, project?: string]> = [
  ["before", 45, "The cache of the shop broke and was changed"],
  ["event", 40, "Added Redis as the store of sessions, a Redis of our own"],
  ["beside", 39, "Changed the timeout of checkout to nine seconds"],
  ["again", 20, "The Redis that we added as the store of sessions, it waits for a disk"],
  ["later", 5, "Changed, changed and changed again: what we change every week, Redis and all"],
  ["blog", 2, "Commits of the blog are squashed by the bot", blog.id],
];

async function asked(query: SearchQuery) {
  const store = await openRecords(":memory:", () => noon);
  await store.put({
    key: "k",
    records: {
      sessions: said.map(([id, , , project]) =>
        sampleSession({ id, ...(project && { project: blog }) }),
      ),
      turns: said.map(([session, ago, text, project]) =>
        sampleTurn({
          ...{ session, startedAt: noon - ago * day, pieces: [{ kind: "closing", text }] },
          ...(project && { project }),
        }),
      ),
      memory: [
        sampleMemory({ session: "later", kind: "preferences", content: "Keep commits small" }),
      ],
    },
  });
  return store.search(query);
}
const first = async (query: SearchQuery) =>
  (await asked(query)).slice(0, 1).map(({ session }) => session);

test.each<[string, SearchQuery, string]>([
  ["the week after", { text: "What did we change the week after we added Redis?" }, "beside"],
  ["after, with nothing else", { text: "What did we do right after we added Redis?" }, "beside"],
  ["before", { text: "What was changed before we added Redis?" }, "before"],
  ["without the event", { text: "What did we change every week?" }, "later"],
  ["its own project first", { text: "commits of the shop, squashed", here: "elsewhere" }, "blog"],
])("what is beside an event is found by it: %s", async (_, query, session) => {
  expect(await first(query)).toEqual([session]);
});

test("what a person laid down comes first where that is asked for, else what says most", async () => {
  const kind = async (text: string) => (await asked({ text, by: "record" }))[0]?.kind;
  expect(await kind("commits, squashed?")).toBe("turn");
  expect(await kind("Do I prefer small commits, squashed by the bot?")).toBe("memory");
});

test("an excerpt begins with the sentence that holds most of the question, and is as long as its passage", async () => {
  const store = await openRecords(":memory:", () => noon);
  const text = [
    "We looked at many things in the morning and at more of them at noon.",
    "The walrus eats clams.",
    "It sleeps on ice.",
  ].join(" ");
  await store.put({
    key: "k",
    records: {
      sessions: [sampleSession()],
      turns: [sampleTurn({ pieces: [{ kind: "closing", text }] })],
    },
  });
  const [hit] = await store.search({ text: "walrus clams" });
  expect(hit?.excerpt).toBe("The walrus eats clams. It sleeps on ice.");
});
