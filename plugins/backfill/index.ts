// The feature `backfill` as a plugin: with it go its commands, routes, tools and views (`src/runtime/features.ts`).
import { definePlugin } from "../../src/sdk/index.ts";

export default definePlugin({
  name: "backfill",
  description: "Imports sessions that were recorded before memoir was there.",
  sdk: 1,
  hooks: {},
});
