// What was forgotten, as hashes: it is known again whatever brings it, after a salvage and in a journal that was begun anew; no word of it is kept.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { itemsLeft, withoutForgotten } from "../../../src/runtime/events/forgotten.ts";
import { createJournal, type Journal } from "../../../src/runtime/journal/journal.ts";
import type { Forgotten } from "../../../src/runtime/journal/seen-before.ts";
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

const minute = 60_000;
const said = 100 * minute;
const forgottenPrompt = {
  kind: "prompt",
  client: "c",
  session: "s1",
  time: said,
  text: "Feed the Wombat",
} as const;
const session = { kind: "session", client: "c", session: "s1", until: 500 } as const;
const record = { kind: "record", of: "turn", project: "p", text: "a\nb" } as const;
const known = (one: Forgotten, asked: object) => {
  journal.bury([one]);
  return journal.isBuried({ ...one, ...asked } as Forgotten);
};

test.each<[string, Forgotten, object, boolean]>([
  ["a prompt in other case and spacing", forgottenPrompt, { text: " feed  THE\nwombat " }, true],
  ["a prompt of the minute before", forgottenPrompt, { time: said - minute }, true],
  [
    "a prompt of the minute after, to its end",
    forgottenPrompt,
    { time: said + 2 * minute - 1 },
    true,
  ],
  ["no prompt of two minutes later", forgottenPrompt, { time: said + 2 * minute }, false],
  ["no prompt of two minutes before", forgottenPrompt, { time: said - minute - 1 }, false],
  ["no other prompt", forgottenPrompt, { text: "feed the wombats" }, false],
  ["no prompt of another client", forgottenPrompt, { client: "d" }, false],
  ["a session up to its moment", session, { until: 500 }, true],
  ["no session that went on", session, { until: 501 }, false],
  ["no session of another client", session, { client: "d" }, false],
  ["a tool use", { kind: "tool-use", client: "c", toolUseId: "t1" }, {}, true],
  [
    "no tool use of another client",
    { kind: "tool-use", client: "c", toolUseId: "t1" },
    { client: "d" },
    false,
  ],
  ["a prompt by its id", { kind: "prompt-id", client: "c", session: "s", promptId: "p" }, {}, true],
  [
    "no other prompt id",
    { kind: "prompt-id", client: "c", session: "s", promptId: "p" },
    { promptId: "q" },
    false,
  ],
  [
    "no prompt id of another session",
    { kind: "prompt-id", client: "c", session: "s", promptId: "p" },
    { session: "r" },
    false,
  ],
  ["a record for good", record, {}, true],
  ["a record of any time, where it has none", record, { until: 9 }, true],
  ["a record up to its moment", { ...record, until: 9 }, { until: 9 }, true],
  ["no record of later", { ...record, until: 9 }, { until: 10 }, false],
  ["no record of another kind", record, { of: "prompt" }, false],
  ["no record of another project", record, { project: "q" }, false],
])("known again is %s", (_, one, asked, expected) => {
  expect(known(one, asked)).toBe(expected);
});

test("a session that is forgotten again is so up to the later moment, never an earlier one", () => {
  for (const until of [500, 900, 700]) journal.bury([{ ...session, until }]);
  expect(journal.isBuried({ ...session, until: 900 })).toBe(true);
  expect(journal.isBuried({ ...session, until: 901 })).toBe(false);
});

test("a prompt is known by its words or its id, whenever it comes again; anything else is not", async () => {
  const typed = async (key: string, more: object = {}) => {
    const { row = 0, promptNumber } = await journal.append(
      prompt({ key, client: "c", session: key, time: said, ...more }),
    );
    return journal.isForgotten(row, promptNumber);
  };
  journal.bury([
    { ...forgottenPrompt, session: "words" },
    { kind: "prompt-id", client: "c", session: "id", promptId: "p1" },
    { kind: "prompt-id", client: "c", session: "other", promptId: "p1" },
  ]);
  expect(await typed("words")).toBe(true);
  expect(await typed("id", { prompt: "edited", promptId: "p1" })).toBe(true);
  expect(await typed("other", { prompt: "edited", promptId: "p2" })).toBe(false);
  expect(await typed("none")).toBe(false);
});

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
  expect([again.isNew, journal.isForgotten(row, again.promptNumber)]).toEqual([true, true]);
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
  expect(await journal.append(use)).toMatchObject({ isNew: false, seq: 0 });
  journal.bury([{ kind: "session", client: "claude-code", session: "s3", until: 700_000 }]);
  const before = prompt({ key: "b", session: "s3", time: 700_000, prompt: "old" });
  expect((await journal.append(before)).isNew).toBe(false);
  const after = prompt({ key: "a", session: "s3", time: 700_001, prompt: "new" });
  expect((await journal.append(after)).isNew).toBe(true);
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
  for (const [text, isKnown] of copies(copy)) {
    for (const ending of ["", "-wal", "-shm"])
      await rm(join(folder, `journal.db${ending}`), { force: true });
    await writeFile(join(folder, "forgotten"), text);
    journal = await open();
    expect([text, journal.isBehind, journal.isBuried(known)]).toEqual([text, isKnown, isKnown]);
    await journal.close();
  }
  journal = await open();
});

/** What may stand in the copy's place, and whether a new journal knows by it what was forgotten: the whole lines below a salt count. */
function copies(copy: string): Array<[string, boolean]> {
  const [salt = "", line = ""] = copy.split("\n");
  return [
    ["", false],
    ["garbage\n", false],
    ["salt xyz\n", false],
    [`${line}\n`, false],
    [`${salt}0\n${line}\n`, false],
    [` ${salt}\n${line}\n`, false],
    [`${salt}\n${line}x\n${line} x\n ${line}\n${line.slice(1)}\n`, false],
    [`${salt}\n${line}\n${line.slice(4)}`, true],
  ];
}

test("a copy of another home brings nothing", async () => {
  journal.bury([session]);
  const foreign = await mkdtemp(join(tmpdir(), "memoir-tombstones-"));
  const other = await createJournal(join(foreign, "journal.db"), { now: () => 1, log: keptLog() });
  other.bury([forgottenPrompt]);
  await other.purge();
  await other.close();
  await journal.close();
  await rename(join(foreign, "forgotten"), join(folder, "forgotten"));
  journal = await open();
  expect([journal.isBehind, journal.isBuried(forgottenPrompt)]).toEqual([false, false]);
  await rm(foreign, { recursive: true });
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
  const { recordTombstone } = await import("../../../src/runtime/events/forgotten.ts");
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
