// A project's own address leads past the gateway, the user's does not count here.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { narrowerAddress } from "../../../src/cli/endless/narrower-address.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-address-"));
  await mkdir(join(root, ".claude"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const settings = (name: string, url: string) =>
  writeFile(join(root, ".claude", name), JSON.stringify({ env: { ANTHROPIC_BASE_URL: url } }));
const asked = () => narrowerAddress(47_811, plainTerminal({ env: { HOME: "/u" }, cwd: root }));

test("without an address, with the gateway's own, or with nonsense there is nothing to tell", async () => {
  expect(await asked()).toBeUndefined();
  await settings("settings.json", "http://localhost:47811");
  expect(await asked()).toBeUndefined();
  await writeFile(join(root, ".claude", "settings.json"), "nonsense");
  expect(await asked()).toBeUndefined();
});

test("the narrowest file that names another address is told", async () => {
  await settings("settings.json", "https://proxy.example/one");
  expect(await asked()).toEqual({
    path: join(root, ".claude", "settings.json"),
    url: "https://proxy.example/one",
  });
  await settings("settings.local.json", "https://proxy.example/two");
  expect((await asked())?.url).toBe("https://proxy.example/two");
});
