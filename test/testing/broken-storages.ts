// For each promise of a storage, one that breaks it: the built-in engine with a fault.
import { join } from "node:path";
import type { RecordStore } from "../../src/records/record-store.ts";
import { openRecords, recordHooks } from "../../src/records/record-store.ts";
import { type AnyPlugin, definePlugin } from "../../src/sdk/plugin.ts";
import type { PutRequest, PutResult, SearchQuery, SearchResult } from "../../src/sdk/storage.ts";

/** A storage whose answers go through `fault`. */
export function faulty(
  fault: (records: RecordStore) => Partial<RecordStore>,
  memory = false,
): AnyPlugin {
  return definePlugin({
    name: "faulty",
    description: "Breaks one promise.",
    sdk: 1,
    slot: "storage",
    async start(ctx) {
      const path = memory ? ":memory:" : join(ctx.home, "faulty.db");
      const records = await openRecords(path, ctx.now);
      return { records: { ...records, ...fault(records) } };
    },
    hooks: recordHooks,
    stop: (state) => state?.records.close(),
  });
}

/** A fault in what is put. */
export const putting = (
  change: (request: PutRequest, put: RecordStore["put"]) => Promise<PutResult>,
) => faulty((records) => ({ put: (request) => change(request, records.put) }));

/** A fault in what a search is asked. */
export const asking = (change: (query: SearchQuery) => SearchQuery) =>
  faulty((records) => ({ search: (query) => records.search(change(query)) }));

/** A fault in what a search answers. */
export const answering = (change: (found: SearchResult[]) => SearchResult[]) =>
  faulty((records) => ({ search: async (query) => change(await records.search(query)) }));

const reversed = () => answering((found) => found.toReversed());
let made = 0;

/** Promise → who breaks it. */
export const brokenStorages: Record<string, AnyPlugin> = {
  "gives back every field of every kind": faulty(({ get }) => ({
    get: async (query) =>
      (await get(query)).map((one) =>
        one.kind === "observation" ? { ...one, record: { ...one.record, concepts: [] } } : one,
      ),
  })),
  "answers a repeated key with the first ids and writes nothing": putting((request, put) =>
    put({ ...request, key: `${request.key}${made++}` }),
  ),
  "writes all records of a put or none": putting(async (request, put) => {
    const [first, ...rest] = request.records.observations ?? [];
    if (rest.length > 0 && first)
      await put({ key: `${request.key}-1`, records: { observations: [first] } });
    return put(request);
  }),
  "takes many puts at once, and of one key a single one": putting((request, put) =>
    put({ ...request, key: `${request.key}${made++}` }),
  ),
  "is one storage to two that have it open": faulty(() => ({}), true),
  "keeps everything over a restart": faulty(() => ({}), true),
  "updates a session and keeps what is absent": putting((request, put) => {
    const sessions = request.records.sessions?.map((one) => ({ subtitle: "", ...one }));
    return put({ ...request, records: { ...request.records, ...(sessions && { sessions }) } });
  }),
  "tells sessions of two clients with one id apart": faulty(({ sessions }) => ({
    sessions: async (query) => (await sessions(query)).slice(0, 1),
  })),
  "keeps a record whose session was never put": faulty(({ sessions }) => ({
    sessions: async (query) => (await sessions(query)).filter(({ title }) => title !== ""),
  })),
  "replaces a summary of the same session, scope and prompt": putting((request, put) => {
    const summaries = request.records.summaries?.map((one) => ({ ...one, promptNumber: made++ }));
    return put({ ...request, records: { ...request.records, ...(summaries && { summaries }) } });
  }),
  "finds a turn by what was said in it, and shows where": answering((found) =>
    found.map(({ excerpt: _, ...one }) => one),
  ),
  "takes several phrasings of one question": asking(({ also: _, ...query }) => query),
  "says why a result is there, where that is asked": asking((query) => ({
    ...query,
    explain: true,
  })),
  "narrows to a client, and leaves out what the asking session is at": asking(
    ({ asking: _, ...query }) => query,
  ),
  "forgets what is deleted, a turn with its prompt": faulty((records) => ({
    delete: ({ ids }) => records.delete({ ids: ids.filter((id) => !id.startsWith("t")) }),
  })),
  "forgets a session with all that is of it": faulty((records) => ({
    delete: ({ ids }) => records.delete({ ids: ids.filter((id) => /^[a-z]\d+$/.test(id)) }),
  })),
  "makes anew what search needs, and loses nothing": faulty((records) => {
    let isEmpty = false;
    return {
      reindex(query) {
        isEmpty = true;
        return records.reindex(query);
      },
      search: async (query) => (isEmpty ? [] : records.search(query)),
    };
  }),
  "replaces a turn of the same session and prompt in place": putting((request, put) => {
    const turns = request.records.turns?.map((one) => ({ ...one, promptNumber: made++ }));
    return put({ ...request, records: { ...request.records, ...(turns && { turns }) } });
  }),
  "lists turns by place, prompt, file and time": faulty(({ turns }) => ({
    turns: ({ file: _, ...query }) => turns(query),
  })),
  "keeps one text a prompt": putting((request, put) => {
    const prompts = request.records.prompts?.map((one) => ({ ...one, promptNumber: made++ }));
    return put({ ...request, records: { ...request.records, ...(prompts && { prompts }) } });
  }),
  "merges the repeat of an observation in its session": putting((request, put) => {
    const observations = request.records.observations?.map((one) => ({
      ...one,
      facts: [...one.facts, `${made++}`],
    }));
    return put({
      ...request,
      records: { ...request.records, ...(observations && { observations }) },
    });
  }),
  "gives text back as it came, but whole characters only": faulty(({ get }) => ({
    get: async (query) =>
      JSON.parse(JSON.stringify(await get(query)).replace(/[^\x20-\x7e]/g, "?")),
  })),
  "filters observations, newest first": faulty(({ observations }) => ({
    observations: ({ type: _ignored, ...query }) => observations(query),
  })),
  "filters a search without words the same way": asking(({ concept: _ignored, ...query }) => query),
  "refuses the beginning of several sessions": faulty(({ observations }) => ({
    observations: (query) => observations(query).catch(() => []),
  })),
  "takes a full session id that begins another": faulty(({ observations }) => ({
    observations: async ({ session = "", ...query }) =>
      (await observations(query)).filter((one) => one.session.startsWith(session)),
  })),
  "takes a name for all projects that have it": faulty(({ observations }) => ({
    observations: async (query) =>
      query.project?.includes("/") === false ? [] : observations(query),
  })),
  "gives pages that fit together, in both orders": faulty(({ observations }) => ({
    observations: ({ offset: _ignored, ...query }) => observations(query),
  })),
  "lists sessions by their last activity, summaries and prompts by theirs": faulty(
    ({ sessions }) => ({ sessions: async (query) => (await sessions(query)).toReversed() }),
  ),
  "lists memory items by kind, project and time": faulty(({ memory }) => ({
    memory: ({ kinds: _ignored, ...query }) => memory(query),
  })),
  "leaves out what a newer observation supersedes": faulty(({ observations }) => ({
    observations: (query) => observations({ ...query, superseded: true }),
  })),
  "keeps the user's words over a later put, and undoes them": faulty(({ put, amend }) => {
    let puts = 0;
    return {
      put: async (request) => {
        const result = await put(request);
        for (const id of puts++ > 0 ? result.observations : []) await amend({ id, undo: true });
        return result;
      },
    };
  }),
  "leaves out what is hidden where that is asked for": asking(
    ({ hidden: _ignored, ...query }) => query,
  ),
  "leaves out what was made of a hidden turn until that is shown again": faulty(({ get }) => ({
    get: async ({ hidden: _ignored, ...query }) => await get(query),
  })),
  "lists what is pinned, and refuses to edit evidence": faulty(({ turns }) => ({
    turns: ({ marked: _ignored, ...query }) => turns(query).then(() => []),
  })),
  "counts what is stored, by project": faulty(({ stats }) => ({
    stats: async (query) => ({ ...(await stats(query)), projects: [] }),
  })),
  "finds words in any order, inflection and writing": reversed(),
  "finds what is in any field": asking((query) => ({ ...query, level: "titles" })),
  "takes any of the words and puts more of them first": reversed(),
  "puts two words in passing before one that is everywhere": reversed(),
  "puts the title before facts, and facts before the narrative": reversed(),
  "puts the newer of equals first": reversed(),
  "corrects typing errors and says so": answering((found) =>
    found.filter(({ corrected }) => !corrected),
  ),
  "ignores words that say nothing": faulty(({ search }) => ({
    search: async (query) => [...(await search(query)), ...(await search({ ...query, text: "" }))],
  })),
  "searches every kind, or those asked for": asking(({ kinds: _ignored, ...query }) => query),
  "narrows to a retrieval level": asking(({ level: _ignored, ...query }) => query),
  "combines words with every filter": asking(({ since: _ignored, ...query }) => query),
  "gives pages that fit together, best first": asking(({ offset: _ignored, ...query }) => query),
  "withstands any text": asking((query) => {
    if (query.text.includes('"')) throw new SyntaxError("unterminated string");
    return query;
  }),
};
