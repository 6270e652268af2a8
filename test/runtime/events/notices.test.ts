// What the person has to hear once is said once: of model calls, of damage that was found, of storage that did not start.
import { expect, test } from "bun:test";
import { addFinding } from "../../../src/home/findings.ts";
import {
  createFindingNotice,
  createNotices,
  createStorageNotice,
} from "../../../src/runtime/events/event-way.ts";
import { clientEvent } from "../../support/client-events.ts";
import { inFolder } from "../../support/in-folder.ts";

const prompt = (session: string) => clientEvent("UserPromptSubmit", { session });

test("the next answer that a person sees says it, once", () => {
  const notices = createNotices();
  notices.add("a");
  notices.add("b", "s2");
  expect(notices.take(clientEvent("Stop"))).toBe("a");
  expect(notices.take(clientEvent("Stop"))).toBeUndefined();
  notices.add("c");
  expect(notices.take(clientEvent("UserPromptSubmit", { session: "s2" }))).toBe("b\nc");
});

test("a finding is said once in a session, in two sessions, also after a restart", () =>
  inFolder(async (home) => {
    const notice = createFindingNotice(home);
    expect(notice(prompt("a"))).toBeUndefined();
    addFinding(home, { time: 1, file: "memory.db", what: "was damaged" });
    expect(notice(prompt("a"))).toBe("memoir: memory.db was damaged.");
    expect(notice(prompt("a"))).toBeUndefined();
    const restarted = createFindingNotice(home);
    expect(restarted(clientEvent("SessionStart", { session: "b" }))).toContain("memory.db");
    expect(restarted(prompt("c"))).toBeUndefined();
    addFinding(home, { time: 2, file: "usage.db", what: "was damaged" });
    expect(restarted(prompt("c"))).toBe("memoir: usage.db was damaged.");
  }));

test("once in each session, with the reason, for as long as nobody stores", () => {
  let why: string | undefined = "The database cannot be opened. Check who may read it.";
  const notice = createStorageNotice(() => why);
  expect(notice(prompt("a"))).toBe(
    "memoir: memory cannot be used, and this session gets none of it. The database cannot be opened. Check who may read it. What happens meanwhile is kept, and stored once that is fixed; `memoir doctor` says more.",
  );
  expect(notice(prompt("a"))).toBeUndefined();
  expect(notice(clientEvent("SessionStart", { session: "b" }))).toContain("cannot be opened");
  why = undefined;
  expect(notice(prompt("c"))).toBeUndefined();
});
