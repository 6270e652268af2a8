// Filters by client and by the former names of a file, in lists and in searches alike.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RecordStore } from "../../src/records/record-store.ts";
import { openRecords } from "../../src/records/record-store.ts";
import type { RecordFilter } from "../../src/sdk/storage.ts";
import {
  noon,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../../src/testing/samples.ts";

let store: RecordStore;
const work = [
  { session: "s1", client: "claude-code", path: "src/old-name.ts" },
  { session: "s2", client: "another", path: "lib/new-name.ts" },
  { session: "s3", client: "another", path: "src/third.ts" },
];

beforeAll(async () => {
  store = await openRecords(":memory:", () => noon);
  await store.put({
    key: "1",
    records: {
      sessions: work.map(({ session: id, client }) => sampleSession({ id, client })),
      prompts: work.map(({ session, client }) => samplePrompt({ session, client })),
      summaries: work.map(({ session, client, path }) =>
        sampleSummary({ session, client, filesEdited: [path], filesRead: [] }),
      ),
      observations: work.map(({ session, client, path }) =>
        sampleObservation({
          session,
          client,
          title: `Paint ${path}`,
          filesModified: [path],
          filesRead: [],
        }),
      ),
      turns: work.map(({ session, client, path }) =>
        sampleTurn({ session, client, files: [{ path, changed: true }] }),
      ),
    },
  });
});
afterAll(() => store.close());

type Listed = "observations" | "summaries" | "turns" | "sessions" | "prompts";

async function sessionsOf(list: Listed, filter: RecordFilter): Promise<string[]> {
  const records = (await store[list](filter)) ?? [];
  return records.map((one) => ("session" in one ? one.session : one.id)).sort();
}

const byFile: readonly Listed[] = ["observations", "summaries", "turns", "sessions"];
const renamed = { file: "new-name.ts", formerly: ["src/old-name.ts"] };

describe.each([...byFile, "prompts"] as const)("%s", (list) => {
  test("of a client", async () => {
    expect(await sessionsOf(list, { client: "another" })).toEqual(["s2", "s3"]);
    expect(await sessionsOf(list, { client: "nobody's" })).toEqual([]);
  });
});

test.each(byFile)("%s of a file that had another name", async (list) => {
  expect(await sessionsOf(list, renamed)).toEqual(["s1", "s2"]);
  expect(await sessionsOf(list, { file: "new-name.ts" })).toEqual(["s2"]);
  expect(await sessionsOf(list, { ...renamed, client: "another" })).toEqual(["s2"]);
});

test("a file below a root of Windows's is found by its whole path", async () => {
  const windows = await openRecords(":memory:", () => noon);
  const project = { id: "till", name: "till", root: "C:\\w\\till" };
  await windows.put({
    key: "1",
    records: {
      sessions: [sampleSession({ id: "s9", project })],
      turns: [sampleTurn({ session: "s9", files: [{ path: "src/a.ts", changed: true }] })],
    },
  });
  for (const file of ["C:\\w\\till\\src\\a.ts", "C:/w/till/src/a.ts", "src\\a.ts"])
    expect(await windows.turns({ file })).toHaveLength(1);
  expect(await windows.turns({ file: "C:\\w\\shop\\src\\a.ts" })).toEqual([]);
  windows.close();
});

test("a search is narrowed alike, with words and without", async () => {
  for (const text of ["", "paint"]) {
    const found = await store.search({ text, kinds: ["observation"], ...renamed });
    expect(found?.map(({ session }) => session).sort()).toEqual(["s1", "s2"]);
  }
});
