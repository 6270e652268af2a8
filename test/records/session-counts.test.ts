// What a session counts is its own, and which of two with one id is meant.
import { expect, test } from "bun:test";
import { openRecords } from "../../src/records/open.ts";
import {
  noon,
  sampleObservation,
  samplePrompt,
  sampleSession,
} from "../../src/testing/samples/records.ts";

test("a session has the number of its own observations and prompts, read one by one or listed", async () => {
  const store = await openRecords(":memory:", () => noon);
  const observed = ["s1", "s1", "s1", "s2"];
  await store.put({
    key: "1",
    records: {
      sessions: ["s1", "s2", "s3"].map((id) => sampleSession({ id })),
      prompts: ["s1", "s1", "s2"].map((session, at) =>
        samplePrompt({ session, promptNumber: at + 1 }),
      ),
      observations: observed.map((session, at) =>
        sampleObservation({ session, title: `Observation ${at}`, promptNumber: 1 }),
      ),
    },
  });
  const counts = ({ id, observations }: { id: string; observations: number }) => [id, observations];
  const expected = [
    ["s1", 3],
    ["s2", 1],
    ["s3", 0],
  ];
  expect((await store.sessions({})).map(counts).sort()).toEqual(expected);
  const records = await store.get({ ids: ["s1", "s2", "s3"] });
  expect(records.flatMap((one) => (one.kind === "session" ? [counts(one.record)] : []))).toEqual(
    expected,
  );
  store.close();
});

test("of two clients' sessions with one id the one that was active last is read by it", async () => {
  const store = await openRecords(":memory:", () => noon);
  const active: Array<[client: string, lastActiveAt: number]> = [
    ["first", noon],
    ["latest", noon + 9],
    ["between", noon + 5],
  ];
  for (const [client, lastActiveAt] of active)
    await store.put({
      key: client,
      records: { sessions: [sampleSession({ client, lastActiveAt })] },
    });
  const [found] = await store.get({ ids: ["session-1"] });
  expect(found?.record).toMatchObject({ client: "latest" });
  store.close();
});
