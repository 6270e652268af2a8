// What a record does not say is not there when it comes back.
import { expect, test } from "bun:test";
import { openRecords } from "../../src/records/record-store.ts";
import {
  sampleMemory,
  sampleObservation,
  sampleSession,
  sampleSummary,
  sampleTurn,
  shop,
} from "../support/sample-records.ts";

async function stored(
  put: Parameters<Awaited<ReturnType<typeof openRecords>>["put"]>[0]["records"],
) {
  const records = await openRecords(":memory:");
  await records.put({ key: "1", records: put });
  const got = await records.get({ ids: ["o1", "s1", "p1", "t1", "m1", "session-1"] });
  records.close();
  return Object.fromEntries(got.map(({ kind, record }) => [kind, record])) as Record<
    string,
    unknown
  >;
}

const bare = await stored({
  ...{ observations: [sampleObservation()], summaries: [sampleSummary()] },
  ...{ turns: [sampleTurn()], memory: [sampleMemory()] },
});
test.each<[string, object]>([
  ["observation", { ...sampleObservation(), id: "o1" }],
  ["summary", { ...sampleSummary(), id: "s1" }],
  ["turn", { ...sampleTurn(), id: "t1" }],
  ["memory", { ...sampleMemory(), id: "m1" }],
])("%s: what was absent is absent, not null", (kind, wanted) => {
  expect(bare[kind]).toStrictEqual(wanted);
});
test("session: one that is known by its records alone has their time, and no end", () => {
  const known = { ...sampleSession({ title: "", subtitle: "", prompts: 0, endedAt: null }) };
  expect(bare.session).toStrictEqual({ ...known, project: { ...shop, root: "" }, observations: 1 });
});

test("an agent without a type is an agent", async () => {
  const { observation: told } = await stored({
    observations: [sampleObservation({ agent: { id: "a1" } })],
  });
  expect(told).toMatchObject({ agent: { id: "a1" } });
});
