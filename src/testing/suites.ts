// The conformance suites: for each slot, what a plugin promises that fills it.
import type { Slot } from "../sdk/index.ts";
import type { SuiteCase } from "./room.ts";
import { listingCases } from "./storage/listing.ts";
import { puttingCases } from "./storage/putting.ts";
import { searchCases } from "./storage/searching.ts";

/** Every case wants nothing but the plugin: `for (const { name, run } of suites.storage) test(name, () => run({ plugin }))`. */
export const suites: { readonly [Name in Slot]: readonly SuiteCase[] } = {
  capture: [],
  observation: [],
  summarization: [],
  "context-injection": [],
  "endless-mode": [],
  storage: [...puttingCases, ...listingCases, ...searchCases],
  provider: [],
};
