// What is said at prompts of damage that was found.
import { expect, test } from "bun:test";
import { addFinding } from "../../../src/home/findings.ts";
import { createFindingNotice } from "../../../src/runtime/events/event-way.ts";
import { clientEvent } from "../../support/client-events.ts";
import { inFolder } from "../../support/in-folder.ts";

test("a finding is said once in a session, in two sessions, also after a restart", () =>
  inFolder(async (home) => {
    const notice = createFindingNotice(home);
    const prompt = (session: string) => clientEvent("UserPromptSubmit", { session });
    expect(notice(prompt("a"))).toBeUndefined();
    addFinding(home, { time: 1, file: "memory.db", what: "was damaged" });
    expect(notice(clientEvent("PreToolUse", { session: "a" }))).toBeUndefined();
    expect(notice(prompt("a"))).toBe("memoir: memory.db was damaged.");
    expect(notice(prompt("a"))).toBeUndefined();
    const restarted = createFindingNotice(home);
    expect(restarted(clientEvent("SessionStart", { session: "b" }))).toContain("memory.db");
    expect(restarted(prompt("c"))).toBeUndefined();
    addFinding(home, { time: 2, file: "usage.db", what: "was damaged" });
    expect(restarted(prompt("c"))).toBe("memoir: usage.db was damaged.");
  }));
