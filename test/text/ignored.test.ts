// Which paths git leaves alone: as git itself says it of the same files of rules.
import { expect, test } from "bun:test";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ignoreRulesIn, isIgnored } from "../../src/text/paths.ts";

const files = [
  {
    folder: "",
    text: [
      "# outputs",
      "dist/",
      "*.log",
      "!keep.log",
      "/local.json",
      "docs/*.html",
      "**/cache/**",
      "a/**/z.ts",
      "tmp?",
      "[Bb]uild",
      "x[!0-9].ts",
      "\\#odd",
      "\\!odd",
      "spaced\\ ",
      "trail   ",
      "c++.(x)",
      "[z-a]",
      "deep/**",
      "*one*two*.tx?",
      "[^p]q[]r]s",
    ].join("\n"),
  },
  { folder: "app/", text: "own.ts\n/deep/*\r\n!/deep/kept.ts\n*.log\n" },
];
const paths = [
  "dist/a.js",
  "app/dist/a.js",
  "src/dist",
  "a.log",
  "keep.log",
  "app/keep.log",
  "local.json",
  "app/local.json",
  "docs/a.html",
  "docs/b/a.html",
  "app/docs/a.html",
  "cache/a",
  "app/cache/b/c",
  "a/z.ts",
  "a/b/c/z.ts",
  "a/b/y.ts",
  "tmp1/a",
  "tmp/a",
  "tmp12",
  "build/a",
  "app/Build",
  "abuild",
  "x1.ts",
  "xa.ts",
  "#odd",
  "!odd",
  "spaced ",
  "trail",
  "c++.(x)",
  "[z-a]",
  "own.ts",
  "app/own.ts",
  "app/sub/own.ts",
  "app/deep/a.ts",
  "app/deep/kept.ts",
  "app/sub/deep/a.ts",
  "src/cart.ts",
  "deep/er/a.ts",
  "oneone-two.two.txt",
  "onetwo.tx",
  "aq]s",
  "pq]s",
];

const rules = files.flatMap(({ folder, text }) => ignoreRulesIn(text, folder));

test("is what git says of the same rules", async () => {
  await using room = await mkdtempDisposable(join(tmpdir(), "memoir-ignored-"));
  const env = { HOME: room.path, PATH: process.env.PATH ?? "", GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) =>
    Bun.spawn(["git", "-c", "core.quotePath=false", ...args], {
      ...{ cwd: room.path, env, stdout: "pipe", stderr: "ignore" },
      stdin: new Blob([paths.join("\0")]),
    });
  expect(await git("init", "-q").exited).toBe(0);
  for (const path of paths) {
    await mkdir(join(room.path, dirname(path)), { recursive: true });
    await writeFile(join(room.path, path), "").catch(() => undefined);
  }
  for (const { folder, text } of files)
    await writeFile(join(room.path, folder, ".gitignore"), text);
  const said = await new Response(git("check-ignore", "--no-index", "-z", "--stdin").stdout).text();
  expect(paths.filter((path) => isIgnored(path, rules))).toEqual(said.split("\0").filter(Boolean));
});

test("a pattern that is made to take long takes no longer than its length and the name's", () => {
  const hostile = ignoreRulesIn(`${"*a".repeat(60)}b\n${"**/a/".repeat(60)}b\n`, "");
  expect(isIgnored(`${"a/".repeat(100)}${"a".repeat(200)}`, hostile)).toBe(false);
});
