// One plugin with a command, a route, a tool, a panel and a schedule, added to a running server as a folder, a package folder and a tarball, in the compiled binary; ten of them cost a hook nothing.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { compiledBinary } from "../../support/compiled.ts";
import { type PluginServer, withPluginServer } from "../../support/plugin-server.ts";

const standup = await readFile(join(import.meta.dir, "../../examples/standup.ts"), "utf8");
const manifest = JSON.stringify({
  ...{ name: "memoir-plugin-standup", version: "1.0.0", type: "module", main: "index.ts" },
});

/** What is at `path` in the home for each way to add it. */
const ways: Readonly<Record<string, { path: string; files: Record<string, string> }>> = {
  "a folder": { path: "work/standup", files: { "work/standup/index.ts": standup } },
  "a package's folder": {
    path: "work/package",
    files: { "work/package/index.ts": standup, "work/package/package.json": manifest },
  },
  "a tarball": { path: "work/standup-1.0.0.tgz", files: {} },
};

async function packed(): Promise<Uint8Array> {
  const entry = (name: string, body: string) => ({
    header: { name, size: Buffer.byteLength(body) },
    body,
  });
  return gzipSync(
    await packTar([entry("package/package.json", manifest), entry("package/index.ts", standup)]),
  );
}

test.each(Object.entries(ways))(
  "%s, added to a running server",
  async (_, { path, files }) => {
    const binary = await compiledBinary();
    await withPluginServer(
      files,
      async (server) => {
        if (path.endsWith(".tgz")) {
          await Bun.$`mkdir -p ${join(server.home, "work")}`;
          await Bun.write(join(server.home, path), await packed());
        }
        await server.start();
        const added = await server.command("plugin", "add", join(server.home, path), "--yes");
        expect([added.code, added.err]).toEqual([0, expect.anything()]);
        await brought(server, true);
        expect((await server.command("plugin", "disable", "standup")).code).toBe(0);
        await brought(server, false);
      },
      [binary],
    );
  },
  180_000,
);

/** Whether everything is there, or nothing. */
async function brought(server: PluginServer, isThere: boolean): Promise<void> {
  const { contributions } = await server.ask<{ contributions: Array<{ part: string }> }>(
    "/api/plugins",
  );
  const parts = ["operations.report", "routes", "schedules.morning", "panels.today"];
  const own = contributions.map(({ part }) => part);
  expect(parts.filter((part) => own.includes(part))).toEqual(isThere ? parts : []);
  const report = await server.command("standup", "report");
  expect([report.code, report.out.trim()]).toEqual(isThere ? [0, "Nothing was done."] : [2, ""]);
  expect((await server.command("help")).out.includes("standup")).toBe(isThere);
  const { paths } = await server.ask<{ paths: object }>("/api/openapi.json");
  expect("/plugins/standup/report" in paths).toBe(isThere);
  const feed = server.ask("/plugins/standup/report?since=3d").then(() => true);
  expect(await feed.catch(() => false)).toBe(isThere);
}
