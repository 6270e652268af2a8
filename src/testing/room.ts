// What a conformance case is given: the plugin under test, a folder of its own, and hosts that are closed afterwards.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StorageClient } from "../sdk/context.ts";
import type { Records } from "../sdk/model.ts";
import type { AnyPlugin } from "../sdk/plugin.ts";
import type { Completion, CompletionRequest } from "../sdk/provider.ts";
import type { PutResult } from "../sdk/storage.ts";
import { type TestHost, type TestHostOptions, testHost } from "./test-host.ts";

/** What a suite is run on. */
export interface Subject {
  /** The plugin, as it would be exported. */
  plugin: AnyPlugin;
  /** Its options in config; absent: none, which every plugin has to accept. */
  config?: Record<string, unknown>;
  /** Absolute path of the plugin's file: cases that kill a process start the plugin from there, and are skipped without it. */
  source?: string;
  /** Absolute path of `memoir/testing` for that child process; wanted only where the suite runs inside a compiled memoir. */
  testingModule?: string;
  /** What a model would say, for strategies that ask one; without it their cases are skipped. */
  model?: (request: CompletionRequest) => string;
  /** For a provider: starts a stand-in for the API that it talks to; without it only shapes are checked. */
  provider?: StartProviderServer;
}

/** What came of a case that did not fail. */
export interface CaseOutcome {
  /** Why it does not apply to this plugin. */
  skipped?: string;
  /** What is allowed and probably not wanted: slowness, say. */
  warnings: string[];
}

/** One promise of a slot. */
export interface SuiteCase {
  /** The promise in words. */
  name: string;
  /** Rejects with an error that says what was expected and what came. */
  run(subject: Subject): Promise<CaseOutcome>;
}

/** What a case works with. */
export interface Room extends Subject {
  /** A new, empty folder, removed afterwards. */
  home: string;
  /** Starts the plugin, or another, on `home`, or on what `options` say. Closed afterwards. */
  open(options?: TestHostOptions & { plugin?: AnyPlugin }): Promise<TestHost>;
  warn(text: string): void;
  /** Has something done after the case, also when it failed. */
  onEnd(work: () => Promise<void>): void;
}

/** Thrown by a case that does not apply. */
class Skip extends Error {}

/** Ends the case as one that does not apply to this plugin. */
export function skip(reason: string): never {
  throw new Skip(reason);
}

function completionOf(text: string): Completion {
  const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
  return { text, model: "suite-1", usage, stopReason: "end" };
}

/** A case over a room of its own. */
export function suiteCase(name: string, check: (room: Room) => Promise<void>): SuiteCase {
  return {
    name,
    async run(subject) {
      const home = await mkdtemp(join(tmpdir(), "memoir-suite-"));
      const ends: Array<() => Promise<void>> = [];
      const warnings = new Set<string>();
      let needsModel = false;
      const ask = async (request: CompletionRequest) => {
        needsModel ||= !subject.model;
        if (!subject.model) throw new Error("the suite was given no `model` to answer");
        return completionOf(subject.model(request));
      };
      const room: Room = {
        ...subject,
        home,
        async open({ plugin = subject.plugin, ...options } = {}) {
          const config = options.config ?? subject.config ?? {};
          const host = await testHost(plugin, { home, complete: ask, ...options, config });
          ends.push(host.stop);
          return host;
        },
        warn: (text) => warnings.add(text),
        onEnd: (work) => ends.push(work),
      };
      try {
        await check(room);
        return { warnings: [...warnings] };
      } catch (error) {
        const skipped = error instanceof Skip ? error.message : undefined;
        if (skipped === undefined && !needsModel) throw error;
        return {
          skipped:
            skipped ??
            "it asks a model; the plugin's own test answers for it: `runSuite(plugin, { model })`",
          warnings: [],
        };
      } finally {
        for (const end of ends.reverse()) await end();
        await rm(home, { recursive: true, force: true });
      }
    },
  };
}

// What an author gives the provider suite: a stand-in, on loopback, for the API that the plugin talks to.

/** How the stand-in answers: `text` says `Hello from the test.` */
export type ProviderScript = "text" | "wrong-key" | "rate-limited" | "broken" | "hanging";

/** The key that the suite looks for in errors and logs. */
export const providerSecret = "sk-secret-of-the-suite-0123456789";

/** A stand-in for the API that a provider plugin talks to. */
export interface ProviderServer {
  /** The plugin's options that lead to it. */
  config: Record<string, unknown>;
  /** Sets how requests are answered from now on. */
  answer(script: ProviderScript): void;
  /** Ends it; calls after it find nobody there. */
  stop(): Promise<void>;
}

/** Starts one. `home` is memoir's, for a plugin that finds its key there: give it `providerSecret`. */
export type StartProviderServer = (home: string) => Promise<ProviderServer>;

// A case for storage plugins: it asks through the client that other plugins are given.

/** A storage on one home; opening it again after `close` finds what was put before. */
interface StorageHandle {
  storage: StorageClient;
  close(): Promise<void>;
}

/** A case that needs one open storage only. */
export function storageCase(
  name: string,
  check: (storage: StorageClient) => Promise<void>,
): SuiteCase {
  return suiteCase(name, async (room) => check((await openStorage(room)).storage));
}

/** Starts the storage of the room; its own handlers answer `storage`. */
export async function openStorage(room: Room): Promise<StorageHandle> {
  const host = await room.open();
  return { storage: host.own, close: host.stop };
}

/** Puts records under a key that nobody used before. */
export function putAnew(storage: StorageClient, records: Records): Promise<PutResult> {
  return storage.put({ key: crypto.randomUUID(), records });
}
