import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type ProviderScript,
  providerSecret,
  type StartProviderServer,
  sampleCompletion,
  testHost,
} from "../../src/testing/index.ts";
import { testExample } from "../support/example-suite.ts";
import { inFolder } from "../support/in-folder.ts";
import acme from "./acme-provider.ts";

const asked: Array<Record<string, unknown>> = [];

/** The made-up API on loopback. */
const provider: StartProviderServer = async (home) => {
  await writeFile(join(home, "keys.json"), JSON.stringify({ acme: providerSecret }));
  let script: ProviderScript = "text";
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      asked.push((await request.json()) as Record<string, unknown>);
      const refused = `the key ${request.headers.get("authorization")} is not known`;
      switch (script) {
        case "text":
          return Response.json({ text: "Hello from the test.", tokens: { read: 9, written: 4 } });
        case "wrong-key":
          return new Response(refused, { status: 401 });
        case "rate-limited":
          return new Response("slow down", { status: 429, headers: { "retry-after": "7" } });
        case "broken":
          return new Response("<html>proxy</html>");
        case "hanging":
          return new Promise<Response>(() => {});
      }
    },
  });
  return {
    config: { baseURL: `http://127.0.0.1:${server.port}` },
    answer(next) {
      script = next;
    },
    stop: () => server.stop(true),
  };
};

testExample("acme-provider", acme, { provider });

test("acme-provider: says when another try is worth it, and sends what was asked", () =>
  inFolder(async (home) => {
    const server = await provider(home);
    const host = await testHost(acme, { home, config: server.config });
    server.answer("rate-limited");
    const error = await host.call("complete", sampleCompletion).catch((error) => error);
    expect([error.code, error.retryAfterMs]).toEqual(["provider_rate", 7_000]);
    expect(asked.at(-1)).toMatchObject({ model: "acme-small", most: 50 });
    await host.stop();
    await server.stop();
  }));
