// What plugins bring beside hooks, under Deno: a command, a route with a stream and a tool's answer from a worker.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withPluginServer } from "../support/plugin-server.ts";
import { denoCache, denoMemoir } from "./deno.ts";

test("a plugin with all kinds of parts", async () => {
  const standup = await readFile(join(import.meta.dirname, "../examples/standup.ts"), "utf8");
  await withPluginServer(
    { "plugins/standup.ts": standup },
    async (server) => {
      expect(await server.command("plugin", "new", "routes", "my-routes")).toMatchObject({
        ...{ code: 0, err: "" },
      });
      await server.start();
      expect((await server.command("standup", "report")).out.trim()).toBe("Nothing was done.");
      await server.command("plugin", "enable", "my-routes");
      const feed = await fetch("http://localhost/plugins/my-routes/feed", {
        unix: join(server.home, "memoir.sock"),
      });
      expect([feed.status, feed.headers.get("content-type"), await feed.text()]).toEqual([
        200,
        "application/jsonl",
        "",
      ]);
    },
    denoMemoir,
    denoCache,
  );
}, 180_000);
