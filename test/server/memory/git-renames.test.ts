// Former names of a file, asked of a real repository.
import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gitRenames } from "../../../src/server/memory/records.ts";
import { inFolder } from "../../support/in-folder.ts";

async function git(folder: string, ...args: string[]): Promise<void> {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  const run = Bun.spawn(["git", "-C", folder, ...who, ...args], {
    stdout: "ignore",
    stderr: "pipe",
  });
  if ((await run.exited) !== 0) throw new Error(await new Response(run.stderr).text());
}

test("all names, the last first; none where it is unclear or nobody knows", () =>
  inFolder(async (folder) => {
    await mkdir(join(folder, "src"));
    await git(folder, "init", "-q");
    await writeFile(join(folder, "src/first name.ts"), "export const one = 1;\n".repeat(20));
    await writeFile(join(folder, "other.ts"), "x\n");
    await git(folder, "add", ".");
    await git(folder, "commit", "-qm", "one");
    for (const [from, to] of [
      ["src/first name.ts", "src/second.ts"],
      ["src/second.ts", "src/auth.ts"],
    ] as const) {
      await git(folder, "mv", from, to);
      await git(folder, "commit", "-qm", "moved");
    }
    const names = ["src/second.ts", "src/first name.ts"];
    expect(await gitRenames(folder, "src/auth.ts")).toEqual(names);
    expect(await gitRenames(folder, "auth.ts")).toEqual(names);
    expect(await gitRenames(folder, join(folder, "src/auth.ts"))).toEqual(names);
    for (const file of ["other.ts", "nothing.ts", "src/", "*.ts", "../x.ts", "--help", ""])
      expect(await gitRenames(folder, file)).toEqual([]);
    expect(await gitRenames(join(folder, "nowhere"), "auth.ts")).toEqual([]);
  }));

test("git is asked for the one file that is meant, below the folder and by its name's end", async () => {
  const asked: string[][] = [];
  const ask = async (folder: string, args: readonly string[]) => {
    asked.push([folder, ...args]);
    return args[0] === "ls-files"
      ? "src/a.ts\0"
      : "R100\0src/b.ts\0src/a.ts\0\nR7\0R1x\0src/b.ts\0";
  };
  expect(await gitRenames("/w", "/w/src/a.ts", ask)).toEqual(["src/b.ts", "R1x"]);
  expect(asked).toEqual([
    ["/w", "ls-files", "-z", "--", ":(glob)**/src/a.ts"],
    [
      ...["/w", "log", "--follow", "--name-status", "--diff-filter=R", "--format=", "-z"],
      ...["--max-count=10", "--", "src/a.ts"],
    ],
  ]);
});

test.each(["/elsewhere/a.ts", "/w", "a?.ts", "[a].ts", "a:b", "x/..", "..", "a/../b"])(
  "git is not asked for %j",
  async (file) => {
    const ask = () => Promise.reject(new Error("asked"));
    expect(await gitRenames("/w", file, ask)).toEqual([]);
  },
);

test("a name with dots in it is a name", async () => {
  const ask = async (_: string, args: readonly string[]) =>
    args[0] === "ls-files" ? "a..b\0" : "R1\0c\0";
  expect(await gitRenames("/w", "a..b", ask)).toEqual(["c"]);
});
