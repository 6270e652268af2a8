// What install and its like share: where memoir lives, what the client is to be told, and which program is installed.
import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sourceBinary } from "../../../src/cli/setup/installed-binary.ts";
import { setupOf, wantedRegistration } from "../../../src/cli/setup/setup.ts";
import { claudeCodeEvents } from "../../../src/clients/normal/payload.ts";
import { inFolder } from "../../support/in-folder.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

const at = (env: Record<string, string>, more: object = {}) =>
  setupOf(plainTerminal({ env, cwd: "/work", platform: "linux", ...more }));

test.each<[string, Record<string, string>, string]>([
  ["the usual place", { HOME: "/home/ada" }, "/home/ada/.memoir"],
  ["one of its own", { HOME: "/home/ada", MEMOIR_HOME: "/srv/m" }, "/srv/m"],
  ["one without a user", { MEMOIR_HOME: "/srv/m" }, "/srv/m"],
  ["one below the user", { HOME: "/home/ada", MEMOIR_HOME: "m" }, "/home/ada/m"],
])("%s: the home, its binary and its hook's command", (_, env, home) => {
  const { paths, binary, hook } = at(env);
  expect([paths.home, binary]).toEqual([home, `${home}/bin/memoir`]);
  const command = String(hook);
  expect(command).toContain(binary);
  const isUsual = home.endsWith("/.memoir");
  expect(command.includes("--home") || command.includes("MEMOIR_HOME")).toBe(!isUsual);
});

test("on Windows the home is the profile's, and the hook a program with its arguments", () => {
  const env = { USERPROFILE: "C:\\Users\\ada", HOME: "H:\\" };
  const { paths, hook } = at(env, { platform: "win32" });
  expect(paths.home).toBe("C:\\Users\\ada/.memoir");
  expect(hook).toEqual({
    command: "C:\\Users\\ada\\.memoir\\bin\\memoir.exe",
    args: ["hook", "claude-code"],
  });
});

test("an environment that says nothing is wrong usage", () => {
  expect(() => at({})).toThrow("Neither MEMOIR_HOME nor HOME is set.");
  expect(() => at({ HOME: "", MEMOIR_HOME: "" })).toThrow("Neither");
});

test("the client is told of events that plugins need and it has; of none where its own plugin tells it", () =>
  inFolder(async (root) => {
    const home = join(root, "home");
    const env = { HOME: root, MEMOIR_HOME: home, CLAUDE_CONFIG_DIR: join(root, "claude") };
    await mkdir(join(home, "plugins"), { recursive: true });
    await writeFile(
      join(home, "plugins/hears.ts"),
      `export default { name: "hears", description: "d", sdk: 1, hooks: { event() {}, UserPromptSubmit() {} } };\n`,
    );
    await writeFile(join(home, "config.json"), '{"listeners":["./plugins/hears.ts"]}');
    const terminal = plainTerminal({ env, cwd: root });
    const setup = setupOf(terminal);
    const { wanted, viaPlugin } = await wantedRegistration(setup, terminal);
    expect(viaPlugin).toBeUndefined();
    const offered: readonly string[] = claudeCodeEvents;
    expect([...wanted.keys()].filter((event) => !offered.includes(event))).toEqual([]);
    expect([...wanted.keys()]).toEqual(expect.arrayContaining(["SessionStart", "PostToolUse"]));
    await mkdir(join(root, "claude"));
    const own = { enabledPlugins: { "memoir@memoir": true } };
    await writeFile(join(root, "claude/settings.json"), JSON.stringify(own));
    const through = await wantedRegistration(setup, terminal);
    expect([through.wanted.size, through.viaPlugin?.plugin]).toEqual([0, "memoir@memoir"]);
  }));

test("the program to install is the file that was named; a folder, nothing and the source are none", () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, "memoir"), "");
    await mkdir(join(folder, "sub"));
    expect(await sourceBinary("memoir", folder)).toBe(join(folder, "memoir"));
    expect(await sourceBinary(join(folder, "memoir"), "/")).toBe(join(folder, "memoir"));
    const why = (chosen?: string) =>
      sourceBinary(chosen, folder).then(
        () => "",
        ({ code, message }) => `${code}: ${message}`,
      );
    expect(await why("sub")).toBe(`binary_missing: There is no file ${folder}/sub.`);
    expect(await why("none")).toBe(`binary_missing: There is no file ${folder}/none.`);
    expect(await why()).toStartWith("binary_missing: memoir runs from source");
  }));
