// `memoir server stop` where it is not simple: a server that hangs, and sessions that reach their model through its gateway.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import { join } from "node:path";
import { stopServer } from "../../../src/cli/server/start-stop.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import {
  openSessionsFile,
  standInFile,
  standInListens,
} from "../../../src/server/gateway/open-sessions.ts";
import { acquireLock } from "../../../src/server/life/lock.ts";
import { cannedServer } from "../../support/canned-server.ts";
import { freePort } from "../../support/free-port.ts";
import { ownHome } from "../../support/own-home.ts";
import { quietStatus } from "../../support/quiet-status.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
let paths: Paths;
beforeEach(async () => {
  place = await ownHome();
  paths = memoirPaths(place.home);
  await mkdir(place.home, { mode: 0o700 });
});
afterEach(async () => {
  await rm(paths.serverInfo, { force: true });
  await place.end();
});

/** A process that holds the home as its server does, and answers nobody. */
async function hangs(): Promise<Bun.Subprocess> {
  const lock = join(import.meta.dir, "../../../src/server/life/lock.ts");
  const script = `const { acquireLock } = await import(${JSON.stringify(lock)});
    globalThis.held = await acquireLock(${JSON.stringify(paths.serverLock)});
    console.log("held"); setInterval(() => {}, 1_000);`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  await child.stdout.getReader().read();
  const info = { pid: child.pid, port: 1, socket: paths.socket, version: "1.2.3", startedAt: 1 };
  await writeFile(paths.serverInfo, JSON.stringify(info));
  return child;
}

describe("a server that holds the home", () => {
  test("and does not listen is told to end once it had time to come up", async () => {
    const child = await hangs();
    expect(await stopServer(paths)).toBe(true);
    await child.exited;
    expect(child.signalCode).toBe("SIGTERM");
  });

  test("and listens, but will not stop, is told to end", async () => {
    const child = await hangs();
    const listening = await cannedServer(place.home, {});
    expect(await stopServer(paths)).toBe(true);
    await child.exited;
    expect(child.signalCode).toBe("SIGTERM");
    await listening.stop();
  });
});

describe("sessions that are open", () => {
  const status = { ...quietStatus, gateway: { enabled: true, sessions: 1 } };

  test("find somebody at their port: who stands in is there before the server goes, and has the port before it is said", async () => {
    const port = await freePort();
    const session = { port, upstream: "http://127.0.0.1:9", at: Date.now(), asked: true };
    const known = JSON.stringify({ last: null, sessions: { a: session } });
    await Bun.write(openSessionsFile(place.home), known);
    const gateway = net.createServer();
    await new Promise<void>((resolve) => gateway.listen(port, "127.0.0.1", resolve));
    const lock = await acquireLock(paths.serverLock);
    const asked = Promise.withResolvers<boolean>();
    const stopping = typed(["server", "stop"], {
      "/api/status": status,
      "/api/stop": () => {
        asked.resolve(existsSync(standInFile(place.home)));
        lock?.release();
        return {};
      },
    });
    expect(await asked.promise).toBe(true);
    let isOver = false;
    void stopping.then(() => {
      isOver = true;
    });
    // The port is still taken: whoever looks now must see the command wait.
    await Bun.sleep(300);
    expect(isOver).toBe(false);
    gateway.close();
    const { code, out } = await stopping;
    expect(await standInListens(place.home)).toBe(true);
    expect([code, out[0], out[1]]).toEqual([
      ...[0, "The memoir server is stopped."],
      expect.stringContaining("a separate process passes requests on"),
    ]);
    await writeFile(join(place.home, "gateway-stand-in.leave"), "");
    while (existsSync(standInFile(place.home))) await Bun.sleep(10);
  });

  test("are told to start anew where nobody could be started in its place", async () => {
    // Nobody is known in the home: what is started there ends at once.
    const { code, out } = await typed(["server", "stop"], { "/api/status": status });
    expect([code, out]).toEqual([
      0,
      [
        "No memoir server was running.",
        expect.stringContaining("nothing could be started to pass requests on"),
      ],
    ]);
  });
});
