// What the doctor says of the gateway.
import { expect, test } from "bun:test";
import { checkGateway } from "../../src/health/server-checks.ts";
import type { GatewayStatus } from "../../src/server/gateway/gateway.ts";

const well: GatewayStatus = {
  ...{ enabled: true, listening: true, port: 8_787, upstream: "https://api.example" },
  ...{
    requests: 9,
    rewritten: 1,
    unsure: 0,
    failed: 0,
    whole: 0,
    unreached: 0,
    refused: 0,
    sessions: 1,
  },
};

test.each<[string, Partial<GatewayStatus>, string[]]>([
  ["off", { enabled: false, listening: false }, []],
  ["on, and all is well", {}, ["ok port 8787 → https://api.example, 9 requests"]],
  ["that does not listen", { listening: false }, ["fail it does not listen on port 8787"]],
  ["that says why", { listening: false, error: "port 8787 is taken" }, ["fail port 8787 is taken"]],
  [
    "that does not reach the API",
    { unreached: 2, failed: 3 },
    ["warn port 8787 → https://api.example, 9 requests; 2 did not reach it"],
  ],
  [
    "with a strategy that fails",
    { failed: 3 },
    ["warn port 8787 → https://api.example, 9 requests; 3 passed as a strategy failed"],
  ],
])("a gateway %s", (_, change, said) => {
  const checks = checkGateway({ ...well, ...change });
  expect(checks.map(({ state, message }) => `${state} ${message}`)).toEqual(said);
  for (const { state, fix } of checks) expect(fix === undefined).toBe(state === "ok");
});

test("a server without a gateway says nothing", () => {
  expect(checkGateway(undefined)).toEqual([]);
});
