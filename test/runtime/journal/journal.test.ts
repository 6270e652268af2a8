// The journal's promises to the runtime: committed, numbered, never twice, never down.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../src/host/sqlite.ts";
import { createJournal, type Journal } from "../../../src/runtime/journal/journal.ts";
import { firstVersion } from "../../../src/runtime/journal/schema.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";

let folder: string;
let path: string;
let time: number;
const opened: Journal[] = [];

async function open(
  options: { open?: typeof openDatabase; log?: ReturnType<typeof keptLog> } = {},
) {
  const journal = await createJournal(path, { now: () => time, log: keptLog(), ...options });
  opened.push(journal);
  return journal;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-journal-"));
  path = join(folder, "journal.db");
  time = 1_000;
});
afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close();
  await rm(folder, { recursive: true });
});

/** Opens files whose connections count commits; the next commits fail with what is in `failures`. */
function watchedDisk() {
  const disk = { commits: 0, failures: [] as Error[], db: undefined as Database | undefined };
  const open: typeof openDatabase = async (file, options) => {
    const db = await openDatabase(file, options);
    disk.db = db;
    const watched: Database = {
      ...db,
      transaction: (work) =>
        db.transaction(() => {
          const result = work();
          const failure = disk.failures.shift();
          if (failure) throw failure;
          disk.commits++;
          return result;
        }),
    };
    return watched;
  };
  return { disk, open };
}

describe("append", () => {
  test("numbers prompts per session and gives other events the running number", async () => {
    const journal = await open();
    const numbers: number[] = [];
    for (const event of [
      clientEvent("SessionStart"),
      clientEvent("UserPromptSubmit"),
      toolEvent("a"),
      clientEvent("UserPromptSubmit", { session: "s2" }),
      clientEvent("UserPromptSubmit"),
      toolEvent("b", { agent: { id: "sub" } }),
      clientEvent("Stop"),
    ])
      numbers.push((await journal.append(event)).promptNumber);
    expect(numbers).toEqual([0, 1, 1, 1, 2, 2, 2]);
    expect(journal.session("s1")?.prompts).toBe(2);
  });

  test("a known key is answered with the first one's place and changes nothing", async () => {
    const journal = await open();
    const prompt = clientEvent("UserPromptSubmit");
    const first = await journal.append(prompt);
    await journal.append(clientEvent("UserPromptSubmit"));
    expect(await journal.append({ ...prompt, id: "posted again" })).toEqual({
      ...first,
      fresh: false,
    });
    expect(journal.session("s1")?.prompts).toBe(2);
    expect(journal.status().counters["event:UserPromptSubmit"]).toBe(2);
  });

  test("two copies in one tick are one event", async () => {
    const journal = await open();
    const event = toolEvent("twin");
    const [one, two] = await Promise.all([journal.append(event), journal.append(event)]);
    expect([one?.fresh, two?.fresh]).toEqual([true, false]);
    expect(one?.seq).toBe(two?.seq ?? -1);
  });

  test("a session id of another client is another session", async () => {
    const journal = await open();
    await journal.append(clientEvent("UserPromptSubmit"));
    const other = await journal.append(clientEvent("UserPromptSubmit", { client: "other" }));
    expect(other.promptNumber).toBe(1);
    expect(journal.session("s1", "claude-code")?.client).toBe("claude-code");
    expect(journal.session("s1", "other")?.client).toBe("other");
    expect(journal.rows("s1")).toHaveLength(2);
  });

  test("a subagent's event goes to the prompt whose id it carries", async () => {
    const journal = await open();
    await journal.append(clientEvent("UserPromptSubmit", { promptId: "one" }));
    await journal.append(clientEvent("UserPromptSubmit", { promptId: "two" }));
    const agent = { id: "background" };
    const numberOf = async (id: string, more: object) =>
      (await journal.append(toolEvent(id, more))).promptNumber;
    expect(await numberOf("bg", { agent, promptId: "one" })).toBe(1);
    expect(await numberOf("own", { promptId: "two" })).toBe(2);
    await journal.append(clientEvent("UserPromptSubmit", { promptId: "three" }));
    expect(await numberOf("late", { agent, promptId: "two" })).toBe(2);
    // A prompt that a transcript tells of the past is not the open one.
    const past = {
      prompt: "past",
      promptId: "zero",
      time: -5,
      key: "past",
      recovered: { modelFree: true },
    };
    await journal.append(clientEvent("UserPromptSubmit", past));
    expect(await numberOf("open", { promptId: "three" })).toBe(3);
    expect(await numberOf("past", { promptId: "zero" })).toBe(4);
  });

  test("late events go to the prompt of their time", async () => {
    const journal = await open();
    await journal.append(clientEvent("UserPromptSubmit", { time: 100 }));
    await journal.append(clientEvent("UserPromptSubmit", { time: 200 }));
    expect((await journal.append(toolEvent("late", { time: 150 }))).promptNumber).toBe(1);
    expect((await journal.append(toolEvent("before", { time: 50 }))).promptNumber).toBe(0);
  });

  test("tool uses that overtook their prompt join it", async () => {
    const journal = await open();
    await journal.append(clientEvent("UserPromptSubmit", { time: 100 }));
    await journal.append(toolEvent("first", { time: 150 }));
    await journal.append(toolEvent("early", { time: 250 }));
    await journal.append(clientEvent("UserPromptSubmit", { time: 200 }));
    const [row = 0] = journal.rows("s1");
    const byTool = journal
      .pending(row)
      .map(({ toolUseId, promptNumber }) => [toolUseId, promptNumber]);
    expect(byTool).toContainEqual(["first", 1]);
    expect(byTool).toContainEqual(["early", 2]);
  });

  test("sessions end and reopen, whatever order events come in", async () => {
    const journal = await open();
    await journal.append(clientEvent("UserPromptSubmit", { time: 100 }));
    await journal.append(clientEvent("SessionEnd", { time: 200 }));
    expect(journal.session("s1")?.endedAt).toBe(200);
    await journal.append(toolEvent("late", { time: 150 }));
    expect(journal.session("s1")?.endedAt).toBe(200);
    await journal.append(clientEvent("SessionStart", { time: 300, source: "resume" }));
    expect(journal.session("s1")?.endedAt).toBeNull();
    await journal.append(clientEvent("SessionEnd", { time: 250 }));
    expect(journal.session("s1")?.endedAt).toBeNull();
  });

  test("appends of one tick share a transaction, and a lone one waits for nobody", async () => {
    const { disk, open: openWatched } = watchedDisk();
    const journal = await open({ open: openWatched });
    const before = disk.commits;
    const appended = await Promise.all(
      Array.from({ length: 300 }, (_, index) => journal.append(toolEvent(`group${index}`))),
    );
    expect(appended.every(({ fresh }) => fresh)).toBe(true);
    expect(new Set(appended.map(({ seq }) => seq)).size).toBe(300);
    expect(disk.commits - before).toBe(1);
    await journal.append(toolEvent("alone"));
    expect(disk.commits - before).toBe(2);
  });

  test("an event that is no JSON is refused alone", async () => {
    const journal = await open();
    const circular: unknown[] = [];
    circular.push(circular);
    const [good, bad] = await Promise.allSettled([
      journal.append(toolEvent("good")),
      journal.append(toolEvent("bad", { toolResponse: circular })),
    ]);
    expect(good.status).toBe("fulfilled");
    expect(bad).toMatchObject({ status: "rejected", reason: { code: "payload_invalid" } });
  });

  test("waits for the disk, and answers nobody when that fails", async () => {
    let reach: (error?: Error) => void = () => {};
    const journal = await open({
      open: async (file, options) => ({
        ...(await openDatabase(file, options)),
        flush: () =>
          new Promise((resolve, reject) => {
            reach = (error) => (error ? reject(error) : resolve());
          }),
      }),
    });
    let isAnswered = false;
    const first = journal.append(toolEvent("first")).then((appended) => {
      isAnswered = true;
      return appended;
    });
    while (journal.status().pendingEvents === 0) await Bun.sleep(1);
    await Bun.sleep(5);
    expect(isAnswered).toBe(false);
    reach();
    expect(await first).toMatchObject({ fresh: true });
    const second = journal.append(toolEvent("second"));
    while (journal.status().pendingEvents === 1) await Bun.sleep(1);
    reach(new Error("input/output error"));
    await expect(second).rejects.toMatchObject({
      code: "journal_unwritable",
      message: expect.stringContaining("input/output error"),
    });
  });

  test("a full disk is said clearly, commits nothing, and is over when it is over", async () => {
    const { disk, open: openWatched } = watchedDisk();
    const journal = await open({ open: openWatched });
    disk.failures.push(Object.assign(new Error("database or disk is full"), { errno: 13 }));
    const event = clientEvent("UserPromptSubmit");
    await expect(journal.append(event)).rejects.toMatchObject({
      code: "journal_unwritable",
      message: expect.stringContaining("disk is full"),
    });
    expect(journal.session("s1")).toBeUndefined();
    expect(journal.status().counters).toEqual({});
    expect(await journal.append(event)).toMatchObject({ fresh: true, promptNumber: 1 });
  });
});

test("a prompt's tool events are the newest that fit, oldest first", async () => {
  const journal = await open();
  await journal.append(clientEvent("UserPromptSubmit", { time: 1 }));
  for (const [id, at] of [
    ["c", 40],
    ["a", 20],
    ["b", 30],
  ] as const)
    await journal.append(toolEvent(id, { time: at, toolResponse: "x".repeat(1_000) }));
  const [row = 0] = journal.rows("s1");
  const ids = (limits: { events: number; bytes: number }) =>
    journal.toolEvents(row, 1, limits).map(({ event }) => "toolUseId" in event && event.toolUseId);
  expect(ids({ events: 9, bytes: 1e9 })).toEqual(["a", "b", "c"]);
  expect(ids({ events: 2, bytes: 1e9 })).toEqual(["b", "c"]);
  expect(ids({ events: 9, bytes: 1_500 })).toEqual(["c"]);
});

describe("the file", () => {
  test("is the user's alone, in WAL mode", async () => {
    const journal = await open();
    await journal.append(toolEvent("a"));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).toSorted()).toContain("journal.db-wal");
    expect(journal.status().bytes).toBeGreaterThan(0);
  });

  test("is kept over a restart", async () => {
    const event = toolEvent("kept");
    const journal = await open();
    await journal.append(clientEvent("UserPromptSubmit"));
    await journal.append(event);
    journal.count("drop:skip list", 3);
    await journal.close();
    const again = await open();
    expect((await again.append(event)).fresh).toBe(false);
    expect((await again.append(clientEvent("UserPromptSubmit"))).promptNumber).toBe(2);
    expect(again.status().counters["drop:skip list"]).toBe(3);
  });

  test("of a newer memoir is left alone", async () => {
    const db = await openDatabase(path);
    db.exec("PRAGMA user_version = 99");
    db.close();
    const before = await readFile(path);
    await expect(open()).rejects.toMatchObject({ code: "storage_newer" });
    expect(await readFile(path)).toEqual(before);
  });

  test("that cannot be opened is said clearly", async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, "no folder");
    await expect(open()).rejects.toMatchObject({ code: "journal_unwritable" });
  });

  test("of garbage is put aside and kept", async () => {
    const garbage = "no database at all ".repeat(500);
    await writeFile(path, garbage);
    const log = keptLog();
    const journal = await open({ log });
    expect((await journal.append(toolEvent("a"))).fresh).toBe(true);
    const aside = `${path}.damaged-1000`;
    expect(await readFile(aside, "utf8")).toBe(garbage);
    expect(journal.status().damaged).toEqual([aside]);
    expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  test("that was cut short is put aside; sessions and unfinished events that can be read are carried over", async () => {
    const journal = await open();
    await journal.append(clientEvent("UserPromptSubmit"));
    for (let index = 0; index < 300; index++)
      await journal.append(toolEvent(`cut${index}`, { toolResponse: "x".repeat(500) }));
    await journal.close();
    await truncate(path, Math.floor((await stat(path)).size * 0.7));
    const again = await open();
    const status = again.status();
    expect(status.damaged).toHaveLength(1);
    expect(again.session("s1")?.prompts).toBe(1);
    expect(status.pendingEvents).toBeGreaterThan(0);
    expect((await again.append(clientEvent("UserPromptSubmit"))).promptNumber).toBe(2);
  });

  test("whose damage shows later loses no word of the user's: what was forgotten stays forgotten", async () => {
    const { disk, open: openWatched } = watchedDisk();
    const journal = await open({ open: openWatched });
    await journal.append(clientEvent("UserPromptSubmit"));
    const before = journal.rows("s1")[0] ?? 0;
    journal.forget(before, [1]);
    disk.failures.push(Object.assign(new Error("database disk image is malformed"), { errno: 11 }));
    await journal.append(toolEvent("through"));
    expect(journal.status().damaged).toHaveLength(1);
    const row = journal.rows("s1")[0] ?? 0;
    expect([journal.isForgotten(row, 1), journal.isForgotten(row, 2)]).toEqual([true, false]);
  });

  test("whose damage shows later keeps what tool uses that are done were, and that they happened", async () => {
    const { disk, open: openWatched } = watchedDisk();
    const journal = await open({ open: openWatched });
    await journal.append(toolEvent("done"));
    const [row = 0] = journal.rows("s1");
    journal.plan(row, {
      works: [],
      settled: [{ seq: 1, reason: "nothing to do" }],
      dueAt: null,
      summarizedSeq: null,
    });
    disk.failures.push(Object.assign(new Error("database disk image is malformed"), { errno: 11 }));
    await journal.append(toolEvent("through"));
    expect(journal.status().damaged).toHaveLength(1);
    expect(journal.toolUse("done")?.settled).toMatchObject({ reason: "nothing to do" });
    const copy = { recovered: { modelFree: true }, session: "fork", key: "copy" };
    expect((await journal.append(toolEvent("done", copy))).fresh).toBe(false);
  });

  test("whose damage shows later is replaced, and the append goes through", async () => {
    const { disk, open: openWatched } = watchedDisk();
    const journal = await open({ open: openWatched });
    await journal.append(clientEvent("UserPromptSubmit"));
    // Somebody else reads the file, so its log stays when the journal lets go of it.
    const reader = await openDatabase(path, { readonly: true });
    reader.prepare("SELECT count(*) FROM events").get();
    disk.failures.push(Object.assign(new Error("database disk image is malformed"), { errno: 11 }));
    expect(await journal.append(toolEvent("through"))).toMatchObject({
      fresh: true,
      promptNumber: 1,
    });
    expect(journal.status().damaged).toHaveLength(1);
    expect(journal.status().pendingEvents).toBe(2);
    expect(await readdir(folder)).toContain("journal.db.damaged-1000-wal");
    reader.close();
  });
});

describe("what transcripts tell afterwards", () => {
  const recovered = { modelFree: true };
  const prompt = (text: string, time: number, more: object = {}) =>
    clientEvent("UserPromptSubmit", { prompt: text, time, key: `${text} ${time}`, ...more });

  test("a prompt that a hook told is known, also when its line is a minute away; a repeated one is not", async () => {
    const journal = await open();
    const minute = 60_000;
    await journal.append(prompt("go on", 10 * minute - 1));
    const line = { recovered, key: "line" };
    expect((await journal.append(prompt("go on", 10 * minute + 50, line))).fresh).toBe(false);
    expect((await journal.append(prompt("go on", 20 * minute, line))).fresh).toBe(true);
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
    expect((await journal.append({ ...event, ...copy })).fresh).toBe(false);
    expect((await journal.append(toolEvent("t2", { time: 6_000 }))).promptNumber).toBe(1);
    expect(journal.heardSessions("claude-code")).toHaveLength(0);
    expect(journal.session("s1")).toMatchObject({ prompts: 1 });
  });
});

describe("what plugins counted", () => {
  test("is kept by project and hour, and a kind that fell silent is known for a week", async () => {
    const hour = 60 * 60_000;
    const journal = await open();
    const note = (project: string, name: string, at: number) =>
      journal.note({ project, name, time: at * hour });
    note("shop", "failure:told", 1);
    note("shop", "failure:told", 1);
    note("shop", "failure:told", 5);
    note("till", "file:fell-silent", 5);
    note("till", "file:silent", 6);
    await journal.close();
    const again = await open();
    expect(again.noted(2 * hour)).toEqual([
      { project: "shop", name: "failure:told", count: 1, at: 5 * hour },
      { project: "till", name: "file:fell-silent", count: 1, at: 5 * hour },
      { project: "till", name: "file:silent", count: 1, at: 6 * hour },
    ]);
    expect(again.noted(0)[0]).toMatchObject({ count: 3 });
    expect(again.status().silent).toEqual([{ project: "till", kind: "file", keptBack: 1 }]);
    time = 8 * 24 * hour;
    expect(again.status().silent).toEqual([]);
  });
});

test("words of what is forgotten leave the journal's files", async () => {
  const journal = await open();
  const text = "a wombat in the cellar";
  await journal.append(clientEvent("UserPromptSubmit", { prompt: text.repeat(400) }));
  await journal.append(clientEvent("UserPromptSubmit", { prompt: "kept" }));
  const row = journal.rows("s1")[0] ?? 0;
  await journal.flushed();
  expect(journal.forget(row, [1])).toEqual([]);
  const files = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), "latin1")),
  );
  expect(files.join("")).not.toContain("wombat");
  expect(files.join("")).toContain("kept");
});
