// The feature `backfill` as a plugin: with it go its command and routes (`src/runtime/features.ts`).
import { definePlugin } from "../../src/sdk/index.ts";

export default definePlugin({
  name: "backfill",
  description: "Imports sessions that were recorded before memoir was there.",
  sdk: 1,
  hooks: {},
});
