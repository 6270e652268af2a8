// memoir into a client's files and out of them: others' settings stay byte for byte, whatever stood there before.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ClientAdapter, RegistrationPlace } from "../../src/clients/adapter.ts";
import { allAdapters } from "../../src/clients/index.ts";
import {
  applyClient,
  applyReturn,
  lookAtClient,
  planClient,
  planReturn,
} from "../../src/install/client-files.ts";
import { clientLedgerPath } from "../../src/install/file-change.ts";
import { hookCommand } from "../../src/install/hook-command.ts";
import { MemoirError } from "../../src/sdk/errors.ts";

let root: string;
let home: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-clients-"));
  home = join(root, ".memoir");
  await mkdir(home);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const adapters = (await allAdapters()).filter(({ registration }) => registration);
const binary = "/opt/memoir/bin/memoir";

function placeOf(adapter: ClientAdapter): RegistrationPlace {
  const command = hookCommand({ binary, platform: "linux", client: adapter.name });
  const wanted = ["SessionStart", "PostToolUse", "Stop"] as const;
  const events = wanted.filter((name) => adapter.registration?.events.includes(name));
  return {
    ...{ env: { HOME: root }, binary, home: undefined, command },
    events: new Map(events.map((event) => [event, 10])),
  };
}

async function install(adapter: ClientAdapter): Promise<string[]> {
  const changes = await planClient(adapter, placeOf(adapter));
  return applyClient(home, adapter.name, changes);
}

async function uninstall(adapter: ClientAdapter): Promise<string[]> {
  const returns = await planReturn(home, adapter, placeOf(adapter));
  await applyReturn(home, returns);
  return returns.map(({ how }) => how);
}

const pathsOf = (adapter: ClientAdapter) =>
  adapter.registration?.files(placeOf(adapter)).map(({ path }) => path) ?? [];
const isJson = (path: string) => /\.jsonc?$/.test(path);
const states = async (adapter: ClientAdapter) =>
  (await lookAtClient(adapter, placeOf(adapter))).map(({ state }) => state);

test.each([
  ["gemini", ".gemini/settings.json", "name"],
  ["codex", ".codex/hooks.json", "statusMessage"],
])("%s, which shows what it runs, is given a name for each hook", async (client, file, field) => {
  const adapter = adapters.find(({ name }) => name === client);
  if (!adapter) throw new Error(client);
  await install(adapter);
  const { hooks } = JSON.parse(await readFile(join(root, file), "utf8"));
  const entries: Array<Record<string, unknown>> = Object.values(hooks)
    .flat()
    .flatMap((group) => (group as { hooks: Array<Record<string, unknown>> }).hooks);
  expect(entries.map((entry) => entry[field])).toEqual(["memoir", "memoir", "memoir"]);
});

describe.each(adapters.map((adapter) => [adapter.name, adapter] as const))("%s", (_, adapter) => {
  test("a client that was never configured gets memoir, and loses every trace of it", async () => {
    expect(new Set(await states(adapter))).toEqual(new Set(["none"]));
    expect(await install(adapter)).toEqual([]);
    expect(new Set(await states(adapter))).toEqual(new Set(["current"]));
    expect(new Set(await uninstall(adapter))).toEqual(new Set(["removed"]));
    for (const path of pathsOf(adapter)) expect(existsSync(path)).toBe(false);
    expect(existsSync(clientLedgerPath(home))).toBe(false);
    expect(existsSync(adapter.registration?.folder({ HOME: root }) ?? root)).toBe(false);
  });

  test("twice is once", async () => {
    await install(adapter);
    const first = await Promise.all(pathsOf(adapter).map((path) => readFile(path, "utf8")));
    const again = await planClient(adapter, placeOf(adapter));
    expect(again.flatMap(({ diff }) => diff)).toEqual([]);
    await install(adapter);
    const second = await Promise.all(pathsOf(adapter).map((path) => readFile(path, "utf8")));
    expect(second).toEqual(first);
  });

  for (const [habit, text] of Object.entries({
    "odd spaces": '{ "model" : "x",\n\t"mcpServers": {"a": {"command":"a"}} ,\r\n "z":[1,2 ]}\n\n',
    "a byte order mark": '\ufeff{"model":"x"}',
    "a comment": '// mine\n{\n  "model": "x", // why\n  "mcpServers": {},\n}\n',
    "nothing in it": "",
    "an empty object": "{}",
  }))
    test(`a file with ${habit} comes back byte for byte`, async () => {
      const files = pathsOf(adapter).filter(isJson);
      for (const path of files) {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
      }
      const backups = await install(adapter);
      expect(backups).toHaveLength(new Set(files).size);
      for (const path of files) expect(await readFile(path, "utf8")).not.toBe(text);
      expect(new Set(await states(adapter))).toEqual(new Set(["current"]));
      await uninstall(adapter);
      for (const path of files) expect(await readFile(path, "utf8")).toBe(text);
      for (const backup of backups) expect(existsSync(backup)).toBe(false);
    });

  test("what somebody wrote since stays when memoir goes", async () => {
    const files = pathsOf(adapter).filter(isJson);
    for (const path of files) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, '{"model":"x"}');
    }
    await install(adapter);
    for (const path of files) {
      const now = JSON.parse(await readFile(path, "utf8"));
      await writeFile(path, JSON.stringify({ ...now, since: true }, undefined, 2));
    }
    await install(adapter);
    const how = await uninstall(adapter);
    if (files.length > 0) expect(how).toContain("cleaned");
    for (const path of files) {
      const left = JSON.parse(await readFile(path, "utf8"));
      expect(left).toEqual({ model: "x", since: true });
    }
  });

  test("without its list, memoir's own parts are found and taken out", async () => {
    await install(adapter);
    await rm(clientLedgerPath(home));
    await uninstall(adapter);
    expect(new Set(await states(adapter))).toEqual(new Set(["none"]));
  });

  test("a file that is not valid JSON is left alone, and says so", async () => {
    const [path] = pathsOf(adapter).filter(isJson);
    if (path === undefined) return;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '{"model": ');
    await expect(install(adapter)).rejects.toThrow(MemoirError);
    expect(await readFile(path, "utf8")).toBe('{"model": ');
    expect(await states(adapter)).toContain("unreadable");
  });
});

test("somebody else's server named memoir is neither replaced nor taken out", async () => {
  const qwen = adapters.find(({ name }) => name === "qwen");
  if (!qwen) throw new Error("there is no such client");
  const [path = ""] = pathsOf(qwen);
  const text = '{"mcpServers":{"memoir":{"command":"npx","args":["their-memoir"]}}}';
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await expect(install(qwen)).rejects.toThrow(expect.objectContaining({ code: "mcp_name_taken" }));
  expect(await uninstall(qwen)).toEqual([]);
  expect(await readFile(path, "utf8")).toBe(text);
});
