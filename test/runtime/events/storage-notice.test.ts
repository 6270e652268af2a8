// What is said at a prompt where memory cannot be used.
import { expect, test } from "bun:test";
import { createStorageNotice } from "../../../src/runtime/events/event-way.ts";
import type { PluginInfo } from "../../../src/runtime/ports.ts";
import { clientEvent } from "../../support/client-events.ts";

const about = { description: "", slots: ["storage" as const], origin: "built-in" as const };
const failed: PluginInfo = {
  ...{ ...about, name: "sqlite", fills: [], state: "failed" },
  error: "The database cannot be opened. Check who may read it.",
};
const running: PluginInfo = { ...about, name: "files", fills: ["storage"], state: "running" };
const prompt = (session: string) => clientEvent("UserPromptSubmit", { session });

test("once in each session, with the reason, for as long as nobody stores", () => {
  let plugins: PluginInfo[] = [failed];
  const notice = createStorageNotice(() => plugins);
  expect(notice(clientEvent("PostToolUse", { session: "a" } as never))).toBeUndefined();
  expect(notice(prompt("a"))).toBe(
    "memoir: memory cannot be used, and this session is told nothing of it. The database cannot be opened. Check who may read it. What happens meanwhile is kept, and stored once that is mended; `memoir doctor` says more.",
  );
  expect(notice(prompt("a"))).toBeUndefined();
  expect(notice(clientEvent("SessionStart", { session: "b" }))).toContain("cannot be opened");
  plugins = [failed, running];
  expect(notice(prompt("c"))).toBeUndefined();
  plugins = [{ ...failed, state: "disabled" }];
  expect(notice(prompt("d"))).toBeUndefined();
});
