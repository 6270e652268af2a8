// Rows of events: where one belongs, what of it waits, and what is read of them for work.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  lastStop,
  laterPrompts,
  promptEvent,
  toolUse,
  turnEvents,
  unnotified,
} from "../../../src/runtime/journal/events.ts";
import { pendingEvents, promptPasts } from "../../../src/runtime/journal/planning.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { append, closeRows, column, db, openRows, recovered } from "./rows-room.ts";

beforeEach(openRows);
afterEach(closeRows);

describe("an event", () => {
  test("is answered with its place, prompt and session; a known one with those of the first", () => {
    const prompt = clientEvent("UserPromptSubmit", { time: 10 });
    const first = append(prompt);
    expect(first).toEqual({ seq: 1, promptNumber: 1, row: 1, isNew: true, recovered: false });
    append(clientEvent("UserPromptSubmit", { time: 20 }));
    expect(append({ ...prompt, prompt: "other words" })).toEqual({ ...first, isNew: false });
    const again = { ...prompt, key: "anew", prompt: "new words", time: 30, recovered };
    expect(append(again)).toEqual({
      seq: expect.any(Number),
      promptNumber: 3,
      row: 1,
      isNew: true,
      recovered: true,
    });
  });

  test("that a hook delivered is not taken from the transcript again", () => {
    append(toolEvent("t1", { time: 10 }));
    const copy = toolEvent("t1", { key: "line", time: 10, recovered });
    expect(append(copy)).toEqual({ seq: 0, promptNumber: 0, isNew: false, recovered: false });
  });

  test("of a transcript whose texts were released gets them back when it is read again", () => {
    const use = toolEvent("t1", { time: 10, recovered });
    append(use);
    db.exec("DELETE FROM payloads");
    expect(append(use)).toEqual({ seq: 1, promptNumber: 0, row: 1, isNew: false, recovered: true });
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
