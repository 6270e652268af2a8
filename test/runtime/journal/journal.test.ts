// The journal's promises to the runtime: committed, numbered, never twice, never down.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { clock, closeFolder, open, openFolder, watchedDisk } from "./journal-room.ts";

beforeEach(openFolder);
afterEach(closeFolder);

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
      isNew: false,
    });
    expect(journal.session("s1")?.prompts).toBe(2);
    expect(journal.status().counters["event:UserPromptSubmit"]).toBe(2);
  });

  test("two copies in one tick are one event", async () => {
    const journal = await open();
    const event = toolEvent("twin");
    const [one, two] = await Promise.all([journal.append(event), journal.append(event)]);
    expect([one?.isNew, two?.isNew]).toEqual([true, false]);
    expect(one?.seq).toBe(two?.seq ?? -1);
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

  test("appends of one tick share a transaction, and a lone one waits for nobody", async () => {
    const { disk, open: openWatched } = watchedDisk();
    const journal = await open({ open: openWatched });
    const before = disk.commits;
    const appended = await Promise.all(
      Array.from({ length: 300 }, (_, index) => journal.append(toolEvent(`group${index}`))),
    );
    expect(appended.every(({ isNew }) => isNew)).toBe(true);
    expect(new Set(appended.map(({ seq }) => seq)).size).toBe(300);
    expect(disk.commits - before).toBe(1);
    await journal.append(toolEvent("alone"));
    expect(disk.commits - before).toBe(2);
  });

  test("an event that is not valid JSON is refused alone", async () => {
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
    expect(await first).toMatchObject({ isNew: true });
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
    expect(await journal.append(event)).toMatchObject({ isNew: true, promptNumber: 1 });
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

describe("what plugins counted", () => {
  test("is kept by project and hour, and a kind that is shown less is known for a week", async () => {
    const hour = 60 * 60_000;
    const journal = await open();
    const note = (project: string, name: string, at: number) =>
      journal.note({ project, name, time: at * hour });
    note("shop", "failure:told", 1);
    note("shop", "failure:told", 1);
    note("shop", "failure:told", 5);
    note("till", "file:told", 5);
    note("till", "file:silent", 6);
    await journal.close();
    const again = await open();
    expect(again.noted(2 * hour)).toEqual([
      { project: "shop", name: "failure:told", count: 1, at: 5 * hour },
      { project: "till", name: "file:silent", count: 1, at: 6 * hour },
      { project: "till", name: "file:told", count: 1, at: 5 * hour },
    ]);
    expect(again.noted(0)[0]).toMatchObject({ count: 3 });
    expect(again.status().silent).toEqual([{ project: "till", kind: "file", keptBack: 1 }]);
    clock.now = 8 * 24 * hour;
    expect(again.status().silent).toEqual([]);
  });
});
