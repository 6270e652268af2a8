// What the client is asked to call us for: how long it waits follows what plugins declare, by config.
import { describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wantedRegistration } from "../../src/cli/setup/setup.ts";
import { memoirPaths } from "../../src/home/paths.ts";
import { hooksDocument, registration } from "../../src/install/settings.ts";
import { plainTerminal } from "../support/plain-terminal.ts";

const timeouts = (wanted: ReturnType<typeof registration>) =>
  Object.fromEntries([...wanted].map(([event, { hooks }]) => [event, hooks[0]?.timeout]));

describe("registration", () => {
  test("an event's timeout is its declared deadline and a margin, ten seconds at least", () => {
    const deadlines = { PostToolUse: 95_500, Stop: 1_500 };
    const wanted = registration(["PostToolUse", "Stop", "SessionEnd"], "memoir hook", deadlines);
    expect(timeouts(wanted)).toEqual({ PostToolUse: 104, Stop: 10, SessionEnd: 10 });
  });

  test("events of tools are asked for with every tool, others without a matcher", () => {
    const events = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop"] as const;
    const wanted = registration(events, "memoir hook");
    const hooks = [{ type: "command" as const, command: "memoir hook", timeout: 10 }];
    expect([...wanted]).toEqual([
      ["PreToolUse", { matcher: "*", hooks }],
      ["PostToolUse", { matcher: "*", hooks }],
      ["PostToolUseFailure", { matcher: "*", hooks }],
      ["Stop", { hooks }],
    ]);
    expect(hooksDocument(wanted).Stop).toEqual([{ hooks }]);
  });

  test.each([
    [{ wait: true, waitSeconds: 60 }, 74],
    [{ wait: false }, 10],
    [{ wait: false, rewrite: "live" }, 30],
  ])("with %j the client waits %i s for PostToolUse", async (transcript, seconds) => {
    const home = await mkdtemp(join(tmpdir(), "memoir-registration-"));
    try {
      const config = { endless: { everywhere: ["transcript"] }, plugins: { transcript } };
      await writeFile(join(home, "config.json"), JSON.stringify(config));
      const setup = { paths: memoirPaths(home), binary: "memoir", hook: "memoir hook" };
      const terminal = plainTerminal({ env: { HOME: home, MEMOIR_HOME: home }, cwd: home });
      const { wanted } = await wantedRegistration(setup, terminal);
      const found = timeouts(wanted);
      expect(found.PostToolUse).toBe(seconds);
      expect(found.PreToolUse).toBe(10);
      expect(found.SessionEnd).toBe(10);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
