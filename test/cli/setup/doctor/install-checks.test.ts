// Whether memoir is installed, as the doctor sees it: the binary, and the hooks in the settings that count here.
import { expect, test } from "bun:test";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkBinary, checkHooks } from "../../../../src/cli/setup/doctor/install-checks.ts";
import { setupOf, wantedRegistration } from "../../../../src/cli/setup/setup.ts";
import { version } from "../../../../src/home/version.ts";
import { writeLedger } from "../../../../src/install/ledger.ts";
import { withHooks } from "../../../../src/install/settings-text.ts";
import { inFolder } from "../../../support/in-folder.ts";
import { plainTerminal } from "../../../support/plain-terminal.ts";

/** A home with a binary that says it is of `says`, and what the doctor says about it. */
function withHome(
  work: (room: {
    binary(says: string, mode?: number): Promise<void>;
    /** Writes settings of a scope, with our hooks but those left out, and `more`. */
    settings(scope: "user" | "project", leftOut?: string[], more?: object): Promise<string>;
    said(what: typeof checkHooks): Promise<string[]>;
    home: string;
    path: string;
  }) => Promise<void>,
): Promise<void> {
  return inFolder(async (folder) => {
    const home = join(folder, ".memoir");
    const cwd = join(folder, "shop");
    const terminal = plainTerminal({ cwd, env: { HOME: folder } });
    const setup = setupOf(terminal);
    const put = async (path: string, text: string) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      return path;
    };
    await work({
      home,
      path: setup.binary,
      async binary(says, mode = 0o755) {
        await put(setup.binary, `#!/bin/sh\necho '{"version":"${says}"}'\n`);
        await chmod(setup.binary, mode);
      },
      async settings(scope, leftOut = [], more = {}) {
        const path = join(scope === "user" ? folder : cwd, ".claude", "settings.json");
        const { wanted } = await wantedRegistration(setup, terminal);
        const kept = new Map([...wanted].filter(([event]) => !leftOut.includes(event)));
        return put(path, withHooks(JSON.stringify(more), kept, path));
      },
      async said(what) {
        return (await what(setup, terminal)).map(({ state, message }) => `${state} ${message}`);
      },
    });
  });
}

test("the binary: there and of this version, of another, not to be run, or missing", () =>
  withHome(async ({ binary, said, path }) => {
    const missing = [`fail ${path} is missing or cannot be run`];
    expect(await said(checkBinary)).toEqual(missing);
    await binary(version);
    expect(await said(checkBinary)).toEqual([`ok ${path} (memoir ${version})`]);
    await binary("0.0.1");
    expect(await said(checkBinary)).toEqual([
      `warn ${path} is memoir 0.0.1, this is memoir ${version}`,
    ]);
  }));

test("hooks that are all there, once, and call a binary that is there, are well", () =>
  withHome(async ({ binary, settings, said }) => {
    await binary(version);
    const path = await settings("user");
    const [only = "", ...others] = await said(checkHooks);
    expect(others).toEqual([]);
    expect(only).toMatch(/^ok \d+ events in /);
    expect(only).toEndWith(path);
  }));

test("in the user's own folder the same settings are not taken for two", () =>
  withHome(async ({ binary, settings, said }) => {
    await binary(version);
    await settings("user");
    const [only = "", ...others] = await said((setup, terminal) =>
      checkHooks(setup, { ...terminal, cwd: terminal.env.HOME ?? "" }),
    );
    expect(others).toEqual([]);
    expect(only).toMatch(/^ok \d+ events in /);
  }));

test("hooks that are nowhere, or for another folder alone", () =>
  withHome(async ({ said, home }) => {
    expect(await said(checkHooks)).toEqual(["fail Claude Code is not told to run memoir"]);
    await mkdir(home, { recursive: true });
    const before = { state: "absent", folder: true } as const;
    const entry = { scope: "project", settings: "/w/blog/.claude/settings.json" } as const;
    await writeLedger(home, [{ ...entry, before, written: "x" }]);
    expect(await said(checkHooks)).toEqual([
      "warn registered in /w/blog/.claude/settings.json, and not for this folder",
    ]);
  }));

test("an event that is missing is named", () =>
  withHome(async ({ binary, settings, said }) => {
    await binary(version);
    await settings("user", ["Stop", "PostToolUse"]);
    const [only = ""] = await said(checkHooks);
    expect(only).toStartWith("fail not the events that plugins need: missing ");
    expect(only.match(/\b(?:Stop|PostToolUse)\b/g)?.sort()).toEqual(["PostToolUse", "Stop"]);
  }));

test("hooks in two settings that both count run twice", () =>
  withHome(async ({ binary, settings, said }) => {
    await binary(version);
    const [user, project] = [await settings("user"), await settings("project")];
    const [only = ""] = await said(checkHooks);
    expect(only).toMatch(/^fail \w+ is registered more than once, in /);
    expect([only.includes(user), only.includes(project)]).toEqual([true, true]);
  }));

test("hooks that call a binary that is gone, and a switch that turns all hooks off", () =>
  withHome(async ({ settings, said, path }) => {
    const file = await settings("user", [], { disableAllHooks: true });
    expect(await said(checkHooks)).toEqual([
      `fail Claude Code runs no hook at all: ${file} says "disableAllHooks": true`,
      `fail hooks call ${path}, which is not there to be run`,
    ]);
  }));
