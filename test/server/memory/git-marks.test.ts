// Moments that a question names by a tag or a commit: when git is asked, what for, and what is made of its answer.
import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { askGit, gitMarks } from "../../../src/server/memory/records.ts";
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

/** What is asked of git; each answer is the number of the question as a tag. */
function asking() {
  const asked: string[][] = [];
  let time = 0;
  const marks = gitMarks(
    () => time,
    async (folder, args) => {
      asked.push([folder, ...args]);
      return `${asked.length} mark${asked.length}\n`;
    },
  );
  const wait = (ms: number) => {
    time += ms;
  };
  return { asked, marks, wait };
}

test.each(["before v1", "AFTER the last v1", "since the v1", "until v1", "till v1", "by last v1"])(
  "%j may name a time",
  async (text) => {
    const { asked, marks } = asking();
    await marks("/a", ["nothing", text]);
    expect(asked).toEqual([
      [
        ...["/a", "for-each-ref", "--count=300", "--sort=-creatordate"],
        ...["--format=%(creatordate:unix) %(refname:short)", "refs/tags"],
      ],
    ]);
  },
);

test("nothing is asked of a word that only looks like one, nor of a text too long to be a question", async () => {
  const { asked, marks } = asking();
  const long = `before v1 ${"x".repeat(400)}`;
  expect(await marks("/a", ["standby v1", "before", "", long])).toEqual([]);
  expect(asked).toEqual([]);
  await marks("/a", [`before v1 ${"x".repeat(390)}`]);
  expect(asked).toHaveLength(1);
});

test("of commits that are named three are looked up, whole hashes and nothing but", async () => {
  const { asked, marks } = asking();
  const text = "since abcdef1 before ABCDEF1 by abcdef until 1111111 since 2222222 after 3333333";
  const found = await marks("/a", [text, `by ${"f".repeat(41)} by v${"f".repeat(8)}`]);
  expect(asked.slice(1).map(([, ...args]) => args)).toEqual(
    ["abcdef1", "1111111", "2222222"].map((hash) => [
      ...["log", "-1", `--format=%ct ${hash}`, hash, "--"],
    ]),
  );
  expect(found.map(({ name, time }) => [name, time])).toEqual([
    ["mark1", 1_000],
    ["mark2", 2_000],
    ["mark3", 3_000],
    ["mark4", 4_000],
  ]);
});

test("each folder has tags of its own, kept for a minute; past thirty-two folders all are let go", async () => {
  const { asked, marks, wait } = asking();
  await marks("/0", ["before v1"]);
  wait(59_999);
  await marks("/0", ["before v1"]);
  expect(asked).toHaveLength(1);
  wait(1);
  await marks("/0", ["before v1"]);
  expect(asked).toHaveLength(2);
  for (let at = 1; at < 32; at++) await marks(`/${at}`, ["before v1"]);
  await marks("/0", ["before v1"]);
  expect(asked).toHaveLength(33);
  await marks("/32", ["before v1"]);
  await marks("/0", ["before v1"]);
  expect(asked).toHaveLength(35);
});

test("lines that are no mark are passed over", async () => {
  const lines = ["1 a", " 2 b ", "x 3 c", "4  d", "5 e f", "1234567890123 g", "6", ""];
  const marks = gitMarks(
    () => 0,
    async () => lines.join("\n"),
  );
  expect(await marks("/a", ["by now"])).toEqual([
    { name: "a", time: 1_000 },
    { name: "b", time: 2_000 },
  ]);
});

test("git takes no locks and asks nobody; what fails, or takes too much, is no answer", () =>
  inFolder(async (folder) => {
    const path = process.env.PATH;
    const script = 'echo "$GIT_OPTIONAL_LOCKS $GIT_TERMINAL_PROMPT $*"; test "$3" != fail';
    await writeFile(join(folder, "git"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    process.env.PATH = `${folder}:${path}`;
    try {
      expect(await askGit("/a", ["tag", "-l"])).toBe("0 0 -C /a tag -l\n");
      expect(await askGit("/a", ["fail"])).toBe("");
    } finally {
      process.env.PATH = path;
    }
  }));
