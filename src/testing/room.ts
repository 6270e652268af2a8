// What a conformance case is given: the plugin under test, a folder of its own, and hosts that are closed afterwards.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnyPlugin } from "../sdk/index.ts";
import { type TestHost, type TestHostOptions, testHost } from "./test-host.ts";

/** What a suite is run on. */
export interface Subject {
  /** The plugin, as it would be exported. */
  plugin: AnyPlugin;
  /** Its options in config; absent: none, which every plugin has to accept. */
  config?: Record<string, unknown>;
  /** Absolute path of the plugin's file: cases that kill a process start the plugin from there, and are skipped without it. */
  source?: string;
  /** For `provider`: starts a server of the author's that the plugin talks to, see `ProviderServer`. */
  provider?: () => Promise<ProviderServer>;
}

/** What a scripted provider's server answers next. */
export type ProviderScript = "text" | "wrong-key" | "rate-limited" | "broken" | "hanging";

/** An author's own stand-in for the API that a provider plugin talks to, on loopback. */
export interface ProviderServer {
  /** The plugin's options that lead to it; they name a key `secret-of-the-test` where the plugin has keys. */
  config: Record<string, unknown>;
  /** Sets how requests are answered from now on: `text` says `Hello from the test.` */
  answer(script: ProviderScript): void;
  /** Ends it. */
  stop(): Promise<void>;
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
  /** Starts the plugin on `home`, or on what `options` say. Closed afterwards. */
  open(options?: TestHostOptions): Promise<TestHost>;
  warn(text: string): void;
}

/** Thrown by a case that does not apply. */
class Skip extends Error {}

/** Ends the case as one that does not apply to this plugin. */
export function skip(reason: string): never {
  throw new Skip(reason);
}

/** A case over a room of its own. */
export function suiteCase(name: string, check: (room: Room) => Promise<void>): SuiteCase {
  return {
    name,
    async run(subject) {
      const home = await mkdtemp(join(tmpdir(), "memoir-suite-"));
      const hosts: TestHost[] = [];
      const warnings: string[] = [];
      const room: Room = {
        ...subject,
        home,
        async open(options = {}) {
          const config = options.config ?? subject.config ?? {};
          const host = await testHost(subject.plugin, { home, ...options, config });
          hosts.push(host);
          return host;
        },
        warn: (text) => warnings.push(text),
      };
      try {
        await check(room);
        return { warnings };
      } catch (error) {
        if (error instanceof Skip) return { skipped: error.message, warnings };
        throw error;
      } finally {
        for (const host of hosts) await host.stop();
        await rm(home, { recursive: true, force: true });
      }
    },
  };
}
