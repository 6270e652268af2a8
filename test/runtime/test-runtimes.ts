// Runtimes for tests of the runtime as a whole: a home for each test, journal and worker that only take notes.
import { afterEach, beforeEach } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoadPlugin } from "../../src/runtime/builtins.ts";
import type { Injection } from "../../src/runtime/journal/counts.ts";
import type { Journal } from "../../src/runtime/journal/journal.ts";
import { defaultSlots } from "../../src/runtime/plugins/registry.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import type { Worker } from "../../src/runtime/worker/worker.ts";
import type { DrainRequest } from "../../src/runtime/worker/worker-types.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";
import { type AnyPlugin, type Slot, slotNames } from "../../src/sdk/plugin.ts";
import type { Settled } from "../../src/sdk/work.ts";
import { fakePlugin, memoryLog, promptEvent, slotHooks } from "../support/hooks.ts";

type RuntimeOptions = Parameters<typeof createRuntime>[0];

/** The project of the tests. */
export const project = { id: "github.com/acme/shop", name: "shop", root: "/shop" };
/** The beginning of a session there. */
export const sessionStart = {
  ...promptEvent(),
  key: "s",
  name: "SessionStart" as const,
  source: "startup",
  project,
};

/** A journal that nothing is known to, with these parts. */
export function fakeJournal(parts: object): Journal {
  const journal: Partial<Journal> = {
    adoptFrom: () => {},
    adopt: () => {},
    knownSessions: () => [],
    hasForgotten: () => false,
    close: async () => {},
  };
  return { ...journal, ...parts } as Journal;
}

/** Called at the top of a test file: every test gets a home of its own, and what it starts ends with it. */
export function testRuntimes() {
  let home = "";
  let open: Runtime[] = [];
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "memoir-runtime-"));
  });
  afterEach(async () => {
    for (const runtime of open) await runtime.stop();
    open = [];
    await rm(home, { recursive: true, force: true });
  });

  /** A runtime whose journal and worker only take notes; plugins are stand-ins for the built-in ones. */
  async function start(
    special: Record<string, Partial<AnyPlugin>> = {},
    more: Partial<RuntimeOptions> = {},
  ) {
    const events: ClientEvent[] = [];
    const notes: string[] = [];
    const drains: DrainRequest[] = [];
    const injected: Injection[] = [];
    const journal = fakeJournal({
      append: async (event: ClientEvent) => {
        notes.push(`append ${event.name}`);
        const isNew = !events.some(({ key }) => key === event.key);
        if (isNew) events.push(event);
        return { seq: events.length, promptNumber: 0, isNew };
      },
      inject: (injection: Injection) => void injected.push(injection),
      count: (name: string) => notes.push(`count ${name}`),
      status: () => ({ pendingEvents: 0 }),
      close: async () => {
        notes.push("close journal");
      },
    });
    const worker = {
      start: () => notes.push("start worker"),
      wake: (session: string) => notes.push(`wake ${session}`),
      letHookGoFirst: () => () => {},
      drain: async (request: DrainRequest) => {
        drains.push(request);
        return true;
      },
      settled: ({ toolUseId }: Settled) => notes.push(`settled ${toolUseId}`),
      stop: async () => {
        notes.push("stop worker");
      },
    } as unknown as Worker;
    const standIns = slotNames.flatMap((slot) =>
      defaultSlots[slot].map((name): [string, Slot] => [name, slot]),
    );
    const extra = Object.keys(special).filter(
      (name) => !standIns.some(([known]) => known === name),
    );
    const builtins: Record<string, LoadPlugin> = Object.fromEntries([
      ...standIns.map(([name, slot]) => [
        name,
        async () => ({
          default: fakePlugin(name, {
            slot,
            ...special[name],
            hooks: { ...slotHooks(slot), ...special[name]?.hooks },
          }),
        }),
      ]),
      ...extra.map((name) => [
        name,
        async () => ({ default: fakePlugin(name, { hooks: {}, ...special[name] }) }),
      ]),
    ]);
    const log = memoryLog();
    const runtime = await createRuntime({
      home,
      log,
      builtins,
      now: () => 2_000,
      env: { HOME: `${home}/user` },
      createJournal: async () => journal,
      createWorker: () => worker,
      ...more,
    });
    open.push(runtime);
    return { runtime, events, notes, drains, injected, log };
  }
  return {
    start,
    /** Writes the config file; a text as it is. */
    config: (set: unknown) =>
      writeFile(join(home, "config.json"), typeof set === "string" ? set : JSON.stringify(set)),
    home: () => home,
  };
}
