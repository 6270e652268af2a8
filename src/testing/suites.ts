// The conformance suites: for each slot, what a plugin promises that fills it.
import type { Slot } from "../sdk/plugin.ts";
import type { SuiteCase } from "./room.ts";
import { captureCases } from "./slots/capture.ts";
import { injectionCases } from "./slots/context-injection.ts";
import { endlessCases } from "./slots/endless-mode.ts";
import { extractorCases, observerCases } from "./slots/observation.ts";
import { providerCases } from "./slots/provider.ts";
import { summarizationCases } from "./slots/summarization.ts";
import { crashCases } from "./storage/crash.ts";
import { listingCases } from "./storage/listing.ts";
import { puttingCases } from "./storage/putting.ts";
import { searchCases } from "./storage/searching.ts";

/** Every case wants nothing but the plugin: `for (const { name, run } of suites.storage) test(name, () => run({ plugin }))`. */
export const suites: { readonly [Name in Slot]: readonly SuiteCase[] } = {
  capture: captureCases,
  observation: [...observerCases, ...extractorCases],
  summarization: summarizationCases,
  "context-injection": injectionCases,
  "endless-mode": endlessCases,
  storage: [...puttingCases, ...listingCases, ...searchCases, ...crashCases],
  provider: providerCases,
};
