// A gateway on a free loopback port in front of an upstream, for tests.
import net from "node:net";
import { loadHost } from "../../../src/host/index.ts";
import type { Hooks, Log } from "../../../src/runtime/ports.ts";
import { createGateway, type Gateway } from "../../../src/server/gateway/gateway.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";
import { keptLog } from "../../support/kept-log.ts";

export interface OpenGateway {
  url: string;
  port: number;
  gateway: Gateway;
}

/** Somebody else may take it before it is used; on a test machine nobody does. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
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
    now: () => performance.now(),
  });
  await gateway.apply();
  return { url: `http://127.0.0.1:${port}`, port, gateway };
}
