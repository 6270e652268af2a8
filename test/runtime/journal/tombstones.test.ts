// What was forgotten, as hashes: it is known again whatever brings it, after a salvage and in a journal that was begun anew; no word of it is kept.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { itemsLeft, withoutForgotten } from "../../../src/runtime/events/record-tombstones.ts";
import { createJournal, type Journal } from "../../../src/runtime/journal/journal.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";
import {
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../../support/sample-records.ts";

let folder: string;
let journal: Journal;
const open = () =>
  createJournal(join(folder, "journal.db"), { now: () => 1_000_000, log: keptLog() });
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-tombstones-"));
  journal = await open();
});
afterEach(async () => {
  await journal.close();
  await rm(folder, { recursive: true });
});

const time = 500_000;
const prompt = (fields: object = {}) =>
  clientEvent("UserPromptSubmit", { prompt: "feed the wombat", time, ...fields });
const textsOf = (row: number, number: number) => {
  const texts: string[] = [];
  journal.turnEvents(row, number, (event) => texts.push(JSON.stringify(event)));
  return texts.join();
};

test("a prompt that comes again under another key says nothing, nor does what belongs to it; others do", async () => {
  await journal.append(prompt({ key: "first" }));
  await journal.append(toolEvent("use-1", { time: time + 1, toolInput: { command: "wombat" } }));
  const row = journal.rows("s1")[0] ?? 0;
  journal.forget(row, [1]);
  const again = await journal.append(prompt({ key: "again", time: time + 59_000 }));
  expect([again.fresh, journal.isForgotten(row, again.promptNumber)]).toEqual([true, true]);
  await journal.append(
    clientEvent("Stop", { key: "end", time: time + 59_500, lastAssistantMessage: "wombat fed" }),
  );
  expect(textsOf(row, again.promptNumber)).not.toContain("wombat");
  const other = await journal.append(prompt({ key: "other", session: "s2" }));
  expect(textsOf(other.row ?? 0, 1)).toContain("wombat");
  const later = await journal.append(prompt({ key: "later", time: time + 600_000 }));
  expect(textsOf(row, later.promptNumber)).toContain("wombat");
});

test("a tool use that was forgotten is taken from nobody, and a session only with what it did since", async () => {
  await journal.append(prompt({ key: "first" }));
  await journal.append(toolEvent("use-1", { time: time + 1 }));
  journal.forget(journal.rows("s1")[0] ?? 0, [1]);
  const use = toolEvent("use-1", { key: "copy", session: "s9", time: time + 1 });
  expect(await journal.append(use)).toMatchObject({ fresh: false, seq: 0 });
  journal.bury([{ kind: "session", client: "claude-code", session: "s3", until: 700_000 }]);
  const before = prompt({ key: "b", session: "s3", time: 700_000, prompt: "old" });
  expect((await journal.append(before)).fresh).toBe(false);
  const after = prompt({ key: "a", session: "s3", time: 700_001, prompt: "new" });
  expect((await journal.append(after)).fresh).toBe(true);
});

test("a journal that was begun anew knows it, with the salt of before; a copy that is none is left alone", async () => {
  journal.bury([{ kind: "tool-use", client: "claude-code", toolUseId: "use-1" }]);
  await journal.purge();
  const copy = await readFile(join(folder, "forgotten"), "utf8");
  expect(copy).toMatch(/^salt [0-9a-f]{32}\n[0-9a-f]{32}\n$/);
  await journal.close();
  for (const ending of ["", "-wal", "-shm"])
    await rm(join(folder, `journal.db${ending}`), { force: true });
  journal = await open();
  const known = { kind: "tool-use", client: "claude-code", toolUseId: "use-1" } as const;
  expect(journal.isBuried(known)).toBe(true);
  journal.bury([{ ...known, toolUseId: "use-2" }]);
  await journal.purge();
  expect((await readFile(join(folder, "forgotten"), "utf8")).startsWith(copy.slice(0, 38))).toBe(
    true,
  );
  await journal.close();
  for (const ending of ["", "-wal", "-shm"])
    await rm(join(folder, `journal.db${ending}`), { force: true });
  await writeFile(join(folder, "forgotten"), "garbage\n");
  journal = await open();
  expect(journal.isBuried(known)).toBe(false);
});

test("records of every kind are known again by what they say; what says the same of a later time is another", async () => {
  const of = { session: "s1", time: 5 };
  const records = {
    sessions: [sampleSession({ id: "gone", lastActiveAt: 10 }), sampleSession({ id: "s1" })],
    observations: [
      sampleObservation({ ...of, title: "A" }),
      sampleObservation({ ...of, title: "B" }),
    ],
    summaries: [sampleSummary({ ...of, request: "A" }), sampleSummary({ ...of, request: "B" })],
    prompts: [samplePrompt({ ...of, promptNumber: 1 }), samplePrompt({ ...of, promptNumber: 2 })],
    turns: [
      sampleTurn({ session: "gone", startedAt: 9 }),
      sampleTurn({ session: "s1", startedAt: 9 }),
    ],
    memory: [sampleMemory({ content: "A" }), sampleMemory({ content: "B" })],
  };
  expect(withoutForgotten(records, journal)).toEqual(records);
  const [observation, summary, typed, item] = [
    records.observations[0],
    records.summaries[0],
    records.prompts[0],
    records.memory[0],
  ];
  const { recordTombstone } = await import("../../../src/runtime/events/record-tombstones.ts");
  const bury = (stored: object) => journal.bury(recordTombstone(stored as never, 100));
  bury({ kind: "observation", record: observation });
  bury({ kind: "summary", record: summary });
  bury({ kind: "prompt", record: typed });
  bury({ kind: "memory", record: { ...item, content: " a " } });
  const { client } = sampleSession({});
  journal.bury([{ kind: "session", client, session: "gone", until: 100 }]);
  const left = withoutForgotten(records, journal);
  for (const kept of Object.values(left)) expect(kept).toHaveLength(1);
  expect(left.observations?.[0]?.title).toBe("B");
  const newer = { observations: [sampleObservation({ ...of, title: "A", time: 101 })] };
  expect(withoutForgotten(newer, journal)).toEqual(newer);
  expect(itemsLeft(records.memory, journal).map(({ content }) => content)).toEqual(["B"]);
});
