// What goes out comes in again, whole, once, and without secrets.
import { describe, expect, test } from "bun:test";
import { identityOf } from "../../../../src/sdk/identity.ts";
import type { Records } from "../../../../src/sdk/model.ts";
import { exportPage } from "../../../../src/server/operations/transfer.ts";
import {
  blog,
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
  shop,
} from "../../../../src/testing/samples.ts";
import { emptyStorage, exported, imported, type TestStorage, withoutIds } from "./storage.ts";

const minute = 60_000;

/** Sessions of two projects that say the same things in turn, so that much is superseded, put in no order of time. */
async function filled(sessions = 12): Promise<TestStorage> {
  const storage = await emptyStorage();
  const numbers = Array.from({ length: sessions }, (_, at) => (at * 7) % sessions);
  for (const number of numbers) {
    const session = `session-${number}`;
    const project = number % 3 === 0 ? blog : shop;
    const at = { session, project: project.id, time: noon + number * minute };
    const records: Records = {
      sessions: [
        sampleSession({
          ...{
            id: session,
            project: { ...project, branch: `b${number}` },
            title: `Session ${number}`,
          },
          ...{
            subtitle: "What was done",
            prompts: 2,
            status: "ended",
            transcriptPath: `/t/${number}.jsonl`,
          },
          ...{
            startedAt: at.time,
            lastActiveAt: at.time + minute,
            endedAt: at.time + minute,
            endReason: "clear",
          },
        }),
      ],
      prompts: [samplePrompt(at), samplePrompt({ ...at, promptNumber: 2, text: "And now?" })],
      turns: [
        sampleTurn({
          session,
          project: project.id,
          startedAt: at.time,
          time: at.time + 1,
          gaps: true,
          leftOut: { said: 2 },
        }),
      ],
      observations: [
        sampleObservation({
          ...at,
          title: "Token refresh loops",
          facts: [`fact ${number}`],
          filesModified: [`src/${number % 2}.ts`, `src/${number % 3}.ts`],
          agent: { id: "a1", type: "Explore" },
          evidence: [{ turn: 1, piece: 0 }],
          branch: "main",
          discoveryTokens: 12,
        }),
        sampleObservation({
          ...at,
          time: at.time - 5 * minute,
          title: "Refresh of token loop",
          facts: [],
          narrative: `story ${number}`,
          filesRead: [`src/${number % 4}.ts`],
        }),
      ],
      summaries: [
        sampleSummary({ ...at, scope: "prompt", nextSteps: "more" }),
        sampleSummary({ ...at, scope: "session", promptNumber: 2 }),
      ],
      memory: [
        sampleMemory({
          session,
          project: project.id,
          content: `Item ${number}`,
          date: `2026-10-${String(10 + number)}`,
          state: "standing",
          quote: "always",
        }),
      ],
    };
    await storage.records.put({ key: session, records });
  }
  return storage;
}
const linesOf = async (storage: TestStorage) =>
  (await exported(storage)).records.map((record) => JSON.stringify(record));

describe("an export", () => {
  test("of one memory and of the memory that it was imported into are the same but for ids", async () => {
    const storage = await filled();
    const { records } = await exported(storage);
    expect(Map.groupBy(records, ({ kind }) => kind).size).toBe(6);
    expect(records.some(({ kind, record }) => kind === "observation" && record.supersededBy)).toBe(
      true,
    );
    for (const atOnce of [1, 7, 1_000]) {
      const other = await emptyStorage();
      const result = await imported(other, await linesOf(storage), atOnce);
      expect([result.stored, result.errors]).toEqual([records.length, []]);
      expect(withoutIds((await exported(other)).records)).toEqual(withoutIds(records));
    }
  });

  test("has every record once, however many pages it takes, also of a session larger than a page", async () => {
    const storage = await filled(60);
    const many = Array.from({ length: 450 }, (_, at) =>
      samplePrompt({
        session: "session-7",
        promptNumber: at + 10,
        text: `Ask ${at} ${"x".repeat(4_000)}`,
      }),
    );
    await storage.records.put({ key: "many", records: { prompts: many } });
    const { records, pages } = await exported(storage);
    expect(pages).toBeGreaterThan(3);
    const stats = await storage.records.stats({});
    const wanted =
      stats.sessions +
      stats.prompts +
      stats.turns +
      stats.observations +
      stats.summaries +
      stats.memory;
    expect([records.length, new Set(records.map(({ record }) => record.id)).size]).toEqual([
      wanted,
      wanted,
    ]);
  });

  test("leaves no session out that moves while others are read, and ends once it is at its newest", async () => {
    const storage = await filled(120);
    const seen: string[] = [];
    let page = await exportPage(storage.runtime, {});
    for (let turn = 0; page.next; turn++) {
      for (const { kind, record } of page.records) if (kind === "session") seen.push(record.id);
      const at = { lastActiveAt: Date.now() + turn * minute };
      const moving = [`session-${Math.max(0, 119 - turn)}`, "session-0"].map((id) =>
        sampleSession({ id, ...at }),
      );
      await storage.records.put({ key: `later ${turn}`, records: { sessions: moving } });
      page = await exportPage(storage.runtime, {}, page.next);
      expect(turn).toBeLessThan(200);
    }
    for (const { kind, record } of page.records) if (kind === "session") seen.push(record.id);
    expect(new Set(seen).size).toBe(120);
    expect(seen.filter((id) => id === "session-0").length).toBeGreaterThan(1);
  });

  test("is narrowed by project and time", async () => {
    const storage = await filled();
    const { records } = await exported(storage, { project: "blog" });
    const projects = records.map(({ record }) =>
      typeof record.project === "string" ? record.project : record.project.id,
    );
    expect(new Set(projects)).toEqual(new Set([blog.id]));
    const late = (await exported(storage, { since: noon + 10 * minute })).records;
    expect(late.filter(({ kind }) => kind === "prompt").length).toBe(4);
    expect(late.some(({ kind }) => kind === "memory")).toBe(false);
  });
});

describe("an import", () => {
  test("again stores nothing, asks nothing to be written, and one that was broken off is ended", async () => {
    const lines = await linesOf(await filled());
    const other = await emptyStorage();
    await imported(other, lines.slice(0, 41), 7);
    const rest = await imported(other, lines, 7);
    expect([rest.known, rest.stored]).toEqual([41, lines.length - 41]);
    const { position } = await other.records.changes({});
    const again = await imported(other, lines);
    expect([again.stored, again.known]).toEqual([0, lines.length]);
    expect((await other.records.changes({})).position).toEqual(position);
  });

  const turnLine = (promptNumber: number, time: number, end: "open" | "closed") =>
    JSON.stringify({ kind: "turn", record: sampleTurn({ promptNumber, time, end }) });
  const ends = async ({ records }: TestStorage) =>
    (await records.turns({ order: "oldest" })).map(({ end }) => end);

  test("replaces what is older and leaves what is newer", async () => {
    const storage = await emptyStorage();
    await imported(storage, [turnLine(1, noon, "open"), turnLine(2, noon, "open")]);
    await imported(storage, [turnLine(1, noon + 1, "closed"), turnLine(2, noon - 1, "closed")]);
    expect(await ends(storage)).toEqual(["closed", "open"]);
  });

  test("takes the same of two lines of one moment, whichever comes first", async () => {
    const both = [turnLine(1, noon, "open"), turnLine(1, noon, "closed")];
    const found = await Promise.all(
      [both, both.toReversed()].map(async (lines) => {
        const storage = await emptyStorage();
        for (const line of lines) await imported(storage, [line]);
        return await ends(storage);
      }),
    );
    expect(found[0]).toEqual(found[1]);
  });

  test("leaves what was made here since a line without a change's time was of", async () => {
    const storage = await emptyStorage();
    const turns = [sampleTurn({ promptNumber: 1, time: noon, end: "open" })];
    await storage.records.put({ key: "here", records: { turns } });
    const result = await imported(storage, [turnLine(1, noon + 1, "closed")]);
    expect([result.known, await ends(storage)]).toEqual([1, ["open"]]);
  });

  test("takes the later of two versions of one moment, by when each was made", async () => {
    for (const [first, last] of [
      ["open", "closed"],
      ["closed", "open"],
    ] as const) {
      const from = await emptyStorage();
      const put = (end: "open" | "closed") =>
        from.records.put({ key: end, records: { turns: [sampleTurn({ time: noon, end })] } });
      await put(first);
      const before = await linesOf(from);
      await put(last);
      const after = await linesOf(from);
      for (const order of [
        [before, after],
        [after, before],
      ]) {
        const to = await emptyStorage();
        for (const lines of order) await imported(to, lines);
        expect(await ends(to)).toEqual([last]);
      }
    }
  });

  test("does not bring back what was deleted here, by the storage's own word", async () => {
    const storage = await filled(3);
    const lines = await linesOf(storage);
    await storage.records.delete({ ids: ["session-1"] });
    const before = (await exported(storage)).records.length;
    const result = await imported(storage, lines);
    expect([result.stored, result.forgotten]).toEqual([0, lines.length - before]);
    expect((await exported(storage)).records).toHaveLength(before);
  });

  test("keeps the folder, the transcript and who made it, and refuses another record's identity", async () => {
    const storage = await emptyStorage();
    const session = sampleSession({ transcriptPath: "/t/1.jsonl" });
    const time = "0mhx2a000000";
    const change = { record: identityOf({ kind: "session", record: session }), time };
    const by = { person: "ada", machine: "desk" };
    const line = { kind: "session", record: session, change: { ...change, by } };
    const wrong = { kind: "prompt", record: samplePrompt(), change };
    const result = await imported(
      storage,
      [line, wrong].map((one) => JSON.stringify(one)),
    );
    expect(result.errors).toEqual([{ line: 2, message: "its record is a session" }]);
    const [{ project, transcriptPath } = session] = await storage.records.sessions({});
    expect([project.root, transcriptPath]).toEqual([session.project.root, "/t/1.jsonl"]);
    const [kept] = (await storage.records.changes({ replica: "own" })).changes;
    expect(kept).toMatchObject({ ...change, number: 1, by });
    expect(kept?.body).not.toHaveProperty("transcriptPath");
  });

  test("takes a newer observation that was here before for what it is", async () => {
    const storage = await emptyStorage();
    const mine = sampleObservation({
      session: "mine",
      title: "Token refresh loops",
      facts: ["now"],
      time: noon + minute,
    });
    await storage.records.put({ key: "mine", records: { observations: [mine] } });
    const theirs = {
      ...sampleObservation({ session: "theirs", title: "Token refresh loops", facts: ["then"] }),
      id: "o1",
    };
    await imported(storage, [JSON.stringify({ kind: "observation", record: theirs })]);
    const found = await storage.records.observations({ session: "theirs" });
    expect(found.map(({ supersededBy }) => supersededBy)).toEqual(["o1"]);
  });

  test("takes secrets and private passages out of every text, and leaves ids and paths", async () => {
    const key = `sk-ant-${"api03"}-${"Ab1".repeat(30)}`;
    const text = `use ${key} here <private>my salary</private>`;
    const id = "toolu_01ABCDEFGHJKLMNPQRSTUVWX";
    const storage = await emptyStorage();
    const lines = [
      { kind: "session", record: sampleSession({ title: text, subtitle: text, endReason: text }) },
      { kind: "prompt", record: samplePrompt({ text }) },
      {
        kind: "turn",
        record: sampleTurn({
          pieces: [{ kind: "ran", text, about: text, described: text, toolUseId: id }],
          files: [],
        }),
      },
      {
        kind: "observation",
        record: sampleObservation({
          title: text,
          subtitle: text,
          facts: [text],
          narrative: text,
          concepts: [text],
          toolUseIds: [id],
        }),
      },
      { kind: "summary", record: sampleSummary({ request: text, learned: text, notes: text }) },
      { kind: "memory", record: sampleMemory({ content: text, context: text, quote: text }) },
    ];
    const result = await imported(
      storage,
      lines.map((line) => JSON.stringify(line)),
    );
    expect([result.stored, result.errors]).toEqual([6, []]);
    const { records } = await exported(storage);
    const out = JSON.stringify(records);
    expect([out.includes(key), out.includes("salary"), out.split(id).length - 1]).toEqual([
      false,
      false,
      2,
    ]);
  });

  test("names what is wrong by its line and keeps the others", async () => {
    const storage = await emptyStorage();
    const good = (text: string, promptNumber: number) =>
      JSON.stringify({ kind: "prompt", record: samplePrompt({ text, promptNumber }) });
    const bad = (record: object) =>
      JSON.stringify({ kind: "prompt", record: { ...samplePrompt(), ...record } });
    const result = await imported(storage, [
      ...[good("one", 1), "{", "[]", "7", '{"kind":"toString"}', '{"kind":"prompt"}'],
      ...[
        bad({ text: 5 }),
        bad({ time: 1e300 }),
        bad({ promptNumber: -1 }),
        bad({ session: "" }),
        good("two", 2),
      ],
    ]);
    expect(result.errors.map(({ line, message }) => `${line} ${message}`)).toEqual([
      "2 it is not valid JSON",
      "3 its kind is none of session, prompt, turn, observation, summary, memory",
      "4 it is not a JSON object",
      "5 its kind is none of session, prompt, turn, observation, summary, memory",
      expect.stringContaining("6 "),
      expect.stringContaining("7 record.text: "),
      "8 record.time: is no time in epoch ms",
      "9 record.promptNumber: is negative",
      "10 record.session: is empty",
    ]);
    expect((await storage.records.prompts({ order: "oldest" })).map(({ text }) => text)).toEqual([
      "one",
      "two",
    ]);
  });

  test("does not bring back what was forgotten", async () => {
    const storage = await emptyStorage(({ prompts = [], ...records }) => ({
      ...records,
      prompts: prompts.filter(({ text }) => text !== "And now?"),
    }));
    const result = await imported(storage, await linesOf(await filled(3)));
    expect(result.forgotten).toBe(3);
    expect((await storage.records.prompts({})).length).toBe(3);
  });

  test("takes no session for another whose id begins with its own", async () => {
    const storage = await emptyStorage();
    for (const id of ["abcd-1", "abcd-2"])
      await storage.records.put({
        key: id,
        records: { sessions: [sampleSession({ id })], prompts: [samplePrompt({ session: id })] },
      });
    const result = await imported(storage, [
      JSON.stringify({ kind: "prompt", record: samplePrompt({ session: "abcd" }) }),
    ]);
    expect([result.stored, (await storage.records.prompts({ session: "abcd" })).length]).toEqual([
      1, 1,
    ]);
  });
});

test("a storage without a change log is exported by its lists, and takes an import as it takes what is made here", async () => {
  const bare = async () => {
    const storage = await emptyStorage();
    const { first } = storage.runtime.hooks;
    const answers = (name: string) => name !== "storage.changes" && name !== "storage.apply";
    storage.runtime.hooks.first = async (name, ...rest) =>
      answers(name) ? first(name, ...rest) : undefined;
    return storage;
  };
  const [from, to, empty] = [await filled(), await bare(), await bare()];
  const lines = await linesOf(from);
  expect(await imported(to, lines)).toMatchObject({ stored: lines.length, errors: [] });
  const { records } = await exported(to);
  expect(withoutIds(records).toSorted()).toEqual(
    withoutIds((await exported(from)).records).toSorted(),
  );
  const late = { project: "blog", since: noon + 6 * minute };
  expect((await exported(to, late)).records).toHaveLength(
    (await exported(from, late)).records.length,
  );
  expect(await exported(empty)).toMatchObject({ records: [], pages: 6 });
});

describe("what the user made of records", () => {
  async function marked(): Promise<TestStorage> {
    const storage = await filled();
    const { records } = storage;
    const [observation] = await records.observations({});
    const [memory] = await records.memory({});
    const [turn] = await records.turns({});
    const [summary] = await records.summaries({});
    await records.amend({ id: observation?.id ?? "", set: { title: "In my words" }, pinned: true });
    await records.amend({ id: memory?.id ?? "", set: { content: "My rule" } });
    await records.amend({ id: turn?.id ?? "", hidden: true });
    await records.amend({ id: summary?.id ?? "", set: { learned: "Mine" }, hidden: true });
    await records.amend({ id: "session-3", hidden: true, set: { title: "My session" } });
    return storage;
  }

  test("goes along, is put once, and can be undone there", async () => {
    const from = await marked();
    const { records } = await exported(from);
    const lines = records.map((record) => JSON.stringify(record));
    const to = await emptyStorage();
    await imported(to, lines);
    expect(withoutIds((await exported(to)).records)).toEqual(withoutIds(records));
    const again = await imported(to, lines);
    expect(again).toMatchObject({ stored: 0, known: records.length, errors: [] });
    expect(withoutIds((await exported(to)).records)).toEqual(withoutIds(records));
    const [edited] = (await to.records.memory({})).filter((item) => item.edited);
    const { record } = await to.records.amend({ id: edited?.id ?? "", undo: true });
    expect(record).not.toMatchObject({ content: "My rule" });
  });

  test("reaches records that are there without it, and adds to what the user made of them there", async () => {
    const to = await filled();
    const here = (await to.records.turns({}))[1]?.id ?? "";
    await to.records.amend({ id: here, pinned: true });
    const from = await marked();
    await from.records.amend({ id: here, hidden: true });
    const { records } = await exported(from);
    const lines = records.map((record) => JSON.stringify(record));
    expect(await imported(to, lines)).toMatchObject({ stored: 0, known: records.length });
    expect((await to.records.memory({})).map(({ content }) => content)).toContain("My rule");
    expect((await to.records.sessions({ marked: "hidden" })).map(({ id }) => id)).toEqual([
      "session-3",
    ]);
    expect((await to.records.get({ ids: [here] }))[0]?.record).toMatchObject({
      ...{ pinned: true, hidden: true },
    });
  });

  test("loses secrets in what stood there before, too", async () => {
    const key = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const record = {
      ...sampleMemory({ content: "Mine" }),
      edited: { time: 1, was: { content: `Use ${key}` } },
    };
    const to = await emptyStorage();
    await imported(to, [JSON.stringify({ kind: "memory", record })]);
    const [item] = await to.records.memory({});
    expect(item?.content).toBe("Mine");
    expect(JSON.stringify(item)).not.toContain(key);
    expect(JSON.stringify(item)).toContain("Use ");
  });
});
