// Which checkout a piece belongs to, and what storage hears of a session.
import { expect, test } from "bun:test";
import type { JournalEvent, JournalSession } from "../../../src/runtime/ports.ts";
import { sessionUpdate, workSession } from "../../../src/runtime/worker/piece.ts";
import { toolEvent } from "../../support/client-events.ts";

const project = { id: "shop", name: "shop", root: "/shop", branch: "main" };
const session: JournalSession = {
  session: "s1",
  client: "claude-code",
  project,
  prompts: 2,
  startedAt: 1,
  lastEventAt: 9,
  endedAt: null,
};

function at(root: string, id = "shop", branch = "fix"): JournalEvent {
  const event = toolEvent(root, { project: { id, name: id, root, branch } });
  return { seq: 1, promptNumber: 1, receivedAt: 1, event };
}

test("the newest event in the session's project gives root and branch", () => {
  const events = [at("/shop-worktree"), at("/other", "other")];
  expect(workSession(session, events).project).toMatchObject({
    root: "/shop-worktree",
    branch: "fix",
  });
  expect(workSession(session, [at("/other", "other")]).project).toEqual(project);
  expect(workSession(session).project).toEqual(project);
});

test("what was done before its folder turned out to be of the project keeps its branch", () => {
  const before = workSession(session, [at("/shop", "/shop", "then")]).project;
  expect(before).toEqual({ ...project, branch: "then" });
});

test("an open session is active, an ended one has its end", () => {
  expect(sessionUpdate(session, project)).toEqual({
    id: "s1",
    client: "claude-code",
    project,
    prompts: 2,
    status: "active",
    startedAt: 1,
    lastActiveAt: 9,
    endedAt: null,
  });
  expect(sessionUpdate({ ...session, endedAt: 9 }, project)).toMatchObject({
    status: "ended",
    endedAt: 9,
  });
});

test("an empty title leaves the stored one", () => {
  expect(sessionUpdate(session, project, { title: "", subtitle: "New" })).toMatchObject({
    subtitle: "New",
  });
  expect(sessionUpdate(session, project, { title: "" })).not.toHaveProperty("title");
});
