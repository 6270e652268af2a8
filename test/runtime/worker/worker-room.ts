// A worker over a real journal, with fake hooks and a fake clock, for the tests of what it does. What it exports is each test's own.
import { expect } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { createJournal, type Journal } from "../../../src/runtime/journal/journal.ts";
import { createWorker, type Worker } from "../../../src/runtime/worker/worker.ts";
import type { ReadTurn, WorkerOptions } from "../../../src/runtime/worker/worker-types.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import type { ObservationDraft } from "../../../src/sdk/model.ts";
import type { ObservationBatch, ObservationResult } from "../../../src/sdk/work.ts";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts";
import { type FakeHooks, fakeHooks, memoryStorage } from "../../support/fake-hooks.ts";
import { type KeptLog, keptLog } from "../../support/kept-log.ts";

let folder: string;
export let clock: FakeClock;
export let log: KeptLog;
export let hooks: FakeHooks;
export let storage: ReturnType<typeof memoryStorage>;
export let journal: Journal;
export let worker: Worker;

/** One observation of all tool uses whose id does not begin with `routine`. */
export function observeAll(batch: ObservationBatch): ObservationResult {
  const toolUseIds = batch.toolUses.map(({ id }) => id).filter((id) => !id.startsWith("routine"));
  return { observations: toolUseIds.length === 0 ? [] : [draft({ toolUseIds })] };
}

/** An observation as a strategy gives it. */
export function draft(fields: Partial<ObservationDraft> = {}): ObservationDraft {
  return {
    type: "discovery",
    title: "Read the login code",
    subtitle: "How login works",
    facts: ["The login reads a.ts."],
    narrative: "It was read.",
    concepts: ["login", "code"],
    filesRead: ["a.ts"],
    filesModified: [],
    toolUseIds: [],
    ...fields,
  };
}

async function openJournal(): Promise<Journal> {
  return await createJournal(journalPath(), {
    now: clock.now,
    log,
    // The clock of these tests stands still: a disk that takes its time would never be waited for.
    open: async (path, options) => ({
      ...(await openDatabase(path, options)),
      flush: () => Promise.resolve(),
    }),
  });
}

/** Where the journal's file is. */
export function journalPath(): string {
  return join(folder, "journal.db");
}

function makeWorker(options: Partial<WorkerOptions> = {}, turns?: ReadTurn): Worker {
  return createWorker({
    journal,
    ...(turns && { readTurn: turns }),
    hooks: () => hooks,
    log,
    now: clock.now,
    timers: clock.timers,
    random: () => 0.5,
    options,
  });
}

/** A process that died: nothing of it goes on, its journal is opened by the next. */
export async function crash(): Promise<void> {
  await journal.close();
  journal = await openJournal();
}

/** Events as hooks bring them, and the worker is woken. */
export async function hand(...events: ClientEvent[]): Promise<void> {
  for (const event of events) await journal.append(event);
  for (const session of new Set(events.map((event) => event.session))) worker.wake(session);
}

/** Nothing that may be done is left. */
export async function drained(
  request: Partial<Parameters<Worker["drain"]>[0]> = {},
): Promise<void> {
  expect(await worker.drain({ timeoutMs: 1_000, ...request })).toBe(true);
}

/** Another worker in its place, not at work yet; with `turns` it makes turns. */
export function newWorker(options?: Partial<WorkerOptions>, turns?: ReadTurn): void {
  worker = makeWorker(options, turns);
}

/** Other plugins for the worker that comes next. */
export function useHooks(other: FakeHooks): void {
  hooks = other;
}

/** Another journal for it. */
export function useJournal(other: Journal): void {
  journal = other;
}

/** Before each test: a worker at work over a journal of its own. */
export async function openRoom(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "memoir-worker-"));
  clock = createFakeClock();
  log = keptLog();
  storage = memoryStorage();
  hooks = fakeHooks({
    ...storage.responders,
    observe: observeAll,
    summarize: ({ scope }) => ({
      title: `Title of ${scope}`,
      ...(scope !== "opening" && {
        summary: {
          request: scope,
          filesRead: [],
          filesEdited: [],
        },
      }),
    }),
  });
  journal = await openJournal();
  worker = makeWorker();
  worker.start();
}

/** After each. */
export async function closeRoom(): Promise<void> {
  const stopped = worker.stop();
  clock.advance(5_000);
  await stopped;
  await journal.close();
  await rm(folder, { recursive: true });
}
