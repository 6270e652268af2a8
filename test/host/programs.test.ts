// Other programs on each system: how they are started, ended and named, with nothing read by a shell.
import { describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  browserCommand,
  cmdCommand,
  commandOf,
  editorOf,
  endCommand,
  endProgram,
  findProgram,
  startProgram,
} from "../../src/host/programs.ts";
import { inFolder } from "../support/in-folder.ts";

const address = "http://127.0.0.1:20100/#code";

test.each([
  ["linux", "xdg-open", [address]],
  ["freebsd", "xdg-open", [address]],
  ["darwin", "open", [address]],
  ["win32", "rundll32", ["url.dll,FileProtocolHandler", address]],
])("the browser on %s", (platform, command, args) => {
  expect(browserCommand(platform, address)).toEqual([command, args]);
});

describe("the editor", () => {
  test.each<[string, Record<string, string>, string[]]>([
    ["linux", {}, ["vi"]],
    ["darwin", { EDITOR: "", VISUAL: "" }, ["vi"]],
    ["win32", {}, ["notepad"]],
    ["linux", { EDITOR: "nano", VISUAL: "code --wait" }, ["code", "--wait"]],
    ["linux", { EDITOR: "'/opt/my ed/ed' -c \"set tw=72\"" }, ["/opt/my ed/ed", "-c", "set tw=72"]],
    ["darwin", { EDITOR: "/Applications/My\\ Ed.app/ed -w" }, ["/Applications/My Ed.app/ed", "-w"]],
    ["linux", { EDITOR: "sed -i 's/a b/c; d/'" }, ["sed", "-i", "s/a b/c; d/"]],
    ["win32", { EDITOR: "code --wait" }, ["code", "--wait"]],
    ["win32", { EDITOR: "C:\\tools\\vim.exe" }, ["C:\\tools\\vim.exe"]],
    [
      "win32",
      { VISUAL: '"C:\\Program Files\\Notepad++\\notepad++.exe" -multiInst' },
      ["C:\\Program Files\\Notepad++\\notepad++.exe", "-multiInst"],
    ],
  ])("on %s with %p is %p", (platform, env, words) => {
    const [program, args] = commandOf(platform, editorOf(platform, env));
    expect([program, ...args]).toEqual(words);
  });

  test("that cannot be read is an error", () => {
    expect(() => commandOf("linux", "vi 'a")).toThrow();
  });
});

test.each([
  ["win32", 7, ["taskkill", ["/pid", "7", "/t", "/f"]]],
  ["win32", undefined, undefined],
  ["linux", 7, undefined],
  ["darwin", 7, undefined],
])("what ends a program on %s with the id %p: %p", (platform, pid, command) => {
  expect(endCommand(platform, pid)).toEqual(command as ReturnType<typeof endCommand>);
});

describe("a name in the PATH", () => {
  const there = new Set(["/b/claude", "/b/codex.cmd", "/a/codex.exe", "/b/x.cmd", "/b/tool"]);
  test.each<[string, string, Record<string, string>, string | undefined]>([
    ["linux", "claude", { PATH: "/a:/b" }, "/b/claude"],
    ["darwin", "claude", { PATH: "/a::/b" }, "/b/claude"],
    ["linux", "x", { PATH: "/b" }, undefined],
    ["linux", "", { PATH: "/b" }, undefined],
    ["linux", "/b/tool", {}, "/b/tool"],
    ["linux", "claude", {}, undefined],
    ["win32", "codex", { Path: "/b;/a" }, "/b/codex.cmd"],
    ["win32", "codex", { PATH: "/a;/b" }, "/a/codex.exe"],
    ["win32", "x.cmd", { PATH: "/b" }, "/b/x.cmd"],
    ["win32", "/b/x", {}, "/b/x.cmd"],
    ["win32", "claude", { PATH: "/b" }, undefined],
  ])("on %s %p with %p is %p", (platform, program, env, found) => {
    expect(findProgram(program, env, platform, (path) => there.has(path))).toBe(found);
  });
});

test("a .cmd file is run by cmd, with every word as it was", () => {
  const [, args] = cmdCommand("C:\\my npm\\claude.cmd", ["--print", '{"a":1}', "x & y", "C:\\"]);
  expect(args).toEqual([
    ...["/d", "/s", "/c"],
    `"C:\\my^ npm\\claude.cmd ^"--print^" ^"{\\^"a\\^":1}^" ^"x^ ^&^ y^" ^"C:\\\\^""`,
  ]);
});

test("a program gets its arguments as they are, and is ended at once", () =>
  inFolder(async (folder) => {
    await mkdir(join(folder, "a b"));
    const program = join(folder, "a b", "say");
    await writeFile(program, '#!/bin/sh\nprintf "%s|" "$@"\nsleep 60\n', { mode: 0o755 });
    const child = startProgram(program, ["a b", "$HOME;", "'"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const said = new Promise((resolve) => child.stdout.once("data", (data) => resolve(`${data}`)));
    expect(await said).toBe("a b|$HOME;|'|");
    endProgram(child);
    expect(await new Promise((resolve) => child.once("exit", (_, name) => resolve(name)))).toBe(
      "SIGKILL",
    );
  }));

test("a program that is not there is an error", async () => {
  const child = startProgram("no-such-program-at-all", [], { stdio: "ignore" });
  const { code } = await new Promise<NodeJS.ErrnoException>((resolve) =>
    child.once("error", resolve),
  );
  expect(code).toBe("ENOENT");
});
