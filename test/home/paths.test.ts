// Where the home is.
import { expect, test } from "bun:test";
import { memoirHome, memoirPaths } from "../../src/home/paths.ts";

test.each<[Record<string, string>, string, string?]>([
  [{ HOME: "/home/ada" }, "/home/ada/.memoir"],
  [{ HOME: "/home/ada/" }, "/home/ada/.memoir"],
  [{ HOME: "/home/ada", MEMOIR_HOME: "/srv/m" }, "/srv/m"],
  [{ HOME: "/home/ada", MEMOIR_HOME: "/srv/m/" }, "/srv/m"],
  [{ HOME: "/home/ada", MEMOIR_HOME: "" }, "/home/ada/.memoir"],
  [{ HOME: "/home/ada", MEMOIR_HOME: "/" }, "/"],
  [{ HOME: "/home/ada", MEMOIR_HOME: "mem" }, "/home/ada/mem"],
  [{ HOME: "/home/ada", MEMOIR_HOME: "./mem/" }, "/home/ada/mem"],
  [{ HOME: "/home/ada", MEMOIR_HOME: "~/mem" }, "/home/ada/mem"],
  // A Linux inside Windows may be handed Windows's own.
  [{ HOME: "/home/ada", USERPROFILE: "/mnt/c/Users/ada" }, "/home/ada/.memoir"],
  [{ HOME: "/Users/ada" }, "/Users/ada/.memoir", "darwin"],
  [{ USERPROFILE: "C:\\u", MEMOIR_HOME: "D:\\m\\" }, "D:\\m", "win32"],
  [{ USERPROFILE: "C:\\Users\\ada" }, "C:\\Users\\ada/.memoir", "win32"],
  // Git Bash's home: as written in Windows's form or in its own.
  [{ HOME: "H:\\", USERPROFILE: "C:\\Users\\ada" }, "C:\\Users\\ada/.memoir", "win32"],
  [{ HOME: "/c/ada", USERPROFILE: "C:\\Users\\ada" }, "C:\\Users\\ada/.memoir", "win32"],
  [{ HOME: "C:\\ada" }, "C:\\ada/.memoir", "win32"],
  [
    { HOME: "H:\\", USERPROFILE: "C:\\Users\\ada", MEMOIR_HOME: "~/m" },
    "C:\\Users\\ada/m",
    "win32",
  ],
])("%p → %s", (env, home, platform = "linux") => {
  expect(memoirHome(env, platform)).toBe(home);
});

test("every path lies below the home, and all differ", () => {
  const { home, ...rest } = memoirPaths("/m");
  const all = Object.values(rest);
  expect(home).toBe("/m");
  expect(all.every((path) => path.startsWith("/m/"))).toBe(true);
  expect(new Set(all).size).toBe(all.length);
});

test("the module imports nothing: it is on the hook command's short path", async () => {
  const source = await Bun.file(new URL("../../src/home/paths.ts", import.meta.url)).text();
  expect(source).not.toMatch(/^import /m);
});
