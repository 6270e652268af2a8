// The gateway's life under sessions that are open: switched off, led elsewhere, moved to another port, and left by the last of them.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadHost } from "../../../src/host/index.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { createGateway, type Gateway } from "../../../src/server/gateway/gateway.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";
import { freePort } from "../../support/free-port.ts";
import { keptLog } from "../../support/kept-log.ts";
import { type RawUpstream, rawUpstream, whole } from "../../support/raw-upstream.ts";

const json = { "content-type": "application/json" };
const upstreamOf = (text: string) =>
  rawUpstream((socket) => void socket.end(whole("200 OK", json, text)));

let home: string;
let first: RawUpstream;
let second: RawUpstream;
let settings: { enabled: boolean; port: number; upstream: string };
let gateways: Gateway[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-gateway-life-"));
  [first, second] = [await upstreamOf("first"), await upstreamOf("second")];
  settings = { enabled: true, port: await freePort(), upstream: first.url };
  gateways = [];
});
afterEach(async () => {
  for (const gateway of gateways) await gateway.stop(0);
  await Promise.all([first.stop(), second.stop()]);
  await rm(home, { recursive: true, force: true });
});

async function open(): Promise<Gateway> {
  const gateway = createGateway({
    host: await loadHost(),
    settings: async () => settings,
    hooks: () => fakeHooks(),
    log: keptLog(),
    now: Date.now,
    home,
  });
  gateways.push(gateway);
  await gateway.apply();
  return gateway;
}

const ask = (session: string, port = settings.port) =>
  fetch(`http://127.0.0.1:${port}/v1/messages`, {
    method: "POST",
    headers: { "x-claude-code-session-id": session },
    body: '{"messages":[]}',
  }).then(
    (answer) => answer.text(),
    () => "nobody",
  );

const said = (name: "SessionStart" | "SessionEnd", session: string, more: object): ClientEvent =>
  ({
    name,
    session,
    id: "i",
    key: "k",
    client: "claude-code",
    time: 1,
    cwd: "/",
    ...more,
  }) as never;

test("led elsewhere, new sessions go there and open ones stay", async () => {
  const gateway = await open();
  expect(await ask("a")).toBe("first");
  settings = { ...settings, upstream: second.url };
  await gateway.apply();
  expect([await ask("a"), await ask("b")]).toEqual(["first", "second"]);
});

test("switched off, open ones stay, and those that began and sent nothing yet", async () => {
  const gateway = await open();
  gateway.whileInUse.heard?.(said("SessionStart", "b", { source: "startup" }));
  expect(await ask("a")).toBe("first");
  settings = { ...settings, enabled: false, upstream: second.url };
  await gateway.apply();
  expect([await ask("a"), await ask("b"), await ask("c")]).toEqual(["first", "first", "first"]);
  expect(gateway.status()).toMatchObject({ enabled: false, listening: true, upstream: first.url });
  for (const session of ["a", "b"])
    gateway.whileInUse.heard?.(said("SessionEnd", session, { reason: "other" }));
  gateway.whileInUse.heard?.(said("SessionEnd", "c", { reason: "clear" }));
  await gateway.whileInUse.look?.();
  expect(await ask("c")).toBe("first");
  gateway.whileInUse.heard?.(said("SessionEnd", "c", { reason: "other" }));
  await gateway.whileInUse.look?.();
  expect(await ask("c")).toBe("nobody");
  expect(gateway.status()).toMatchObject({ listening: false, sessions: 0 });
  // From here on no event passes it.
  expect(gateway.whileInUse).toEqual({});
});

test("moved to another port, open ones keep theirs", async () => {
  const gateway = await open();
  const { port } = settings;
  await ask("a");
  settings = { ...settings, port: await freePort() };
  await gateway.apply();
  expect([await ask("a", port), await ask("b")]).toEqual(["first", "first"]);
});

test("another server of the home goes on where the last one was, also when it is off", async () => {
  const gateway = await open();
  await ask("a");
  await gateway.stop(0);
  settings = { ...settings, enabled: false, upstream: second.url };
  await open();
  expect(await ask("a")).toBe("first");
});

test("off before anybody came, nothing listens", async () => {
  settings = { ...settings, enabled: false };
  const gateway = await open();
  expect([await ask("a"), gateway.status().listening]).toEqual(["nobody", false]);
});
