// The feature `endless` as a plugin: with it go its commands, routes, tools and views (`src/runtime/features.ts`).
import { definePlugin } from "../../src/sdk/index.ts";

export default definePlugin({
  name: "endless",
  description: "Keeps long sessions going: what bulky results leave out can be recalled.",
  sdk: 1,
  hooks: {},
});
