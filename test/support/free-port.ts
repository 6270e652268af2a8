// A loopback port for a listener that is started later.
import { randomInt } from "node:crypto";
import net from "node:net";

/**
 * Free now, and outside of the ports that systems hand out by themselves: what is started meanwhile does not get it.
 * Somebody else may take it before it is used; on a test machine nobody does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = net.createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
