// Where a server is reached: a unix socket in its private folder, and guarded loopback TCP.
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

/** Loopback TCP at the wanted port, else at any; 0 wants any. */
export async function listenTcp(
  host: Host,
  port: number,
  server: Server,
  log: Log,
): Promise<Listener> {
  const any = () => host.listen({ hostname: loopback, port: 0 }, server.guardedFetch);
  if (port === 0) return any();
  try {
    return await host.listen({ hostname: loopback, port }, server.guardedFetch);
  } catch (error) {
    log.warn("the configured port is taken; another is used", { port, error });
    return any();
  }
}
