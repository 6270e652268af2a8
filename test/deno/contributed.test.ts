// What plugins bring beside hooks, under Deno: a command, a route with a stream and a tool's answer from a worker; and the scaffolds' own tests under `deno test`.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { withPluginServer } from "../support/plugin-server.ts";

const root = resolve(import.meta.dirname, "../..");
const program = resolve(root, "node_modules/.bin/deno");
const deno = [program, "run", "-A", "--no-prompt", resolve(root, "src/cli/main.ts")];

test("a plugin with all kinds of parts, and scaffolds that Deno tests", async () => {
  const standup = await readFile(join(root, "test/examples/standup.ts"), "utf8");
  await withPluginServer(
    { "plugins/standup.ts": standup },
    async (server) => {
      for (const kind of ["operation", "routes", "panel"]) {
        const made = await server.command("plugin", "new", kind, `my-${kind}`);
        expect([made.code, made.err]).toEqual([0, ""]);
        const cwd = join(server.home, "plugins", `my-${kind}`);
        const run = Bun.spawnSync([program, "test", "-A", "--no-prompt", "--no-check"], {
          ...{ cwd, env: { ...process.env, HOME: server.home } },
        });
        expect([kind, run.exitCode, run.stdout.toString()]).toEqual([
          kind,
          0,
          expect.stringContaining("1 passed"),
        ]);
      }
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
    deno,
  );
}, 120_000);
