// The npm packages, by npm itself from a registry on loopback: the launcher runs the binary that fits, as it was called.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHere } from "../../src/release/check.ts";
import {
  launcherName,
  launcherPackage,
  packageFile,
  platformName,
  platformPackage,
} from "../../src/release/package-managers.ts";
import { targets } from "../../src/release/targets.ts";
import { type Registry, startRegistry } from "../support/npm-registry.ts";
import { outcomeOf } from "../support/outcome-of.ts";

const common = {
  version: "1.2.3",
  seconds: 1_000,
  texts: [{ path: "NOTICE", content: "words" }],
};
/** Says how it was run, and ends as it is told to. */
const program = `#!/bin/sh
echo "$MEMOIR_COMMAND|$*|$(cat)"
[ "$1" = die ] && kill -TERM $$
exit \${2:-0}
`;
const here = targets.find(isHere);
let root: string;
let registry: Registry;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-npm-"));
  const packages = targets.map((target) => [
    packageFile(platformName(target), common.version),
    platformPackage(target, Buffer.from(program), common),
  ]);
  packages.push([packageFile(launcherName, common.version), launcherPackage(targets, common)]);
  for (const [file, content] of packages)
    await writeFile(join(root, `${file}`), content as Uint8Array);
  registry = await startRegistry(packages.map(([file]) => join(root, `${file}`)));
});
afterAll(async () => {
  await registry.stop();
  await rm(root, { recursive: true, force: true });
});

async function npm(command: string[], cwd: string) {
  const child = Bun.spawn(command, {
    cwd,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: join(root, "home"),
      npm_config_registry: registry.url,
      npm_config_cache: join(root, "cache"),
      npm_config_update_notifier: "false",
      npm_config_audit: "false",
    },
    stdin: new Blob(["piped"]),
    stdout: "pipe",
    stderr: "pipe",
  });
  return outcomeOf(child);
}

test("each package says for whom it is, and none has an install script", async () => {
  const { asked } = registry;
  const named = await Promise.all(
    [
      launcherName,
      platformName({ name: "linux-x64-musl" }),
      platformName({ name: "windows-arm64" }),
    ].map(async (name) => {
      const { versions } = (await (await fetch(registry.url + name)).json()) as {
        versions: Record<string, Record<string, unknown>>;
      };
      return versions[common.version] ?? {};
    }),
  );
  const [launcher, musl, windows] = named;
  expect(launcher?.optionalDependencies).toEqual(
    Object.fromEntries(targets.map((target) => [platformName(target), common.version])),
  );
  expect([musl?.os, musl?.cpu, musl?.libc]).toEqual([["linux"], ["x64"], ["musl"]]);
  expect([windows?.os, windows?.cpu, windows?.libc]).toEqual([["win32"], ["arm64"], undefined]);
  for (const one of named) expect(one).not.toHaveProperty("scripts");
  asked.length = 0;
});

test("a scoped name has scoped parts", () => {
  expect(platformName({ name: "linux-x64" }, "@scope/memory")).toBe("@scope/memory-linux-x64");
  expect(packageFile("@scope/memory-linux-x64", "1.0.0")).toBe("scope-memory-linux-x64-1.0.0.tgz");
});

describe.skipIf(!here || process.platform === "win32" || !Bun.which("npx"))("by npm", () => {
  test("npx runs the binary of this system, and fetches no other", async () => {
    await mkdir(join(root, "npx"));
    const { out, code, err } = await npm(
      ["npx", "-y", launcherName, "demo", "3"],
      join(root, "npx"),
    );
    expect([code, out, err]).toEqual([3, `npx ${launcherName}|demo 3|piped\n`, ""]);
    const tarballs = registry.asked.filter((one) => one.endsWith(".tgz"));
    expect(tarballs.sort()).toEqual(
      [
        packageFile(launcherName, "1.2.3"),
        packageFile(platformName(here as never), "1.2.3"),
      ].sort(),
    );
  }, 180_000);

  test("an installed one is called memoir, and a signal is a status", async () => {
    const folder = join(root, "installed");
    await mkdir(folder);
    expect((await npm(["npm", "install", launcherName], folder)).code).toBe(0);
    const bin = join(folder, "node_modules/.bin/memoir");
    expect(await npm([bin, "search", "0"], folder)).toMatchObject({
      code: 0,
      out: "memoir|search 0|piped\n",
    });
    expect((await npm([bin, "die"], folder)).code).toBe(143);
    const own = join(folder, "node_modules", launcherName);
    expect((await readdir(own)).sort()).toEqual(["NOTICE", "memoir.cjs", "package.json"]);
    expect(await readFile(join(own, "NOTICE"), "utf8")).toBe("words");
  }, 180_000);

  test("without the part that has the binary it says what to do", async () => {
    const folder = join(root, "omitted");
    await mkdir(folder);
    await npm(["npm", "install", "--omit=optional", launcherName], folder);
    const { code, err } = await npm([join(folder, "node_modules/.bin/memoir"), "demo"], folder);
    expect(code).toBe(1);
    expect(err).toContain(`npm install ${platformName(here as never)}@1.2.3`);
  }, 180_000);
});

test("memoir names the command that was typed in what to do", async () => {
  const main = join(import.meta.dir, "../../src/cli/main.ts");
  const run = (command: string) => {
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: join(root, "no-home"),
      ...(command && { MEMOIR_COMMAND: command }),
    };
    return Bun.spawnSync([process.execPath, main, "upgrade", "--back"], {
      env,
      stderr: "pipe",
    }).stderr.toString();
  };
  expect(run("npx @scope/memory")).toContain("Run `npx @scope/memory install` with");
  expect(run("")).toContain("Run `memoir install` with");
});
