// What `memoir uninstall` says and reports: settings that were changed since, what never was installed, and what programs get.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { install } from "../../../src/cli/setup/install.ts";
import { version } from "../../../src/home/version.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
let env: Record<string, string>;
let settings: string;
beforeEach(async () => {
  place = await ownHome();
  const claude = join(place.root, "claude");
  env = {
    ...{ HOME: place.root, MEMOIR_HOME: place.home, CLAUDE_CONFIG_DIR: claude },
    PATH: "/usr/bin:/bin",
  };
  settings = join(claude, "settings.json");
});
afterEach(() => place.end());

async function installed() {
  const binary = join(place.root, "download");
  const script = `#!/bin/sh\n[ "$1" = version ] && echo '{"version":"${version}"}' || echo "memoir 9 started (pid 1)."\n`;
  await writeFile(binary, script, { mode: 0o755 });
  const terminal = plainTerminal({ env, cwd: place.root });
  expect(await install([], { scope: "user", binary }, terminal)).toBe(0);
}
const uninstall = (...flags: string[]) =>
  typed(["uninstall", ...flags], undefined, { env, cwd: place.root });

test("settings that somebody changed since are freed of memoir's entries, and keep the rest", async () => {
  await installed();
  const changed = { ...JSON.parse(await readFile(settings, "utf8")), mine: true };
  await writeFile(settings, JSON.stringify(changed));
  const dry = await uninstall("--dry-run");
  expect(dry.out).toContain(
    `${settings}: memoir removed; the rest was changed since the install and stays`,
  );
  expect(dry.out.at(-1)).toBe("Nothing was changed.");
  const { code, out } = await uninstall("--yes");
  expect(code).toBe(0);
  expect(out).toContain(
    `✓ ${settings}: memoir removed; the rest was changed since the install and stays`,
  );
  expect(JSON.parse(await readFile(settings, "utf8"))).toEqual({ mine: true });
});

test("settings that install made go again, those that were there come back byte for byte", async () => {
  await installed();
  expect((await uninstall("--yes")).out).toContain(`✓ ${settings}: removed: install created it`);
  expect(existsSync(settings)).toBe(false);
  await mkdir(join(place.root, "claude"), { recursive: true });
  await writeFile(settings, '{ "mine" : 1 }\n');
  await installed();
  expect((await uninstall("--yes")).out).toContain(`✓ ${settings}: restored byte for byte`);
  expect(await readFile(settings, "utf8")).toBe('{ "mine" : 1 }\n');
});

test("where nothing was installed each part says so, and the memory is not touched", async () => {
  await mkdir(place.home);
  await writeFile(join(place.home, "memory.db"), "mine");
  const { code, out } = await uninstall("--yes");
  expect([code, out]).toEqual([
    0,
    [
      "✓ settings: no hook of memoir in them",
      "✓ server: not running",
      "✓ binary: not there",
      `The memory stays in ${place.home}, with config, plugins, logs and backups; \`memoir install\` uses it again.`,
    ],
  ]);
  expect(await readFile(join(place.home, "memory.db"), "utf8")).toBe("mine");
});

test("programs that the system keeps, as Windows does those that run, are named with their size", async () => {
  await installed();
  const old = join(place.home, "bin/memoir.exe.0199.old");
  await writeFile(old, "x".repeat(2_000));
  // As root, a mode keeps nobody from removing it; where the file system knows no such mark there is nothing to see.
  if (Bun.spawnSync(["chattr", "+i", old], { stderr: "ignore" }).exitCode !== 0) return;
  try {
    const { code, out } = await uninstall("--yes");
    expect(code).toBe(0);
    expect(out).toContain(
      `✓ binary: in use; delete ${old} (2.0 kB) when no session runs it any more`,
    );
  } finally {
    Bun.spawnSync(["chattr", "-i", old]);
  }
});

test("as JSON there is what would be done, and what was done", async () => {
  await installed();
  const json = async (...flags: string[]) =>
    JSON.parse((await uninstall("--json", ...flags)).out.join(""));
  const planned = await json("--dry-run");
  expect(planned).toMatchObject({
    ...{ dryRun: true, gateway: null, gatewaySessions: 0, plugin: null, memory: place.home },
    settings: [{ path: settings, how: "removed" }],
  });
  expect(planned.mcp).toHaveLength(1);
  expect(existsSync(settings)).toBe(true);
  const { dryRun: _, ...report } = planned;
  expect(await json("--yes", "--delete-memory")).toEqual({
    ...{ ...report, memory: null, standsIn: false, stopped: false, binaryLeft: false, left: [] },
  });
  expect(existsSync(place.home)).toBe(false);
});

test("nobody is asked for JSON, nor where nobody is", async () => {
  for (const flags of [[], ["--json"], ["--delete-memory"]]) {
    const { code, out, err } = await uninstall(...flags);
    expect([code, `${out}${err}`]).toEqual([
      2,
      expect.stringContaining("Can't ask for confirmation without a terminal."),
    ]);
  }
});
