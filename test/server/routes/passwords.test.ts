// What the server says of itself and of models is said without passwords of addresses.
import { expect, test } from "bun:test";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { createApp } from "../../../src/server/app.ts";
import { errorResponse } from "../../../src/server/operation.ts";
import { appOptions } from "../app-options.ts";
import { quietServer } from "../fake-runtime.ts";

const address = "https://ada:rosebud77@models.example/v1";
const shown = "https://ada:[redacted:password]@models.example/v1";
const fault = {
  code: "provider_answer",
  message: `${address} did not answer.`,
  fix: `Try ${address}.`,
};

/** The routes of a server whose every part has met the address. */
async function server() {
  const options = appOptions();
  const { runtime } = options;
  const quiet = await runtime.status();
  const problem = { path: "x", message: `must be a number, but is "${address}"`, text: address };
  const plugin = { ...quiet.plugins[0], source: address, error: `no answer: ${address}` };
  runtime.status = async () => ({
    ...quiet,
    config: { ...quiet.config, problems: [problem] },
    plugins: [{ ...quiet.plugins[0], ...plugin } as (typeof quiet.plugins)[number]],
    models: {
      ...quiet.models,
      providers: [{ name: "local", state: "failing", model: address, error: fault }],
      error: { message: address, fix: address },
    },
  });
  runtime.testProviders = async () => [{ provider: "local", ok: false, error: fault }];
  const gateway = {
    enabled: true,
    listening: false,
    port: 1,
    upstream: address,
    error: `no way to ${address}`,
    requests: 0,
    rewritten: 0,
    unsure: 0,
    failed: 0,
    whole: 0,
    unreached: 0,
    refused: 0,
    sessions: 0,
  };
  return createApp({ ...options, serverStatus: async () => ({ ...quietServer, gateway }) });
}

test.each([
  ["GET", "/api/status", 9],
  ["GET", "/api/plugins", 2],
  ["POST", "/api/provider/test", 2],
])("%s %s", async (method, path, times) => {
  const response = await (await server()).handle(
    new Request(`http://localhost${path}`, { method }),
  );
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).not.toContain("rosebud77");
  expect(text.split(shown).length - 1).toBeGreaterThanOrEqual(times);
});

test("an error", async () => {
  const error = new MemoirError("provider_answer", address, { fix: `See ${address}.` });
  expect(await errorResponse(error).json()).toEqual({
    error: { code: "provider_answer", message: shown, fix: `See ${shown}.` },
  });
});
