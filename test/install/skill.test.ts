// The skill in the client's folder: written once, brought up to date, and taken out with every folder that was made for it.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  putSkill,
  skillPath,
  skillRecordPath,
  skillState,
  skillText,
  takeSkill,
} from "../../src/install/agent-tools.ts";

let root: string;
let home: string;
let env: Record<string, string>;
let path: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-skill-"));
  home = join(root, "home");
  await mkdir(home);
  env = { HOME: root, CLAUDE_CONFIG_DIR: join(root, "claude") };
  path = skillPath(env);
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Rewrites the note so that what lies there counts as what install wrote. */
async function asIfWritten(text: string): Promise<void> {
  await writeFile(path, text);
  const record = JSON.parse(await readFile(skillRecordPath(home), "utf8"));
  record.written = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  await writeFile(skillRecordPath(home), JSON.stringify(record));
}

test("it lies where the client looks, for all to read, and a second time changes nothing", async () => {
  expect(path).toBe(join(root, "claude/skills/memoir/SKILL.md"));
  expect(await skillState(home, env)).toBe("missing");
  expect(await putSkill(home, env)).toBe(path);
  expect(await readFile(path, "utf8")).toBe(skillText);
  expect((await stat(path)).mode & 0o777).toBe(0o644);
  expect(await skillState(home, env)).toBe("current");
  expect(await putSkill(home, env)).toBeUndefined();
});

test("it goes with every folder that was made for it, and no other", async () => {
  await putSkill(home, env);
  expect(await takeSkill(home, true)).toBe(path);
  expect(existsSync(path)).toBe(true);
  expect(await takeSkill(home)).toBe(path);
  expect(existsSync(join(root, "claude"))).toBe(false);
  expect(existsSync(skillRecordPath(home))).toBe(false);
  expect(await takeSkill(home)).toBeUndefined();

  await mkdir(join(root, "claude/skills/other"), { recursive: true });
  await putSkill(home, env);
  await takeSkill(home);
  expect(existsSync(dirname(path))).toBe(false);
  expect(existsSync(join(root, "claude/skills/other"))).toBe(true);
});

test("a folder in which somebody put something stays", async () => {
  await putSkill(home, env);
  await writeFile(join(dirname(path), "notes.md"), "mine");
  expect(await takeSkill(home)).toBe(path);
  expect(await readFile(join(dirname(path), "notes.md"), "utf8")).toBe("mine");
});

test("what somebody changed, or put there, is theirs: it is neither overwritten nor taken out", async () => {
  await putSkill(home, env);
  await writeFile(path, "my own words");
  expect(await skillState(home, env)).toBe("foreign");
  expect(await putSkill(home, env)).toBeUndefined();
  expect(await takeSkill(home, true)).toBeUndefined();
  expect(await takeSkill(home)).toBeUndefined();
  expect(await readFile(path, "utf8")).toBe("my own words");

  await rm(path);
  await symlink(join(root, "elsewhere"), path);
  expect(await skillState(home, env)).toBe("foreign");
});

test("an older one of ours is brought up to date, and still knows the folders that were made", async () => {
  await putSkill(home, env);
  await asIfWritten("what an older version wrote");
  expect(await skillState(home, env)).toBe("old");
  expect(await putSkill(home, env)).toBe(path);
  expect(await readFile(path, "utf8")).toBe(skillText);
  await takeSkill(home);
  expect(existsSync(join(root, "claude"))).toBe(false);
});
