// Who would notice if the gateway went.
import { expect, test } from "bun:test";
import { createRecentSessions, recentMs } from "../../../src/server/gateway/recent-sessions.ts";

test("a session counts once, and for half an hour after its last request", () => {
  let now = 0;
  const sessions = createRecentSessions(() => now);
  sessions.seen("a");
  sessions.seen("b");
  sessions.seen("a");
  expect(sessions.count()).toBe(2);
  now = recentMs / 2;
  sessions.seen("b");
  now = recentMs + 1;
  expect(sessions.count()).toBe(1);
});

test("what is kept is bounded", () => {
  const sessions = createRecentSessions(() => 0);
  for (let n = 0; n < 5_000; n++) sessions.seen(`s${n}`);
  expect(sessions.count()).toBe(1_000);
});
