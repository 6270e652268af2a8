// /api/usage and /api/provider/test over the wire.
import { expect, test } from "bun:test";
import { createApp } from "../../../src/server/app.ts";
import { appOptions } from "../app-options.ts";
import { fakeRuntime } from "../fake-runtime.ts";

const runtime = fakeRuntime();
const asked: object[] = [];
const app = createApp({
  ...appOptions(),
  runtime: {
    ...runtime,
    usage: (query) => {
      asked.push(query);
      return runtime.usage(query);
    },
  },
});
const call = (path: string, init?: RequestInit) =>
  app.handle(new Request(`http://localhost${path}`, init));

test("usage passes the question on", async () => {
  const response = await call("/api/usage?since=5&until=9&project=shop&session=s");
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ total: { calls: 0 }, byDay: [] });
  expect(asked).toEqual([{ since: 5, until: 9, project: "shop", session: "s" }]);
});

test.each(["/api/usage?since=soon", "/api/usage?colour=red"])("%s is refused", async (path) => {
  expect((await call(path)).status).toBe(400);
});

test.each([
  [undefined, "test all"],
  ['{"provider":"anthropic"}', "test anthropic"],
])("the body %p asks for the providers that it names", async (body, expected) => {
  const response = await call("/api/provider/test", {
    method: "POST",
    ...(body === undefined ? {} : { body }),
  });
  expect(await response.json()).toEqual({ tests: [] });
  expect(runtime.calls.at(-1)).toBe(expected);
});

test("a test of something odd is refused", async () => {
  const response = await call("/api/provider/test", { method: "POST", body: '{"provider":3}' });
  expect(response.status).toBe(400);
});
