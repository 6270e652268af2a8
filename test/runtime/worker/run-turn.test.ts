// Turns over a real journal, a real storage and a real transcript: made at Stop, made anew, never made worse.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordStore } from "../../../src/records/record-store.ts";
import { openRecords } from "../../../src/records/record-store.ts";
import type { ForgottenPart } from "../../../src/runtime/endless/kept-rows.ts";
import { forgetRecords } from "../../../src/runtime/events/forget-records.ts";
import { createJournal, type Journal } from "../../../src/runtime/journal/journal.ts";
import { createTurnTranscripts } from "../../../src/runtime/worker/turn.ts";
import { createWorker, type Worker } from "../../../src/runtime/worker/worker.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import type { DeleteResult } from "../../../src/sdk/storage.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";
import { keptLog } from "../../support/kept-log.ts";
import {
  said,
  type TranscriptScript,
  transcriptScript,
  used,
} from "../../support/transcript-lines.ts";

const second = (n: number) => Date.UTC(2026, 2, 1, 10, 0, n);
let folder: string;
let journal: Journal;
let records: RecordStore;
let worker: Worker;
let scrub: (text: string) => string;
let now: number;
let forgotten: string[][];
let forget: (...ids: string[]) => Promise<DeleteResult>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-turn-"));
  now = second(60);
  scrub = (text) => text;
  const log = keptLog();
  journal = await createJournal(join(folder, "journal.db"), { now: () => now, log });
  records = await openRecords(":memory:");
  const hooks = fakeHooks({
    "storage.put": (request) => records.put(request),
    "storage.turns": (query) => records.turns(query),
    "storage.observations": () => [],
    "storage.summaries": () => [],
    "storage.get": (query) => records.get(query),
    "storage.delete": (query) => records.delete(query),
    "storage.prompts": () => [],
    observe: () => ({ observations: [] }),
    summarize: () => ({}),
  });
  const turns = createTurnTranscripts({
    folders: [],
    log,
    scrub: async (texts) => texts.map(scrub),
  });
  forgotten = [];
  const endless = {
    forget: async (gone: ForgottenPart) => {
      if ("session" in gone) forgotten.push([gone.session, ...gone.toolUses]);
    },
  };
  forget = (...ids) =>
    forgetRecords(ids, { home: folder, hooks, journal, endless, log, now: () => now });
  worker = createWorker({ journal, hooks: () => hooks, log, now: () => now, readTurn: turns });
  worker.start();
});
afterEach(async () => {
  await worker.stop();
  await journal.close();
  records.close();
  await rm(folder, { recursive: true });
});

const transcriptPath = () => join(folder, "s1.jsonl");
async function hand(...events: ClientEvent[]) {
  for (const event of events) await journal.append({ ...event, transcriptPath: transcriptPath() });
  worker.wake("s1");
  expect(await worker.drain({ timeoutMs: 5_000 })).toBe(true);
}
const prompt = (text: string, time: number) =>
  clientEvent("UserPromptSubmit", { prompt: text, time });
const write = (script: TranscriptScript) => writeFile(transcriptPath(), script.text());
const told = async () =>
  (await records.turns({ order: "oldest" })).map(({ promptNumber, end, pieces }) => [
    promptNumber,
    end,
    ...pieces.map(({ kind, text }) => `${kind}: ${text}`),
  ]);

function firstTurn(): TranscriptScript {
  const script = transcriptScript();
  script.user("Fix it");
  script.assistant("m1", [said("Looking."), used("t1", "Bash", { command: "npm test" })]);
  script.result("t1", "ok");
  return script;
}
const firstEvents = () => [
  prompt("Fix it", second(1)),
  toolEvent("t1", {
    toolName: "Bash",
    toolInput: { command: "npm test" },
    toolResponse: { stdout: "3 pass" },
    time: second(3),
  }),
  clientEvent("Stop", { lastAssistantMessage: "It passes.", time: second(5) }),
];

test("a turn is made at Stop, and anew at the next prompt with what was written late", async () => {
  const script = firstTurn();
  await write(script);
  await hand(...firstEvents());
  expect(await told()).toEqual([
    [1, "closed", "prompt: Fix it", "said: Looking.", "passed: 3 pass", "closing: It passes."],
  ]);
  script.assistant("m2", [said("A late word.")]);
  script.assistant("m3", [said("It passes.")]);
  script.user("And now?");
  await write(script);
  await hand(prompt("And now?", second(6)));
  const [first] = await told();
  expect(first).toEqual([
    1,
    "closed",
    "prompt: Fix it",
    "said: Looking.",
    "passed: 3 pass",
    "said: A late word.",
    "closing: It passes.",
  ]);
  expect((await records.turns({})).map(({ id }) => id)).toEqual(["t1"]);
});

test("a turn that is forgotten is made by nothing again, and its words leave the journal", async () => {
  const script = firstTurn();
  await write(script);
  await hand(...firstEvents());
  expect((await forget("t1")).deleted).toEqual(["t1", "p1"]);
  expect(forgotten).toEqual([["s1", "t1"]]);
  expect(await told()).toEqual([]);
  script.assistant("m2", [said("A late word.")]);
  script.user("And now?");
  await write(script);
  // A copy of the answer comes late, and belongs to what was forgotten.
  await hand(
    clientEvent("Stop", { lastAssistantMessage: "It passes.", time: second(5), key: "x" }),
  );
  await hand(prompt("And now?", second(6)), clientEvent("Stop", { time: second(7) }));
  expect(await told()).toEqual([[2, "closed", "prompt: And now?", "closing: Done."]]);
  const row = journal.rows("s1")[0] ?? 0;
  const kept: unknown[] = [];
  journal.turnEvents(row, 1, (event) => kept.push(event));
  expect(kept).toHaveLength(4);
  expect(JSON.stringify(kept)).not.toMatch(/Fix it|3 pass|It passes|npm test/);
});

test("a session that is forgotten comes back with what is said in it from then on, and only with that", async () => {
  const script = firstTurn();
  await write(script);
  await hand(...firstEvents(), prompt("A secret", second(6)));
  now = second(6) + 500;
  const { deleted } = await forget("s1");
  now = second(60);
  expect(deleted.toSorted()).toEqual(["p1", "p2", "s1", "t1"]);
  expect(await records.sessions({})).toEqual([]);
  await hand(clientEvent("Stop", { lastAssistantMessage: "Said.", time: second(7) }));
  expect(await records.sessions({})).toEqual([]);
  await hand(
    prompt("Something else", second(8)),
    clientEvent("Stop", { time: second(9) }),
    clientEvent("SessionEnd", { reason: "exit", time: second(10) }),
  );
  expect(await told()).toEqual([[3, "closed", "prompt: Something else", "closing: Done."]]);
  expect(await records.sessions({})).toHaveLength(1);
});

test("what the user stopped is known without any further hook", async () => {
  const script = firstTurn();
  script.assistant("m2", [used("t2", "Bash", { command: "npm run migrate" })]);
  script.user([said("[Request interrupted by user for tool use]")]);
  await write(script);
  const [asked, ran] = firstEvents();
  if (!asked || !ran) throw new Error("no events");
  const stopped = clientEvent("PostToolUseFailure", {
    ...{ toolUseId: "t2", key: "tool:t2", toolName: "Bash", time: second(6) },
    toolInput: { command: "npm run migrate" },
    ...{ error: "[Request interrupted by user for tool use]", isInterrupt: true },
  });
  await hand(asked, ran, stopped);
  expect(await records.turns({})).toMatchObject([
    { end: "interrupted", pieces: [{}, {}, {}, { kind: "interrupted", about: "npm run migrate" }] },
  ]);
});

test("what the user refused, and why, is known without a transcript; with one it is told once", async () => {
  const reason =
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse npm ci";
  const refused = { toolUseId: "t2", toolName: "Bash", toolInput: { command: "npm install" } };
  const batch = (time: number) =>
    clientEvent("PostToolBatch", {
      ...{ key: `batch:${time}`, time },
      toolCalls: [
        { ...refused, toolUseId: "t1", toolResponse: "ok" },
        { ...refused, toolResponse: reason },
      ],
    });
  await hand(...firstEvents().slice(0, 2), batch(second(4)), ...firstEvents().slice(2));
  const [first] = await told();
  expect(first).toContain("refusal: use npm ci");
  const script = firstTurn();
  script.assistant("m2", [used("t2", "Bash", refused.toolInput)]);
  script.result("t2", reason, { toolDenialKind: "user-rejected", toolDenialBeforeRun: true });
  const lines = script.text().replace('"content":"The user', '"is_error":true,"content":"The user');
  await writeFile(transcriptPath(), lines);
  await hand(clientEvent("SessionEnd", { time: second(9) }));
  const [turn] = await records.turns({});
  expect(turn?.gaps).toBeUndefined();
  expect(turn?.pieces.filter(({ kind }) => kind === "refusal")).toMatchObject([
    { about: "npm install", text: "use npm ci", toolUseId: "t2" },
  ]);
});

test("without a transcript a turn is made of events, says so, and is completed when one is there", async () => {
  await hand(...firstEvents());
  expect(await records.turns({})).toMatchObject([
    { gaps: true, pieces: [{ kind: "prompt" }, { kind: "passed" }, { kind: "closing" }] },
  ]);
  await write(firstTurn());
  await hand(clientEvent("SessionEnd", { time: second(9) }));
  const [turn] = await records.turns({});
  expect([turn?.gaps, turn?.pieces.length]).toEqual([undefined, 4]);
});

test("a turn that is whole is not made worse by a transcript or by events that are gone", async () => {
  await write(firstTurn());
  await hand(...firstEvents());
  const before = await records.turns({});
  await rm(transcriptPath());
  await hand(prompt("Next", second(6)));
  expect((await records.turns({ promptNumber: 1 }))[0]).toEqual(before[0]);
  await write(firstTurn());
  now += 30 * 86_400_000;
  await journal.prune(86_400_000);
  await hand(clientEvent("SessionEnd", { time: now }), prompt("After a year", now + 1));
  expect((await records.turns({ promptNumber: 1 }))[0]).toEqual(before[0]);
});

test("texts of the transcript are scrubbed; where that fails none is kept", async () => {
  await write(firstTurn());
  scrub = (text) => text.replace("Looking", "***");
  await hand(...firstEvents());
  expect((await told())[0]).toContain("said: ***.");
  scrub = () => {
    throw new Error("no scrubbing");
  };
  await appendFile(transcriptPath(), "\n");
  await hand(prompt("Second", second(6)), clientEvent("Stop", { time: second(8) }));
  expect((await told())[1]).toEqual([2, "closed", "prompt: Second", "closing: Done."]);
});

test("a session that only talks has turns too, and reading begins at its prompt", async () => {
  const script = firstTurn();
  const before = Buffer.byteLength(script.text());
  script.user("Why?");
  script.assistant("m9", [said("Because.")]);
  await write(script);
  const asked = { ...prompt("Why?", second(4)), transcriptBytes: before };
  await hand(asked, clientEvent("Stop", { lastAssistantMessage: "Because.", time: second(5) }));
  expect(await told()).toEqual([[1, "closed", "prompt: Why?", "closing: Because."]]);
});
