// A gateway on a free loopback port in front of an upstream, for tests.

import type { Log } from "../../../src/home/log.ts";
import { loadHost } from "../../../src/host/index.ts";
import type { Hooks } from "../../../src/runtime/ports.ts";
import { createGateway, type Gateway } from "../../../src/server/gateway/gateway.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";
import { freePort } from "../../support/free-port.ts";
import { keptLog } from "../../support/kept-log.ts";

export interface OpenGateway {
  url: string;
  port: number;
  gateway: Gateway;
}

/** Listens at once. */
export async function openGateway(
  upstream: string,
  { hooks = fakeHooks(), log = keptLog() }: { hooks?: Hooks; log?: Log } = {},
): Promise<OpenGateway> {
  const port = await freePort();
  const gateway = createGateway({
    host: await loadHost(),
    settings: async () => ({ enabled: true, port, upstream }),
    hooks: () => hooks,
    log,
    now: Date.now,
    home: "/nowhere/memoir",
  });
  await gateway.apply();
  return { url: `http://127.0.0.1:${port}`, port, gateway };
}
