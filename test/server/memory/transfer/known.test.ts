// What an import takes for the same record, and what for another: each part of each key.
import { describe, expect, test } from "bun:test";
import {
  importedRecord,
  importLines,
} from "../../../../src/server/memory/transfer/import-lines.ts";
import {
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../../../../src/testing/samples.ts";
import { emptyStorage, exported, imported } from "./storage.ts";

const line = (kind: string, record: object) => JSON.stringify({ kind, record });
/** How many of these are stored, how many known, where `first` is there already. */
async function afterwards(kind: string, first: object, ...rest: object[]) {
  const storage = await emptyStorage();
  await imported(storage, [line(kind, first)]);
  const { stored, known } = await imported(
    storage,
    rest.map((one) => line(kind, one)),
  );
  return [stored, known];
}

const samples = {
  session: sampleSession(),
  prompt: samplePrompt(),
  turn: sampleTurn(),
  observation: sampleObservation({ facts: ["One  fact"], title: "A Title" }),
  summary: sampleSummary(),
  memory: sampleMemory({ content: "Uses tabs", date: "2026-11-01" }),
};

describe("a record that is there already", () => {
  test.each(Object.entries(samples))("is known again: %s", async (kind, record) => {
    expect(await afterwards(kind, record, record, record)).toEqual([0, 2]);
  });

  test.each([
    ["session", { id: "other" }],
    ["session", { client: "codex" }],
    ["prompt", { session: "other" }],
    ["prompt", { client: "codex" }],
    ["prompt", { promptNumber: 2 }],
    ["turn", { session: "other" }],
    ["turn", { client: "codex" }],
    ["turn", { promptNumber: 2 }],
    ["observation", { session: "other" }],
    ["observation", { title: "Another title" }],
    ["observation", { facts: ["Another fact"] }],
    ["summary", { session: "other" }],
    ["summary", { promptNumber: 2 }],
    ["summary", { scope: "session" }],
    ["memory", { project: "other" }],
    ["memory", { kind: "decisions" }],
    ["memory", { content: "Uses spaces" }],
  ] as const)("is another where it differs: %s %j", async (kind, part) => {
    expect(await afterwards(kind, samples[kind], { ...samples[kind], ...part })).toEqual([1, 0]);
  });

  test("is the same observation whatever its case, its spacing and the rest of it; without facts it is what it tells", async () => {
    const count = async (...some: object[]) => {
      const storage = await emptyStorage();
      for (const one of some) await imported(storage, [line("observation", one)]);
      return (await storage.records.observations({})).length;
    };
    const said = { ...samples.observation, title: " a  title ", facts: ["ONE fact"] };
    expect(await count(samples.observation, { ...said, subtitle: "x", type: "bugfix" })).toBe(1);
    const bare = { ...samples.observation, facts: [], subtitle: "S", narrative: "N" };
    expect(await count(bare, { ...bare, narrative: "n" })).toBe(1);
    expect(await count(bare, { ...bare, narrative: "M" })).toBe(2);
    expect(await count(bare, { ...bare, subtitle: "T" })).toBe(2);
  });

  test.each([
    ["session", "lastActiveAt", noon + 1],
    ["prompt", "time", noon + 1],
    ["summary", "time", noon + 1],
    ["memory", "date", "2026-11-02"],
  ] as const)("gives way to one that is newer: %s by its %s", async (kind, field, value) => {
    const newer = { ...samples[kind], [field]: value };
    expect(await afterwards(kind, samples[kind], newer)).toEqual([1, 0]);
    expect(await afterwards(kind, newer, samples[kind])).toEqual([0, 1]);
  });

  test("is found behind the first thousand of its session", async () => {
    const storage = await emptyStorage();
    const prompts = Array.from({ length: 1_001 }, (_, at) =>
      samplePrompt({ promptNumber: at + 1, time: noon + at }),
    );
    await storage.records.put({ key: "many", records: { sessions: [sampleSession()], prompts } });
    const last = line("prompt", prompts.at(-1) ?? {});
    expect(await imported(storage, [last])).toMatchObject({ stored: 0, known: 1 });
  });

  test("in the same lines counts once, and the newer of two is what stays", async () => {
    const storage = await emptyStorage();
    const turns = [noon, noon + 5, noon + 2].map((time) =>
      line("turn", sampleTurn({ time, leftOut: { said: time - noon + 1 } })),
    );
    expect(await imported(storage, turns)).toMatchObject({ stored: 1, known: 2 });
    const [turn] = await storage.records.turns({});
    expect(turn).toMatchObject({ time: noon + 5, leftOut: { said: 6 } });
  });
});

describe("lines", () => {
  const numbered = (texts: string[]) => texts.map((text, at) => ({ line: at + 1, text }));

  test("of a dry run are counted and nothing is stored; stored ones are counted by kind", async () => {
    const storage = await emptyStorage();
    const lines = numbered([
      '{"memoir":"export","version":1}',
      line("prompt", samples.prompt),
      line("prompt", { ...samples.prompt, promptNumber: 2 }),
      line("memory", samples.memory),
    ]);
    const nothing = { known: 0, forgotten: 0, gone: 0, errors: [] };
    const dry = await importLines(storage.runtime, lines, true);
    expect(dry).toEqual({ stored: { prompts: 2, memory: 1 }, ...nothing });
    expect((await exported(storage)).records).toEqual([]);
    expect(await importLines(storage.runtime, lines, false)).toEqual(dry);
    expect(await storage.records.prompts({})).toHaveLength(2);
  });
});

describe("a line", () => {
  const error = (kind: string, part: object) => {
    const one = importedRecord(line(kind, { ...samples[kind as keyof typeof samples], ...part }));
    return one && "error" in one ? one.error : "";
  };
  test.each([
    ["session", { id: "x".repeat(1_025) }, "record.id: is too long"],
    ["session", { lastActiveAt: -1 }, "record.lastActiveAt: is no time in epoch ms"],
    ["session", { endedAt: 8_640_000_000_000_001 }, "record.endedAt: is no time in epoch ms"],
    ["session", { prompts: 1.5 }, "record.prompts: is no whole number"],
    ["prompt", { client: "" }, "record.client: is empty"],
    ["turn", { startedAt: -1 }, "record.startedAt: is no time in epoch ms"],
    ["observation", { project: "" }, "record.project: is empty"],
    ["summary", { promptNumber: -1 }, "record.promptNumber: is negative"],
    ["memory", { date: "2026-1-01" }, "record.date: is no date like 2026-11-22"],
    ["memory", { date: "12026-01-011" }, "record.date: is no date like 2026-11-22"],
  ] as const)("of %s with %j is refused", (kind, part, why) => {
    expect(error(kind, part)).toBe(why);
  });
  test("at its bounds is taken, and an error never quotes what it was given", () => {
    expect(error("session", { id: "x".repeat(1_024), endedAt: null, prompts: 0 })).toBe("");
    expect(error("prompt", { time: 0, promptNumber: 0 })).toBe("");
    expect(error("session", { endedAt: 8_640_000_000_000_000 })).toBe("");
    expect(error("prompt", { text: { secret: "hunter2" } })).toBe(
      "record.text: Invalid type: Expected string",
    );
    expect(importedRecord("null")).toEqual({ error: "it is not a JSON object" });
    expect(importedRecord('{"memoir":"end"}')).toBeUndefined();
  });
  test("whose title is nothing but a secret is refused, not stored without one", () => {
    const title = "<private>all of it</private>";
    expect(error("observation", { title })).toStartWith("record.title: ");
  });
});

test("an export of one session that has nothing else holds that session; of nothing it is empty", async () => {
  const storage = await emptyStorage();
  expect(await exported(storage)).toMatchObject({ records: [], pages: 1 });
  await storage.records.put({ key: "one", records: { sessions: [sampleSession()] } });
  const { records } = await exported(storage);
  expect(records.map(({ kind, record }) => `${kind} ${record.id}`)).toEqual(["session session-1"]);
});

test("an export has all of a kind of which there are exactly a page, memory items too", async () => {
  for (const count of [200, 201]) {
    const storage = await emptyStorage();
    const list = Array.from({ length: count }, (_, at) => at + 1);
    const prompts = list.map((at) => samplePrompt({ promptNumber: at, time: noon + at }));
    const memory = list.map((at) => sampleMemory({ content: `Item ${at}` }));
    await storage.records.put({
      key: "one",
      records: { sessions: [sampleSession()], prompts, memory },
    });
    const { records } = await exported(storage);
    const kinds = Map.groupBy(records, ({ kind }) => kind);
    expect([kinds.get("prompt")?.length, kinds.get("memory")?.length]).toEqual([count, count]);
    expect(records[1]).toMatchObject({ kind: "prompt", record: { promptNumber: 1 } });
  }
});
