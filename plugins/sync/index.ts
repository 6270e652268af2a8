// The feature `sync` as a plugin: with it go its commands, routes and view of the page (`src/runtime/features.ts`).
import { definePlugin } from "../../src/sdk/index.ts";

export default definePlugin({
  name: "sync",
  description: "Shares memory between machines and with a team.",
  sdk: 1,
  hooks: {},
});
