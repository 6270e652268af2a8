// The plugin's script that has npm fetch a missing binary: once, in the background, with one line, and only by a chosen name.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchScript, pluginStartCommand } from "../../src/release/write-hooks.ts";
import { outcomeOf } from "../support/outcome-of.ts";

let root: string;
let data: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir fetch "));
  data = join(root, "data");
  await mkdir(join(root, "plugin"), { recursive: true });
  await mkdir(join(root, "bin"));
  await writeFile(join(root, "plugin/fetch.sh"), await fetchScript("@scope/memory", "1.2.3"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** An npx that notes what it was asked for, takes its time, and installs. */
const npx = (seconds: number, code = 0) =>
  writeFile(
    join(root, "bin/npx"),
    `#!/bin/sh\necho "$@" >>"$HOME/asked"\nsleep ${seconds}\nexit ${code}\n`,
    { mode: 0o755 },
  );
const asked = () =>
  Bun.file(join(root, "asked"))
    .text()
    .catch(() => "");

async function start(): Promise<string> {
  const path = existsSync(join(root, "bin/npx"))
    ? `${root}/bin:/usr/bin:/bin`
    : `${root}/bin:${root}/tools`;
  const child = Bun.spawn(["/bin/sh", "-c", pluginStartCommand], {
    env: {
      HOME: root,
      PATH: path,
      CLAUDE_PLUGIN_ROOT: join(root, "plugin"),
      CLAUDE_PLUGIN_DATA: data,
    },
    stdin: new Blob(["{}"]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const { code, out, err } = await outcomeOf(child);
  expect([code, err]).toEqual([0, ""]);
  return out === "" ? "" : JSON.parse(out).systemMessage;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000 && !isSo(); tries++) await Bun.sleep(20);
  expect(isSo()).toBe(true);
}

test("the first session has it fetched in the background, others meanwhile and later do not", async () => {
  await npx(3);
  expect(await start()).toContain("fetched with npm (@scope/memory@1.2.3) in the background");
  expect(existsSync(join(data, "fetched"))).toBe(false);
  expect(await start()).toBe("");
  await until(() => existsSync(join(data, "fetched")) && !existsSync(join(data, "fetching")));
  expect(await asked()).toBe("-y @scope/memory@1.2.3 install --yes\n");
  expect(await start()).toBe("");
  expect(await asked()).toBe("-y @scope/memory@1.2.3 install --yes\n");
});

test("what failed is tried again at the next start", async () => {
  await npx(0, 1);
  expect(await start()).toContain("in the background");
  await until(() => existsSync(join(root, "asked")) && !existsSync(join(data, "fetching")));
  expect(await start()).toContain("in the background");
});

test("who removed the binary is left alone", async () => {
  await npx(0);
  await mkdir(join(root, ".memoir"));
  expect(await start()).toBe("");
  expect(existsSync(data)).toBe(false);
});

test("without npm it says so once", async () => {
  await mkdir(join(root, "tools"));
  for (const name of ["sh", "mkdir", "id", "find"])
    await writeFile(join(root, "tools", name), `#!/bin/sh\nexec ${Bun.which(name)} "$@"\n`, {
      mode: 0o755,
    });
  expect(await start()).toContain("npm is not there to fetch it");
  expect(await start()).toBe("");
});

test("without a name that somebody chose, nothing is fetched", async () => {
  await npx(0);
  await writeFile(join(root, "plugin/fetch.sh"), await fetchScript("", "1.2.3"));
  expect(await start()).toBe("");
  expect(await asked()).toBe("");
});
