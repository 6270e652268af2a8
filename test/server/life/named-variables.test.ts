// Which environment variables config hands to the server, and that it cannot be talked into others.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoirPaths } from "../../../src/home/paths.ts";
import { namedVariables, serverEnvironment } from "../../../src/server/life/start-server.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-named-"));
});
afterEach(() => rm(home, { recursive: true }));

test.each<[string, string | undefined, string[]]>([
  ["no config", undefined, []],
  ["a config that is not valid JSON", "{", []],
  ["a config without plugins", "{}", []],
  ["plugins that are none", '{"plugins":{"a":null,"b":3}}', []],
  [
    "two keys",
    '{"plugins":{"anthropic":{"keyEnv":"MY_KEY"},"claude-cli":{"keyEnv":"A_TOKEN"}}}',
    ["MY_KEY", "A_TOKEN"],
  ],
  ["behind a byte order mark", '\ufeff{"plugins":{"a":{"keyEnv":"MY_KEY"}}}', ["MY_KEY"]],
  ["what holds no key", '{"plugins":{"a":{"keyEnv":"LD_PRELOAD"},"b":{"keyEnv":"X KEY"}}}', []],
])("%s", async (_what, config, names) => {
  if (config !== undefined) await writeFile(join(home, "config.json"), config);
  expect(await namedVariables(memoirPaths(home))).toEqual(names);
});

test("the server gets what is named and what is usual, nothing else", () => {
  const env = { MY_KEY: "k", ANTHROPIC_API_KEY: "other", ANTHROPIC_BASE_URL: "u", PATH: "/bin" };
  expect(serverEnvironment(env, "/h", ["MY_KEY"])).toEqual({
    MY_KEY: "k",
    PATH: "/bin",
    MEMOIR_HOME: "/h",
  });
  expect(serverEnvironment({ MEMOIR_INTERNAL: "1" }, "/h", ["MEMOIR_INTERNAL"])).toEqual({
    MEMOIR_HOME: "/h",
  });
});
