// A payload may name any path: only transcripts are read.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trustedAgentFile, trustedTranscript } from "../../../src/runtime/context/read-contexts.ts";

let root = "";
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "memoir-trust-")));
  for (const folder of ["projects/p/s1/subagents", "other", "projects-evil"])
    await mkdir(join(root, folder), { recursive: true });
  for (const name of [
    "projects/p/s1.jsonl",
    "projects/p/s1/subagents/agent-a.jsonl",
    "other/s1.jsonl",
    "other/diary.jsonl",
    "other/s1.txt",
    "projects-evil/x.jsonl",
  ])
    await writeFile(join(root, name), "{}\n");
  await symlink(join(root, "other/diary.jsonl"), join(root, "projects/p/link.jsonl"));
  await symlink(join(root, "other/s1.txt"), join(root, "projects/p/text.jsonl"));
  await symlink(join(root, "projects/p/s1.jsonl"), join(root, "other/into.jsonl"));
  await symlink(
    join(root, "other/diary.jsonl"),
    join(root, "projects/p/s1/subagents/agent-b.jsonl"),
  );
  await symlink(join(root, "nowhere"), join(root, "projects/p/broken.jsonl"));
  await symlink(join(root, "projects"), join(root, "linked-projects"));
  await mkdir(join(root, "projects/p/folder.jsonl"));
  Bun.spawnSync(["mkfifo", join(root, "projects/p/pipe.jsonl")]);
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe("trustedTranscript", () => {
  const cases: Array<[string, string, boolean]> = [
    ["a session's file", "projects/p/s1.jsonl", true],
    ["another session's file below the folder", "projects/p/s1/subagents/agent-a.jsonl", true],
    ["a file elsewhere with the session's name", "other/s1.jsonl", true],
    ["a link that leads into the folder", "other/into.jsonl", true],
    ["a file elsewhere", "other/diary.jsonl", false],
    ["a folder whose name begins the same", "projects-evil/x.jsonl", false],
    ["a link that leads out of the folder", "projects/p/link.jsonl", false],
    ["a link to a file of another kind", "projects/p/text.jsonl", false],
    ["a path with dots", "projects/../other/diary.jsonl", false],
    ["another ending", "other/s1.txt", false],
    ["a broken link", "projects/p/broken.jsonl", false],
    ["a missing file", "projects/p/none.jsonl", false],
    ["a folder", "projects/p/folder.jsonl", false],
    ["a pipe", "projects/p/pipe.jsonl", false],
  ];
  test.each(cases)("%s", async (_, name, trusted) => {
    for (const folder of ["projects", "linked-projects"]) {
      const found = await trustedTranscript(`${root}/${name}`, "s1", [join(root, folder)]);
      expect(found !== undefined).toBe(trusted);
    }
  });

  test("gives the path without links, and its size", async () => {
    expect(
      await trustedTranscript(join(root, "other/into.jsonl"), "x", [join(root, "projects")]),
    ).toEqual({ path: join(root, "projects/p/s1.jsonl"), bytes: 3 });
    expect(await trustedTranscript("projects/p/s1.jsonl", "s1", [root])).toBeUndefined();
    expect(await trustedTranscript("/dev/zero", "s1", ["/dev"])).toBeUndefined();
  });
});

test("a subagent's file lies in its session's folder, and no link leads out of it", async () => {
  const session = join(root, "projects/p/s1.jsonl");
  const folder = join(root, "projects/p/s1/subagents");
  expect((await trustedAgentFile(join(folder, "agent-a.jsonl"), session))?.bytes).toBe(3);
  expect(await trustedAgentFile(join(folder, "agent-b.jsonl"), session)).toBeUndefined();
  expect(await trustedAgentFile(join(root, "other/s1.jsonl"), session)).toBeUndefined();
});
