// The scripts of a release as a person runs them: help, what is wrong in one line and before anything is touched, keys.
import { expect, test } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { inFolder } from "../support/in-folder.ts";
import { outcomeOf } from "../support/outcome-of.ts";

const scripts = resolve(import.meta.dir, "../../src/release");

function run(script: string, args: string[]) {
  const env = { PATH: process.env.PATH ?? "" };
  return outcomeOf(
    Bun.spawn([process.execPath, join(scripts, script), ...args], {
      ...{ env, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    }),
  );
}

test.each([
  ["release.ts", "--secret-key <file>"],
  ["sign.ts", "sign.ts next <new .pub> <secret key>"],
  ["bump.ts", "`bun run bump <version>`"],
  ["build.ts", "[--all] [--only <target>]"],
])("%s --help says what it takes", async (script, says) => {
  const { code, out, err } = await run(script, ["--help"]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain(says);
  expect(out).not.toMatch(/^\/\/|^import/m);
});

test.each([
  ["release.ts", ["--only", "linux"], "linux is no target: linux-x64, "],
  ["release.ts", ["--verify", "--only", "linux"], "linux is no target: linux-x64, "],
  ["release.ts", ["--nonsense"], "Unknown option '--nonsense'"],
  ["sign.ts", ["list", "SHA256SUMS", "key"], "There is no secret key at key"],
  ["bump.ts", ["next"], '"next" is no version'],
])("%s %p: one line, and nothing is touched", (script, args, says) =>
  inFolder(async (folder) => {
    await writeFile(join(folder, "SHA256SUMS.minisig"), "signed");
    const given = script === "release.ts" ? [...args, "--outdir", folder] : args;
    const { code, out, err } = await run(script, given);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toStartWith("error: ");
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(err).toContain(says);
    expect(await readdir(folder)).toEqual(["SHA256SUMS.minisig"]);
  }),
);

test("a new key names its secret file, warns without a password, and is written over nothing", () =>
  inFolder(async (folder) => {
    const [open, other] = [join(folder, "open"), join(folder, "other")];
    const made = await run("sign.ts", ["key", open]);
    expect(made.out).toContain(`${open}: the SECRET key`);
    expect(made.err).toContain(`warning: ${open} has no password`);
    expect(await run("sign.ts", ["key", open])).toEqual({
      ...{ code: 1, out: "" },
      err: `error: ${open} is there already, and a key is never written over\n`,
    });
    await writeFile(`${other}.pub`, "somebody's");
    expect((await run("sign.ts", ["key", other])).err).toContain("other.pub is there already");
    expect((await readdir(folder)).sort()).toEqual(["open", "open.pub", "other.pub"]);
  }));
