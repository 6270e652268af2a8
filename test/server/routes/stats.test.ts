// /api/stats over the wire: which records are counted.
import { expect, test } from "bun:test";
import { Elysia } from "elysia";
import type { ListQuery } from "../../../src/sdk/storage.ts";
import { errorResponse } from "../../../src/server/http/errors.ts";
import { statsRoutes } from "../../../src/server/routes/stats.ts";
import { sampleObservation } from "../../support/sample-records.ts";
import { fakeRuntime } from "../fake-runtime.ts";

/** 450 observations, in pages as they are asked for. */
function counting() {
  const asked: ListQuery[] = [];
  const stored = Array.from({ length: 450 }, (_, at) => ({
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
  const app = new Elysia()
    .onError(({ error }) => errorResponse(error))
    .use(statsRoutes(runtime, () => 50 * 24 * 60 * 60_000));
  return { asked, get: (path: string) => app.handle(new Request(`http://localhost${path}`)) };
}

test("what was superseded cost as much as the rest: it is counted, page by page", async () => {
  const { asked, get } = counting();
  expect((await get("/api/stats?project=shop")).status).toBe(200);
  const days20 = 20 * 24 * 60 * 60_000;
  const page = { since: days20, project: "shop", superseded: true, limit: 200 };
  expect(asked).toEqual([
    { ...page, offset: 0 },
    { ...page, offset: 200 },
    { ...page, offset: 400 },
  ]);
});
