import { expect, test } from "bun:test";
import { sampleObservation, testHost } from "../../src/testing/index.ts";
import { testExample } from "../support/example-suite.ts";
import webhook from "./webhook.ts";

testExample("webhook", webhook);

const notice = {
  session: "s1",
  project: "shop",
  observations: [
    { ...sampleObservation({ type: "decision", title: "Cents, not floats" }), id: "o1" },
    { ...sampleObservation({ type: "discovery" }), id: "o2" },
  ],
  summaries: [],
};

test("webhook: posts what was asked for; without a url it is silent", async () => {
  const posted: unknown[] = [];
  let status = 200;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      posted.push(await request.json());
      return new Response("", { status });
    },
  });
  const config = { url: `http://127.0.0.1:${server.port}/hook`, types: ["decision"] };
  const host = await testHost(webhook, { config });
  await host.call("stored", notice);
  expect(posted).toEqual([
    {
      project: "shop",
      session: "s1",
      observations: [{ id: "o1", type: "decision", title: "Cents, not floats", subtitle: "" }],
    },
  ]);
  status = 500;
  await host.call("stored", notice);
  expect(host.lines).toEqual([
    { level: "warn", message: "the webhook refused", fields: { status: 500 } },
  ]);
  const silent = await testHost(webhook);
  await silent.call("stored", notice);
  expect(posted).toHaveLength(2);
  await Promise.all([host.stop(), silent.stop(), server.stop(true)]);
});
