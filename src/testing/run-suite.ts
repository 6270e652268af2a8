// Runs the suites of a plugin's slots without a test runner.
import { type AnyPlugin, type Slot, slotNames } from "../sdk/plugin.ts";
import type { Subject } from "./room.ts";
import { suites } from "./suites.ts";

/** One promise that was not kept. */
export interface SuiteFailure {
  slot: Slot;
  /** The promise. */
  name: string;
  /** What was expected and what came, in words. */
  message: string;
  error: unknown;
}

/** What a run came to. */
export interface SuiteReport {
  passed: number;
  failed: number;
  skipped: Array<{ slot: Slot; name: string; reason: string }>;
  warnings: Array<{ slot: Slot; name: string; warning: string }>;
  failures: SuiteFailure[];
}

/** What `runSuite` takes beside the plugin. */
export interface SuiteOptions extends Omit<Subject, "plugin"> {
  /** Default: all slots the plugin declares. */
  slots?: readonly Slot[];
  /** Called as each case ends. */
  caseEnded?(slot: Slot, name: string, state: "passed" | "failed" | "skipped"): void;
}

/**
 * Runs every case of the plugin's slots, one after the other. Never rejects for a case's sake.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { definePlugin } from "memoir/sdk";
 * import { runSuite } from "memoir/testing";
 *
 * const plugin = definePlugin({
 *   name: "quiet",
 *   description: "Observes nothing.",
 *   sdk: 1,
 *   slot: "observation",
 *   hooks: { observe: () => ({ observations: [] }) },
 * });
 * const { failures } = await runSuite(plugin);
 * assert.deepEqual(failures.map(({ name, message }) => `${name}: ${message}`), []);
 * ```
 */
export async function runSuite(
  plugin: AnyPlugin,
  options: SuiteOptions = {},
): Promise<SuiteReport> {
  const { slots, caseEnded, ...rest } = options;
  const report: SuiteReport = { passed: 0, failed: 0, skipped: [], warnings: [], failures: [] };
  const declared = slots ?? [plugin.slot ?? []].flat();
  for (const slot of slotNames.filter((name) => declared.includes(name)))
    for (const { name, run } of suites[slot]) {
      try {
        const { skipped: reason, warnings } = await run({ ...rest, plugin });
        for (const warning of warnings) report.warnings.push({ slot, name, warning });
        if (reason === undefined) report.passed += 1;
        else report.skipped.push({ slot, name, reason });
        caseEnded?.(slot, name, reason === undefined ? "passed" : "skipped");
      } catch (error) {
        report.failed += 1;
        const message = error instanceof Error ? error.message : String(error);
        report.failures.push({ slot, name, message, error });
        caseEnded?.(slot, name, "failed");
      }
    }
  return report;
}
