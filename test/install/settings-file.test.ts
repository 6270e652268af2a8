// Reading settings files that are no files.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import {
  readSettings,
  removeSettings,
  textHash,
  writeSettings,
} from "../../src/install/file-change.ts";

let folder = "";
const at = (name: string) => join(folder, name);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-settings-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("no file is an answer", async () => {
  expect(await readSettings(at("none.json"))).toMatchObject({ text: undefined, mode: 0o600 });
});

test.if(process.platform !== "win32")(
  "pipes, devices and folders are refused, not read",
  async () => {
    expect(spawnSync("mkfifo", [at("pipe")]).status).toBe(0);
    await symlink("/dev/zero", at("zero"));
    await mkdir(at("folder"));
    for (const name of ["pipe", "zero", "folder"])
      expect(readSettings(at(name))).rejects.toMatchObject({ code: "settings_unreadable" });
  },
);

test("a new file is its owner's only, in a folder made for it", async () => {
  await writeSettings(await readSettings(at("new/settings.json")), "{}");
  expect(await readSettings(at("new/settings.json"))).toMatchObject({ text: "{}", mode: 0o600 });
});

test.each([
  ["an empty folder stays where it was there before", [], [], ["claude"]],
  ["an empty folder that was made for the file goes with it", ["claude"], [], []],
  [
    "a folder with anything else in it stays",
    ["claude"],
    ["mine.md"],
    ["claude", "claude/mine.md"],
  ],
] as const)("the file goes; %s", async (_, made, others, left) => {
  await writeSettings(await readSettings(at("claude/settings.json")), "{}");
  for (const name of others) await writeFile(at(`claude/${name}`), "");
  await removeSettings(await readSettings(at("claude/settings.json")), made.map(at));
  expect((await readdir(folder, { recursive: true })).sort()).toEqual([...left]);
});

test("what cannot be removed is named, and its folder stays", async () => {
  const path = at("settings.json");
  await mkdir(join(path, "held"), { recursive: true });
  const file = { path, target: path, text: undefined, mode: 0o600 };
  await expect(removeSettings(file, [path])).rejects.toMatchObject({
    code: "settings_unwritable",
    message: expect.stringContaining(`${path} cannot be written`),
  });
  expect(await readdir(path)).toEqual(["held"]);
});

test("a file is as it was written only to the last byte", () => {
  const hash = textHash("{}");
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  for (const other of ["{}\n", " {}", "{ }"]) expect(textHash(other)).not.toBe(hash);
});
