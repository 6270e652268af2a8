// Rows about what transcripts, injections, plugins and counters left behind.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { addInjections, givenTo, injectionsSince } from "../../../src/runtime/journal/counts.ts";
import { knownKey } from "../../../src/runtime/journal/seen-before.ts";
import {
  markTranscripts,
  releaseRecovered,
  transcriptMarks,
} from "../../../src/runtime/journal/sessions.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { append, closeRows, db, openRows, recovered } from "./rows-room.ts";

beforeEach(openRows);
afterEach(closeRows);

describe("for readers of transcripts", () => {
  const mark = (path: string, more = {}) => ({
    ...{ path, bytes: 10, changedAt: 20, offset: 5, lines: 2, cwd: "/home/ada" },
    ...more,
  });
  test("each has its own marks, by path; the first folder stays", () => {
    markTranscripts(db, "watch", [mark("/a"), mark("/b")]);
    markTranscripts(db, "backfill", [mark("/a", { bytes: 99 })]);
    const { cwd: _, ...bare } = mark("/a", { bytes: 30, changedAt: 31, offset: 32, lines: 33 });
    markTranscripts(db, "watch", [bare]);
    expect([...transcriptMarks(db, "watch")]).toEqual([
      ["/a", { ...bare, cwd: "/home/ada" }],
      ["/b", mark("/b")],
    ]);
    expect([...transcriptMarks(db, "watch", ["/b", "/c"]).keys()]).toEqual(["/b"]);
    expect(transcriptMarks(db, "backfill").get("/a")?.bytes).toBe(99);
    const { cwd: __, ...none } = mark("/n");
    markTranscripts(db, "watch", [none]);
    expect(transcriptMarks(db, "watch", ["/n"]).get("/n")).toEqual(none);
  });

  test("texts are released once they are worked off, and only those of transcripts", () => {
    append(toolEvent("done", { recovered }));
    append(toolEvent("parked", { recovered }));
    append(toolEvent("untold", { recovered }));
    append(toolEvent("working", { recovered }));
    append(toolEvent("open", { recovered }));
    append(toolEvent("delivered"));
    db.exec(`UPDATE events SET settled_at = 1, outcome = 'stored' WHERE seq <> 5;
      UPDATE events SET outcome = 'parked' WHERE seq = 2; UPDATE events SET told = 0 WHERE seq = 3;
      INSERT INTO work (id, key, kind, session, prompt_number, waiting, state, created_at, updated_at)
        VALUES (1, 'a', 'observe', 1, 1, 0, 'pending', 0, 0), (2, 'b', 'observe', 1, 1, 0, 'done', 0, 0);
      INSERT INTO work_events (work, seq) VALUES (1, 4), (2, 1)`);
    releaseRecovered(db, "s1", "codex");
    expect(knownKey(db, "tool:done")).toBe("recovered");
    releaseRecovered(db, "s1", "claude-code");
    const keys = ["done", "parked", "untold", "working", "open", "delivered", "never"];
    expect(keys.map((id) => knownKey(db, `tool:${id}`))).toEqual([
      ...(["released", "recovered", "recovered", "recovered", "recovered", "delivered"] as const),
      undefined,
    ]);
  });
});

test("injections are given with the requests that carried them since", () => {
  append(clientEvent("UserPromptSubmit", { time: 1 }));
  const injection = {
    ...{ client: "claude-code", session: "s1", project: "shop", event: "SessionStart" },
    ...{ time: 50, characters: 40, tokens: 10, records: ["o1"] },
  };
  addInjections(db, [
    injection,
    { ...injection, time: 40 },
    { ...injection, session: "s9", time: 60 },
  ]);
  append(toolEvent("t1"));
  append(toolEvent("t2"));
  expect(injectionsSince(db, 50)).toEqual([
    { ...injection, laterRequests: 2 },
    { ...injection, session: "s9", time: 60, laterRequests: 0 },
  ]);
  expect(injectionsSince(db, 40).map(({ time }) => time)).toEqual([40, 50, 60]);
});

test("what a session was given comes in its order, of its time and of no other session", () => {
  const injection = {
    ...{ client: "claude-code", session: "s1", project: "p", event: "SessionStart", time: 20 },
    ...{ characters: 40, tokens: 10, records: ["t1", "m2"] },
  };
  addInjections(db, [
    { ...injection, event: "UserPromptSubmit", time: 40, records: [] },
    injection,
    { ...injection, session: "s2", time: 30 },
    { ...injection, time: 90 },
  ]);
  const { characters: _, project: _p, ...given } = injection;
  expect(givenTo(db, { session: "s1", since: 10, until: 50 })).toEqual([
    given,
    { ...given, event: "UserPromptSubmit", time: 40, records: [] },
  ]);
  expect(givenTo(db, { session: "s1", since: 91, until: 99 })).toEqual([]);
});
