// What the search for a prompt's memories is asked, and how the room is shared: by name, within the project, never twice.
import { expect, test } from "bun:test";
import plugin from "../../../plugins/context-relevant/index.ts";
import type { SearchQuery, SearchResult } from "../../../src/sdk/storage.ts";
import { clientEvent } from "../../support/client-events.ts";
import { openRoom } from "../../support/plugin-room.ts";

const project = { id: "github.com/acme/shop", name: "shop", root: "/shop" };

async function asked(more: object, config: object = {}) {
  const queries: SearchQuery[] = [];
  const { hooks } = await openRoom(plugin, {
    config,
    storage: {
      search: async (query) => {
        queries.push(query);
        return [] as SearchResult[];
      },
      turns: async () => [],
      prompts: async () => [],
      get: async () => [],
    },
  });
  const event = clientEvent("UserPromptSubmit", { session: "s1", project, ...more });
  const answers = await hooks.sequence("UserPromptSubmit", event);
  return { queries, context: answers[0]?.result?.context };
}
const prompt = "the token refresh loops again after a 401";

test("the project alone is searched, record by record, with the reasons, and without delay", async () => {
  const { queries, context } = await asked({ prompt });
  expect(queries).toEqual([
    {
      ...{ text: prompt, project: project.id, by: "record", explain: true, swift: true },
      limit: expect.any(Number),
    },
  ]);
  expect(context).toBeUndefined();
});

test("the names of a longer prompt are searched for as well, those that it has most first", async () => {
  const plan = "Persist `transcript_path` for restore. ReadFile has transcript_path. ";
  const { queries } = await asked({ prompt: plan.repeat(4) });
  expect(queries[0]?.also).toEqual(["transcript_path readfile"]);
});

test("of a very long prompt the beginning is searched", async () => {
  const { queries } = await asked({ prompt: `${prompt} ${"and more of it ".repeat(5_000)}` });
  const text = queries[0]?.text;
  expect(String(text).startsWith(prompt)).toBe(true);
  expect(String(text).length).toBeLessThan(20_000);
});

test.each<[string, object]>([
  ["says too little", { prompt: "continue" }],
  ["is a subagent's", { prompt, agent: { id: "a1" } }],
  ["is withheld", { prompt, withheld: true }],
  ["belongs to no project", { prompt, project: undefined }],
])("a prompt that %s is not searched for", async (_, more) => {
  expect((await asked(more)).queries).toEqual([]);
});
