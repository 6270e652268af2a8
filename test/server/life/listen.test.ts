// Where a server listens: the port that config names, another where that is taken, and a socket that was left behind.
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Host, ListenAddress } from "../../../src/host/host.ts";
import { listenTcp, listenUnix, usualPort } from "../../../src/server/life/run-server.ts";
import type { Server } from "../../../src/server/server.ts";
import { inFolder } from "../../support/in-folder.ts";
import { keptLog } from "../../support/kept-log.ts";

const fetch = async () => new Response("open");
const guardedFetch = async () => new Response("guarded");
const server = { fetch, guardedFetch, served: () => 0 } as unknown as Server;

/** A host that keeps where it was to listen, with what; the taken ports cannot be had. */
function open(...taken: number[]) {
  const asked: Array<[ListenAddress, string]> = [];
  const host = {
    async listen(address: ListenAddress, answer: () => Promise<Response>) {
      asked.push([address, await (await answer()).text()]);
      if ("port" in address && taken.includes(address.port)) throw new Error("EADDRINUSE");
      return { port: 1, stop: async () => undefined };
    },
  } as unknown as Host;
  return { host, asked, log: keptLog() };
}
const hostname = "127.0.0.1";

test("the wanted port is asked for first, and without one the home's own, guarded as all of TCP is", async () => {
  const any = open();
  await listenTcp(any.host, 0, server, any.log, "/h");
  expect(any.asked).toEqual([[{ hostname, port: usualPort("/h") }, "guarded"]]);
  const free = open();
  await listenTcp(free.host, 4_100, server, free.log, "/h");
  expect(free.asked).toEqual([[{ hostname, port: 4_100 }, "guarded"]]);
  expect([...any.log.lines, ...free.log.lines]).toEqual([]);
});

test("a home's own port is the same each time, another than most homes', and below what systems give out", () => {
  const ports = Array.from({ length: 50 }, (_, at) => usualPort(`/home/${at}/.memoir`));
  expect(ports).toEqual(Array.from({ length: 50 }, (_, at) => usualPort(`/home/${at}/.memoir`)));
  expect(new Set(ports).size).toBeGreaterThan(40);
  for (const port of ports) expect(port >= 20_000 && port < 30_000).toBe(true);
});

test("where that is taken another is had, and the log says so of a wanted one; where none can be had that is an error", async () => {
  const taken = open(4_100);
  await listenTcp(taken.host, 4_100, server, taken.log, "/h");
  expect(taken.asked.map(([address]) => address)).toEqual([
    { hostname, port: 4_100 },
    { hostname, port: 0 },
  ]);
  expect(taken.log.lines).toMatchObject([{ level: "warn", fields: { port: 4_100 } }]);
  const other = open(usualPort("/h"));
  await listenTcp(other.host, 0, server, other.log, "/h");
  expect(other.asked.map(([address]) => address)).toEqual([
    { hostname, port: usualPort("/h") },
    { hostname, port: 0 },
  ]);
  expect(other.log.lines).toEqual([]);
  const none = open(0, usualPort("/h"));
  await expect(listenTcp(none.host, 0, server, none.log, "/h")).rejects.toThrow("EADDRINUSE");
  expect(none.asked).toHaveLength(2);
});

test("a socket that a killed server left is out of the way before the new one listens, without a guard", () =>
  inFolder(async (folder) => {
    const socket = join(folder, "memoir.sock");
    await writeFile(socket, "");
    const { host, asked } = open();
    await listenUnix(host, socket, server);
    expect(asked).toEqual([[{ unix: socket }, "open"]]);
    expect(await Bun.file(socket).exists()).toBe(false);
  }));
