// install and uninstall over what is there already: a server at work, other ways in, settings that changed meanwhile.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { InstallOptions } from "../../../src/cli/setup/claude-code.ts";
import { install } from "../../../src/cli/setup/install.ts";
import { uninstall } from "../../../src/cli/setup/uninstall.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { version } from "../../../src/home/version.ts";
import { leadThrough } from "../../../src/install/gateway-settings.ts";
import { setConfigValue } from "../../../src/runtime/config/config.ts";
import { acquireLock } from "../../../src/server/life/lock.ts";
import { cannedServer } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { type PlainTerminal, plainTerminal } from "../../support/plain-terminal.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
let env: Record<string, string>;
let claude: string;
let settings: string;
let binary: string;
beforeEach(async () => {
  place = await ownHome();
  claude = join(place.root, "claude");
  settings = join(claude, "settings.json");
  binary = join(place.root, "download");
  env = {
    ...{ HOME: place.root, MEMOIR_HOME: place.home, CLAUDE_CONFIG_DIR: claude },
    PATH: "/usr/bin:/bin",
  };
  await writeFile(binary, program("first"), { mode: 0o755 });
});
afterEach(() => place.end());

const program = (comment: string) =>
  `#!/bin/sh\n# ${comment}\n[ "$1" = version ] && echo '{"version":"${version}"}' || echo "memoir 9 started (pid 1)."\n`;

async function doInstall(
  options: Partial<InstallOptions> = {},
  more: Partial<Terminal> = {},
): Promise<PlainTerminal> {
  const terminal = plainTerminal({ env, cwd: place.root, ...more });
  expect(await install([], { scope: "user", binary, ...options }, terminal)).toBe(0);
  return terminal;
}
async function doUninstall(options: object = { yes: true }, more: Partial<Terminal> = {}) {
  const terminal = plainTerminal({ env, cwd: place.root, ...more });
  expect(await uninstall([], options, terminal)).toBe(0);
  return terminal.out.join("\n");
}
const json = async (path: string) => JSON.parse(await readFile(path, "utf8"));

/** A server of this home that goes when it is asked to; what was there then. */
async function serving(seen: () => unknown = () => undefined) {
  const lock = await acquireLock(memoirPaths(place.home).serverLock);
  const asked: unknown[] = [];
  const server = await cannedServer(place.home, {
    "/api/stop": () => {
      asked.push(seen());
      lock?.release();
      return {};
    },
  });
  return {
    asked,
    async end() {
      lock?.release();
      await server.stop();
    },
  };
}

test("a person is asked whether to go on where something changes, and not where all is there", async () => {
  const asked: string[] = [];
  const person = {
    interactive: true,
    ask: async () => "",
    async confirm(question: string) {
      asked.push(question);
      return true;
    },
  };
  await doInstall({}, person);
  expect(asked).toEqual(["Continue?"]);
  const again = await doInstall({}, person);
  expect([asked.length, again.err]).toEqual([1, []]);
  expect(again.out.join("\n")).toContain("were there already");
});

test("where nobody is there, no model is offered to anybody, and nothing went wrong", async () => {
  const { out, err } = await doInstall();
  expect(err).toEqual([]);
  expect(out.join("\n")).not.toContain("May memoir ask a model?");
});

test("a server at work is stopped for another program, and left alone by the same one", async () => {
  await doInstall();
  const first = await serving();
  const same = await doInstall();
  expect([first.asked.length, same.out]).toEqual([
    0,
    expect.arrayContaining(["✓ server: started (pid 1)"]),
  ]);
  await writeFile(binary, program("second"), { mode: 0o755 });
  const other = await doInstall();
  await first.end();
  expect(first.asked).toHaveLength(1);
  expect(other.out).toContain("✓ server: restarted (pid 1)");
});

test("what the client's plugin brings goes out of the settings: hooks, tools and skill", async () => {
  await doInstall();
  const skill = join(claude, "skills/memoir/SKILL.md");
  const tools = async () => (await json(join(claude, ".claude.json"))).mcpServers?.memoir;
  expect([existsSync(skill), (await tools()) !== undefined]).toEqual([true, true]);
  const plugin = { enabledPlugins: { "memoir@memoir": true } };
  await writeFile(settings, JSON.stringify({ ...(await json(settings)), ...plugin }));
  await doInstall();
  expect(existsSync(skill)).toBe(false);
  expect(await tools().catch(() => undefined)).toBeUndefined();
  expect(await json(settings)).toEqual(plugin);
});

test.each<[string, () => Partial<Terminal>, string]>([
  ["in the PATH", () => ({ env: { ...env, PATH: `/bin:${place.home}/bin` } }), "memoir status"],
  ["in the user's folder", () => ({}), "~/home/bin/memoir status"],
  [
    "in the PATH of Windows",
    () => ({ platform: "win32", env: { ...env, PATH: `/bin;${place.home}/bin` } }),
    "memoir status",
  ],
  [
    "below a name with blanks",
    () => ({ env: { ...env, MEMOIR_HOME: join(place.root, "my home") } }),
    '"ROOT/my home/bin/memoir" status',
  ],
  [
    "elsewhere",
    () => ({ env: { ...env, HOME: join(place.root, "ada") } }),
    '"ROOT/home/bin/memoir" status',
  ],
])("%s the program is called by what a shell finds it by", async (_, where, command) => {
  const { out } = await doInstall({}, where());
  const text = out.join("\n").replaceAll(place.root, "ROOT");
  expect(text).toContain(`See its status       ${command}\n`);
  expect(text.includes("into your PATH")).toBe(!command.startsWith("memoir"));
});

test("the program is gone before the server is asked to stop: a session that is open would start it again", async () => {
  await doInstall();
  const installed = join(place.home, "bin/memoir");
  const server = await serving(() => existsSync(installed));
  const out = await doUninstall();
  await server.end();
  expect(server.asked).toEqual([false]);
  expect(out).toContain("✓ server: stopped");
});

test("settings that lost memoir's hooks meanwhile are named, and known no more", async () => {
  await doInstall();
  const ledger = join(place.home, "install.json");
  expect(existsSync(ledger)).toBe(true);
  await writeFile(settings, "{}");
  expect(await doUninstall()).toContain(`✓ ${settings}: nothing of memoir in it`);
  expect([existsSync(ledger), await readFile(settings, "utf8")]).toEqual([false, "{}"]);
});

test("hooks go out of the user's settings also where nobody knows any more who wrote them", async () => {
  await doInstall();
  await rm(join(place.home, "install.json"));
  expect(await doUninstall()).toContain(`✓ ${settings}: memoir removed`);
  expect((await json(settings)).hooks).toBeUndefined();
});

test("the client is led past the gateway again before its settings are given back", async () => {
  await mkdir(claude);
  await writeFile(settings, '{ "mine": 1 }\n');
  await doInstall();
  await setConfigValue(place.home, ["endless", "gateway", "enabled"], true);
  await leadThrough(place.home, settings, "http://127.0.0.1:1", false);
  expect((await json(settings)).env.ANTHROPIC_BASE_URL).toBe("http://127.0.0.1:1");
  const out = await doUninstall();
  expect(out).toContain(`✓ ${settings}: no longer uses memoir's gateway`);
  expect(await readFile(settings, "utf8")).toBe('{ "mine": 1 }\n');
  expect(await json(join(place.home, "config.json")), "and it is off for the next install").toEqual(
    {},
  );
});

test("that memory goes wants a yes: Enter is a no, and JSON asks nobody", async () => {
  await doInstall();
  const asked: unknown[] = [];
  const confirm: Terminal["confirm"] = async (question, onEnter = true) => {
    asked.push([question.slice(0, 17), onEnter]);
    return onEnter;
  };
  const person = { interactive: true, confirm };
  const asJson = uninstall([], { json: true }, plainTerminal({ env, cwd: place.root, ...person }));
  await expect(asJson).rejects.toMatchObject({ code: "usage" });
  await writeFile(join(place.home, "memory.db"), "memory");
  await doUninstall({}, person);
  expect(asked).toEqual([
    ["Uninstall memoir?", true],
    ["Delete the memory", false],
  ]);
  expect(existsSync(join(place.home, "memory.db"))).toBe(true);
});
