// Where a server is reached: a unix socket in its private folder, and guarded loopback TCP.
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Log } from "../../home/log.ts";
import type { Host, Listener } from "../../host/index.ts";
import type { Server } from "../server.ts";

const loopback = "127.0.0.1";

/** The unix socket. */
export async function listenUnix(host: Host, socket: string, server: Server): Promise<Listener> {
  // Left by a server that was killed; the lock is ours, so nobody listens on it.
  await rm(socket, { force: true });
  return host.listen({ unix: socket }, server.fetch);
}

/** A home's server is found at the same port each time, so that an address of the page can be kept. Below what systems give out. */
export function usualPort(home: string): number {
  return 20_000 + (createHash("sha256").update(home).digest().readUInt32BE(0) % 10_000);
}

/** Loopback TCP at the wanted port, else at any; 0 wants the home's usual one, where it is free. */
export async function listenTcp(
  host: Host,
  port: number,
  server: Server,
  log: Log,
  home: string,
): Promise<Listener> {
  const any = () => host.listen({ hostname: loopback, port: 0 }, server.guardedFetch);
  if (port === 0)
    return host
      .listen({ hostname: loopback, port: usualPort(home) }, server.guardedFetch)
      .catch(any);
  try {
    return await host.listen({ hostname: loopback, port }, server.guardedFetch);
  } catch (error) {
    log.warn("the configured port is taken; another is used", { port, error });
    return any();
  }
}
