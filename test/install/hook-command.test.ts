// The hook's command line: quoted for the shell that runs it, recognised again, and never mistaken.
import { describe, expect, test } from "bun:test";
import {
  deafened,
  hookBinary,
  hookCommand,
  hookRun,
  isHookCommand,
} from "../../src/install/hook-command.ts";

const homes = [
  "/home/ann/.memoir/bin/memoir",
  "/home/Ann Lee/.memoir/bin/memoir",
  '/tmp/a"b/bin/memoir',
  "/tmp/$HOME/`id`/bin/memoir",
  "/tmp/back\\slash/bin/memoir",
  "/tmp/it's/bin/memoir",
  "/tmp/日本/bin/memoir",
  "/tmp/a;b&c|d(e)/bin/memoir",
];

describe("hook command", () => {
  test.each(homes)("%s survives a real shell and is recognised", async (path) => {
    const command = hookCommand({ binary: path, platform: "linux", client: "claude-code" });
    expect(hookBinary(command)).toBe(path);
    const words = command.slice(`${deafened} `.length);
    const shell = Bun.spawn(["/bin/sh", "-c", `printf '%s\\n' ${words}`], { stdout: "pipe" });
    expect(await new Response(shell.stdout).text()).toBe(`${path}\nhook\nclaude-code\n`);
  });

  test.each([
    ['"/tmp/a\\b/bin/memoir" hook claude-code', "/tmp/a\\b/bin/memoir"],
    ['"/tmp/a\\\\b/bin/memoir" hook claude-code', "/tmp/a\\b/bin/memoir"],
    ["/tmp/a\\ b/bin/memoir hook claude-code", "/tmp/a b/bin/memoir"],
    ["A=1 B='x y' /m/bin/memoir hook claude-code", "/m/bin/memoir"],
    ["'' /m/bin/memoir hook claude-code", undefined],
    ['"" /m/bin/memoir hook claude-code', undefined],
    ["/m/bin/memoir hook claude-code; rm -r x", undefined],
    ["/m/bin/memoir hook 'claude-code", undefined],
    ["/m/bin/memoir hook kilo", "/m/bin/memoir"],
    ["/m/bin/memoir hook --all", undefined],
    ["/m/bin/memoir status", undefined],
    ["/m/bin/other hook claude-code", undefined],
    ["/m/bin/memoir.exe hook claude-code", "/m/bin/memoir.exe"],
    ["", undefined],
  ])("%p runs %p, as a shell reads it", (command, binary) => {
    expect(hookBinary(command)).toBe(binary);
  });

  test("a home that is not the default one is named, quoted as well", () => {
    const command = hookCommand({
      binary: "/m/bin/memoir",
      home: "/tmp/$x y",
      platform: "linux",
      client: "claude-code",
    });
    expect(command).toBe(`${deafened} "/m/bin/memoir" hook claude-code --home "/tmp/\\$x y"`);
    expect(hookBinary(command)).toBe("/m/bin/memoir");
  });

  test.each([
    ["C:\\Users\\Ann\\.memoir\\bin\\memoir.exe", "C:/Users/Ann/.memoir/bin/memoir.exe hook codex"],
    [
      "C:\\Users\\Jürgen/.memoir/bin/memoir.exe",
      "C:/Users/Jürgen/.memoir/bin/memoir.exe hook codex",
    ],
    [
      "C:\\Users\\Ann Lee\\bin\\memoir.exe",
      `powershell -NoProfile -Command "& 'C:/Users/Ann Lee/bin/memoir.exe' 'hook' 'codex'"`,
    ],
    [
      "C:\\it's\\memoir.exe",
      `powershell -NoProfile -Command "& 'C:/it''s/memoir.exe' 'hook' 'codex'"`,
    ],
    [
      "\\\\host\\share\\memoir.exe",
      `powershell -NoProfile -Command "& '//host/share/memoir.exe' 'hook' 'codex'"`,
    ],
  ])("on Windows %s is a line for Git Bash, PowerShell and cmd alike", (binary, line) => {
    const command = hookCommand({ binary, platform: "win32", client: "codex" });
    expect(command).toBe(line);
    expect(hookBinary(command)).toBe(binary.replaceAll("\\", "/"));
  });

  test("on Windows a home of its own is named, which may be what needs quotes", () => {
    const parts = { binary: "C:\\m\\memoir.exe", platform: "win32", client: "qwen" };
    expect(hookCommand({ ...parts, home: "D:\\m" })).toBe("C:/m/memoir.exe hook qwen --home D:/m");
    expect(hookCommand({ ...parts, home: "D:\\my m" })).toBe(
      `powershell -NoProfile -Command "& 'C:/m/memoir.exe' 'hook' 'qwen' '--home' 'D:/my m'"`,
    );
  });

  test("Claude Code starts it without a shell on Windows, and elsewhere by one", () => {
    const binary = "C:\\Users\\Ann Lee/.memoir/bin/memoir.exe";
    const run = hookRun({ binary, home: "D:\\m m", platform: "win32", client: "claude-code" });
    const command = "C:\\Users\\Ann Lee\\.memoir\\bin\\memoir.exe";
    expect(run).toEqual({ command, args: ["hook", "claude-code", "--home", "D:\\m m"] });
    expect(hookBinary(run)).toBe(command);
    expect(hookBinary({ command, args: ["mcp"] })).toBeUndefined();
    for (const platform of ["linux", "darwin"]) {
      const parts = { binary: "/m/memoir", platform, client: "claude-code" };
      expect(hookRun(parts)).toBe(hookCommand(parts));
    }
  });

  test.each([
    ["memoir hook claude-code", true],
    ["MEMOIR_HOME='/tmp/x y' /opt/memoir hook claude-code", true],
    ["memoir hook droid", true],
    ["memoir hook", false],
    ["memoir hook --home /x", false],
    ["memoir search hook claude-code", false],
    ["echo memoir hook claude-code", false],
    ["memoir hook claude-code ; rm x", false],
    ["memoir hook claude-code --home x && say done", false],
    ["memoirs hook claude-code", false],
    ['"memoir hook claude-code', false],
    ["", false],
  ])("%s: ours is %p", (command, ours) => {
    expect(isHookCommand(command)).toBe(ours);
  });
});
