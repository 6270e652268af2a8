// Every field of every kind comes back as it was put, those that may be absent as well.
import { expect, test } from "bun:test";
import { openRecords } from "../../src/records/open.ts";
import {
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
  shop,
} from "../support/sample-records.ts";

const evidence = [{ turn: 3, piece: 1, session: "another" }];
const observation = sampleObservation({
  ...{ branch: "main", promptNumber: 3, type: "bugfix", title: "A title", subtitle: "A subtitle" },
  ...{ facts: ["A fact."], narrative: "A story.", concepts: ["testing"] },
  ...{ filesRead: ["read.ts"], filesModified: ["changed.ts"], toolUseIds: ["t1"] },
  ...{ agent: { id: "a1", type: "Explore" }, discoveryTokens: 7, observerTokens: 9, evidence },
  ...{ time: noon + 1, provenance: { strategy: "one", model: "large" } },
});
const summary = sampleSummary({
  ...{ scope: "session", promptNumber: 4, request: "1", investigated: "2", learned: "3" },
  ...{ completed: "4", nextSteps: "5", notes: "6", filesRead: ["read.ts"], evidence },
  ...{ filesEdited: ["changed.ts"], time: noon + 2, observerTokens: 11 },
  ...{ provenance: { strategy: "two", model: "small" } },
});
const prompt = samplePrompt({ promptNumber: 5, text: "A prompt.", time: noon + 3 });
const turn = sampleTurn({
  ...{ branch: "main", promptNumber: 6, startedAt: noon + 4, time: noon + 5, end: "interrupted" },
  ...{ pieces: [{ kind: "closing", text: "Done." }], files: [{ path: "a.ts", changed: true }] },
  ...{ leftOut: { said: 2 }, gaps: true },
});
const item = sampleMemory({
  ...{ kind: "gotchas", content: "A failure", context: "Where", state: "standing" },
  ...{ quote: "word for word", evidence },
});
const session = sampleSession({
  ...{ project: { ...shop, branch: "main" }, title: "A session", subtitle: "Of one day" },
  ...{ prompts: 6, status: "ended", transcriptPath: "/t.jsonl", lastActiveAt: noon + 6 },
  ...{ endedAt: noon + 7, endReason: "clear" },
});

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

const whole = await stored({
  ...{ sessions: [session], observations: [observation], summaries: [summary] },
  ...{ prompts: [prompt], turns: [turn], memory: [item] },
});
test.each<[string, object]>([
  ["observation", { ...observation, id: "o1" }],
  ["summary", { ...summary, id: "s1" }],
  ["prompt", { ...prompt, id: "p1" }],
  ["turn", { ...turn, id: "t1" }],
  ["memory", { ...item, id: "m1" }],
  ["session", { ...session, observations: 1 }],
])("%s: each field comes back in its own place", (kind, wanted) => {
  expect(whole[kind]).toEqual(wanted);
});

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
