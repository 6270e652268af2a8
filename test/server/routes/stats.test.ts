// /api/stats over the wire: which records are counted.
import { expect, test } from "bun:test";
import type { ListQuery } from "../../../src/sdk/storage.ts";
import { createApp } from "../../../src/server/app.ts";
import { sampleObservation } from "../../support/sample-records.ts";
import { appOptions } from "../app-options.ts";
import { fakeRuntime } from "../fake-runtime.ts";

/** 2,250 observations, in pages as they are asked for. */
function counting() {
  const asked: ListQuery[] = [];
  const stored = Array.from({ length: 2_250 }, (_, at) => ({
    ...sampleObservation({ discoveryTokens: 10 }),
    id: `o${at}`,
  }));
  const runtime = fakeRuntime({
    answers: {
      "storage.sessions": () => [],
      "storage.observations": (query) => {
        asked.push(query);
        const { offset = 0, limit = 50 } = query;
        return stored.slice(offset, offset + limit);
      },
    },
  });
  const app = createApp({ ...appOptions(), runtime, now: () => 50 * 24 * 60 * 60_000 });
  return { asked, get: (path: string) => app.handle(new Request(`http://localhost${path}`)) };
}

test("what was superseded cost as much as the rest: it is counted, page by page", async () => {
  const { asked, get } = counting();
  expect((await get("/api/stats?project=shop")).status).toBe(200);
  const days20 = 20 * 24 * 60 * 60_000;
  const page = { since: days20, project: "shop", superseded: true, limit: 1_000 };
  expect(asked).toEqual([
    { ...page, offset: 0 },
    { ...page, offset: 1_000 },
    { ...page, offset: 2_000 },
  ]);
});

test("hints are counted from the time and in the project that are asked for", async () => {
  const hour = 60 * 60_000;
  const asked: number[] = [];
  const stats = {
    ...{ sessions: 0, prompts: 0, observations: 0, summaries: 0, memory: 0, turns: 0 },
    ...{ bytes: 0, schemaVersion: 1 },
    projects: [{ id: "acme/shop", name: "shop", sessions: 1, observations: 0, lastActiveAt: 1 }],
  };
  const runtime = fakeRuntime({
    answers: {
      "storage.sessions": () => [],
      "storage.observations": () => [],
      "storage.stats": () => stats,
    },
  });
  runtime.transcripts.noted = (since) => {
    asked.push(since);
    return [
      { project: "acme/shop", name: "failure:told", count: 4, at: hour },
      { project: "acme/shop", name: "failure:acted-on", count: 1, at: hour },
      { project: "acme/till", name: "failure:told", count: 2, at: hour },
      { project: "acme/till", name: "file:silent", count: 5, at: hour },
    ];
  };
  const app = createApp({ ...appOptions(), runtime, now: () => 9 * hour });
  const moments = async (query: string) =>
    (await (await app.handle(new Request(`http://localhost/api/stats?${query}`))).json()).moments;
  const failure = { kind: "failure", told: 4, lookedUp: 0, actedOn: 1, keptBack: 0 };
  expect(await moments(`since=${hour}&project=SHOP`)).toEqual([failure]);
  expect(await moments(`since=${2 * hour}`)).toEqual([
    { ...failure, told: 6 },
    { kind: "file", told: 0, lookedUp: 0, actedOn: 0, keptBack: 5 },
  ]);
  expect(await moments("project=elsewhere")).toEqual([]);
  expect(asked.slice(0, 2)).toEqual([hour, 2 * hour]);
});
