// Questions as vectors: what is asked of the endpoint, what is remembered, and when nobody is asked at all.
import { afterAll, beforeEach, expect, test } from "bun:test";
import { createQuestions } from "../../../plugins/semantic-search/endpoint.ts";
import { startEmbeddingServer } from "../../support/embedding-server.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

const server = startEmbeddingServer((text) => [text.length, 1]);
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
  server.meet("ok");
  server.before(() => Promise.resolve());
});

function asking(config: object = {}) {
  const clock = createFakeClock();
  const spent: number[] = [];
  const failures: unknown[] = [];
  const stopping = new AbortController();
  const { vectors } = createQuestions(
    {
      ...{ plugin: "semantic-search", home: "/nowhere", now: clock.now },
      config: {
        ...{ baseURL: `${server.url}/v1`, model: "m", api: "openai", timeoutSeconds: 5 },
        ...{ queryPrefix: "", textPrefix: "", tokensPerDay: 1, batchSize: 9, meaningShare: 1 },
        ...{ queryMs: 2_000, ...config },
      },
    } as Parameters<typeof createQuestions>[0],
    { add: (tokens) => spent.push(tokens), allows: () => true },
    stopping.signal,
    (error) => failures.push(error),
  );
  const asked = () => server.requests.map(({ texts }) => texts);
  return { vectors, asked, spent, failures, clock, stopping };
}

test("each text has its vector, in order; what was asked before is not asked again, and counts once", async () => {
  const { vectors, asked, spent } = asking({ queryPrefix: "query: " });
  const [one, other] = (await vectors(["one", "longer"])) ?? [];
  expect([one, other].map((vector) => (vector?.[0] ?? 0) / (vector?.[1] ?? 1))).toEqual([
    expect.closeTo("query: one".length, 3),
    expect.closeTo("query: longer".length, 3),
  ]);
  expect(await vectors(["longer", "one"])).toEqual([other, one] as Float32Array[]);
  await vectors(["longer", "new"]);
  expect(asked()).toEqual([["query: one", "query: longer"], ["query: new"]]);
  expect(spent).toEqual([7, 7]);
});

test("no secret is sent, of long texts the beginning, of many phrasings eight, of nothing nothing", async () => {
  const { vectors, asked } = asking();
  expect(await vectors(["", "  ", "<private>x</private>"])).toBeUndefined();
  await vectors(["x".repeat(2_500)]);
  expect(asked()[0]?.[0]).toHaveLength(2_000);
  expect(await vectors(Array.from({ length: 9 }, (_, i) => `text ${i}`))).toHaveLength(8);
  await vectors(["my password=hunter2hunter2"]);
  expect(JSON.stringify(asked())).not.toContain("hunter2");
});

test("of many questions the oldest are forgotten", async () => {
  const { vectors, asked } = asking();
  for (let i = 0; i <= 128; i++) await vectors([`q${i}`]);
  await vectors(["q1"]);
  expect(asked()).toHaveLength(129);
  await vectors(["q0"]);
  expect(asked()).toHaveLength(130);
});

test("after a failure nobody is asked for half a minute; what is known is still answered", async () => {
  const { vectors, asked, failures, clock } = asking();
  const known = await vectors(["known"]);
  server.meet({ status: 500 });
  expect(await vectors(["new"])).toBeUndefined();
  expect(failures).toHaveLength(1);
  server.meet("ok");
  clock.advance(29_999);
  expect(await vectors(["new"])).toBeUndefined();
  expect(await vectors(["known"])).toEqual(known);
  expect(asked()).toHaveLength(2);
  clock.advance(1);
  expect(await vectors(["new"])).toHaveLength(1);
  expect(failures).toHaveLength(1);
});

test("two questions may be under way; a third finds by its words until one of them has come", async () => {
  const gate = Promise.withResolvers<void>();
  server.before(() => gate.promise);
  const { vectors, asked } = asking();
  const first = vectors(["one"]);
  const second = vectors(["two"]);
  expect(await vectors(["three"])).toBeUndefined();
  gate.resolve();
  expect([await first, await second].map((found) => found?.length)).toEqual([1, 1]);
  expect(await vectors(["three"])).toHaveLength(1);
  expect(asked()).toHaveLength(3);
});

test("stopping is no failure", async () => {
  const { vectors, failures, stopping } = asking();
  server.meet("hang");
  const found = vectors(["one"]);
  stopping.abort();
  expect(await found).toBeUndefined();
  expect(failures).toEqual([]);
});
