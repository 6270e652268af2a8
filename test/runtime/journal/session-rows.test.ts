// Rows of sessions: what they begin with, how they go on, which are not finished.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  projectRows,
  sessionById,
  sessionRows,
  sessionState,
  unfinishedRows,
} from "../../../src/runtime/journal/planning.ts";
import {
  heardSessions,
  isModelFree,
  knownSessions,
} from "../../../src/runtime/journal/sessions.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { append, closeRows, column, db, openRows, recovered, session } from "./rows-room.ts";

beforeEach(openRows);
afterEach(closeRows);

describe("a session", () => {
  test("begins with its first event, in its project or else its folder", () => {
    append(clientEvent("SessionStart", { time: 10, transcriptPath: "/t.jsonl" }), 99);
    expect(session()).toEqual({
      ...{ row: 1, session: "s1", client: "claude-code", prompts: 0, transcriptPath: "/t.jsonl" },
      project: { id: "github.com/acme/shop", name: "shop", root: "/home/ada/shop", branch: "main" },
      ...{ startedAt: 10, lastEventAt: 10, lastReceivedAt: 99, endedAt: null },
      ...{ lastActivity: null, summarizedSeq: 0 },
    });
    const { project: _, ...bare } = clientEvent("Stop", { session: "s2", cwd: "/home/ada/notes" });
    append(bare as ClientEvent);
    expect(session("s2")?.project).toEqual({
      ...{ id: "/home/ada/notes", name: "notes", root: "/home/ada/notes" },
    });
    expect(session("s2")).not.toHaveProperty("transcriptPath");
    const known = { client: "claude-code", prompts: 0 };
    expect(knownSessions(db).toSorted((a, b) => a.session.localeCompare(b.session))).toEqual([
      { ...known, session: "s1", transcriptPath: "/t.jsonl" },
      { ...known, session: "s2" },
    ]);
    expect([
      projectRows(db, "/home/ada/notes"),
      sessionRows(db, "s1"),
      sessionState(db, 9),
    ]).toEqual([[2], [1], undefined]);
  });

  test("goes on: times, prompts, its last sign of life, its file", () => {
    append(clientEvent("UserPromptSubmit", { time: 20, transcriptPath: "/a.jsonl" }), 100);
    const use = append(toolEvent("t1", { time: 40 }), 200);
    append(clientEvent("SubagentStop", { time: 30 }), 300);
    append(clientEvent("PreToolUse", { time: 5, transcriptPath: "/b.jsonl" }), 250);
    expect(session()).toEqual(
      expect.objectContaining({
        ...{ prompts: 1, startedAt: 5, lastEventAt: 40, lastReceivedAt: 250 },
        ...{ transcriptPath: "/b.jsonl", lastActivity: { seq: use.seq, key: "tool:t1" } },
      }),
    );
  });

  test.each<[string, Array<[ClientEvent["name"], number]>, number | null]>([
    ["ends", [["SessionEnd", 20]], 20],
    [
      "that begins anew is not over",
      [
        ["SessionEnd", 20],
        ["SessionStart", 30],
      ],
      null,
    ],
    [
      "that is asked again is not over",
      [
        ["SessionEnd", 20],
        ["UserPromptSubmit", 20],
      ],
      null,
    ],
    [
      "stays ended for an older start",
      [
        ["SessionEnd", 20],
        ["SessionStart", 15],
      ],
      20,
    ],
    [
      "stays ended for what needs no beginning",
      [
        ["SessionEnd", 20],
        ["Stop", 30],
      ],
      20,
    ],
    [
      "is not ended by an end from before its start",
      [
        ["SessionStart", 30],
        ["SessionEnd", 20],
      ],
      null,
    ],
  ])("%s", (_, events, endedAt) => {
    append(clientEvent("SessionStart", { time: 10 }));
    for (const [name, time] of events) append(clientEvent(name as "Stop", { time }));
    expect(session()?.endedAt).toBe(endedAt);
  });

  test("moves to the project of its newest beginning, not to that of a line read late", () => {
    const project = (id: string) => ({ id, name: id, root: `/${id}` });
    append(clientEvent("UserPromptSubmit", { time: 20 }));
    append(toolEvent("t1", { time: 30, project: project("elsewhere") }));
    expect(session()?.project.name).toBe("shop");
    append(
      clientEvent("UserPromptSubmit", {
        time: 15,
        prompt: "old",
        project: project("old"),
        recovered,
      }),
    );
    expect(session()?.project.name).toBe("shop");
    append(
      clientEvent("UserPromptSubmit", {
        time: 20,
        prompt: "new",
        project: project("new"),
        recovered,
      }),
    );
    expect([session()?.project.id, projectRows(db, "new")]).toEqual(["new", [1]]);
  });

  test("counts the requests that carry its context: not those of subagents, transcripts and ends", () => {
    append(clientEvent("UserPromptSubmit", { time: 1 }));
    append(toolEvent("t1"));
    append(toolEvent("t2", { agent: { id: "sub" } }));
    append(toolEvent("t3", { recovered }));
    append(clientEvent("Stop"));
    append(clientEvent("PreToolUse"));
    expect(column("SELECT requests AS value FROM sessions")).toEqual([2]);
  });

  test("is known to hooks from their first word to their last; a transcript's words are none", () => {
    append(clientEvent("SessionStart", { time: 50, transcriptPath: "/t.jsonl" }), 500);
    append(toolEvent("t1", { time: 40 }), 600);
    append(clientEvent("Stop", { time: 10, recovered }), 900);
    append(clientEvent("Stop", { session: "read", transcriptPath: "/r.jsonl", recovered }), 900);
    append(clientEvent("Stop", { session: "pathless" }), 900);
    const qwen = { session: "s9", client: "qwen", transcriptPath: "/q.jsonl", time: 700 };
    append(clientEvent("Stop", qwen), 950);
    expect(heardSessions(db)).toEqual([
      {
        ...{ client: "claude-code", session: "s1" },
        ...{ transcriptPath: "/t.jsonl", heardAt: 600, firstHeardAt: 40 },
      },
      {
        ...{ client: "qwen", session: "s9" },
        ...{ transcriptPath: "/q.jsonl", heardAt: 950, firstHeardAt: 700 },
      },
    ]);
  });

  test("may be one that no model is asked about, by its newest event", () => {
    append(clientEvent("Stop", { recovered: { modelFree: true } }));
    expect([isModelFree(db, "s1"), isModelFree(db, "s2")]).toEqual([true, false]);
    append(toolEvent("t1"));
    expect(isModelFree(db, "s1")).toBe(false);
  });

  test("is one that no model is asked about while it is made again, and no longer", () => {
    append(clientEvent("Stop"));
    append(clientEvent("Stop", { session: "s2" }));
    db.exec(`INSERT INTO work (key, kind, session, prompt_number, waiting, state, created_at, updated_at)
      VALUES ('again:a', 'observe', 1, 1, 0, 'leased', 0, 0), ('b', 'observe', 2, 1, 0, 'leased', 0, 0)`);
    expect([isModelFree(db, "s1"), isModelFree(db, "s2")]).toEqual([true, false]);
    db.exec("UPDATE work SET state = 'done'");
    expect(isModelFree(db, "s1")).toBe(false);
  });

  test("of several clients is the one heard of last, unless one is named", () => {
    append(clientEvent("Stop", { client: "one" }), 200);
    append(clientEvent("Stop", { client: "two" }), 100);
    expect([session()?.client, sessionById(db, "s1", "two")?.client]).toEqual(["one", "two"]);
    expect([sessionById(db, "s1", "three"), sessionRows(db, "s1")]).toEqual([undefined, [1, 2]]);
  });

  test("is unfinished with events to plan, open work, or activity that no summary covers", () => {
    for (const id of ["planning", "working", "active", "done"])
      append(clientEvent("Stop", { session: id }));
    expect(unfinishedRows(db).sort()).toEqual([1, 2, 3, 4]);
    db.exec(`UPDATE events SET planned = 1 WHERE session <> 1;
      UPDATE sessions SET summarized_seq = activity_seq WHERE id <> 3;
      INSERT INTO work (key, kind, session, prompt_number, waiting, state, created_at, updated_at)
        VALUES ('a', 'observe', 2, 1, 0, 'leased', 0, 0), ('b', 'observe', 4, 1, 0, 'done', 0, 0)`);
    expect(unfinishedRows(db).sort()).toEqual([1, 2, 3]);
  });
});
