// Stopping a server that holds its home and isn't listening yet: it is asked as soon as it does, and nobody else is.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { stopServer } from "../../../src/cli/server/start-stop.ts";
import { silentLog } from "../../../src/home/log.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { runServer } from "../../../src/server/life/run-server.ts";
import { fakeRuntime } from "../../server/fake-runtime.ts";
import { temporaryHome } from "../hook/run-hook.ts";

let paths: Paths;
beforeEach(async () => {
  paths = memoirPaths(await temporaryHome());
});
afterEach(() => rm(paths.home, { recursive: true, force: true }));

/** A server that has its home and comes no further until `goOn`. */
async function starting() {
  const reached = Promise.withResolvers<void>();
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  const createRuntime = async () => {
    reached.resolve();
    await mayGoOn;
    return fakeRuntime();
  };
  const running = runServer({ paths, version: "1.2.3", log: silentLog, createRuntime });
  await reached.promise;
  return { running, goOn };
}

test("a server that is just starting is stopped once it listens", async () => {
  const { running, goOn } = await starting();
  const stopping = stopServer(paths);
  await Bun.sleep(300);
  goOn();
  const server = await running;
  expect(await stopping).toBe(true);
  await server.stopped;
});

test("a process that a killed server's file names is not signalled while the next one starts", async () => {
  const bystander = Bun.spawn(["sleep", "60"]);
  try {
    const old = { port: 1, socket: paths.socket, version: "1.2.3", startedAt: 1 };
    await writeFile(paths.serverInfo, JSON.stringify({ ...old, pid: bystander.pid }));
    const { running, goOn } = await starting();
    const stopping = stopServer(paths);
    await Bun.sleep(300);
    goOn();
    const server = await running;
    expect(await stopping).toBe(true);
    await server.stopped;
    expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
  } finally {
    bystander.kill("SIGKILL");
  }
});
