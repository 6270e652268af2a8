// What transcripts tell the journal afterwards, and what one of the first version knows of its past.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openDatabase } from "../../../src/host/sqlite.ts";
import firstVersion from "../../../src/runtime/journal/migrations/1-journal.sql.txt" with {
  type: "text",
};
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { closeFolder, open, openFolder, path } from "./journal-room.ts";

beforeEach(openFolder);
afterEach(closeFolder);

describe("what transcripts tell afterwards", () => {
  const recovered = { modelFree: true };
  const prompt = (text: string, time: number, more: object = {}) =>
    clientEvent("UserPromptSubmit", { prompt: text, time, key: `${text} ${time}`, ...more });

  test("a prompt that a hook told is known, also when its line is a minute away; a repeated one is not", async () => {
    const journal = await open();
    const minute = 60_000;
    await journal.append(prompt("go on", 10 * minute - 1));
    const line = { recovered, key: "line" };
    expect((await journal.append(prompt("go on", 10 * minute + 50, line))).isNew).toBe(false);
    expect((await journal.append(prompt("go on", 20 * minute, line))).isNew).toBe(true);
  });

  test("an earlier prompt does not take what the running one has gathered", async () => {
    const journal = await open();
    await journal.append(prompt("live", 5_000));
    const running = await journal.append(toolEvent("t1", { time: 6_000 }));
    await journal.append(prompt("early", 1_000, { recovered }));
    await journal.append(toolEvent("t0", { time: 1_500, recovered }));
    const next = await journal.append(toolEvent("t2", { time: 7_000 }));
    const [row = 0] = journal.rows("s1");
    const numbers = journal.pending(row).map(({ key, promptNumber }) => [key, promptNumber]);
    expect(numbers).toContainEqual(["tool:t1", running.promptNumber]);
    expect(numbers).toContainEqual(["tool:t0", 2]);
    expect([running.promptNumber, next.promptNumber]).toEqual([1, 1]);
  });

  test("of each event it is known whether it was read there, and whether anything was said", async () => {
    const journal = await open();
    await journal.append(prompt("live", 5_000));
    await journal.append(toolEvent("t0", { time: 5_500, recovered }));
    await journal.append(clientEvent("Stop", { time: 6_000, lastAssistantMessage: "Done." }));
    const [row = 0] = journal.rows("s1");
    const told = journal
      .pastEvents(row)
      .map(({ name, recovered: isRead, spoken, toolUseId }) => [
        ...[name, isRead, spoken, toolUseId],
      ]);
    expect(told).toEqual([
      ["UserPromptSubmit", false, false, undefined],
      ["PostToolUse", true, false, "t0"],
      ["Stop", false, true, undefined],
    ]);
  });

  test("texts that are given back are a transcript's only", async () => {
    const journal = await open();
    // Nothing is to be done for a start: it is settled at once.
    const start = (key: string, more: object = {}) => clientEvent("SessionStart", { key, ...more });
    await journal.append(start("delivered"));
    await journal.append(start("read", { recovered }));
    journal.releaseRecovered("s1", "claude-code");
    const db = await openDatabase(path);
    const kept = db.prepare("SELECT key FROM events JOIN payloads USING (seq)").all();
    db.close();
    expect(kept).toEqual([{ key: "delivered" }]);
    expect(["delivered", "read", "unheard"].map((key) => journal.knownKey(key))).toEqual([
      "delivered",
      "released",
      undefined,
    ]);
    await journal.append(start("read", { recovered }));
    expect(journal.knownKey("read")).toBe("recovered");
  });

  test("a journal of the first version goes on, and knows what happened in it", async () => {
    const old = await openDatabase(path);
    old.exec(`${firstVersion}; PRAGMA user_version = 1;
      INSERT INTO sessions (id, client, session, project, project_id, prompts, started_at, opened_at, last_event_at, last_received_at)
      VALUES (1, 'claude-code', 's1', '{}', 'shop', 1, 4000, 4000, 5000, 5000)`);
    const event = toolEvent("t1", { time: 5_000 });
    const asked = prompt("live", 4_000);
    for (const [seq, one] of [asked, event].entries()) {
      const { name, key, time } = one;
      old
        .prepare(
          "INSERT INTO events (seq, key, session, name, time, received_at, prompt_number, spoken, bytes, planned) VALUES (?, ?, 1, ?, ?, 0, 1, 0, 0, 1)",
        )
        .run([seq + 1, key, name, time]);
      old.prepare("INSERT INTO payloads VALUES (?, ?)").run([seq + 1, JSON.stringify(one)]);
    }
    // One that was damaged costs itself, and not the journal its new form.
    old.exec(`
      INSERT INTO events (seq, key, session, name, time, received_at, prompt_number, spoken, bytes, planned)
      VALUES (3, 'cut', 1, 'UserPromptSubmit', 4500, 0, 1, 0, 0, 1);
      INSERT INTO payloads VALUES (3, '{"name":"User')`);
    old.close();
    const journal = await open();
    const copy = { recovered, session: "s2", key: "copy" };
    expect((await journal.append({ ...event, ...copy })).isNew).toBe(false);
    expect((await journal.append(toolEvent("t2", { time: 6_000 }))).promptNumber).toBe(1);
    expect(journal.heardSessions()).toHaveLength(0);
    expect(journal.session("s1")).toMatchObject({ prompts: 1 });
  });
});
