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
    expect(await gitMarks(folder, ["what broke before v1.2"])).toEqual([{ name: "v1.2", time }]);
    expect(await gitMarks(folder, ["x", `since ${hash}`])).toContainEqual({ name: hash, time });
    expect(await gitMarks(folder, ["since 0123456789"])).toEqual([{ name: "v1.2", time }]);
    expect(await gitMarks(`${folder}/nowhere`, ["before v1.2"])).toEqual([]);
  }));

/** What is asked of git; each answer is the number of the question as a tag. */
function asking() {
  const asked: string[][] = [];
  const marks = (folder: string, texts: string[]) =>
    gitMarks(folder, texts, async (where, args) => {
      asked.push([where, ...args]);
      return `${asked.length} mark${asked.length}\n`;
    });
  return { asked, marks };
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

test("lines that are no mark are passed over", async () => {
  const lines = ["1 a", " 2 b ", "x 3 c", "4  d", "5 e f", "1234567890123 g", "6", ""];
  expect(await gitMarks("/a", ["by now"], async () => lines.join("\n"))).toEqual([
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
