// The rules within a storage's promises: each field that is lost, and each filter that is passed over, fails one of them.
import { expect, test } from "bun:test";
import type { RecordStore } from "../../src/records/record-store.ts";
import type { AnyPlugin } from "../../src/sdk/plugin.ts";
import type { StoredRecord } from "../../src/sdk/storage.ts";
import { suites } from "../../src/testing/index.ts";
import { answering, asking, faulty } from "./broken-storages.ts";

async function outcomeOf(promise: string, plugin: AnyPlugin): Promise<unknown> {
  const found = suites.storage.find(({ name }) => name === promise);
  if (!found) throw new Error(`no storage promises that it ${promise}`);
  return found.run({ plugin }).catch((error: unknown) => error);
}

/** What each kind must give back, as a client reads it. */
const fields: Record<StoredRecord["kind"], string> = {
  observation:
    "session client project promptNumber type title subtitle facts narrative concepts filesRead filesModified toolUseIds time evidence branch agent discoveryTokens observerTokens provenance",
  summary:
    "session client project promptNumber scope request investigated learned completed nextSteps notes filesRead filesEdited time evidence observerTokens provenance",
  prompt: "session client project promptNumber text time",
  session:
    "client project title subtitle status prompts observations startedAt lastActiveAt endedAt",
  memory: "kind date content context session project state quote evidence",
  turn: "session client project promptNumber startedAt time end pieces files branch leftOut gaps",
};
const lost = Object.entries(fields).flatMap(([kind, names]) =>
  names.split(" ").map((name) => [kind, name] as const),
);

test.each(lost)(
  "a storage that loses a %s's %s does not give back every field",
  async (kind, name) => {
    const without = (one: StoredRecord) => {
      if (one.kind !== kind) return one;
      const { [name]: gone, ...record } = one.record as unknown as Record<string, unknown>;
      expect(gone, "the sample has it").toBeDefined();
      return { kind, record } as unknown as StoredRecord;
    };
    const plugin = faulty(
      ({ get }) => ({ get: async (query) => (await get(query)).map(without) }),
      true,
    );
    expect(await outcomeOf("gives back every field of every kind", plugin)).toHaveProperty(
      "code",
      "ERR_ASSERTION",
    );
  },
);

type Verb = "observations" | "sessions" | "summaries" | "memory" | "turns" | "search" | "prompts";
/** By promise: which verb has to heed what. */
const heeded: Record<string, Partial<Record<Verb, string>>> = {
  "filters observations, newest first": {
    observations: "project session type concept file since until",
  },
  "filters a search without words the same way": {
    search: "project session type concept file since until",
  },
  "gives pages that fit together, in both orders": { observations: "order limit offset" },
  "lists sessions by their last activity, summaries and prompts by theirs": {
    ...{ sessions: "project since until file concept", summaries: "scope file until order" },
    prompts: "order",
  },
  "lists memory items by kind, project and time": {
    memory: "kinds project session since until order limit offset",
  },
  "lists turns by place, prompt, file and time": {
    turns: "project session promptNumber file since until order limit offset",
  },
  "leaves out what a newer observation supersedes": { observations: "superseded session" },
  "leaves out what is hidden where that is asked for": {
    ...{ observations: "hidden", turns: "hidden", search: "hidden" },
  },
  "lists what is pinned, and refuses to edit evidence": { observations: "marked" },
  "combines words with every filter": { search: "project session type concept file since until" },
  "searches every kind, or those asked for": { search: "kinds project type level" },
  "narrows to a client, and leaves out what the asking session is at": {
    search: "client asking",
  },
  "gives pages that fit together, best first": { search: "limit offset" },
  "takes several phrasings of one question": { search: "also" },
  "narrows to a retrieval level": { search: "level" },
};
const passedOver = Object.entries(heeded).flatMap(([promise, verbs]) =>
  Object.entries(verbs).flatMap(([verb, names]) =>
    names.split(" ").map((name) => [promise, verb as Verb, name] as const),
  ),
);

test.each(passedOver)("%s: not where `%s` passes over `%s`", async (promise, verb, name) => {
  const plugin = faulty((records) => {
    const asked = records[verb] as (query: Record<string, unknown>) => Promise<unknown>;
    const deaf = ({ [name]: _, ...query }: Record<string, unknown>) => asked(query);
    return { [verb]: deaf } as Partial<RecordStore>;
  }, true);
  expect(await outcomeOf(promise, plugin)).toBeInstanceOf(Error);
});

const faults: Array<[promise: string, what: string, plugin: AnyPlugin]> = [
  [
    "corrects typing errors and says so",
    "guesses at any word",
    answering((found) => found.map((one) => ({ ...one, corrected: { a: "b" } }))),
  ],
  [
    "says why a result is there, where that is asked",
    "never says why",
    asking(({ explain: _, ...query }) => query),
  ],
  [
    "gives pages that fit together, best first",
    "gives ten unless told",
    asking((query) => ({ ...query, limit: query.limit ?? 10 })),
  ],
  [
    "finds a turn by what was said in it, and shows where",
    "does not say which piece",
    answering((found) => found.map(({ piece: _, ...one }) => one)),
  ],
  [
    "counts what is stored, by project",
    "counts one session too many",
    faulty(({ stats }) => ({
      stats: async (query) => {
        const all = await stats(query);
        return { ...all, sessions: all.sessions + 1 };
      },
    })),
  ],
  [
    "merges the repeat of an observation in its session",
    "merges across sessions",
    faulty(({ put }) => ({
      put: ({ key, records }) =>
        put({
          key,
          records: {
            ...records,
            observations: (records.observations ?? []).map((one) => ({ ...one, session: "one" })),
          },
        }),
    })),
  ],
  [
    "updates a session and keeps what is absent",
    "never takes an end back",
    faulty(({ put }) => ({
      put: ({ key, records }) =>
        put({
          key,
          records: {
            ...records,
            sessions: (records.sessions ?? []).filter(({ endedAt }) => endedAt !== null),
          },
        }),
    })),
  ],
  [
    "keeps everything over a restart",
    "takes what was put before for new",
    faulty(({ put }) => ({ put: async (request) => ({ ...(await put(request)), written: true }) })),
  ],
  [
    "forgets what is deleted, a turn with its prompt",
    "says that more went",
    faulty((records) => ({
      delete: async (query) => ({ deleted: [...(await records.delete(query)).deleted, "o9"] }),
    })),
  ],
  [
    "searches every kind, or those asked for",
    "names ids that lead to no record",
    answering((found) => found.map((one) => ({ ...one, id: `${one.id}99` }))),
  ],
];
test.each(faults)("%s: not where it %s", async (promise, _what, plugin) => {
  expect(await outcomeOf(promise, plugin)).toBeInstanceOf(Error);
});
