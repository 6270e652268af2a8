// What the journal's rows say: each event in its place, sessions as their events leave them, what readers of transcripts need.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../src/host/sqlite.ts";
import { appendEvent } from "../../../src/runtime/journal/append-event.ts";
import { createCounters } from "../../../src/runtime/journal/counters.ts";
import {
  lastStop,
  laterPrompts,
  pendingEvents,
  promptEvent,
  promptPasts,
  toolUse,
  turnEvents,
  unnotified,
} from "../../../src/runtime/journal/event-rows.ts";
import { addInjections, injectionsSince } from "../../../src/runtime/journal/injection-rows.ts";
import { addNoted, notedSince } from "../../../src/runtime/journal/noted-rows.ts";
import { openJournalFile } from "../../../src/runtime/journal/open-journal.ts";
import {
  heardSessions,
  isModelFree,
  knownKey,
  markTranscripts,
  releaseRecovered,
  transcriptMarks,
} from "../../../src/runtime/journal/recovery-rows.ts";
import {
  projectRows,
  sessionById,
  sessionRows,
  sessionState,
  unfinishedRows,
} from "../../../src/runtime/journal/session-rows.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";

let folder: string;
let db: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-rows-"));
  ({ db } = await openJournalFile(join(folder, "journal.db"), {
    ...{ now: () => 0, log: keptLog(), open: openDatabase },
  }));
});
afterEach(async () => {
  db.close();
  await rm(folder, { recursive: true });
});

const append = (event: ClientEvent, now = 1_000) =>
  appendEvent(db, event, JSON.stringify(event), now);
const recovered = { modelFree: false };
const column = (sql: string, ...values: Array<string | number>) =>
  db
    .prepare<{ value: string | number | null }>(sql)
    .all(values)
    .map(({ value }) => value);
const session = (id = "s1") => sessionById(db, id);

describe("an event", () => {
  test("is answered with its place, prompt and session; a known one with those of the first", () => {
    const prompt = clientEvent("UserPromptSubmit", { time: 10 });
    const first = append(prompt);
    expect(first).toEqual({ seq: 1, promptNumber: 1, row: 1, fresh: true, recovered: false });
    append(clientEvent("UserPromptSubmit", { time: 20 }));
    expect(append({ ...prompt, prompt: "other words" })).toEqual({ ...first, fresh: false });
    const again = { ...prompt, key: "anew", prompt: "new words", time: 30, recovered };
    expect(append(again)).toEqual({
      seq: expect.any(Number),
      promptNumber: 3,
      row: 1,
      fresh: true,
      recovered: true,
    });
  });

  test("that a hook delivered is not taken from the transcript again", () => {
    append(toolEvent("t1", { time: 10 }));
    const copy = toolEvent("t1", { key: "line", time: 10, recovered });
    expect(append(copy)).toEqual({ seq: 0, promptNumber: 0, fresh: false, recovered: false });
  });

  test("of a transcript whose texts were released gets them back when it is read again", () => {
    const use = toolEvent("t1", { time: 10, recovered });
    append(use);
    db.exec("DELETE FROM payloads");
    expect(append(use)).toEqual({ seq: 1, promptNumber: 0, row: 1, fresh: false, recovered: true });
    expect(column("SELECT json AS value FROM payloads")).toHaveLength(1);
    const delivered = toolEvent("t2", { time: 20 });
    append(delivered);
    db.exec("DELETE FROM payloads");
    append(delivered);
    expect(column("SELECT json AS value FROM payloads")).toEqual([]);
  });

  test.each<[ClientEvent, string | null]>([
    [clientEvent("UserPromptSubmit"), null],
    [toolEvent("t1"), null],
    [clientEvent("PostToolUseFailure"), null],
    [clientEvent("Stop"), null],
    [clientEvent("SubagentStop"), null],
    [clientEvent("SessionEnd"), null],
    [clientEvent("SessionStart"), "nothing to do"],
    [clientEvent("PreToolUse"), "nothing to do"],
    [clientEvent("PostToolBatch"), "nothing to do"],
    [clientEvent("PreCompact"), "nothing to do"],
    [clientEvent("Other"), "nothing to do"],
  ])("%j: is settled at once with %p", (event, reason) => {
    append(event, 77);
    expect(column("SELECT reason AS value FROM events")).toEqual([reason]);
    expect(column("SELECT outcome AS value FROM events")).toEqual([reason && "skipped"]);
    expect(column("SELECT settled_at AS value FROM events")).toEqual([reason && 77]);
    expect(pendingEvents(db, 1)).toHaveLength(reason === null ? 1 : 0);
  });

  test("waits with what planning needs of it", () => {
    append(clientEvent("Stop", { key: "k1", lastAssistantMessage: "  " }), 5);
    append(clientEvent("Stop", { key: "k2", lastAssistantMessage: "Done.", recovered }), 6);
    append(toolEvent("t1", { agent: { id: "sub" } }), 7);
    append(clientEvent("PostToolUseFailure", { toolUseId: "t2", key: "k4", isInterrupt: true }), 8);
    const common = { promptNumber: 0, bytes: expect.any(Number), spoken: false, recovered: false };
    expect(pendingEvents(db, 1)).toEqual([
      { ...common, seq: 1, key: "k1", name: "Stop", receivedAt: 5 },
      { ...common, seq: 2, key: "k2", name: "Stop", receivedAt: 6, spoken: true, recovered: true },
      {
        ...common,
        seq: 3,
        key: "tool:t1",
        name: "PostToolUse",
        receivedAt: 7,
        toolUseId: "t1",
        agent: "sub",
      },
      {
        ...common,
        seq: 4,
        key: "k4",
        name: "PostToolUseFailure",
        receivedAt: 8,
        toolUseId: "t2",
        spoken: true,
      },
    ]);
  });

  test("with the client's id of its prompt belongs to that, were it the first of several or long ago", () => {
    append(clientEvent("UserPromptSubmit", { promptId: "one", time: 10 }));
    append(clientEvent("UserPromptSubmit", { promptId: "two", time: 20 }));
    expect(append(toolEvent("a", { promptId: "one", time: 30 })).promptNumber).toBe(1);
    expect(append(toolEvent("b", { promptId: "unknown", time: 30 })).promptNumber).toBe(2);
    expect(append(toolEvent("c", { time: 20 })).promptNumber).toBe(2);
    expect(append(toolEvent("d", { time: 19 })).promptNumber).toBe(1);
    expect(append(toolEvent("e", { time: 10 })).promptNumber).toBe(1);
    expect(append(toolEvent("f", { time: 9 })).promptNumber).toBe(0);
  });

  test("that overtook its prompt joins it, unless it is a subagent's, a prompt, planned or older", () => {
    append(clientEvent("UserPromptSubmit", { time: 10 }));
    append(toolEvent("late", { time: 30 }));
    append(toolEvent("planned", { time: 30 }));
    append(toolEvent("sub", { time: 30, agent: { id: "x" } }));
    append(toolEvent("same", { time: 20 }));
    db.exec("UPDATE events SET planned = 1 WHERE tool_use = 'planned'");
    append(clientEvent("UserPromptSubmit", { time: 20 }));
    append(toolEvent("from a transcript", { time: 40 }));
    append(clientEvent("UserPromptSubmit", { time: 35, prompt: "again", recovered }));
    expect(column("SELECT prompt_number AS value FROM events ORDER BY seq")).toEqual([
      ...[1, 2, 1, 1, 1, 2, 2, 3],
    ]);
  });
});

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
    expect(heardSessions(db, "claude-code")).toEqual([
      { session: "s1", transcriptPath: "/t.jsonl", heardAt: 600, firstHeardAt: 40 },
    ]);
    expect(heardSessions(db, "another")).toEqual([]);
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

describe("reading", () => {
  const prompts = () => {
    for (const time of [10, 20, 30])
      append(clientEvent("UserPromptSubmit", { prompt: `at ${time}`, time }));
  };
  const texts = (found: ReadonlyArray<{ event: ClientEvent } | undefined>) =>
    found.map((one) => (one?.event as { prompt?: string } | undefined)?.prompt);

  test("a prompt by its number, and those after a time that have another", () => {
    prompts();
    expect(texts([promptEvent(db, 1, 2), promptEvent(db, 1, 4)])).toEqual(["at 20", undefined]);
    expect(texts(laterPrompts(db, 1, { promptNumber: 2, time: 20 }, 5))).toEqual(["at 30"]);
    expect(texts(laterPrompts(db, 1, { promptNumber: 9, time: 20 }, 5))).toEqual([
      "at 20",
      "at 30",
    ]);
    expect(texts(laterPrompts(db, 1, { promptNumber: 9, time: 0 }, 1))).toEqual(["at 10"]);
  });

  test("the newest Stop", () => {
    expect(lastStop(db, 1)).toBeUndefined();
    append(clientEvent("Stop", { key: "first", time: 90 }), 7);
    append(clientEvent("Stop", { key: "second", time: 20 }), 8);
    append(toolEvent("t1"));
    expect([lastStop(db, 1)?.event.key, lastStop(db, 1)?.receivedAt]).toEqual(["second", 8]);
  });

  test("what planned events say of prompts from a number on", () => {
    prompts();
    append(toolEvent("t1", { time: 40 }));
    append(clientEvent("Stop", { time: 50 }));
    expect(promptPasts(db, 1, 1).size).toBe(0);
    db.exec("UPDATE events SET planned = 1");
    expect([...promptPasts(db, 1, 2)]).toEqual([
      [2, { stopped: false, toolUses: false }],
      [3, { stopped: true, toolUses: true }],
    ]);
  });

  test("a turn's events as they happened; one whose text is gone is counted, a made-up end is not", () => {
    append(clientEvent("UserPromptSubmit", { time: 10 }));
    append(toolEvent("t2", { time: 30 }));
    append(toolEvent("t1", { time: 20 }));
    append(clientEvent("PreToolUse", { time: 25 }));
    append(clientEvent("Stop", { time: 40 }));
    append(clientEvent("Stop", { time: 50, recovered }));
    const read = () => {
      const names: string[] = [];
      const gone = turnEvents(db, 1, 1, (event) =>
        names.push("toolUseId" in event ? event.toolUseId : event.name),
      );
      return [names, gone];
    };
    expect(read()).toEqual([["UserPromptSubmit", "t1", "t2", "Stop", "Stop"], 0]);
    db.exec("DELETE FROM payloads WHERE seq IN (2, 6)");
    expect(read()).toEqual([["UserPromptSubmit", "t1", "Stop"], 1]);
  });

  test("how a tool use ended, the newest of its id, and which nobody was told of", () => {
    append(toolEvent("t1"));
    append(toolEvent("t1", { session: "s2", key: "other" }));
    expect(toolUse(db, "t1")).toEqual({ row: 2, settled: undefined });
    expect(toolUse(db, "t9")).toBeUndefined();
    db.exec(`UPDATE events SET outcome = 'stored', observations = '["o1"]', told = 0 WHERE seq = 1;
      UPDATE events SET outcome = 'parked', reason = 'no model', told = 1 WHERE seq = 2`);
    expect(toolUse(db, "t1")?.settled).toEqual({
      ...{
        session: "s2",
        toolUseId: "t1",
        outcome: "parked",
        reason: "no model",
        observations: [],
      },
    });
    expect(unnotified(db)).toEqual([
      {
        seq: 1,
        settled: { session: "s1", toolUseId: "t1", outcome: "stored", observations: ["o1"] },
      },
    ]);
  });
});

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
    releaseRecovered(db, 2);
    expect(knownKey(db, "tool:done")).toBe("recovered");
    releaseRecovered(db, 1);
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

test("what plugins count is added up by project, name and hour", () => {
  const hour = 60 * 60_000;
  const one = { project: "shop", time: 5 * hour + 7, name: "failure:told" };
  addNoted(db, [
    one,
    { ...one, time: 6 * hour - 1 },
    { ...one, time: 3 * hour },
    { ...one, project: "blog" },
  ]);
  expect(notedSince(db, 5 * hour + 30)).toEqual([
    { project: "blog", name: "failure:told", count: 1, at: 5 * hour },
    { project: "shop", name: "failure:told", count: 2, at: 5 * hour },
  ]);
  expect(notedSince(db, 0)[1]).toEqual(expect.objectContaining({ count: 3, at: 5 * hour }));
});

test("counters are written with the next transaction, and stay gathered when it fails", () => {
  const counters = createCounters();
  counters.add("b");
  counters.add("a", 2);
  expect(counters.read(db)).toEqual({ a: 2, b: 1 });
  expect(() =>
    counters.transaction(db, () => {
      counters.add("c");
      throw new Error("full");
    }),
  ).toThrow("full");
  expect(createCounters().read(db)).toEqual({});
  expect(counters.transaction(db, () => counters.add("a"))).toBeUndefined();
  expect([createCounters().read(db), counters.read(db)]).toEqual([
    { a: 3, b: 1 },
    { a: 3, b: 1 },
  ]);
});
