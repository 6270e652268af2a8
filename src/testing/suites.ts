// The conformance suites: for each slot, what a plugin promises that fills it.
import type { Slot } from "../sdk/plugin.ts";
import type { SuiteCase } from "./room.ts";
import { captureCases } from "./slots/capture.ts";
import { injectionCases } from "./slots/context-injection.ts";
import { endlessCases } from "./slots/endless-mode.ts";
import { extractorCases, observerCases } from "./slots/observation.ts";
import { providerCases } from "./slots/provider.ts";
import { summarizationCases } from "./slots/summarization.ts";
import { amendingCases } from "./storage/amending.ts";
import { crashCases } from "./storage/crash.ts";
import { listingCases } from "./storage/listing.ts";
import { puttingCases } from "./storage/putting.ts";
import { searchCases } from "./storage/searching.ts";

/**
 * What the plugins of each slot promise. Every case wants nothing but the plugin.
 *
 * @example
 * ```ts
 * import { join } from "node:path";
 * import { test } from "node:test";
 * import { openRecords, recordHooks } from "memoir/records";
 * import { definePlugin } from "memoir/sdk";
 * import { suites } from "memoir/testing";
 *
 * const plugin = definePlugin({
 *   name: "elsewhere",
 *   description: "Keeps memory in a file of its own.",
 *   sdk: 1,
 *   slot: "storage",
 *   start: async (ctx) => ({ records: await openRecords(join(ctx.home, "elsewhere.db"), ctx.now) }),
 *   hooks: recordHooks,
 *   stop: (state) => state?.records.close(),
 * });
 * for (const { name, run } of suites.storage) test(name, () => run({ plugin }).then(() => {}));
 * ```
 */
export const suites: { readonly [Name in Slot]: readonly SuiteCase[] } = {
  capture: captureCases,
  observation: [...observerCases, ...extractorCases],
  summarization: summarizationCases,
  "context-injection": injectionCases,
  "endless-mode": endlessCases,
  storage: [...puttingCases, ...listingCases, ...searchCases, ...amendingCases, ...crashCases],
  provider: providerCases,
};
