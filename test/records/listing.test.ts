// Every list by every filter over several records, what a list leaves out, and bounds that make no sense.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RecordStore } from "../../src/records/record-store.ts";
import { openRecords } from "../../src/records/record-store.ts";
import type { ListQuery } from "../../src/sdk/storage.ts";
import {
  blog,
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
  shop,
} from "../../src/testing/samples.ts";

let store: RecordStore;
const of = [
  { session: "a", project: shop.id, path: "src/auth.ts" },
  { session: "b", project: shop.id, path: "src/mail.ts" },
  { session: "c", project: blog.id, path: "src/auth.ts" },
];

/** Three sessions, an hour apart; in each a prompt, a turn, an observation, a summary of both scopes and two memory items. */
beforeAll(async () => {
  store = await openRecords(":memory:", () => noon);
  const hour = 3_600_000;
  const at = (index: number) => noon - 10 * hour + index * hour;
  await store.put({
    key: "1",
    records: {
      sessions: of.map(({ session: id, project }, i) =>
        sampleSession({
          ...{ id, project: project === shop.id ? shop : blog },
          ...{ startedAt: at(i), lastActiveAt: at(i) + hour / 2 },
        }),
      ),
      prompts: of.map(({ session, project }, i) =>
        samplePrompt({ session, project, time: at(i), text: `Prompt ${session}` }),
      ),
      turns: of.flatMap(({ session, project, path }, i) =>
        [1, 2].map((promptNumber) =>
          sampleTurn({
            ...{ session, project, promptNumber, startedAt: at(i) + promptNumber, time: at(i) + 9 },
            files: promptNumber === 1 ? [{ path, changed: i === 0 }] : [],
          }),
        ),
      ),
      observations: of.map(({ session, project, path }, i) =>
        sampleObservation({
          ...{ session, project, title: `Seen ${session}`, time: at(i) },
          ...{ type: i === 1 ? "decision" : "bugfix", concepts: i === 0 ? ["auth"] : ["mail"] },
          filesRead: [path],
        }),
      ),
      summaries: of.flatMap(({ session, project, path }, i) => [
        sampleSummary({ session, project, time: at(i), filesEdited: [path] }),
        sampleSummary({ session, project, scope: "session", promptNumber: 0, time: at(i) + 1 }),
      ]),
      memory: of.flatMap(({ session, project }, i) => [
        sampleMemory({ session, project, kind: "decisions", content: `D${i}`, date: "2026-10-30" }),
        sampleMemory({ session, project, kind: "facts", content: `F${i}`, date: "2026-10-31" }),
      ]),
    },
  });
});
afterAll(() => store.close());

type Listed = "observations" | "summaries" | "turns" | "sessions" | "prompts" | "memory";

/** The sessions of what is listed, in its order. */
async function listed(list: Listed, query: object): Promise<string> {
  const records = ((await store[list](query as ListQuery)) ?? []) as object[];
  return records
    .map((one) => String("session" in one ? one.session : Reflect.get(one, "id")))
    .join("");
}

test.each<[Listed, object, string]>([
  ["prompts", {}, "cba"],
  ["prompts", { order: "oldest" }, "abc"],
  ["prompts", { type: "prompt" }, "cba"],
  ["prompts", { type: "bugfix" }, ""],
  ["prompts", { concept: "auth" }, ""],
  ["prompts", { file: "auth.ts" }, ""],
  ["prompts", { project: "shop" }, "ba"],
  ["summaries", {}, "ccbbaa"],
  ["summaries", { type: "summary", scope: "session" }, "cba"],
  ["summaries", { scope: "prompt" }, "cba"],
  ["summaries", { type: "bugfix" }, ""],
  ["summaries", { concept: "auth" }, ""],
  ["summaries", { file: "auth.ts" }, "ca"],
  ["summaries", { file: "auth.ts", scope: "session" }, ""],
  ["turns", { promptNumber: 2 }, "cba"],
  ["turns", { promptNumber: 0 }, ""],
  ["turns", { file: "mail.ts" }, "b"],
  ["turns", { session: "b", order: "oldest" }, "bb"],
  ["memory", {}, "cbacba"],
  ["memory", { kinds: ["facts"] }, "cba"],
  ["memory", { kinds: ["facts", "decisions"], project: "blog" }, "cc"],
  ["memory", { kinds: [] }, ""],
  ["memory", { session: "a" }, "aa"],
  ["memory", { since: Date.UTC(2026, 9, 31) }, "cba"],
  ["memory", { until: Date.UTC(2026, 9, 31) }, "cba"],
  ["sessions", { type: "decision" }, "b"],
  ["sessions", { type: "bugfix" }, "ca"],
  ["sessions", { concept: "mail" }, "cb"],
  ["sessions", { concept: "mail", type: "decision" }, "b"],
  ["sessions", { file: "auth.ts", type: "bugfix", project: "blog" }, "c"],
  ["sessions", { file: "auth.ts", concept: "mail" }, "c"],
  ["sessions", { file: "nowhere.ts" }, ""],
  ["observations", { type: "bugfix", file: "auth.ts" }, "ca"],
  ["observations", { concept: "mail", order: "oldest" }, "bc"],
])("%s of %j are those of the sessions '%s'", async (list, query, sessions) => {
  expect(await listed(list, query)).toBe(sessions);
});

test("a session was active in any stretch that touches it", async () => {
  const [start, half] = [noon - 10 * 3_600_000, 1_800_000];
  const active = (since: number, until: number) => listed("sessions", { since, until });
  expect(await active(start + half, start + half + 1)).toBe("a");
  expect(await active(start + half + 1, start + half + 2)).toBe("");
  expect(await active(0, start)).toBe("");
  expect(await active(0, start + 1)).toBe("a");
  expect(await active(start, start + 2 * half + 1)).toBe("ba");
});

describe("a page", () => {
  test.each<[object, string]>([
    [{ limit: 0 }, ""],
    [{ limit: -5 }, ""],
    [{ limit: 1.9 }, "c"],
    [{ limit: Number.NaN }, "cba"],
    [{ limit: 2, offset: 2 }, "a"],
    [{ offset: -1 }, "cba"],
    [{ offset: Number.POSITIVE_INFINITY }, ""],
    [{ limit: Number.POSITIVE_INFINITY }, "cba"],
  ])("of %j has '%s'", async (page, sessions) => {
    expect(await listed("prompts", page)).toBe(sessions);
  });

  test("has fifty records unless more are asked for, and never more than ten thousand", async () => {
    const many = await openRecords(":memory:", () => noon);
    const items = Array.from({ length: 10_002 }, (_, at) =>
      sampleMemory({ content: `Item ${at}` }),
    );
    await many.put({ key: "1", records: { memory: items } });
    expect((await many.memory({}))?.length).toBe(50);
    expect((await many.memory({ limit: 20_000 }))?.length).toBe(10_000);
    await many.close();
  });
});
