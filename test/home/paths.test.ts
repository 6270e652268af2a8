// Where the home is.
import { expect, test } from "bun:test";
import { memoirHome, memoirPaths } from "../../src/home/paths.ts";

test.each<[Record<string, string>, string]>([
  [{ HOME: "/home/ada" }, "/home/ada/.memoir"],
  [{ HOME: "/home/ada/" }, "/home/ada/.memoir"],
  [{ HOME: "/home/ada", MEMOIR_HOME: "/srv/m" }, "/srv/m"],
  [{ HOME: "/home/ada", MEMOIR_HOME: "/srv/m/" }, "/srv/m"],
  [{ HOME: "/home/ada", MEMOIR_HOME: "" }, "/home/ada/.memoir"],
  [{ HOME: "/home/ada", MEMOIR_HOME: "/" }, "/"],
  [{ HOME: "/home/ada", MEMOIR_HOME: "mem" }, "/home/ada/mem"],
  [{ HOME: "/home/ada", MEMOIR_HOME: "./mem/" }, "/home/ada/mem"],
  [{ HOME: "/home/ada", MEMOIR_HOME: "~/mem" }, "/home/ada/mem"],
  [{ USERPROFILE: "C:\\u", MEMOIR_HOME: "D:\\m\\" }, "D:\\m"],
  [{ USERPROFILE: "C:\\Users\\ada" }, "C:\\Users\\ada/.memoir"],
])("%p → %s", (env, home) => {
  expect(memoirHome(env)).toBe(home);
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
