// Registering on disk: settings come back byte for byte, links and modes stay, nothing is written where something is wrong.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readLedger } from "../../src/install/file-change.ts";
import {
  applyRegistration,
  applyRestoration,
  enabledAsPlugin,
  planRegistration,
  planRestoration,
  registration,
} from "../../src/install/settings.ts";
import type { MemoirError } from "../../src/sdk/errors.ts";

const wanted = registration(["SessionStart", "Stop"], '"/x/bin/memoir" hook claude-code');
let root: string;
let home: string;
let settings: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-install-"));
  home = join(root, "home");
  settings = join(root, ".claude", "settings.json");
  await mkdir(home);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const read = (path: string) => readFile(path, "utf8");
const register = async (path = settings, hooks = wanted) =>
  applyRegistration(home, "user", await planRegistration(path, hooks));
const restore = async (path = settings) => {
  const plan = await planRestoration(home, path);
  await applyRestoration(home, plan);
  return plan.how;
};

describe("registering and giving back", () => {
  const texts: Array<[string, string]> = [
    ["plain", '{\n  "model": "opus"\n}\n'],
    ["odd form", '\ufeff{ "b":1,\r\n\t"hooks":{},\r\n  // why\r\n"a":[ ]}'],
    ["empty", ""],
    ["with somebody's hooks", '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}'],
  ];
  test.each(texts)("%s settings come back byte for byte", async (_name, text) => {
    await Bun.write(settings, text);
    const backup = await register();
    expect(await read(backup ?? "")).toBe(text);
    const registered = await read(settings);
    expect(await register()).toBeUndefined();
    expect(await read(settings)).toBe(registered);
    expect(await restore()).toBe("restored");
    expect(await read(settings)).toBe(text);
    expect(await readLedger(home)).toEqual([]);
    expect(await readdir(join(home, "backups"))).toEqual([]);
  });

  test("a file that install made goes again, and so does its folder", async () => {
    await register();
    expect(await restore()).toBe("removed");
    expect(await readdir(root)).toEqual(["home"]);
  });

  test("another set of events keeps the way back to the first text", async () => {
    await Bun.write(settings, "{}");
    await register();
    await register(settings, registration(["PreToolUse"], '"/x/bin/memoir" hook claude-code'));
    expect(Object.keys(JSON.parse(await read(settings)).hooks)).toEqual(["PreToolUse"]);
    expect(await restore()).toBe("restored");
    expect(await read(settings)).toBe("{}");
  });

  test("after somebody's change only our entries go", async () => {
    await Bun.write(settings, '{\n  "model": "opus"\n}\n');
    await register();
    const changed = (await read(settings)).replace("opus", "sonnet");
    await Bun.write(settings, changed);
    expect(await restore()).toBe("cleaned");
    expect(await read(settings)).toBe('{\n  "model": "sonnet"\n}\n');
  });

  test("without a ledger our entries go too, and settings without ours stay", async () => {
    await Bun.write(settings, "{}");
    await register();
    await rm(join(home, "install.json"));
    expect(await restore()).toBe("cleaned");
    expect(await restore()).toBe("untouched");
  });

  test("a link stays a link and a mode stays a mode", async () => {
    const real = join(root, "dotfiles", "settings.json");
    await Bun.write(real, "{}");
    await chmod(real, 0o664);
    await mkdir(join(root, ".claude"));
    await symlink("../dotfiles/settings.json", settings);
    await register();
    expect((await lstat(settings)).isSymbolicLink()).toBe(true);
    expect(await read(real)).toContain("hook claude-code");
    expect((await stat(real)).mode & 0o777).toBe(0o664);
    expect(await restore()).toBe("restored");
    expect((await lstat(settings)).isSymbolicLink()).toBe(true);
    expect((await stat(real)).mode & 0o777).toBe(0o664);
  });

  test("broken settings are refused and stay as they are", async () => {
    await Bun.write(settings, '{"a":');
    await expect(register()).rejects.toThrow("line 1, column 6");
    expect(await read(settings)).toBe('{"a":');
    expect(await readLedger(home)).toEqual([]);
  });

  test("settings that are not UTF-8 are refused", async () => {
    await Bun.write(settings, new Uint8Array([0x7b, 0xff, 0x7d]));
    const refusal = await register().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "settings_unreadable" });
    expect((refusal as MemoirError).fix).toContain("UTF-8");
  });

  test("a dry run shows what would change", async () => {
    await Bun.write(settings, '{\n  "model": "opus"\n}\n');
    const { diff } = await planRegistration(settings, wanted);
    expect(diff.filter((line) => line.startsWith("-"))).toEqual(['-   "model": "opus"']);
    expect(diff).toContain('+   "hooks": {');
    expect(await read(settings)).toBe('{\n  "model": "opus"\n}\n');
  });
});

describe("the plugin", () => {
  const cases: Array<[string, unknown, unknown, string | undefined]> = [
    ["nowhere", {}, {}, undefined],
    ["in the user's settings", { "memoir@memoir": true }, {}, "user"],
    ["switched off", { "memoir@memoir": false }, {}, undefined],
    ["off for this project", { "memoir@memoir": true }, { "memoir@memoir": false }, undefined],
    ["another of a similar name", { "memoirs@x": true }, {}, undefined],
  ];
  test.each(cases)("is found: %s", async (_name, user, local, scope) => {
    const env = { CLAUDE_CONFIG_DIR: join(root, ".claude") };
    await Bun.write(settings, JSON.stringify({ enabledPlugins: user }));
    const own = join(root, "project", ".claude", "settings.local.json");
    await Bun.write(own, JSON.stringify({ enabledPlugins: local }));
    expect((await enabledAsPlugin(env, join(root, "project")))?.scope as string | undefined).toBe(
      scope,
    );
  });
});
