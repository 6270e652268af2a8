// The server's environment is an allow-list.
import { expect, test } from "bun:test";
import { serverEnvironment } from "../../src/server/life/start-server.ts";

const scenarios: Array<[name: string, kept: boolean]> = [
  ["PATH", true],
  ["HOME", true],
  ["LC_ALL", true],
  ["XDG_CONFIG_HOME", true],
  ["CLAUDE_CONFIG_DIR", true],
  ["MEMOIR_LOG", true],
  ["SystemRoot", true],
  ["Path", true],
  ["MEMOIR_INTERNAL", false],
  ["ANTHROPIC_API_KEY", false],
  ["ANTHROPIC_BASE_URL", false],
  ["CLAUDE_CODE_SESSION_ID", false],
  ["OPENAI_API_KEY", false],
  ["HTTP_PROXY", false],
  ["NODE_OPTIONS", false],
  ["BUN_OPTIONS", false],
  ["LD_PRELOAD", false],
  ["LCD", false],
];
for (const [name, kept] of scenarios) {
  test(`${name} is ${kept ? "kept" : "left out"}`, () => {
    expect(serverEnvironment({ [name]: "x" }, "/h")).toEqual(
      kept ? { [name]: "x", MEMOIR_HOME: "/h" } : { MEMOIR_HOME: "/h" },
    );
  });
}

test("the home is the one that was asked for", () => {
  expect(serverEnvironment({ MEMOIR_HOME: "/other" }, "/h")).toEqual({ MEMOIR_HOME: "/h" });
});
