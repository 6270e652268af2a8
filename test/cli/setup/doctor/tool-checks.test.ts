import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkTools } from "../../../../src/cli/setup/doctor/client-checks.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-tools-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const check = () =>
  checkTools({ binary: "/x/bin/memoir" }, { env: { HOME: root }, cwd: "/code/shop" });
const state = (value: unknown) =>
  writeFile(join(root, ".claude.json"), JSON.stringify(value), { flush: true });
const server = { memoir: { type: "stdio", command: "/x/bin/memoir", args: ["mcp"] } };

test("no server registered is worth a look", async () => {
  expect(await check()).toMatchObject([{ state: "warn", fix: "Run `memoir install`." }]);
});

test("registered for the user, or for this project only", async () => {
  await state({ mcpServers: server });
  expect(await check()).toMatchObject([{ state: "ok" }]);
  await state({ projects: { "/code/shop": { mcpServers: server } } });
  expect(await check()).toMatchObject([{ state: "ok" }]);
  await state({ projects: { "/code/other": { mcpServers: server } } });
  expect(await check()).toMatchObject([{ state: "warn" }]);
});

test("another binary is named", async () => {
  await state({ mcpServers: { memoir: { command: "/old/memoir", args: ["mcp"] } } });
  const [found] = await check();
  expect(found).toMatchObject({ state: "warn" });
  expect(found?.message).toContain("/old/memoir, not /x/bin/memoir");
});

test("somebody else's server of the same name is named", async () => {
  await state({ mcpServers: { memoir: { type: "http", url: "https://memoir.example" } } });
  const [found] = await check();
  expect(found).toMatchObject({ state: "warn" });
  expect(found?.message).toContain("another MCP server named memoir");
});

test("the client's plugin brings the server with it", async () => {
  await mkdir(join(root, ".claude"));
  await writeFile(
    join(root, ".claude", "settings.json"),
    JSON.stringify({ enabledPlugins: { "memoir@memoir": true } }),
  );
  expect(await check()).toMatchObject([{ state: "ok" }]);
  await state({ mcpServers: server });
  expect(await check()).toMatchObject([{ state: "warn", fix: expect.stringContaining("install") }]);
});
