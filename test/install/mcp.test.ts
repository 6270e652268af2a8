// memoir among the client's MCP servers: every other byte of the client's state stays, and all of it comes back.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scope } from "../../src/clients/claude-code/folders.ts";
import {
  clientStatePath,
  mcpEntry,
  mcpPlacesPath,
  planMcp,
  registerMcp,
  unregisterMcp,
} from "../../src/install/agent-tools.ts";

const entry = mcpEntry("/x/bin/memoir", undefined);
let root: string;
let state: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-mcp-"));
  await mkdir(join(root, "home"));
  state = join(root, ".claude.json");
});
afterEach(() => rm(root, { recursive: true, force: true }));

const wanted = (scope: Scope = "user") => ({
  home: join(root, "home"),
  scope,
  env: { HOME: root },
  cwd: "/code/shop",
  entry,
});

const states: Array<[string, string]> = [
  [
    "plain",
    '{\n  "userID": "u",\n  "projects": {\n    "/code/shop": {\n      "allowedTools": []\n    }\n  }\n}\n',
  ],
  ["with a byte order mark", '\ufeff{\n  "userID": "u"\n}\n'],
  ["with other servers", '{"mcpServers":{"github":{"command":"gh"}},"projects":{}}'],
  [
    "with an empty list",
    '{\n  "mcpServers": {},\n  "projects": {"/code/shop": {"mcpServers": {}}}\n}',
  ],
];

describe.each(["user", "project"] as const)("scope %s", (scope) => {
  test.each(states)("a state %s comes back byte for byte", async (_name, text) => {
    await Bun.write(state, text);
    expect(await registerMcp(wanted(scope))).toBe(state);
    const registered = await readFile(state, "utf8");
    const json = JSON.parse(registered.replace(/^\ufeff/, ""));
    const servers = scope === "user" ? json.mcpServers : json.projects["/code/shop"].mcpServers;
    expect(servers.memoir).toEqual({ type: "stdio", command: "/x/bin/memoir", args: ["mcp"] });
    expect(await planMcp(wanted(scope))).toBeUndefined();
    expect(await registerMcp(wanted(scope))).toBeUndefined();
    expect(await readFile(state, "utf8")).toBe(registered);
    expect(await unregisterMcp(join(root, "home"))).toEqual([state]);
    expect(await readFile(state, "utf8")).toBe(text);
    expect(existsSync(mcpPlacesPath(join(root, "home")))).toBe(false);
  });
});

test("what the client adds in between stays", async () => {
  await Bun.write(state, "{}");
  await registerMcp(wanted());
  const json = JSON.parse(await readFile(state, "utf8"));
  await Bun.write(state, JSON.stringify({ ...json, userID: "later" }));
  await unregisterMcp(join(root, "home"));
  expect(JSON.parse(await readFile(state, "utf8"))).toEqual({ userID: "later" });
});

test("a moved binary replaces the entry, and a state that install made goes again", async () => {
  await registerMcp(wanted());
  await registerMcp({ ...wanted(), entry: mcpEntry("/y/bin/memoir", "/other/home") });
  const json = JSON.parse(await readFile(state, "utf8"));
  expect(json).toEqual({
    mcpServers: {
      memoir: {
        type: "stdio",
        command: "/y/bin/memoir",
        args: ["mcp"],
        env: { MEMOIR_HOME: "/other/home" },
      },
    },
  });
  expect((await stat(state)).mode & 0o777).toBe(0o600);
  expect(await unregisterMcp(join(root, "home"), true)).toEqual([state]);
  expect(existsSync(state)).toBe(true);
  await unregisterMcp(join(root, "home"));
  expect(existsSync(state)).toBe(false);
});

test.each(["[]", '{"mcpServers":[]}', '{"a":1,}', "nonsense"])(
  "a state of another form is left alone: %s",
  async (text) => {
    await Bun.write(state, text);
    await expect(registerMcp(wanted())).rejects.toMatchObject({ code: "settings_unreadable" });
    expect(await readFile(state, "utf8")).toBe(text);
  },
);

test("the state lies where the client looks for it", () => {
  expect(clientStatePath({ HOME: "/home/u" })).toBe("/home/u/.claude.json");
  expect(clientStatePath({ HOME: "/home/u", CLAUDE_CONFIG_DIR: "/c" })).toBe("/c/.claude.json");
});

const foreign = [
  { command: "npx", args: ["-y", "memoir"] },
  { type: "http", url: "https://memoir.example/mcp" },
  { command: "/opt/memoir", args: ["mcp", "--theirs"] },
  "nonsense",
];

test.each(foreign)("somebody else's server of the same name stays: %j", async (server) => {
  const text = JSON.stringify({ mcpServers: { memoir: server } });
  await Bun.write(state, text);
  const taken = { code: "mcp_name_taken" };
  await expect(planMcp(wanted())).rejects.toMatchObject(taken);
  await expect(registerMcp(wanted())).rejects.toMatchObject(taken);
  expect(await unregisterMcp(join(root, "home"))).toEqual([]);
  expect(await readFile(state, "utf8")).toBe(text);
});

test.each(foreign)("and so does one that took memoir's place later: %j", async (server) => {
  await registerMcp(wanted());
  const text = JSON.stringify({ mcpServers: { memoir: server } });
  await Bun.write(state, text);
  expect(await unregisterMcp(join(root, "home"))).toEqual([]);
  expect(await readFile(state, "utf8")).toBe(text);
});

test("an empty state that was there stays there", async () => {
  await Bun.write(state, "{}\n");
  await registerMcp(wanted());
  await registerMcp({ ...wanted(), entry: mcpEntry("/y/bin/memoir", undefined) });
  await unregisterMcp(join(root, "home"));
  expect(await readFile(state, "utf8")).toBe("{}\n");
});

test("registered for oneself and for two projects it is taken out of each, and the file is named once", async () => {
  await Bun.write(state, "{}");
  await registerMcp(wanted("user"));
  await registerMcp(wanted("project"));
  await registerMcp({ ...wanted("project"), cwd: "/code/till" });
  const { mcpServers, projects } = JSON.parse(await readFile(state, "utf8"));
  expect([mcpServers, projects["/code/shop"], projects["/code/till"]].map(Object.keys)).toEqual([
    ...[["memoir"], ["mcpServers"], ["mcpServers"]],
  ]);
  const places = JSON.parse(await readFile(mcpPlacesPath(join(root, "home")), "utf8"));
  expect(places).toHaveLength(3);
  expect(await unregisterMcp(join(root, "home"), true)).toEqual([state]);
  expect(await unregisterMcp(join(root, "home"))).toEqual([state]);
  expect(await readFile(state, "utf8")).toBe("{}");
  expect(await unregisterMcp(join(root, "home"))).toEqual([]);
});

test("what the first of several places had to make goes too, also where it was registered anew, and a made file with it", async () => {
  await registerMcp(wanted("project"));
  await registerMcp({ ...wanted("project"), cwd: "/code/till" });
  const moved = mcpEntry("/y/bin/memoir", undefined);
  await registerMcp({ ...wanted("project"), entry: moved });
  await registerMcp({ ...wanted("project"), entry: moved, cwd: "/code/till" });
  expect(await unregisterMcp(join(root, "home"))).toEqual([state]);
  expect(existsSync(state)).toBe(false);
});

test("a file that install made stays once the client wrote into it", async () => {
  await registerMcp(wanted());
  const json = JSON.parse(await readFile(state, "utf8"));
  await Bun.write(state, JSON.stringify({ ...json, userID: "u" }));
  await unregisterMcp(join(root, "home"));
  expect(JSON.parse(await readFile(state, "utf8"))).toEqual({ userID: "u" });
});

test("a state that cannot be read is named, with what puts it in order", async () => {
  await Bun.write(state, "[]");
  await expect(registerMcp(wanted())).rejects.toMatchObject({
    message: `${state} does not have the form that is known.`,
    fix: expect.stringContaining("Start the client once"),
  });
  await Bun.write(state, " \n");
  expect(await registerMcp(wanted())).toBe(state);
});

test("in two states of the client it is known for each, and taken out of both", async () => {
  const elsewhere = join(root, "other");
  await mkdir(elsewhere);
  const second = { ...wanted(), env: { HOME: root, CLAUDE_CONFIG_DIR: elsewhere } };
  const first = await registerMcp(wanted());
  const other = await registerMcp(second);
  expect(first).not.toBe(other);
  expect(new Set(await unregisterMcp(wanted().home))).toEqual(new Set([first, other] as string[]));
  expect([existsSync(first ?? ""), existsSync(other ?? "")]).toEqual([false, false]);
});
