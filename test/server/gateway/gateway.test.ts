// The gateway's life: where it listens, what it says when it cannot, and how it lets go. Without sockets.
import { expect, test } from "bun:test";
import type { Host } from "../../../src/host/host.ts";
import {
  createGateway,
  type GatewaySettings,
  leadsTo,
} from "../../../src/server/gateway/gateway.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";
import { keptLog } from "../../support/kept-log.ts";

/** A gateway whose host keeps what listens and with which grace it was closed. */
function open(settings: Partial<GatewaySettings> = {}) {
  const log = keptLog();
  const events: string[] = [];
  const config: GatewaySettings & { broken?: boolean } = {
    ...{ enabled: true, port: 4_100, upstream: "https://api.test" },
    ...settings,
  };
  const state = { config, taken: new Set<number>(), ask: undefined as Asked | undefined };
  const host = {
    name: "bun",
    async listen({ port }: { port: number }, fetch: Asked) {
      if (state.taken.has(port)) throw new Error("EADDRINUSE");
      events.push(`listen ${port}`);
      state.ask = fetch;
      return {
        port,
        async stop(graceMs: number) {
          await Promise.resolve();
          events.push(`stop ${port} ${graceMs}`);
        },
      };
    },
  } as unknown as Host;
  const gateway = createGateway({
    ...{ host, log, hooks: () => fakeHooks(), now: () => 0, home: "/nowhere/memoir" },
    settings: async () => {
      if (state.config.broken) throw new Error("no JSON");
      return { ...state.config };
    },
  });
  return { gateway, events, log, state };
}
type Asked = (request: Request) => Promise<Response>;

test("it listens where config says, moves when that changes, and stays where nothing changed", async () => {
  const { gateway, events, state, log } = open();
  expect(gateway.status()).toMatchObject({ listening: false, enabled: false });
  await gateway.apply();
  await gateway.apply();
  expect(events).toEqual(["listen 4100"]);
  expect(log.lines).toEqual([
    { level: "info", message: "gateway listens", fields: { port: 4_100 } },
  ]);
  state.config.upstream = "https://other.test";
  await gateway.apply();
  expect([events.length, gateway.status().upstream]).toEqual([1, "https://other.test"]);
  state.config.port = 4_200;
  await gateway.apply();
  expect(events.slice(1)).toEqual(["stop 4100 1000", "listen 4200"]);
  expect(gateway.status()).toEqual({
    ...{ enabled: true, listening: true, port: 4_200, upstream: "https://other.test" },
    ...{
      sessions: 0,
      requests: 0,
      rewritten: 0,
      unsure: 0,
      failed: 0,
      whole: 0,
      unreached: 0,
      refused: 0,
    },
  });
});

test("switched off it lets go where nobody is led; never switched on it does not begin", async () => {
  const { gateway, events, state } = open();
  await gateway.apply();
  state.config.enabled = false;
  await gateway.apply();
  expect([events, gateway.status().listening]).toEqual([["listen 4100", "stop 4100 1000"], false]);
  const off = open({ enabled: false });
  await off.gateway.apply();
  expect([off.events, off.gateway.status().listening]).toEqual([[], false]);
});

test("a taken port is said once in the log and in one line to the person, until it can be had", async () => {
  const { gateway, events, state, log } = open();
  state.taken.add(4_100);
  await gateway.apply();
  await gateway.apply();
  const why =
    "another program listens on port 4100, where memoir's gateway should. Sessions that are led there talk to that program, and send it their key; `lsof -i :4100` names it, and memoir takes the port once it has ended";
  expect(gateway.status()).toMatchObject({ listening: false, error: why });
  expect(gateway.trouble()).toBe(
    `memoir: ${why}. \`memoir endless gateway off\` leads new sessions past it.`,
  );
  expect(log.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
    "error the gateway does not listen",
  ]);
  state.taken.clear();
  await gateway.apply();
  expect([events, gateway.trouble()]).toEqual([["listen 4100"], undefined]);
  expect(gateway.status()).not.toHaveProperty("error");
});

test("trouble ends where it is switched off", async () => {
  const { gateway, state } = open();
  state.taken.add(4_100);
  await gateway.apply();
  state.config.enabled = false;
  await gateway.apply();
  expect(gateway.trouble()).toBeUndefined();
  expect(gateway.status()).not.toHaveProperty("error");
});

test("an upstream that is the gateway itself is refused, also while it listens; a name before the host is not shown", async () => {
  const { gateway, events, state } = open();
  await gateway.apply();
  state.config.upstream = "http://ada:secret@localhost:4100/v1";
  await gateway.apply();
  expect(events).toEqual(["listen 4100", "stop 4100 1000"]);
  expect(gateway.status()).toMatchObject({
    ...{ listening: false, upstream: "http://localhost:4100/v1" },
    error: "endless.gateway.upstream leads back to the gateway itself: http://localhost:4100/v1",
  });
  state.config.enabled = false;
  await gateway.apply();
  expect(gateway.status()).not.toHaveProperty("error");
});

test("a config that cannot be read leaves it as it is, and is logged", async () => {
  const { gateway, events, state, log } = open();
  await gateway.apply();
  state.config = { ...state.config, port: 4_200, broken: true };
  await gateway.apply();
  expect([events, gateway.status().port]).toEqual([["listen 4100"], 4_100]);
  expect(log.lines.at(-1)).toMatchObject({
    level: "warn",
    message: "the gateway's config was not read",
  });
});

test("stopping waits for what is under way, lets go with the grace given, and is not undone", async () => {
  const { gateway, events } = open();
  const applied = gateway.apply();
  await gateway.stop(250);
  await applied;
  expect(events).toEqual(["listen 4100", "stop 4100 250"]);
  expect(gateway.status()).toMatchObject({ enabled: false, listening: false });
  await gateway.stop(250);
  expect(events).toHaveLength(2);
});

test("a request that nobody can read is a 502 in the API's own form, and is logged", async () => {
  const { gateway, state, log } = open();
  await gateway.apply();
  const broken = { headers: new Headers({ host: "localhost" }), method: "POST", url: "no address" };
  const answer = await state.ask?.(broken as unknown as Request);
  expect(answer?.status).toBe(502);
  expect(await answer?.json()).toEqual({
    type: "error",
    error: { type: "api_error", message: "memoir's gateway could not handle the request." },
  });
  expect(log.lines.at(-1)?.message).toBe("a request could not be handled");
});

test.each([
  ["localhost", true],
  ["localhost:4100", true],
  ["127.0.0.1:1", true],
  ["[::1]:4100", true],
  ["LOCALHOST", true],
  ["localhost.evil.test", false],
  ["192.168.0.1", false],
  ["user@localhost", false],
  ["localhost/x", false],
  ["", false],
  ["::1", false],
])("a request for the host %j is taken: %p", async (host, taken) => {
  const { gateway, state } = open({ upstream: "http://127.0.0.1:1" });
  await gateway.apply();
  const request = new Request("http://localhost:4100/v1/models", { headers: { host } });
  const status = (await state.ask?.(request))?.status;
  expect(status).toBe(taken ? 502 : 403);
  expect(gateway.status()).toMatchObject({
    ...{ requests: taken ? 1 : 0, refused: taken ? 0 : 1, sessions: 0 },
  });
});

test.each([
  ["http://localhost:4100", 4_100, true],
  ["http://127.9.9.9:4100/v1", 4_100, true],
  ["http://[::1]:4100", 4_100, true],
  ["http://localhost", 80, true],
  ["https://localhost", 443, true],
  ["https://localhost", 80, false],
  ["http://localhost:4101", 4_100, false],
  ["http://api.localhost:4100", 4_100, false],
  ["http://127.0.0.1.test:4100", 4_100, false],
  ["localhost:4100", 4_100, false],
])("%s leads to port %i of this machine: %p", (upstream, port, leads) => {
  expect(leadsTo(upstream, port)).toBe(leads);
});
