// A search without words: the newest, page by page, without what the asking session is at.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { RecordStore } from "../../src/records/record-store.ts";
import { openRecords } from "../../src/records/record-store.ts";
import { noon, samplePrompt, sampleSession } from "../../src/testing/samples.ts";

let store: RecordStore;
const kinds = ["prompt" as const];

beforeAll(async () => {
  store = await openRecords(":memory:", () => noon);
  const prompts = ["s1", "s2", "s3", "s4", "asking"].map((session, at) =>
    samplePrompt({ session, time: noon + at, text: `Prompt ${at}` }),
  );
  const sessions = prompts.map(({ session: id }) => sampleSession({ id }));
  await store.put({ key: "1", records: { sessions, prompts } });
});
afterAll(() => store.close());

const texts = async (limit: number, offset = 0) =>
  (await store.search({ text: "", kinds, asking: "asking", limit, offset })).map(
    ({ title }) => title,
  );

test("what the asking session is at takes nobody's place", async () => {
  expect(await texts(2)).toEqual(["Prompt 3", "Prompt 2"]);
});

test("no page repeats what another has", async () => {
  expect([...(await texts(2)), ...(await texts(2, 2))]).toEqual(
    [3, 2, 1, 0].map((n) => `Prompt ${n}`),
  );
});
