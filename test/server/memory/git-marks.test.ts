import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { gitMarks } from "../../../src/server/memory/git-marks.ts";
import { inFolder } from "../../support/in-folder.ts";

test("tags and named commits of the repository, and nobody is asked where no name can stand", () =>
  inFolder(async (folder) => {
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", folder, ...args], {
        encoding: "utf8",
        env: {
          ...process.env,
          GIT_COMMITTER_DATE: "2026-03-01T12:00:00Z",
          GIT_AUTHOR_DATE: "2026-03-01T12:00:00Z",
          GIT_CONFIG_GLOBAL: "/dev/null",
        },
      }).trim();
    git("init", "-q");
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "x");
    git("tag", "v1.2");
    const hash = git("rev-parse", "--short=8", "HEAD");
    const time = Date.UTC(2026, 2, 1, 12);
    const marks = gitMarks(() => 0);
    expect(await marks(folder, ["what broke before v1.2"])).toEqual([{ name: "v1.2", time }]);
    expect(await marks(folder, ["x", `since ${hash}`])).toContainEqual({ name: hash, time });
    expect(await marks(folder, ["since 0123456789"])).toEqual([{ name: "v1.2", time }]);
    expect(await marks(`${folder}/nowhere`, ["before v1.2"])).toEqual([]);
  }));

test("tags are kept for a while, and never asked for without need", async () => {
  let [time, asked] = [0, 0];
  const marks = gitMarks(
    () => time,
    async () => {
      asked++;
      return "1763000000 v1\nnonsense\n";
    },
  );
  await marks("/a", ["refresh token"]);
  expect(asked).toBe(0);
  expect(await marks("/a", ["until the release"])).toEqual([
    { name: "v1", time: 1_763_000_000_000 },
  ]);
  await marks("/a", ["before v1"]);
  expect(asked).toBe(1);
  time = 100_000;
  await marks("/a", ["before v1"]);
  expect(asked).toBe(2);
});
