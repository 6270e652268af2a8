// The process's own terminal, as far as it is not the terminal itself.
import { afterEach, beforeEach, expect, test } from "bun:test";
import process from "node:process";
import { processTerminal } from "../../../src/cli/terminal/terminal.ts";
import { memoirHome } from "../../../src/home/paths.ts";

const own = process.env.MEMOIR_HOME;
const ownHome = process.env.HOME;
const restore = (name: string, value: string | undefined) => {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
};
beforeEach(() => {
  process.env.HOME = "/home/ada";
});
afterEach(() => {
  restore("MEMOIR_HOME", own);
  restore("HOME", ownHome);
});

test.each(["relative", "./relative", "~/relative", "/absolute/"])(
  "MEMOIR_HOME=%s is the folder that the hook means",
  (chosen) => {
    const hooks = memoirHome({ HOME: "/home/ada", MEMOIR_HOME: chosen });
    process.env.MEMOIR_HOME = chosen;
    expect(processTerminal().env.MEMOIR_HOME).toBe(hooks);
  },
);
