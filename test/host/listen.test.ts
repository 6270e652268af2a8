// Listening: an address has one listener, and is free again after it.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { loadHost } from "../../src/host/index.ts";
import { inFolder } from "../support/in-folder.ts";

const hostname = "127.0.0.1";
const saying = (text: string) => () => new Response(text);

test("a port that another listener has is refused, and free again after it", async () => {
  const host = await loadHost();
  const first = await host.listen({ hostname, port: 0 }, saying("first"));
  const port = first.port ?? 0;
  await expect(host.listen({ hostname, port }, saying("second"))).rejects.toThrow();
  await first.stop(0);
  const second = await host.listen({ hostname, port }, saying("second"));
  expect(await (await fetch(`http://${hostname}:${port}`)).text()).toBe("second");
  await second.stop(0);
});

test("a stop lets the request under way finish, within its time", () =>
  inFolder(async (folder) => {
    const host = await loadHost();
    const socket = join(folder, "s.sock");
    const arrived = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const listener = await host.listen({ unix: socket }, async () => {
      arrived.resolve();
      await go.promise;
      return new Response("done");
    });
    const answer = host.fetchUnix(socket, "http://memoir/", {});
    await arrived.promise;
    const stopped = listener.stop(60_000);
    go.resolve();
    expect(await (await answer).text()).toBe("done");
    await stopped;
    await expect(host.fetchUnix(socket, "http://memoir/", {})).rejects.toThrow();
  }));
